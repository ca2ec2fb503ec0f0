/** Fake worlds on the Temporal server that a run of tests shares: workflows in real time. */
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, inject } from 'vitest';
import { readConfig } from '../../config.ts';
import { inFakeWorld, type FakeWorld, type FakeWorldOptions } from './fake-world.ts';
import './quiet-runtime.ts';

interface Given {
  /** Answers other than success. */
  readonly answers?: FakeWorldOptions['answers'];
  /** Keys of `temporal.yaml` that differ. */
  readonly env?: NodeJS.ProcessEnv;
}

export type PlayInWorld = (play: (world: FakeWorld) => Promise<void>, given?: Given) => Promise<void>;

/** To be called once, at the top of a test file. */
export function realWorlds(): PlayInWorld {
  let connection: NativeConnection;
  beforeAll(async () => {
    connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  });
  afterAll(() => connection?.close());
  return (play, { answers = {}, env = {} } = {}) =>
    inFakeWorld({ client: new Client({ connection }), connection, settings: readConfig(env), answers }, play);
}
