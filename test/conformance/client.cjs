/**
 * The conformance story in the official Node client, whatever its version: CLIENT_DIR holds it. Prints one line per
 * step, `ok step` or `FAIL step: why`. CommonJS, since the oldest of these clients know nothing else.
 */
const { createRequire } = require('node:module');
const { join } = require('node:path');

const { CLIENT_DIR, BASE_URL, ACCOUNT_SID, AUTH_TOKEN, PHONE_NUMBERS, NUMBER_SID } = process.env;
const twilio = createRequire(join(CLIENT_DIR, 'index.js'))('twilio');
const client = twilio(ACCOUNT_SID, AUTH_TOKEN);
client.preview.baseUrl = BASE_URL;
client.api.baseUrl = BASE_URL;
const { hostedNumberOrders, authorizationDocuments } = hostedNumbers();
const [first, second, third] = PHONE_NUMBERS.split(',');

/** The Node clients spell the product `hosted_numbers` or `hostedNumbers`. */
function hostedNumbers() {
  return client.preview.hosted_numbers || client.preview.hostedNumbers;
}

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

async function refusal(call, code) {
  try {
    await call;
  } catch (err) {
    expect(err.code === code, `code ${err.code} instead of ${code}: ${err.message}`);
    return;
  }
  throw new Error(`not refused with ${code}`);
}

const orders = [];
let document;

const steps = {
  'create order': async () => {
    for (const phoneNumber of [first, second, third])
      orders.push(
        await hostedNumberOrders.create({
          phoneNumber,
          smsCapability: true,
          friendlyName: 'Conformance',
          ccEmails: ['a@example.com', 'b@example.com'],
        }),
      );
    expect(orders[0].status === 'received', `status ${orders[0].status}`);
    expect(orders[0].dateCreated instanceof Date, 'dateCreated is no date');
    expect(orders[0].ccEmails.length === 2, 'ccEmails');
  },
  'create order, refused': () =>
    refusal(hostedNumberOrders.create({ phoneNumber: '+1555', smsCapability: true }), 22102),
  'fetch order': async () => {
    const order = await hostedNumberOrders(orders[0].sid).fetch();
    expect(order.phoneNumber === first, 'phoneNumber');
  },
  'start verification': async () => {
    const order = await hostedNumberOrders(orders[0].sid).update({
      status: 'pending-verification',
      verificationType: 'phone-call',
    });
    expect(order.status === 'pending-verification', `status ${order.status}`);
    expect(/^\d{6}$/.test(order.verificationCode), 'verificationCode');
  },
  'list orders in pages': async () => {
    const list = await hostedNumberOrders.list({ friendlyName: 'Conformance', pageSize: 1, limit: 3 });
    expect(list.length === 3, `${list.length} orders`);
    expect(new Set(list.map(({ sid }) => sid)).size === 3, 'the same order twice');
  },
  'delete order': async () => {
    expect((await hostedNumberOrders(orders[2].sid).remove()) === true, 'not true');
    await refusal(hostedNumberOrders(orders[2].sid).fetch(), 20404);
  },
  'create document': async () => {
    const address = await client.addresses.create({
      customerName: 'Ada Lovelace',
      street: '1 Main Street',
      city: 'San Francisco',
      region: 'CA',
      postalCode: '94105',
      isoCountry: 'US',
    });
    document = await authorizationDocuments.create({
      hostedNumberOrderSids: [orders[1].sid],
      addressSid: address.sid,
      email: 'signer@example.com',
      contactTitle: 'Owner',
      contactPhoneNumber: '+14155550123',
      ccEmails: ['copy@example.com'],
    });
    expect(document.status === 'signing', `status ${document.status}`);
  },
  'update document': async () => {
    const updated = await authorizationDocuments(document.sid).update({ status: 'opened' });
    expect(updated.status === 'opened', `status ${updated.status}`);
  },
  'list dependent orders': async () => {
    const list = await authorizationDocuments(document.sid).dependentHostedNumberOrders.list({ limit: 5 });
    expect(list.length === 1 && list[0].sid === orders[1].sid, `${list.length} orders`);
  },
  'update number': async () => {
    const number = await client
      .incomingPhoneNumbers(orders[0].incomingPhoneNumberSid)
      .update({ smsUrl: 'https://example.com/sms', smsMethod: 'GET' });
    expect(number.smsUrl === 'https://example.com/sms', 'smsUrl');
    expect(
      number.dateCreated instanceof Date && !Number.isNaN(number.dateCreated.getTime()),
      'dateCreated is no date',
    );
  },
  'list numbers': async () => {
    const list = await client.incomingPhoneNumbers.list({ pageSize: 1, limit: 2 });
    expect(list.length === 2, `${list.length} numbers`);
  },
  'delete number': async () => {
    await refusal(client.incomingPhoneNumbers(orders[0].incomingPhoneNumberSid).remove(), 20409);
    expect((await client.incomingPhoneNumbers(NUMBER_SID).remove()) === true, 'not true');
    await refusal(client.incomingPhoneNumbers(NUMBER_SID).fetch(), 20404);
  },
};

async function play() {
  for (const [name, step] of Object.entries(steps)) {
    const failure = await step().then(
      () => null,
      (err) => err.message,
    );
    process.stdout.write(failure === null ? `ok ${name}\n` : `FAIL ${name}: ${failure}\n`);
  }
}

void play();
