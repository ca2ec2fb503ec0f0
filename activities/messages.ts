/** Activities of messages: their place in the read model, the carrier, the customer's own server. */
import { cancellationSignal } from '@temporalio/activity';
import { findNumberInUse } from '../db/reads/incoming-phone-numbers.ts';
import { isOptedOut, loadMessage, lockMessage, mediaOf, type MessageRow } from '../db/reads/messages.ts';
import type { Queryable } from '../db/client.ts';
import { deleteMedia, insertBodyAttachment, insertMediaLinks } from '../db/writes/media.ts';
import * as write from '../db/writes/messages.ts';
import { isInFlight, type OutgoingMessage } from '../domain/message.ts';
import { isOverLimit } from '../domain/message-payload.ts';
import type {
  DeliveryStart,
  MessageActivities,
  MessagePlacement,
  MessageProgress,
  MessageSubmission,
} from '../domain/ports.ts';
import type { Settings } from '../settings.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';
import {
  eventSequences,
  recordMessageEvent,
  recordStatusCallback,
  toTell,
  type MessageTelling,
} from './message-events.ts';
import { segmentsOf } from './segments.ts';
import { createSmsUrlActivity, type SmsUrlDeps } from './sms-url.ts';

export interface MessageDeps extends SmsUrlDeps {
  readonly gateways: Pick<ActivityDeps['gateways'], 'carrier'>;
}

export function createMessageActivities(deps: MessageDeps): MessageActivities {
  const { db, settings } = deps;
  return {
    placeMessage: ({ message, at }) => place(deps, message, new Date(at)),
    recordMessage: (progress) =>
      db.transaction(async (tx) => ({ deliveries: await recordProgress(tx, settings, progress) })),
    submitMessage: ({ messageSid }) => submit(deps, messageSid),
    changeMessage: (change) => db.transaction((tx) => changeMessage(tx, settings, change)),
    ...createSmsUrlActivity(deps),
  };
}

async function place(
  { db, settings }: MessageDeps,
  message: OutgoingMessage,
  at: Date,
): Promise<MessagePlacement> {
  const { sid, accountSid, body, mediaUrls } = message;
  const inserted = await write.insertOutbound(db, message, { numSegments: segmentsOf(body), at });
  if (inserted.id === null) {
    // It is refused now, or was stored before: by a run of this activity that was cut short, or so long ago that it was
    // sent, perhaps removed since, and Temporal has forgotten its workflow.
    const known = await loadMessage(db, sid);
    if (!known) return { kind: 'refused', code: inserted.optedOut && inserted.maySend ? 21610 : 21606 };
    if (known.dateDeleted !== null) return { kind: 'refused', code: 20404 };
    // Made by another run and gone on since: it was sent, and must not be sent a second time.
    const byThisRun = known.dateCreated.getTime() === at.getTime();
    if (known.revision > 1 && !byThisRun) return { kind: 'refused', code: 20409 };
  }
  await insertMediaLinks(db, { accountSid, messageSid: sid, urls: mediaUrls, at });
  if (isOverLimit(body, settings.messages.bodyLimitBytes))
    await insertBodyAttachment(db, { accountSid, messageSid: sid, body, at });
  if (message.sendAt !== null) return { kind: 'placed', deliveries: [] };
  const send = { kind: 'message/send', sequence: eventSequences.send, at } as const;
  return { kind: 'placed', deliveries: await tell(db, settings, await existing(db, sid), send) };
}

async function recordProgress(
  tx: Queryable,
  settings: Settings,
  progress: MessageProgress,
): Promise<DeliveryStart[]> {
  await lockMessage(tx, progress.messageSid);
  await write.writeProgress(tx, progress);
  const message = await existing(tx, progress.messageSid);
  // Who removed a message wants to hear no more of it.
  if (message.dateDeleted !== null) return [];
  const { reported, revision: sequence } = progress;
  const at = new Date(progress.at);
  const kind = reported === 2 ? 'message/send' : 'message/progress';
  return [
    ...(reported === null ? [] : await tell(tx, settings, message, { kind, sequence, at })),
    ...(progress.statusChanged ? await recordStatusCallback(tx, message, { sequence, at }) : []),
  ];
}

/** The line and the recipient are looked at again: either may have changed while a scheduled message waited. */
async function submit({ db, gateways }: MessageDeps, messageSid: string): Promise<MessageSubmission> {
  const message = await existing(db, messageSid);
  const number = await findNumberInUse(db, message.line);
  if (number?.accountSid !== message.accountSid) return { kind: 'refused', errorCode: 21606 };
  if (await isOptedOut(db, message.line, message.contact)) return { kind: 'refused', errorCode: 21610 };
  const links = await mediaOf(db, messageSid, { withBody: false });
  const submission = await gateways.carrier.submit(
    {
      key: messageSid,
      from: message.line,
      to: message.contact,
      body: message.body,
      mediaUrls: links.map(({ url }) => url).filter((url) => url !== null),
      validityPeriodSeconds: message.validityPeriod,
    },
    cancellationSignal(),
  );
  if (submission.kind === 'refused') return { kind: 'refused', errorCode: submission.errorCode };
  await write.writeCarrierId(db, messageSid, submission.carrierId);
  return { kind: 'accepted', receiptFollows: submission.receiptFollows };
}

/** The event carries the state after the change: the deletion's has no text any more (decision 0017). */
async function changeMessage(
  tx: Queryable,
  settings: Settings,
  { messageSid, accountSid, change, mediaSid, at }: Parameters<MessageActivities['changeMessage']>[0],
): Promise<MessagePlacement> {
  const message = await lockMessage(tx, messageSid);
  const date = new Date(at);
  if (message?.accountSid !== accountSid) return { kind: 'refused', code: 20404 };
  if (message.dateDeleted !== null && change !== 'delete') return { kind: 'refused', code: 20404 };
  if (change !== 'read' && isInFlight(message.status)) return { kind: 'refused', code: 20009 };
  switch (change) {
    case 'redact':
      await write.writeRedaction(tx, messageSid, date);
      return { kind: 'placed', deliveries: [] };
    case 'delete-media':
      if (mediaSid !== null) await deleteMedia(tx, messageSid, mediaSid);
      return { kind: 'placed', deliveries: [] };
    case 'read': {
      if (message.direction !== 'inbound') return { kind: 'placed', deliveries: [] };
      await write.writeRead(tx, messageSid, date);
      const read = { ...message, dateRead: message.dateRead ?? date };
      const telling = { kind: 'message/read', sequence: eventSequences.read, at: date } as const;
      return { kind: 'placed', deliveries: await tell(tx, settings, read, telling) };
    }
    case 'delete': {
      await write.writeDeletion(tx, messageSid, date);
      const deleted = await existing(tx, messageSid);
      const telling = { kind: 'message/delete', sequence: eventSequences.delete, at: date } as const;
      return { kind: 'placed', deliveries: await tell(tx, settings, deleted, telling) };
    }
  }
}

/** The deliveries are for the message's workflow to start. */
async function tell(
  db: Queryable,
  settings: Settings,
  message: MessageRow,
  telling: MessageTelling,
): Promise<DeliveryStart[]> {
  const recorded = await recordMessageEvent(db, settings, toTell(message), telling);
  return recorded.map(({ start }) => start);
}

async function existing(db: Queryable, sid: string): Promise<MessageRow> {
  const message = await loadMessage(db, sid);
  if (!message) throw permanentFailure('The message is not in the database', 'MessageNotFound');
  return message;
}
