/** What processes cost, as Linux counts it: processor time and memory of a whole tree, and of everybody else. */
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

/** Clock ticks a second in /proc. The same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Parts of the service, and what belongs to the bench itself. */
export const roles = ['API', 'worker', 'Temporal', 'PostgreSQL', 'stand-ins', 'start', 'bench'] as const;
export type Role = (typeof roles)[number];
/** The processes whose cost is the service's. */
export const serverRoles = ['API', 'worker', 'Temporal', 'PostgreSQL', 'stand-ins', 'start'] as const;

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Processor time, that of ended children included. Seconds. */
  readonly cpuSeconds: number;
}

export interface RunningProcess extends ProcessRow {
  readonly role: Role;
}

/** Every process that descends from `root`, `root` included. */
export function treeOf(root: number): RunningProcess[] {
  const rows = readProcesses();
  const tree = new Map<number, RunningProcess>();
  const add = (row: ProcessRow, inherited: Role): void => {
    const role = roleOf(commandLine(row.pid)) ?? inherited;
    tree.set(row.pid, { ...row, role });
    for (const child of rows) if (child.parent === row.pid) add(child, role);
  };
  const top = rows.find(({ pid }) => pid === root);
  if (top) add(top, 'bench');
  return [...tree.values()];
}

/** Memory a process has to itself and its share of what it has in common with others. MB. */
export function pssMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** PSS by role. MB. */
export function memoryOf(processes: readonly RunningProcess[]): Partial<Record<Role, number>> {
  const sums: Partial<Record<Role, number>> = {};
  for (const { pid, role } of processes) sums[role] = (sums[role] ?? 0) + pssMb(pid);
  return sums;
}

export interface CpuReading {
  readonly at: number;
  readonly byRole: Readonly<Partial<Record<Role, number>>>;
  /** Work of the whole machine. Seconds. */
  readonly machineSeconds: number;
}

export function readCpu(): CpuReading {
  const byRole: Partial<Record<Role, number>> = {};
  for (const { role, cpuSeconds } of treeOf(process.pid)) byRole[role] = (byRole[role] ?? 0) + cpuSeconds;
  return { at: performance.now(), byRole, machineSeconds: machineSeconds() };
}

export interface CpuUse {
  readonly seconds: number;
  readonly byRole: Readonly<Partial<Record<Role, number>>>;
  /** The service's processes together. Seconds. */
  readonly serverSeconds: number;
  /** Share of the machine that others used. 0 to 1. */
  readonly foreignShare: number;
}

/** Processor time between two readings. A process that was killed between them takes its share with it. */
export function cpuBetween(before: CpuReading, after: CpuReading): CpuUse {
  const seconds = (after.at - before.at) / 1000;
  const byRole: Partial<Record<Role, number>> = {};
  for (const role of roles)
    byRole[role] = Math.max(0, (after.byRole[role] ?? 0) - (before.byRole[role] ?? 0));
  const own = roles.reduce((sum, role) => sum + (byRole[role] ?? 0), 0);
  const foreign = Math.max(0, after.machineSeconds - before.machineSeconds - own);
  return {
    seconds,
    byRole,
    serverSeconds: serverRoles.reduce((sum, role) => sum + (byRole[role] ?? 0), 0),
    foreignShare: foreign / (seconds * cpus().length),
  };
}

function readProcesses(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [parseStat(Number(name), readFileSync(`/proc/${name}/stat`, 'utf8'))];
      } catch {
        return []; // it ended meanwhile
      }
    });
}

/** Fields of /proc/PID/stat after the command's name, which may hold anything: state ppid … utime stime cutime cstime. */
function parseStat(pid: number, stat: string): ProcessRow {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return { pid, parent: Number(fields[1]), cpuSeconds: ticks / ticksPerSecond };
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function roleOf(command: string): Role | null {
  if (/bench\/floor\//.test(command)) return 'bench';
  if (/\/serve\.ts/.test(command)) return 'API';
  if (/\/worker\.ts/.test(command)) return 'worker';
  if (/local\/main\.ts/.test(command)) return 'stand-ins';
  if (/\bstart\.ts/.test(command)) return 'start';
  if (/temporal server/.test(command)) return 'Temporal';
  if (/postgres/.test(command)) return 'PostgreSQL';
  return null;
}

function machineSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond;
}
