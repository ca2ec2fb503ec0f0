/** What a carrier tells of a text it took: finds the message that is meant and tells its workflow. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Db } from '../db/client.ts';
import { listByCarrierId, type SubmittedMessage } from '../db/reads/messages-by-carrier-id.ts';
import { mayBeSameNumber } from '../domain/party.ts';
import type { ReceivedReceipt } from '../domain/ports.ts';
import { messageWorkflowId, receiptArrivedSignal } from '../workflows/messages.ts';

/** How long a receipt waits for the submission it answers to be stored: carriers can be that quick. */
const receiptPatienceMs = 2_000;
const receiptPollMs = 100;

export async function receiveReceipt(
  { db, temporal }: { readonly db: Db; readonly temporal: Client },
  receipt: ReceivedReceipt,
): Promise<'told' | 'unknown'> {
  const { state, errorCode } = receipt;
  const message = await findMeant(db, receipt);
  if (!message) return 'unknown';
  const workflow = temporal.workflow.getHandle(messageWorkflowId(message.sid));
  await ignoreEnded(() =>
    workflow.signal(receiptArrivedSignal, { delivered: state === 'delivered', errorCode }),
  );
  return 'told';
}

/** Waits for the one that is surely meant; when none has come, the carrier's identifier alone decides. */
async function findMeant(db: Db, receipt: ReceivedReceipt): Promise<SubmittedMessage | undefined> {
  const { carrierId, otherIds = [] } = receipt;
  const deadline = Date.now() + receiptPatienceMs;
  for (;;) {
    const found = await listByCarrierId(db, [carrierId, ...otherIds]);
    const meant = found.find((message) => isSurely(receipt, message));
    if (meant) return meant;
    if (Date.now() >= deadline) return found.find((message) => message.carrierId === carrierId);
    await pause(receiptPollMs);
  }
}

/**
 * No other message can come yet that the receipt fits better. One to somebody else under the same identifier, given again
 * or in the other notation, is not it while that may still be on its way to being stored.
 */
function isSurely({ carrierId, parties }: ReceivedReceipt, message: SubmittedMessage): boolean {
  const isNamed = parties?.some((party) => mayBeSameNumber(party, message.contact)) ?? true;
  return message.carrierId === carrierId ? isNamed || message.isOpen : isNamed;
}

/** A workflow that has ended needs to hear nothing any more. */
export async function ignoreEnded(tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (err) {
    if (!(err instanceof WorkflowNotFoundError)) throw err;
  }
}
