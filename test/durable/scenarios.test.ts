/**
 * Every scenario that is recorded, played on a real server by a worker without a cache: each workflow task starts over
 * from the first event, as after a crash, and must ask the outside world for the same things as before.
 */
import { NativeConnection } from '@temporalio/worker';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { readRecording, recordings } from '../replay/histories.ts';
import { historyOf, onServerFor, scenarios } from '../replay/scenarios/index.ts';
import { inFakeWorld } from '../support/fake-world.ts';
import '../support/quiet-runtime.ts';

interface RecordedEvent {
  readonly activityTaskScheduledEventAttributes?: { readonly activityType?: { readonly name?: string } };
}

let shared: { readonly client: Client; readonly connection: NativeConnection };
beforeAll(async () => {
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  shared = { client: new Client({ connection }), connection };
});
afterAll(() => shared?.connection.close());

// They mostly wait, so several are played at a time.
describe.concurrent('a workflow that starts over from its first event at every step', () => {
  it.each(scenarios)('asks for the same as it did when it was recorded: $name', async (scenario) => {
    const { env = {}, answers = {}, play } = scenario;
    await onServerFor(scenario, shared, ({ client, connection }) =>
      inFakeWorld(
        { client, connection, settings: readConfig(env), answers, maxCachedWorkflows: 0 },
        async (world) => {
          const { events } = await historyOf(client, await play(world));
          expect(activitiesOf(events as readonly RecordedEvent[])).toEqual(recordedActivities(scenario.name));
        },
      ),
    );
  });
});

function recordedActivities(name: string): string[] {
  const recording = recordings()
    .filter(({ scenario }) => scenario === name)
    .toSorted((left, right) => left.version.localeCompare(right.version, 'en', { numeric: true }))
    .at(-1);
  if (!recording) throw new Error(`${name} is not recorded`);
  const { events } = readRecording(recording) as { readonly events: readonly RecordedEvent[] };
  return activitiesOf(events);
}

/** Names of the activities that were scheduled, sorted: those that run beside each other have no order. */
function activitiesOf(events: readonly RecordedEvent[]): string[] {
  return events
    .flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [])
    .toSorted();
}
