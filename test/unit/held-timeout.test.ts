import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { heldTimeout } from '../../gateways/held-timeout.ts';

it('a time limit comes in time, also when it is one of several and the collector runs before (Node 20)', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const neverAborted = new AbortController();
  const outer = AbortSignal.any([
    AbortSignal.any([neverAborted.signal, heldTimeout(300)]),
    heldTimeout(60_000),
  ]);
  let aborted = false;
  outer.addEventListener('abort', () => (aborted = true));
  for (let round = 0; round < 12; round++) {
    collect();
    await pause(50);
  }
  expect(aborted).toBe(true);
});
