/** Percentiles and rounding. */

/** The smallest of the values that a share of them, 0 to 1, does not exceed; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function latencyOf(values: readonly number[]): Latency {
  return {
    p50: round(percentile(values, 0.5)),
    p95: round(percentile(values, 0.95)),
    p99: round(percentile(values, 0.99)),
    max: round(percentile(values, 1)),
  };
}

/** Three digits that count. */
export function round(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(3)) : value;
}
