/** Figures as a table for people and as JSON for machines. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { round } from './statistics.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same thing without the product, measured on the same server in the same run. */
  readonly floor?: number;
  /** What `value`, or its ratio to the floor where there is one, has to be. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  /** Share of the machine that others used meanwhile. 0 to 1. */
  readonly foreignShare?: number;
  readonly note?: string;
}

export interface ScenarioReport {
  readonly scenario: string;
  readonly figures: readonly Figure[];
  /** Everything else that was measured. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A run beside so much other work says little. */
const noisyShare = 0.1;

export function isReached({ value, floor, target }: Figure): boolean | null {
  if (!target) return null;
  const measured = floor === undefined ? value : value / floor;
  return 'atLeast' in target ? measured >= target.atLeast : measured <= target.atMost;
}

export function printReport({ scenario, figures }: ScenarioReport): void {
  const rows = figures.map((figure) => [
    figure.name,
    `${round(figure.value)} ${figure.unit}`,
    figure.floor === undefined ? '' : String(round(figure.floor)),
    figure.floor === undefined ? '' : `${round(figure.value / figure.floor)} ×`,
    targetInWords(figure),
    { true: 'reached', false: 'MISSED', null: '' }[String(isReached(figure))] ?? '',
    [noiseInWords(figure), figure.note].filter(Boolean).join('; '),
  ]);
  const table = [['figure', 'value', 'floor', 'ratio', 'target', '', ''], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  console.log(`\n${scenario}`);
  for (const row of table)
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

/** Answers the file. */
export function writeReports(reports: readonly ScenarioReport[]): string {
  const folder = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${at.replaceAll(/[:.]/g, '-')}.json`);
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model,
    memoryGb: round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const judged = reports.map((report) => ({
    ...report,
    figures: report.figures.map((figure) => ({ ...figure, reached: isReached(figure) })),
  }));
  writeFileSync(file, `${JSON.stringify({ at, commit: commit(), machine, reports: judged }, null, 2)}\n`);
  return file;
}

function targetInWords({ target, floor }: Figure): string {
  if (!target) return '';
  const [sign, bound] = 'atLeast' in target ? ['≥', target.atLeast] : ['≤', target.atMost];
  return `${sign} ${bound}${floor === undefined ? '' : ' ×'}`;
}

function noiseInWords({ foreignShare = 0 }: Figure): string {
  return foreignShare > noisyShare
    ? `noisy: ${Math.round(foreignShare * 100)} % of the machine was others'`
    : '';
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
