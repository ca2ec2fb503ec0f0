/** Sends deliveries again, and sends test events, a page at a time. */
import { recordTestEvent, replayDeliveries, type ReplayedPage } from '../db/writes/replays.ts';
import type { EventType } from '../domain/events.ts';
import { messagePayload, optOutPayload, type PayloadSettings } from '../domain/message-payload.ts';
import type { ReplayActivities, ReplayPage } from '../domain/ports.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';
import { startDeliveries } from './start-deliveries.ts';

export type ReplayDeps = Pick<ActivityDeps, 'db' | 'settings' | 'temporal' | 'limits'>;

export function createReplayActivities(deps: ReplayDeps): ReplayActivities {
  const { db, settings } = deps;
  return {
    replayPage: async (page) => {
      const { starts, next } = await recordPage(db, settings, page);
      await startDeliveries(deps, starts);
      return { deliverySids: starts.map(({ deliverySid }) => deliverySid), next };
    },
  };
}

async function recordPage(
  db: ReplayDeps['db'],
  settings: ReplayDeps['settings'],
  page: ReplayPage,
): Promise<ReplayedPage> {
  const { replaySid, accountSid, subscriptionSid, selection } = page;
  const at = new Date(page.until);
  // The API's is one; with the CLI an operator types it, and Node would read "5" as a month.
  if (selection.kind === 'since' && !isTime(selection.since))
    throw permanentFailure('"since" is not a time such as 2026-01-31T12:00:00Z', 'InvalidReplay');
  if (selection.kind !== 'test') return replayDeliveries(db, page, at);
  if (subscriptionSid === null) return { starts: [], next: null };
  const kind = selection.eventType;
  const payload = JSON.stringify(samplePayload(kind, at, settings.messages));
  const start = await recordTestEvent(db, { replaySid, accountSid, subscriptionSid, kind, payload, at });
  return { starts: start ? [start] : [], next: null };
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

/** A payload of this kind between two numbers that are reserved for fiction. */
function samplePayload(kind: EventType, at: Date, settings: PayloadSettings): object {
  const parties = { line: '+14155550100', contact: '+14155550199' };
  const told = { ...parties, id: 1, body: 'Test event of Hosted SMS' };
  if (kind === 'optout/change') return optOutPayload({ ...told, body: 'STOP', type: 'STOP', at });
  const inbound = kind !== 'message/send' && kind !== 'message/progress';
  return messagePayload(
    {
      ...told,
      direction: inbound ? 'inbound' : 'outbound-api',
      hasMedia: false,
      statusCode: kind === 'message/send' ? 2 : 4,
      dateCreated: at,
      sendAt: null,
      dateDelivered: null,
      dateRead: kind === 'message/read' ? at : null,
      dateDeleted: kind === 'message/delete' ? at : null,
    },
    settings,
  );
}
