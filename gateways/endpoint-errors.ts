/** What went wrong with a request, in our own words: an error's own text may quote addresses, and is written for us. */
import { durationInWords } from '../domain/delivery-words.ts';
import { BlockedAddressError } from './endpoint-guard.ts';

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not resolve',
  ENODATA: 'the name does not resolve',
  EAI_AGAIN: 'the name could not be resolved',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before the answer was complete',
  EPIPE: 'connection closed before the answer was complete',
  UND_ERR_SOCKET: 'connection closed before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'connection closed before the answer was complete',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  EADDRNOTAVAIL: 'the host cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  CERT_HAS_EXPIRED: 'TLS: the certificate has expired',
  CERT_NOT_YET_VALID: 'TLS: the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS: the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS: the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS: the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS: the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT: 'TLS: the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS: the certificate cannot be verified',
};

export function errorInWords(err: unknown, timeoutMs: number): string {
  if (err instanceof BlockedAddressError) return `not called: ${err.message}`;
  if (isTimeout(err)) return `no complete answer within ${durationInWords(timeoutMs)}`;
  const code = codeOf(err);
  const known = words[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_') || nameOf(err) === 'HTTPParserError') return 'the answer is not valid HTTP';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'TLS: no secure connection could be agreed';
  return code === '' ? 'the request failed' : `the request failed (${code})`;
}

/** Our own clock, undici's clock for connections, or the operating system's. */
function isTimeout(err: unknown): boolean {
  const code = codeOf(err);
  return nameOf(err) === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
}

const nameOf = (err: unknown): string => (err instanceof Error ? err.name : '');

/** The error's code, or that of the first error or cause inside it. */
function codeOf(err: unknown): string {
  if (!(err instanceof Error)) return '';
  const { code, cause } = err as NodeJS.ErrnoException & { readonly cause?: unknown };
  if (typeof code === 'string') return code;
  if (err instanceof AggregateError) return codeOf(err.errors[0]);
  return codeOf(cause);
}
