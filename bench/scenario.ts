/** What every scenario is. */
import type { ScenarioReport } from './report.ts';

export interface ScenarioOptions {
  /** Texts of a burst, orders of a long run: what a scenario repeats most. Undefined: its own default. */
  readonly count: number | undefined;
  /** Seconds of a load that lasts. Undefined: its own default. */
  readonly seconds: number | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** Runs only when asked for, by name or with `--long`. */
  readonly long?: boolean;
  run(options: ScenarioOptions): Promise<Omit<ScenarioReport, 'scenario'>>;
}
