"""The conformance story in the official Python client. Prints `ok step` or `FAIL step: why` for each step."""
import os
import re
from datetime import datetime

from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

base_url = os.environ["BASE_URL"]
client = Client(os.environ["ACCOUNT_SID"], os.environ["AUTH_TOKEN"])
client.preview.base_url = base_url
client.api.base_url = base_url
first, second, third = os.environ["PHONE_NUMBERS"].split(",")
number_sid = os.environ["NUMBER_SID"]
hosted = client.preview.hosted_numbers
orders = []
made = {}


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def refusal(call, code):
    try:
        call()
    except TwilioRestException as refused:
        expect(refused.code == code, f"code {refused.code} instead of {code}")
        return
    raise AssertionError(f"not refused with {code}")


def create_order():
    for number in (first, second, third):
        orders.append(
            hosted.hosted_number_orders.create(
                phone_number=number,
                sms_capability=True,
                friendly_name="Conformance",
                cc_emails=["a@example.com", "b@example.com"],
            )
        )
    expect(orders[0].status == "received", f"status {orders[0].status}")
    expect(isinstance(orders[0].date_created, datetime), "date_created is no date")
    expect(len(orders[0].cc_emails) == 2, "cc_emails")


def create_order_refused():
    refusal(lambda: hosted.hosted_number_orders.create(phone_number="+1555", sms_capability=True), 22102)


def fetch_order():
    expect(hosted.hosted_number_orders(orders[0].sid).fetch().phone_number == first, "phone_number")


def start_verification():
    order = hosted.hosted_number_orders(orders[0].sid).update(
        status="pending-verification", verification_type="phone-call"
    )
    expect(order.status == "pending-verification", f"status {order.status}")
    expect(re.fullmatch(r"\d{6}", order.verification_code or ""), "verification_code")


def list_orders():
    found = hosted.hosted_number_orders.list(friendly_name="Conformance", page_size=1, limit=3)
    expect(len({order.sid for order in found}) == 3, f"{len(found)} orders")


def delete_order():
    expect(hosted.hosted_number_orders(orders[2].sid).delete() is True, "not true")
    refusal(lambda: hosted.hosted_number_orders(orders[2].sid).fetch(), 20404)


def create_document():
    address = client.addresses.create(
        customer_name="Ada Lovelace",
        street="1 Main Street",
        city="San Francisco",
        region="CA",
        postal_code="94105",
        iso_country="US",
    )
    made["document"] = hosted.authorization_documents.create(
        hosted_number_order_sids=[orders[1].sid],
        address_sid=address.sid,
        email="signer@example.com",
        contact_title="Owner",
        contact_phone_number="+14155550123",
        cc_emails=["copy@example.com"],
    )
    expect(made["document"].status == "signing", f"status {made['document'].status}")


def update_document():
    document = hosted.authorization_documents(made["document"].sid).update(status="opened")
    expect(document.status == "opened", f"status {document.status}")


def list_dependents():
    document = hosted.authorization_documents(made["document"].sid)
    found = document.dependent_hosted_number_orders.list(limit=5)
    expect([order.sid for order in found] == [orders[1].sid], f"{len(found)} orders")


def update_number():
    number = client.incoming_phone_numbers(orders[0].incoming_phone_number_sid).update(
        sms_url="https://example.com/sms", sms_method="GET"
    )
    expect(number.sms_url == "https://example.com/sms", "sms_url")
    expect(isinstance(number.date_created, datetime), "date_created is no date")


def list_numbers():
    found = client.incoming_phone_numbers.list(page_size=1, limit=2)
    expect(len(found) == 2, f"{len(found)} numbers")


def delete_number():
    refusal(client.incoming_phone_numbers(orders[0].incoming_phone_number_sid).delete, 20409)
    expect(client.incoming_phone_numbers(number_sid).delete() is True, "not true")
    refusal(client.incoming_phone_numbers(number_sid).fetch, 20404)


steps = {
    "create order": create_order,
    "create order, refused": create_order_refused,
    "fetch order": fetch_order,
    "start verification": start_verification,
    "list orders in pages": list_orders,
    "delete order": delete_order,
    "create document": create_document,
    "update document": update_document,
    "list dependent orders": list_dependents,
    "update number": update_number,
    "list numbers": list_numbers,
    "delete number": delete_number,
}
for name, step in steps.items():
    try:
        step()
        print(f"ok {name}", flush=True)
    except Exception as failure:
        print(f"FAIL {name}: {type(failure).__name__} {failure}".replace("\n", " "), flush=True)
