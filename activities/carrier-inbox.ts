/**
 * What the carrier brings: texts and receipts. Acknowledged only when the text is durable and every delivery of it is
 * started, so each step may be repeated, and the whole costs two statements and one start per delivery.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db, Queryable } from '../db/client.ts';
import { loadInbound } from '../db/reads/messages-by-carrier-id.ts';
import type { RecordedDelivery } from '../db/writes/events.ts';
import { insertBodyAttachment, insertMediaLinks } from '../db/writes/media.ts';
import { insertInbound, writeOptOut, type InboundInsertion } from '../db/writes/messages.ts';
import { inboundStatusCode } from '../domain/message.ts';
import { isOverLimit } from '../domain/message-payload.ts';
import { wishOf } from '../domain/opt-out.ts';
import type { CarrierInbox, ReceivedText } from '../domain/ports.ts';
import type { CarrierListener } from '../gateways/carrier.ts';
import { derivedSid } from '../security/derived-sid.ts';
import { messageTimers, type Settings } from '../settings.ts';
import {
  accountSidAttribute,
  inboundReplyId,
  inboundReplyType,
  orderWorkflowId,
  phoneNumberAttribute,
  routeTestArrivedSignal,
} from '../workflows/messages.ts';
import { createReceiptReceiver, ignoreEnded } from './carrier-receipts.ts';
import {
  eventSequences,
  pendingOptOutEvent,
  recordMessageEvent,
  recordOptOutEvent,
  toTell,
  type MessageToTell,
} from './message-events.ts';
import { segmentsOf } from './segments.ts';
import { startRecorded, type RecordedStarter } from './start-deliveries.ts';

export interface CarrierInboxDeps extends RecordedStarter {
  readonly db: Db;
}

export function createCarrierInbox(deps: CarrierInboxDeps): CarrierInbox {
  return {
    receiveText: async (text) => {
      const orderSid = await signalRouteTest(deps, text);
      // A NUL is valid in SMPP and not in a text column.
      const body = text.body.replaceAll('\0', '\uFFFD');
      return orderSid === null ? receiveText(deps, { ...text, body }) : 'route-test';
    },
    receiveReceipt: createReceiptReceiver(deps),
  };
}

/** For carriers that push over a connection of their own (SMPP), where there is nobody to answer 404 to. */
export function createCarrierListener(inbox: CarrierInbox, log: Logger): CarrierListener {
  return {
    onText: async (text) => {
      const reception = await inbox.receiveText(text);
      if (reception === 'unknown-line')
        log.warn({ carrierId: text.carrierId }, 'a text for no number of ours');
    },
    onReceipt: async (receipt) => {
      const told = await inbox.receiveReceipt(receipt);
      if (told === 'unknown') log.warn({ carrierId: receipt.carrierId }, 'a receipt for no message of ours');
    },
  };
}

/** What an inbound text is on its way into the database. */
interface Arrival {
  readonly text: ReceivedText;
  readonly sid: string;
  readonly at: Date;
}

async function receiveText(
  deps: CarrierInboxDeps,
  text: ReceivedText,
): ReturnType<CarrierInbox['receiveText']> {
  const { db, settings } = deps;
  const kind = text.mediaUrls.length > 0 ? 'messageWithMedia' : 'message';
  const arrival = { text, sid: derivedSid(kind, text.to, text.carrierId), at: new Date() };
  const stored = needsTransaction(text, settings)
    ? await db.transaction((tx) => store(tx, settings, arrival))
    : await store(db, settings, arrival);
  if (!stored) return 'unknown-line';
  await Promise.all([
    startRecorded(deps, stored),
    stored.line.hasSmsUrl ? startReply(deps, text.to, stored) : undefined,
  ]);
  return stored.line.id === null ? 'repeated' : 'stored';
}

/** A plain text is one row and one event, each a statement of its own; the rest has to be there as a whole. */
function needsTransaction({ body, mediaUrls }: ReceivedText, settings: Settings): boolean {
  return mediaUrls.length > 0 || wishOf(body) !== null || isOverLimit(body, settings.messages.bodyLimitBytes);
}

interface Stored {
  readonly line: InboundInsertion;
  readonly messageSid: string;
  /** By this call or the one before. */
  readonly storedAt: Date;
  readonly deliveries: readonly RecordedDelivery[];
}

