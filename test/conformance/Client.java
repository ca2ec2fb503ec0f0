import com.twilio.base.Page;
import com.twilio.exception.ApiException;
import com.twilio.http.HttpClient;
import com.twilio.http.NetworkHttpClient;
import com.twilio.http.Request;
import com.twilio.http.Response;
import com.twilio.http.TwilioRestClient;
import com.twilio.rest.api.v2010.account.Address;
import com.twilio.rest.api.v2010.account.IncomingPhoneNumber;
import com.twilio.rest.preview.hostedNumbers.AuthorizationDocument;
import com.twilio.rest.preview.hostedNumbers.HostedNumberOrder;
import com.twilio.rest.preview.hostedNumbers.authorizationdocument.DependentHostedNumberOrder;
import com.twilio.type.PhoneNumber;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The conformance story in the official Java client. Prints "ok step" or "FAIL step: why" for each step. */
public final class Client {
  private static final String BASE_URL = System.getenv("BASE_URL");
  private static final String[] NUMBERS = System.getenv("PHONE_NUMBERS").split(",");
  private static final String NUMBER_SID = System.getenv("NUMBER_SID");
  private static final List<HostedNumberOrder> orders = new ArrayList<>();
  private static AuthorizationDocument document;
  private static TwilioRestClient client;

