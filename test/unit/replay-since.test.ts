/** A replay that an operator starts with the CLI: docs/operations.md, "Send again". */
import { expect, it } from 'vitest';
import { createReplayActivities, type ReplayDeps } from '../../activities/deliveries-replay.ts';

/** A replay whose first look at the database is what the test waits for. */
async function replaySince(since: string): Promise<unknown> {
  const asked = new Error('the database was asked');
  const get = (): never => {
    throw asked;
  };
  const db = new Proxy({}, { get });
  const activities = createReplayActivities({ db } as unknown as ReplayDeps);
  const selection = { kind: 'since', since, states: ['dead-letter'] } as const;
  const page = { replaySid: 'RP1', accountSid: 'AC1', subscriptionSid: 'WH1', selection, after: 0 };
  return activities.replayPage({ ...page, until: '2026-02-01T00:00:00.000Z' }).catch((err: unknown) => err);
}

it.each([
  'yesterday',
  '',
  '5',
  '2026-13-45',
  '1767225600',
])('a replay since %j, which is no time, fails for good and in words instead of being tried for ever', async (since) => {
  expect(await replaySince(since)).toMatchObject({
    nonRetryable: true,
    message: '"since" is not a time such as 2026-01-31T12:00:00Z',
  });
});

it.each([
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00.000Z',
  '2026-01-31 12:00:00+01:00',
  '2026-01-31',
])('a replay since %s looks for deliveries', async (since) => {
  expect(await replaySince(since)).not.toHaveProperty('nonRetryable');
});
