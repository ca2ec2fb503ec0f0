/** Workflow code of today over what workflows of earlier releases did: no run that is open somewhere may break. */
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type ReplayResult } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { testBundle } from '../support/bundle.ts';
import '../support/quiet-runtime.ts';
import { readRecording, recordings } from './histories.ts';
import { pastScenarios, scenarios } from './scenarios/index.ts';

interface RecordedHistory {
  readonly events: readonly { readonly eventType: string }[];
}

describe('recorded histories', () => {
  const recorded = recordings();

  it('belong one to one to the scenarios', () => {
    const names = [...scenarios, ...pastScenarios].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...new Set(recorded.map(({ scenario }) => scenario))].toSorted()).toEqual(names.toSorted());
  });

  // One worker for all of them: making one takes longer than a replay.
  const results = new Map<string, ReplayResult>();
  beforeAll(async () => {
    const options = { workflowBundle: await testBundle() };
    const histories = recorded.map((recording) => ({
      workflowId: recording.file,
      history: readRecording(recording) as History,
    }));
    for await (const result of Worker.runReplayHistories(options, histories))
      results.set(result.workflowId, result);
  });

  it.each(recorded)('of $scenario ($version) replay', ({ file }) => {
    expect(results.has(file)).toBe(true);
    const { error } = results.get(file) ?? {};
    if (error) throw error;
  });

  it('are seen to be broken when a step is missing from them', async () => {
    const recording = recorded.find(({ scenario }) => scenario === 'order-completed-released-retired');
    if (!recording) throw new Error('the recording is missing');
    const { events } = readRecording(recording) as RecordedHistory;
    const cut = events.findIndex(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
    const broken = { events: events.map((event, at) => (at === cut ? renamed(event) : event)) };
    await expect(
      Worker.runReplayHistory({ workflowBundle: await testBundle() }, broken, 'broken'),
    ).rejects.toThrow(/nondeterminism|determinism/i);
  });
});

/** The same event, for another activity. */
function renamed(event: object): { readonly eventType: string } {
  const text = JSON.stringify(event).replace(
    /"activityType":\{"name":"\w+"\}/,
    '"activityType":{"name":"other"}',
  );
  return JSON.parse(text) as { eventType: string };
}