  /** The client with every request sent to the service instead. */
  private static final class Redirected extends NetworkHttpClient {
    @Override
    public Response makeRequest(Request request) {
      try {
        Field url = com.twilio.http.Request.class.getSuperclass() == Object.class
            ? Request.class.getDeclaredField("url")
            : Request.class.getSuperclass().getDeclaredField("url");
        url.setAccessible(true);
        url.set(request, ((String) url.get(request)).replaceFirst("https://[a-z]+\\.twilio\\.com", BASE_URL));
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
      return super.makeRequest(request);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void step(String name, Step step) {
    try {
      step.run();
      System.out.println("ok " + name);
    } catch (Throwable failure) {
      System.out.println("FAIL " + name + ": " + String.valueOf(failure).replace('\n', ' '));
    }
  }

  private static void expect(boolean condition, String what) {
    if (!condition) throw new AssertionError(what);
  }

  private static void refused(int code, Step step) throws Exception {
    try {
      step.run();
    } catch (ApiException refusal) {
      expect(refusal.getCode() == code, "code " + refusal.getCode() + " instead of " + code);
      return;
    }
    throw new AssertionError("not refused with " + code);
  }

  public static void main(String[] arguments) {
    client = new TwilioRestClient.Builder(System.getenv("ACCOUNT_SID"), System.getenv("AUTH_TOKEN"))
        .httpClient(new Redirected())
        .build();
    step("create order", () -> {
      for (String number : NUMBERS)
        orders.add(HostedNumberOrder.creator(new PhoneNumber(number), true)
            .setFriendlyName("Conformance")
            .setCcEmails(Arrays.asList("a@example.com", "b@example.com"))
            .create(client));
      expect(orders.get(0).getStatus() == HostedNumberOrder.Status.RECEIVED, "status");
      expect(orders.get(0).getDateCreated() != null, "dateCreated");
      expect(orders.get(0).getCcEmails().size() == 2, "ccEmails");
    });
    step("create order, refused", () -> refused(22102,
        () -> HostedNumberOrder.creator(new PhoneNumber("+1555"), true).create(client)));
    step("fetch order", () -> {
      HostedNumberOrder order = HostedNumberOrder.fetcher(orders.get(0).getSid()).fetch(client);
      expect(order.getPhoneNumber().toString().equals(NUMBERS[0]), "phoneNumber");
    });
    step("start verification", () -> {
      HostedNumberOrder order = HostedNumberOrder.updater(orders.get(0).getSid())
          .setStatus(HostedNumberOrder.Status.PENDING_VERIFICATION)
          .setVerificationType(HostedNumberOrder.VerificationType.PHONE_CALL)
          .update(client);
      expect(order.getStatus() == HostedNumberOrder.Status.PENDING_VERIFICATION, "status");
      expect(order.getVerificationCode().matches("\\d{6}"), "verificationCode");
    });
    step("list orders in pages", () -> {
      Set<String> sids = new HashSet<>();
      // Not read(): it would go through the orders of every run.
      var reader = HostedNumberOrder.reader().setFriendlyName("Conformance");
      pageSize(reader, 1);
      Page<HostedNumberOrder> page = reader.firstPage(client);
      for (int number = 0; number < 3; number++) {
        for (HostedNumberOrder order : page.getRecords()) sids.add(order.getSid());
        if (page.hasNextPage()) page = reader.nextPage(page, client);
      }
      expect(sids.size() == 3, sids.size() + " orders");
    });
    step("delete order", () -> {
      expect(HostedNumberOrder.deleter(orders.get(2).getSid()).delete(client), "not true");
      refused(20404, () -> HostedNumberOrder.fetcher(orders.get(2).getSid()).fetch(client));
    });
    step("create document", () -> {
      Address address = Address.creator("Ada Lovelace", "1 Main Street", "San Francisco", "CA", "94105", "US")
          .create(client);
      document = AuthorizationDocument.creator(Arrays.asList(orders.get(1).getSid()), address.getSid(),
          "signer@example.com", "Owner", "+14155550123")
          .setCcEmails(Arrays.asList("copy@example.com"))
          .create(client);
      expect(document.getStatus() == AuthorizationDocument.Status.SIGNING, "status");
    });
    step("update document", () -> {
      AuthorizationDocument opened = AuthorizationDocument.updater(document.getSid())
          .setStatus(AuthorizationDocument.Status.OPENED)
          .update(client);
      expect(opened.getStatus() == AuthorizationDocument.Status.OPENED, "status");
    });
    step("list dependent orders", () -> {
      List<String> sids = new ArrayList<>();
      for (DependentHostedNumberOrder order : DependentHostedNumberOrder.reader(document.getSid()).read(client))
        sids.add(order.getSid());
      expect(sids.equals(Arrays.asList(orders.get(1).getSid())), sids.size() + " orders");
    });
    step("update number", () -> {
      IncomingPhoneNumber number = IncomingPhoneNumber.updater(orders.get(0).getIncomingPhoneNumberSid())
          .setSmsUrl(URI.create("https://example.com/sms"))
          .update(client);
      expect(number.getSmsUrl().toString().equals("https://example.com/sms"), "smsUrl");
      expect(number.getDateCreated() != null, "dateCreated");
    });
    step("list numbers", () -> {
      int count = 0;
      for (IncomingPhoneNumber number : IncomingPhoneNumber.reader().limit(2).read(client)) count++;
      expect(count == 2, count + " numbers");
    });
    step("delete number", () -> {
      String pending = orders.get(0).getIncomingPhoneNumberSid();
      refused(20409, () -> IncomingPhoneNumber.deleter(pending).delete(client));
      expect(IncomingPhoneNumber.deleter(NUMBER_SID).delete(client), "not true");
      refused(20404, () -> IncomingPhoneNumber.fetcher(NUMBER_SID).fetch(client));
    });
    System.exit(0);
  }

  /** The newest client takes a Long where the others take an int. */
  private static void pageSize(Object reader, int size) throws ReflectiveOperationException {
    for (String name : new String[] {"setPageSize", "pageSize"}) {
      for (var method : reader.getClass().getMethods()) {
        if (!method.getName().equals(name) || method.getParameterCount() != 1) continue;
        Class<?> type = method.getParameterTypes()[0];
        method.invoke(reader, type == Long.class || type == long.class ? (Object) Long.valueOf(size) : (Object) size);
        return;
      }
    }
    throw new NoSuchMethodException("pageSize");
  }
}
