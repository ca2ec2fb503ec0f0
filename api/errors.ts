/** From whatever was thrown to the answer of the API: `{code, message, more_info, status}`. Source: domain.md §2.6. */
import {
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
} from '@temporalio/client';
import { isDatabaseUnavailable } from '../db/errors.ts';
import { ApiError } from '../domain/errors.ts';

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly more_info: string;
  readonly status: number;
  /** Only with 401. */
  readonly detail?: string;
}

/** Seconds after which a request may be repeated that met an outage. */
const outageRetrySeconds = 2;

/** The error an answer is made from. What is not ours becomes 20503 or 20500 and tells nothing of itself. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isOutage(error)) return new ApiError(20503, undefined, outageRetrySeconds);
  return new ApiError(20500);
}

export function errorBody(error: ApiError, publicUrl: string): ErrorBody {
  return {
    code: error.code,
    message: error.message,
    more_info: `${publicUrl}/docs/errors#${error.code}`,
    status: error.status,
    ...(error.status === 401 ? { detail: error.message } : {}),
  };
}

export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
    // The rest of the body is not read, so the connection is of no further use.
    ...(error.status === 413 ? { Connection: 'close' } : {}),
    ...(error.status === 401 ? { 'WWW-Authenticate': 'Basic realm="Hosted SMS", charset="UTF-8"' } : {}),
  };
}

/** gRPC: 1 cancelled, 4 deadline, 8 exhausted, 10 aborted, 14 unavailable. */
const outageCodes: readonly number[] = [1, 4, 8, 10, 14];

/** A workflow whose code fails now and goes on when it is mended or its server is back. gRPC says 9 to it, as to much else. */
const stuckWorkflow = /workflow task in failed state/i;

/** Temporal or PostgreSQL did not answer: the request may be repeated. */
function isOutage(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)) return true;
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return outageCodes.includes(cause.code) || stuckWorkflow.test(cause.details);
  return isDatabaseUnavailable(error);
}
