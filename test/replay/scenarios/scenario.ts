/** One path through workflow code: how it is played, and which workflow's history is kept of it. */
import type { FakeActivities } from '../../support/fake-activities.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

export interface Scenario {
  /** File name of the recording, without version and ending. */
  readonly name: string;
  /** Settings other than `temporal.yaml`: waits that are too long for a real clock. */
  readonly env?: Readonly<Record<string, string>>;
  /** Answers of the world other than success. */
  readonly answers?: Partial<FakeActivities>;
  /** Plays it to its end; answers the id of the workflow whose history is kept. */
  readonly play: (world: FakeWorld) => Promise<string>;
}
