/** What the log is told of an unknown error. */
import { isGrpcServiceError } from '@temporalio/client';
import { withoutParameters } from '../db/errors.ts';

export interface LoggedError {
  readonly error: string;
  /** What the servers and Node said, outermost first: gRPC status and details, SQLSTATE, ECONNREFUSED, ERR_…. */
  readonly cause?: string;
  readonly stack: readonly string[];
}

/** Its kind, codes and stack, not its message, which may quote what the customer sent. */
export function errorForLog(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { error: typeof error, stack: [] };
  const { name } = withoutParameters(error) as Error;
  // The stack begins with the message, and a line of that may look like a place.
  const places = error.stack?.replace(error.message, '').split('\n') ?? [];
  const cause = chainOf(error).flatMap(codeOf).join(', ');
  return {
    error: name,
    ...(cause === '' ? {} : { cause }),
    stack: places.filter((line) => /^\s+at /.test(line)),
  };
}

/** Causes of causes that are looked at. */
const maxDepth = 4;
/** Characters of what Temporal's server says. */
const maxDetails = 300;

function chainOf(error: unknown, depth = maxDepth): Error[] {
  return error instanceof Error && depth > 0 ? [error, ...chainOf(error.cause, depth - 1)] : [];
}

/** What of an error is safe to show. */
function codeOf(error: Error): string[] {
  if (isGrpcServiceError(error)) {
    // About names and states of the server's, without payloads; a workflow's name could still hold a number.
    const details = error.details.replaceAll(/\+?\d{7,}/g, '…').slice(0, maxDetails);
    return [`${grpcStatuses[error.code] ?? error.code}: ${details}`];
  }
  const code: unknown = Reflect.get(error, 'code');
  const constraint: unknown = Reflect.get(error, 'constraint_name');
  if (typeof code !== 'string' || !/^[A-Z\d_]{3,50}$/.test(code)) return [];
  return [typeof constraint === 'string' ? `${code} ${constraint}` : code];
}

/** By their numbers. Source: gRPC, "Status codes and their use in gRPC". */
const grpcStatuses = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];
