/** The status callback of an order: what it says, and the delivery that carries it. Source: domain.md §6.3. */
import { type CallbackOrder, findCallbackOrder } from '../db/reads/hosted-number-orders.ts';
import { recordCallback } from '../db/writes/events.ts';
import type { OrderActivities, OrderCallback } from '../domain/ports.ts';
import type { ActivityDeps } from './deps.ts';

export function createOrderCallbackActivity({
  db,
}: Pick<ActivityDeps, 'db'>): Pick<OrderActivities, 'prepareOrderCallback'> {
  return {
    async prepareOrderCallback(callback) {
      const { orderSid, sequence, at } = callback;
      const order = await findCallbackOrder(db, orderSid);
      if (!order || order.statusCallbackUrl === null) return null;
      return recordCallback(db, {
        accountSid: order.accountSid,
        kind: 'order/status',
        resourceSid: orderSid,
        sequence,
        line: order.phoneNumber,
        payload: statusForm(order, callback).toString(),
        url: order.statusCallbackUrl,
        method: order.statusCallbackMethod,
        at: new Date(at),
      });
    },
  };
}

/** Fields of the callback's form, or of its query for GET. */
function statusForm(order: CallbackOrder, callback: OrderCallback): URLSearchParams {
  return new URLSearchParams({
    HostedNumberOrderSid: order.sid,
    AccountSid: order.accountSid,
    IncomingPhoneNumberSid: order.incomingPhoneNumberSid,
    SigningDocumentSid: order.signingDocumentSid ?? '',
    PhoneNumber: order.phoneNumber,
    FriendlyName: order.friendlyName ?? '',
    UniqueName: order.uniqueName ?? '',
    Status: callback.status,
    FailureReason: callback.failureReason ?? '',
    VerificationAttempts: String(callback.verificationAttempts),
    Timestamp: callback.at,
    Sequence: String(callback.sequence),
  });
}
