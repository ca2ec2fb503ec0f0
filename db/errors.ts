/**
 * Database errors without data. Drizzle puts every parameter into its message, and thrown from an activity that message
 * would carry phone numbers and codes into workflow histories and logs.
 */
import { DrizzleQueryError } from 'drizzle-orm/errors';

/** What is left of a failed query: the SQLSTATE and the constraint, both safe to show. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE, or the driver's own code such as `ECONNREFUSED`. */
  readonly code: string;
  readonly constraint: string | null;

  constructor(code: string, constraint: string | null) {
    super(`The database refused a statement (${constraint === null ? code : `${code}, ${constraint}`})`);
    this.code = code;
    this.constraint = constraint;
  }
}

/** Turns whatever a query threw into an error without its parameters; any other error is returned as it is. */
export function withoutParameters(err: unknown): unknown {
  if (!(err instanceof DrizzleQueryError)) return err;
  const cause: unknown = err.cause;
  return new DatabaseError(text(cause, 'code') ?? 'unknown', text(cause, 'constraint_name'));
}

/** Name of the unique index that a statement would have broken, or `null` where it failed for another reason. */
export function violatedUniqueness(err: unknown): string | null {
  const safe = withoutParameters(err);
  return safe instanceof DatabaseError && safe.code === '23505' ? safe.constraint : null;
}

/**
 * SQLSTATE classes 08 and 53, a server that shuts down, that was made a read-only one by a failover, or that took too long
 * (statement_timeout), and the driver's own words for a lost connection.
 */
const unavailable =
  /^(08...|53...|57P0[1-3]|25006|57014|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT)$/;

/** Tells whether PostgreSQL could not be reached or is going down: the same statement may work later. */
export function isDatabaseUnavailable(err: unknown): boolean {
  return unavailable.test(codeOf(err) ?? '');
}

/** The SQLSTATE with which PostgreSQL refused the user, the password or the database's name; else `null`. */
export function refusedLogin(err: unknown): string | null {
  const code = codeOf(err) ?? '';
  return /^(28...|3D000)$/.test(code) ? code : null;
}

function codeOf(err: unknown): string | null {
  const safe = withoutParameters(err);
  return safe instanceof DatabaseError ? safe.code : text(safe, 'code');
}

function text(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : null;
}
