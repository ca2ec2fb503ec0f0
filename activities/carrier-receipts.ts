/** What a carrier tells of a text it took: finds the message that is meant and tells its workflow. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { Db } from '../db/client.ts';
import {
  listByCarrierId,
  listUnanswered,
  type SubmittedMessage,
} from '../db/reads/messages-by-carrier-id.ts';
import { mayBeSameNumber } from '../domain/party.ts';
import type { CarrierInbox, ReceivedReceipt } from '../domain/ports.ts';
import { messageWorkflowId, receiptArrivedSignal } from '../workflows/messages.ts';

/** How long a receipt waits for the submission it answers to be stored: carriers can be that quick. */
const receiptPatienceMs = 2_000;
/**
 * And how long where the carrier still owes us the identifier of a text between the two it names: an answer may be a
 * minute late (decision 0019), and has to be stored then.
 */
const earlyPatienceMs = 70_000;
const receiptPollMs = 100;
const earlyPollMs = 1_000;
/** Receipts that no message was found for: for an hour they are not waited for again, so that none circles for ever. */
const remembered = { max: 10_000, ttl: 3_600_000 };

interface ReceiptDeps {
  readonly db: Db;
  readonly temporal: Client;
}

/** A receipt that comes again while its message is looked for takes part in that search. */
export function createReceiptReceiver({ db, temporal }: ReceiptDeps): CarrierInbox['receiveReceipt'] {
  const searches = new Map<string, Promise<'told' | 'unknown'>>();
  const givenUp = new LRUCache<string, true>(remembered);

  const receive = async (key: string, receipt: ReceivedReceipt): Promise<'told' | 'unknown'> => {
    const message = await findMeant(db, receipt, { patient: !givenUp.has(key) });
    if (!message) {
      givenUp.set(key, true);
      return 'unknown';
    }
    const { state, errorCode } = receipt;
    const workflow = temporal.workflow.getHandle(messageWorkflowId(message.sid));
    await ignoreEnded(() =>
      workflow.signal(receiptArrivedSignal, { delivered: state === 'delivered', errorCode }),
    );
    return 'told';
  };

  return (receipt) => {
    const key = JSON.stringify(receipt);
    const search = searches.get(key) ?? receive(key, receipt).finally(() => searches.delete(key));
    searches.set(key, search);
    return search;
  };
}

/** Waits for the one that is surely meant; when none has come, the carrier's identifier alone decides. */
async function findMeant(
  db: Db,
  receipt: ReceivedReceipt,
  { patient }: { readonly patient: boolean },
): Promise<SubmittedMessage | undefined> {
  const { carrierId, otherIds = [] } = receipt;
  const began = Date.now();
  let patienceMs = patient ? receiptPatienceMs : 0;
  for (;;) {
    const waitedMs = Date.now() - began;
    const isUndecided = patienceMs === receiptPatienceMs && waitedMs >= patienceMs;
    // Asked before the look: what is stored in between is found by it.
    if (isUndecided && (await mayStillCome(db, receipt))) patienceMs = earlyPatienceMs;
    const found = await listByCarrierId(db, [carrierId, ...otherIds]);
    const meant = found.find((message) => isSurely(receipt, message));
    if (meant) return meant;
    if (waitedMs >= patienceMs) return found.find((message) => message.carrierId === carrierId);
    await pause(waitedMs < receiptPatienceMs ? receiptPollMs : earlyPollMs);
  }
}

/** The identifier of a text between the two parties is not known yet. */
async function mayStillCome(db: Db, { parties = [] }: ReceivedReceipt): Promise<boolean> {
  const contacts = await listUnanswered(db, parties);
  return contacts.some((contact) => names(parties, contact));
}

/**
 * No other message can come yet that the receipt fits better. One to somebody else under the same identifier, given again
 * or in the other notation, is not it while that may still be on its way to being stored.
 */
function isSurely({ carrierId, parties }: ReceivedReceipt, message: SubmittedMessage): boolean {
  const isNamed = parties === undefined || names(parties, message.contact);
  return message.carrierId === carrierId ? isNamed || message.isOpen : isNamed;
}

const names = (parties: readonly string[], contact: string): boolean =>
  parties.some((party) => mayBeSameNumber(party, contact));

/** A workflow that has ended needs to hear nothing any more. */
export async function ignoreEnded(tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (err) {
    if (!(err instanceof WorkflowNotFoundError)) throw err;
  }
}
