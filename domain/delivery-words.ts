/** What a delivery says about itself to people, in the Web UI and in mails. */

/** A duration in the two largest units that say something, such as `40 s`, `5 min`, `2 h 40 min`. */
export function durationInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60)
    return seconds < 600 && seconds % 60
      ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
      : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

/** How an attempt came out, such as `HTTP 503` or `connection refused`. */
export function outcomeInWords(outcome: {
  readonly httpStatus: number | null;
  readonly error: string | null;
}): string {
  return [outcome.httpStatus === null ? null : `HTTP ${outcome.httpStatus}`, outcome.error]
    .filter((part) => part !== null)
    .join(', ');
}
