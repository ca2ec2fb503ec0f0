/** An answer for everybody, also while PostgreSQL or Temporal holds a request and says nothing. */
import type { MiddlewareHandler } from 'hono';

/** Longer than a statement may take (db/client.ts). Milliseconds. */
const answerMs = 28_000;
/** A file may come slowly, and its thousand lines take their time: as long as Node itself lets a request arrive. Milliseconds. */
const fileAnswerMs = 300_000;

/**
 * Lets a request fail as by an outage when its answer is late. What it began is not undone and may still come to its end,
 * as with a connection that is lost.
 */
export function answerInTime(limitMs = answerMs, fileLimitMs = fileAnswerMs): MiddlewareHandler {
  return async (ctx, next) => {
    const isFile = ctx.req.header('content-type')?.startsWith('multipart/form-data') === true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new LateAnswerError()), isFile ? fileLimitMs : limitMs);
    });
    try {
      await Promise.race([next(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError';
  /** As of a connection that says nothing: an outage (errors.ts). */
  readonly code = 'ETIMEDOUT';
}
