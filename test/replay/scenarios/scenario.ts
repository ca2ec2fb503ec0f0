/** One path through workflow code: how it is played, and which workflow's history is kept of it. */
import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { FakeActivities } from '../../support/fake-activities.ts';
import type { FakeWorld } from '../../support/fake-world.ts';
import { startTestTemporal, type TestTemporal } from '../../support/temporal-server.ts';

export interface Scenario {
  /** File name of the recording, without version and ending. */
  readonly name: string;
  /** The server's dynamic configuration, for limits that nobody reaches in a test otherwise. A server of its own. */
  readonly dynamicConfig?: Readonly<Record<string, number>>;
  /** Settings other than `temporal.yaml`: waits that are too long for a real clock. */
  readonly env?: Readonly<Record<string, string>>;
  /** Answers of the world other than success. */
  readonly answers?: Partial<FakeActivities>;
  /** Plays it to its end; answers the workflow whose history is kept. */
  readonly play: (world: FakeWorld) => Promise<string | Run>;
}

/** One run of a workflow that went on in another. */
export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** A path that no run takes any more. Its recording stays, for those that did; nobody can play it. */
export interface PastScenario {
  readonly name: string;
  /** What was so then. */
  readonly past: string;
}

export function historyOf(client: Client, played: string | Run): Promise<History> {
  const { workflowId, runId } =
    typeof played === 'string' ? { workflowId: played, runId: undefined } : played;
  return client.workflow.getHandle(workflowId, runId).fetchHistory();
}

type Server = Pick<TestTemporal, 'client' | 'connection'>;

/** Plays on the server that is there, or on one of the scenario's own where it needs other limits. */
export async function onServerFor<T>(
  { dynamicConfig }: Scenario,
  shared: Server,
  play: (server: Server) => Promise<T>,
): Promise<T> {
  if (!dynamicConfig) return play(shared);
  const own = await startTestTemporal(dynamicConfig);
  try {
    return await play(own);
  } finally {
    await own.stop();
  }
}
