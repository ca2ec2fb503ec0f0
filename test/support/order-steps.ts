/** The steps of an order as a customer takes them with the official client, and the people outside with their hands. */
import type { HostedNumberOrderInstance } from 'twilio/lib/rest/preview/hosted_numbers/hostedNumberOrder.js';
import type { Outside } from './outside.ts';
import { newPhoneNumber } from './phone-numbers.ts';
import type { TwilioClient } from './twilio.ts';
import { until } from './until.ts';

export interface OrderSteps {
  create(more?: Readonly<Record<string, unknown>>): Promise<HostedNumberOrderInstance>;
  /** Starts a call; resolves with the code. */
  startCall(sid: string): Promise<string>;
  /** The order has heard of a call's end and said so: now it may begin another. */
  untilCallEnded(sid: string, attempt: number): Promise<void>;
  /** A call that the callee rejects. Resolves when the order may begin another. */
  rejectCall(order: { readonly sid: string; readonly phoneNumber: string }): Promise<void>;
  /** Has ownership verified: call, answer, code. */
  verify(order: HostedNumberOrderInstance): Promise<void>;
  /** Creates the document; resolves with its sid and the signer's address. */
  authorise(...orderSids: string[]): Promise<{ readonly documentSid: string; readonly email: string }>;
  status(sid: string): Promise<string>;
  untilStatus(sid: string, status: string): Promise<HostedNumberOrderInstance>;
  /** All of it. */
  complete(more?: Readonly<Record<string, unknown>>): Promise<HostedNumberOrderInstance>;
}

let signers = 0;

const shopAddress = {
  customerName: 'Springfield Bakery LLC',
  street: '742 Evergreen Terrace',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62704',
  isoCountry: 'US',
};

export function orderSteps(client: TwilioClient, outside: Outside): OrderSteps {
  const orders = client.preview.hosted_numbers.hostedNumberOrders;
  const steps: OrderSteps = {
    create: (more = {}) => orders.create({ phoneNumber: newPhoneNumber(), smsCapability: true, ...more }),
    startCall: async (sid) => {
      const order = await orders(sid).update({
        verificationType: 'phone-call',
        status: 'pending-verification',
      });
      return order.verificationCode;
    },
    untilCallEnded: async (sid, attempt) => {
      const uri = `${client.preview.baseUrl}/HostedNumbers/HostedNumberOrders/${sid}/Timeline`;
      await until(
        async () => {
          const { body } = await client.request({ method: 'get', uri });
          return JSON.stringify(body).includes(`verification call ${attempt} ended: `);
        },
        { what: `call ${attempt} of order ${sid} to end` },
      );
    },
    rejectCall: async ({ sid, phoneNumber }) => {
      await steps.startCall(sid);
      await outside.act(await outside.ringing(phoneNumber), 'reject');
      const { verificationAttempts } = await orders(sid).fetch();
      await steps.untilCallEnded(sid, verificationAttempts);
    },
    verify: async ({ sid, phoneNumber }) => {
      const code = await steps.startCall(sid);
      await outside.answerWith(phoneNumber, code);
      await until(async () => !['received', 'pending-verification'].includes(await steps.status(sid)), {
        what: `order ${sid} to be verified`,
      });
    },
    authorise: async (...orderSids) => {
      const email = `signer-${(signers += 1)}-${Date.now()}@example.com`;
      const address = await client.addresses.create(shopAddress);
      const document = await client.preview.hosted_numbers.authorizationDocuments.create({
        hostedNumberOrderSids: orderSids,
        addressSid: address.sid,
        contactTitle: 'Owner',
        contactPhoneNumber: '+14158675310',
        email,
      });
      return { documentSid: document.sid, email };
    },
    status: async (sid) => (await orders(sid).fetch()).status,
    untilStatus: (sid, status) =>
      until(
        async () => {
          const order = await orders(sid).fetch();
          return order.status === status && order;
        },
        { what: `order ${sid} to be ${status}` },
      ),
    complete: async (more) => {
      const order = await steps.create(more);
      await steps.verify(order);
      const { email } = await steps.authorise(order.sid);
      const { link } = await outside.letterTo(email);
      await outside.sign(link);
      return steps.untilStatus(order.sid, 'completed');
    },
  };
  return steps;
}
