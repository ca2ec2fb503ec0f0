/** Runs something and tells what it cost. */
import { cpuBetween, readCpu, type CpuUse } from './processes.ts';

export interface Measured<T> {
  readonly result: T;
  readonly cpu: CpuUse;
}

export async function measure<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const before = readCpu();
  const result = await work();
  return { result, cpu: cpuBetween(before, readCpu()) };
}

/** Processor time by part for each thousand. Seconds. */
export function perThousand({ byRole }: CpuUse, count: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(byRole).map(([role, seconds]) => [role, Number(((seconds / count) * 1000).toFixed(2))]),
  );
}
