/**
 * Lets Node read TypeScript as it stands: `node --import ./typescript.js serve.ts`. Only in a process' main thread, and
 * only for ES modules: with `--import tsx` each thread for workflows, which runs a finished bundle, loads and parses as
 * much again, a second of the start on two cores.
 */
import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

if (isMainThread) register();
