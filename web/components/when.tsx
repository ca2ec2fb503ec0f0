/** An instant, in UTC like the API, so that what is on the screen can be found in answers and logs. */
import type { FC } from 'hono/jsx';

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});

/** `21 Nov 2026, 02:48:10 UTC` */
export function formatInstant(at: Date): string {
  return `${format.format(at)} UTC`;
}

export const When: FC<{ at: Date | null; otherwise?: string }> = ({ at, otherwise = '–' }) =>
  at === null ? (
    <span class="muted">{otherwise}</span>
  ) : (
    <time class="tabular" datetime={at.toISOString()}>
      {formatInstant(at)}
    </time>
  );

const units = [
  { ms: 86_400_000, name: 'day' },
  { ms: 3_600_000, name: 'hour' },
  { ms: 60_000, name: 'minute' },
  { ms: 1000, name: 'second' },
] as const;

/** `3 days`, `2 hours`, `1 minute`: whole units, rounded down. `milliseconds` below zero counts as zero. */
export function formatDuration(milliseconds: number): string {
  return inUnits(milliseconds, Math.floor);
}

/** The same to the nearest unit: of 7 days there are still 7 left a minute after they began. */
export function formatTimeLeft(milliseconds: number): string {
  return inUnits(milliseconds, Math.round);
}

function inUnits(milliseconds: number, round: (count: number) => number): string {
  const unit = units.find(({ ms }) => milliseconds >= ms) ?? units[3];
  const count = Math.max(0, round(milliseconds / unit.ms));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
