/** What the log is told of an unknown error. */

/** Its kind and stack, not its message, which may quote what the customer sent. */
export function errorForLog(error: unknown): { readonly error: string; readonly stack: readonly string[] } {
  if (!(error instanceof Error)) return { error: typeof error, stack: [] };
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return { error: error.name, stack };
}
