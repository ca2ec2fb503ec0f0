/** What the handlers and the steps of one order's run share, and how a handler moves the order. */
import { condition } from '@temporalio/workflow';
import type { OrderTrigger } from '../domain/hosted-number-order.ts';
import type { Placement } from '../domain/ports.ts';
import type { Answer } from './messages.ts';
import type { CarrierNews } from './order-carrier.ts';
import type { LiveOrder, Why } from './order-state.ts';
import type { VerificationCall } from './order-verification.ts';

export interface OrderDesk {
  readonly order: LiveOrder;
  readonly news: CarrierNews;
  /** The live verification call, if there is one. */
  call: VerificationCall | null;
  /** `null` until the order is stored. */
  placement: Placement | null;
}

export const done: Answer = { ok: true, value: null };

/** Waits until the order is stored, or known to be refused. Every update passes here first. */
export async function placed(desk: OrderDesk): Promise<Answer> {
  await condition(() => desk.placement !== null); // no deadline: the first activity is tried until it succeeds
  return desk.placement?.kind === 'refused' ? { ok: false, code: desk.placement.code } : done;
}

/** Applies one trigger and answers when the outcome is durable. */
export async function act(desk: OrderDesk, trigger: OrderTrigger, reason: Why): Promise<Answer> {
  const before = await placed(desk);
  return before.ok ? actNow(desk, trigger, reason) : before;
}

/** The same for an order that is known to be stored: the table is asked before anything else can happen. */
export async function actNow({ order }: OrderDesk, trigger: OrderTrigger, reason: Why): Promise<Answer> {
  const status = order.facts.status;
  const applied = order.apply(trigger, reason);
  if (!applied.ok) return applied;
  await order.publish({ statusChanged: order.facts.status !== status || order.facts.canceled });
  return done;
}
