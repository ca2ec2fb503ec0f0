/** What the carrier has taken on, kept in a journal of JSON lines: a line is on the disk before anything is answered. */
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A text from the service to a handset. */
export interface OutgoingRow {
  readonly sid: string;
  readonly via: 'http' | 'smpp';
  /** Idempotency-Key of the request; none over SMPP. */
  readonly key: string | null;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly statusCallback: string | null;
  readonly wantsReceipt: boolean;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly state: 'queued' | 'delivered' | 'undelivered';
  /** ISO 8601; null until the handset has it. */
  readonly arrivedAt: string | null;
  readonly receipt: 'none' | 'due' | 'taken';
}

/** A text from a handset to a number that the service hosts. */
export interface IncomingRow {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  /** ISO 8601. */
  readonly sentAt: string;
  readonly state: 'waiting' | 'taken' | 'bounced';
  readonly attempts: number;
  /** What the service said last. */
  readonly answer: string | null;
}

/** A part of a long text that waits for the others (SMPP). */
export interface PartRow {
  readonly sid: string;
  /** Source, destination and reference: the same for all parts of a text. */
  readonly text: string;
  readonly total: number;
  readonly sequence: number;
  readonly dataCoding: number;
  readonly octets: string;
  readonly wantsReceipt: boolean;
}

/** How a handset was told to behave. */
interface BehaviourRow {
  readonly sid: string;
  readonly behaviour: string;
}

/** Rows of one kind, by sid, in the order in which they were first put. */
export interface Table<R> {
  get(sid: string): R | undefined;
  all(): R[];
  put(row: R): void;
  remove(sid: string): void;
}

export interface CarrierStore {
  readonly outgoing: Table<OutgoingRow>;
  readonly incoming: Table<IncomingRow>;
  readonly parts: Table<PartRow>;
  readonly behaviours: Table<BehaviourRow>;
  close(): void;
}

/** Finished texts that a restart keeps; older ones go. */
const keptTexts = 2000;

/** Opens the journal in `dataDir`, which is made where it is missing, and writes it anew without what is over. */
export function openCarrierStore(dataDir: string): CarrierStore {
  const folder = join(dataDir, 'carrier');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'journal.jsonl');
  const before = readJournal(file);
  rmSync(`${file}.new`, { force: true });
  const journal = openSync(`${file}.new`, 'a', 0o600);
  const table = <R extends Row>(name: string, isOver: (row: R) => boolean): Table<R> =>
    createTable(name, journal, withoutOld(rowsOf<R>(before, name), isOver));
  const store = {
    outgoing: table<OutgoingRow>('outgoing', (row) => row.state !== 'queued' && row.receipt !== 'due'),
    incoming: table<IncomingRow>('incoming', (row) => row.state !== 'waiting'),
    parts: table<PartRow>('parts', () => false),
    behaviours: table<BehaviourRow>('behaviours', () => false),
    close: () => closeSync(journal),
  };
  renameSync(`${file}.new`, file);
  return store;
}

interface Row {
  readonly sid: string;
}

function createTable<R extends Row>(name: string, journal: number, initial: readonly R[]): Table<R> {
  const rows = new Map<string, R>();
  const write = (sid: string, row?: R): void =>
    appendFileSync(journal, `${JSON.stringify([name, sid, row])}\n`);
  const put = (row: R): void => {
    write(row.sid, row);
    rows.set(row.sid, row);
  };
  for (const row of initial) put(row);
  return {
    get: (sid) => rows.get(sid),
    all: () => [...rows.values()],
    put,
    remove: (sid) => {
      write(sid);
      rows.delete(sid);
    },
  };
}

/** The last state of every row, by table and sid. */
function readJournal(file: string): Map<string, Map<string, unknown>> {
  const tables = new Map<string, Map<string, unknown>>();
  for (const line of readLines(file)) {
    const [name, sid, row] = parseLine(line);
    if (!name || !sid) continue;
    const rows = tables.get(name) ?? new Map<string, unknown>();
    tables.set(name, rows);
    if (row) rows.set(sid, row);
    else rows.delete(sid);
  }
  return tables;
}

/** Only a table of the same rows writes under its name. */
const rowsOf = <R>(tables: Map<string, Map<string, unknown>>, name: string): R[] =>
  [...(tables.get(name)?.values() ?? [])] as R[];

function withoutOld<R>(rows: readonly R[], isOver: (row: R) => boolean): R[] {
  let surplus = rows.filter(isOver).length - keptTexts;
  return rows.filter((row) => !(isOver(row) && surplus-- > 0));
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** A process that was killed may have left half a line: nothing was answered for it. */
function parseLine(line: string): [name?: string, sid?: string, row?: unknown] {
  try {
    const entry: unknown = JSON.parse(line);
    return Array.isArray(entry) ? (entry as [string, string, unknown]) : [];
  } catch {
    return [];
  }
}
