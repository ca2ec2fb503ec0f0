/** Date filters of 2010 lists: `DateSent`, `DateSent<`, `DateSent>`. Source: spec/twilio-2010-subset.json. */
import { z } from 'zod';
import { coded, isoTime, moment } from './fields.ts';

const dayMs = 86_400_000;

/** A day in GMT, `2015-07-30`, or a moment, `2015-07-30T23:19:04Z`. */
export const dateOrTime = coded(
  moment(z.union([z.iso.date(), z.iso.datetime({ offset: true })], `${isoTime}, or a day`)),
  20001,
  { type: 'string', format: 'date-time' },
);

export interface DateRange {
  /** From this moment on. */
  readonly from?: Date | undefined;
  /** Before this moment. */
  readonly before?: Date | undefined;
}

export function dateRange(filter: {
  readonly on: Date | null | undefined;
  readonly before: Date | null | undefined;
  readonly after: Date | null | undefined;
}): DateRange {
  const { on, before, after } = filter;
  if (on) {
    const from = new Date(Math.floor(on.getTime() / dayMs) * dayMs);
    return { from, before: new Date(from.getTime() + dayMs) };
  }
  return {
    ...(after ? { from: after } : {}),
    // The moment itself is part of it: the sign reads "at or before".
    ...(before ? { before: new Date(before.getTime() + 1) } : {}),
  };
}
