/**
 * The telephone network of this machine: a Twilio-compatible Calls API on one side, phones that a person or a script
 * picks up on the other. Calls are kept, so that a key places one call however often it is sent.
 */
import { join } from 'node:path';
import { newCallRecord, type CallRecord, type CallRequest } from './call-record.ts';
import { endCutOff, placeCall, type Behaviour, type Call } from './call.ts';
import { openJsonFile } from './json-file.ts';
import { createProviderClient } from './provider-request.ts';

export interface PhoneNetworkOptions {
  /** Folder of its state. */
  readonly dataDir: string;
  /** Signs what the network sends. */
  readonly authToken: string;
  readonly speechMsPerCharacter: number;
}

export interface PhoneNetwork {
  /** Places a call once per idempotency key; kept before it is fulfilled. */
  place(request: CallRequest): Promise<CallRecord>;
  /** Newest first. */
  calls(): readonly CallRecord[];
  find(sid: string): CallRecord | undefined;
  /** The call while it rings or is spoken on. */
  live(sid: string): Call | undefined;
  /** Behaviour of each number that has one of its own. */
  behaviours(): Readonly<Record<string, Behaviour>>;
  setBehaviour(number: string, behaviour: Behaviour): Promise<void>;
  /** Grows with every change: pages ask for news by it. */
  version(): number;
  /** Cuts off what is live and keeps the state. */
  stop(): Promise<void>;
}

interface State {
  readonly calls: CallRecord[];
  readonly behaviours: Record<string, Behaviour>;
}

/** Calls that are kept. */
const callLimit = 500;

export function createPhoneNetwork(options: PhoneNetworkOptions): PhoneNetwork {
  const { dataDir, authToken, speechMsPerCharacter } = options;
  const file = openJsonFile<State>(join(dataDir, 'phone.json'), { calls: [], behaviours: {} });
  const { state } = file;
  const client = createProviderClient(authToken);
  const live = new Map<string, Call>();
  let version = Date.now();

  const changed = (): void => {
    version += 1;
    void file.save();
  };
  const closing = new AbortController();
  for (const record of state.calls)
    if (!record.told) void endCutOff(record, { client, closing: closing.signal }).then(changed);

  return {
    async place(request) {
      const { idempotencyKey } = request;
      const known = idempotencyKey && state.calls.find((call) => call.idempotencyKey === idempotencyKey);
      if (known) return known;
      const record = newCallRecord(request);
      state.calls.unshift(record);
      if (state.calls.length > callLimit) state.calls.splice(callLimit);
      await file.save();
      const behaviour = state.behaviours[request.to] ?? 'ring';
      const how = { client, behaviour, speechMsPerCharacter, changed, closing: closing.signal };
      const call = placeCall(record, how);
      live.set(record.sid, call);
      void call.finished.finally(() => {
        live.delete(record.sid);
        changed();
      });
      return record;
    },
    calls: () => state.calls,
    find: (sid) => state.calls.find((call) => call.sid === sid),
    live: (sid) => live.get(sid),
    behaviours: () => state.behaviours,
    async setBehaviour(number, behaviour) {
      if (behaviour === 'ring') delete state.behaviours[number];
      else state.behaviours[number] = behaviour;
      version += 1;
      await file.save();
    },
    version: () => version,
    async stop() {
      closing.abort();
      for (const call of live.values()) call.end();
      await Promise.all([...live.values()].map((call) => call.finished));
      await file.save();
    },
  };
}
