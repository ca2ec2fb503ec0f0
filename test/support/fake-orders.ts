/** Orders of a fake world, brought to where a test begins. */
import {
  attachDocumentUpdate,
  updateOrderUpdate,
  type Answer,
  type OrderChanges,
} from '../../workflows/messages.ts';
import type { FakeOrder, FakeWorld } from './fake-world.ts';
import { until } from './until.ts';

export const changeOrder = (
  order: FakeOrder,
  changes: OrderChanges,
  startVerification = false,
): Promise<Answer> =>
  order.handle.executeUpdate(updateOrderUpdate, { args: [{ changes, startVerification }] });

/** Any update of an order, by its name. */
export const act = (order: FakeOrder, update: string, argument: object = {}): Promise<Answer> =>
  order.handle.executeUpdate<Answer, [object]>(update, { args: [argument] });

/** A document that no workflow stands behind. */
export const documentOf = (order: FakeOrder): string => `PX${order.sid.slice(2)}`;

export const joinDocument = (order: FakeOrder, documentSid = documentOf(order)): Promise<Answer> =>
  order.handle.executeUpdate(attachDocumentUpdate, { args: [{ documentSid }] });

export async function untilActionRequired(world: FakeWorld): Promise<FakeOrder> {
  const order = await world.placeOrder();
  for (let call = 1; call <= 3; call++) await order.failCall();
  await order.untilStatus('action-required');
  return order;
}

/** An order with ownership verified and its letter signed. */
export async function atCarrier(world: FakeWorld): Promise<FakeOrder> {
  const order = await world.placeOrder();
  await order.startVerification();
  const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
  await order.handle.executeUpdate('enterToken', { args: [{ callSid, prompt: 1, correct: true }] });
  await order.handle.signal('callProgress', { callSid, status: 'completed' });
  await joinDocument(order);
  await order.handle.signal('documentSigned', { documentSid: documentOf(order) });
  return order;
}

export async function completed(world: FakeWorld): Promise<FakeOrder> {
  const order = await atCarrier(world);
  await order.untilStatus('completed');
  return order;
}