async function store(db: Queryable, settings: Settings, arrival: Arrival): Promise<Stored | null> {
  const { text, sid, at } = arrival;
  const line = await insertInbound(db, {
    sid,
    line: text.to,
    contact: text.from,
    body: text.body,
    numSegments: segmentsOf(text.body),
    statusCode: inboundStatusCode,
    carrierId: text.carrierId,
    at,
  });
  if (!line) return null;
  const { accountSid } = line;
  const message = line.id === null ? await storedBefore(db, text) : newMessage(arrival, accountSid, line.id);
  if (line.id !== null) {
    await insertMediaLinks(db, { accountSid, messageSid: sid, urls: text.mediaUrls, at });
    if (isOverLimit(text.body, settings.messages.bodyLimitBytes))
      await insertBodyAttachment(db, { accountSid, messageSid: sid, body: text.body, at });
  }
  const receive = { kind: 'message/receive', sequence: eventSequences.receive, at } as const;
  const deliveries = await recordMessageEvent(db, settings, message, receive);
  return {
    line,
    messageSid: message.sid,
    storedAt: message.dateCreated,
    deliveries: [...deliveries, ...(await keepWish(db, message, { isNew: line.id !== null }))],
  };
}

function newMessage({ text, sid, at }: Arrival, accountSid: string, id: number): MessageToTell {
  return {
    sid,
    accountSid,
    id,
    direction: 'inbound',
    line: text.to,
    contact: text.from,
    body: text.body,
    hasMedia: text.mediaUrls.length > 0,
    statusCode: inboundStatusCode,
    dateCreated: at,
    sendAt: null,
    dateDelivered: null,
    dateRead: null,
    dateDeleted: null,
  };
}

/** By what made it a repetition: the carrier may have brought it without the media it brings now. */
async function storedBefore(db: Queryable, { to, carrierId }: ReceivedText): Promise<MessageToTell> {
  const row = await loadInbound(db, { line: to, carrierId });
  // The insert met this row, and rows of messages are never removed.
  if (!row) throw new Error('a repeated text has no row');
  return toTell(row);
}

/**
 * Keeps what a keyword asks for, and tells of it when it is a change. Kept in the same transaction as its text: one that
 * is repeated has had its say, and must not undo what the contact has asked for since.
 */
async function keepWish(
  db: Queryable,
  message: MessageToTell,
  { isNew }: { readonly isNew: boolean },
): Promise<RecordedDelivery[]> {
  const { sid: messageSid, line, contact, dateCreated: at } = message;
  const wish = wishOf(message.body);
  if (wish === null) return [];
  if (!isNew) return pendingOptOutEvent(db, message);
  const changed = await writeOptOut(db, { line, contact, optedOut: wish === 'STOP', messageSid, at });
  return changed ? recordOptOutEvent(db, message, wish) : [];
}

/** Asks the customer's server for an answer; that takes its time and holds up neither carrier nor deliveries. */
async function startReply(
  { temporal, settings }: CarrierInboxDeps,
  line: string,
  { messageSid, line: { accountSid } }: Stored,
): Promise<void> {
  try {
    await temporal.workflow.start(inboundReplyType, {
      workflowId: inboundReplyId(messageSid),
      taskQueue: settings.temporal.taskQueues.messages,
      args: [{ messageSid, accountSid, timers: messageTimers(settings) }],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: 'ask SmsUrl for a reply',
      typedSearchAttributes: [
        { key: accountSidAttribute, value: accountSid },
        { key: phoneNumberAttribute, value: line },
      ],
    });
  } catch (err) {
    if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
  }
}

/** A text of a route test is for its order, and no message. Answers the order's sid, `null` for any other text. */
async function signalRouteTest(
  { temporal, settings }: CarrierInboxDeps,
  { from, body }: ReceivedText,
): Promise<string | null> {
  if (from !== settings.gateways.carrier.routeTestNumber) return null;
  const [, orderSid, round] = /^route-test (HR[0-9a-f]{32}) (\d{1,3})$/.exec(body.trim()) ?? [];
  if (orderSid === undefined) return null;
  const order = temporal.workflow.getHandle(orderWorkflowId(orderSid));
  await ignoreEnded(() => order.signal(routeTestArrivedSignal, { round: Number(round) }));
  return orderSid;
}
