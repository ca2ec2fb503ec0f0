/** Dates as the two APIs write them. Source: domain.md §1.8. */

/** `2015-07-30T23:19:04Z`: preview and numbers APIs. A fraction would make Python's client hand back text. */
export function isoDate(date: Date): string;
export function isoDate(date: Date | null): string | null;
export function isoDate(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`;
}

/** `Thu, 30 Jul 2015 23:19:04 +0000`: RFC 2822, the 2010-04-01 API. */
export function rfc2822Date(date: Date): string;
export function rfc2822Date(date: Date | null): string | null;
export function rfc2822Date(date: Date | null): string | null {
  return date === null ? null : date.toUTCString().replace('GMT', '+0000');
}
