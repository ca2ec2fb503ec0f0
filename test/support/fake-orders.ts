/** Orders of a fake world, brought to where a test begins. */
import type { FakeOrder, FakeWorld } from './fake-world.ts';
import { until } from './until.ts';

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
  const documentSid = `PX${order.sid.slice(2)}`;
  await order.handle.executeUpdate('attachDocument', { args: [{ documentSid }] });
  await order.handle.signal('documentSigned', { documentSid });
  return order;
}

export async function completed(world: FakeWorld): Promise<FakeOrder> {
  const order = await atCarrier(world);
  await order.untilStatus('completed');
  return order;
}
