/**
 * Every error the API answers with: code, HTTP status, message. One table; the API, the reference and the docs use it.
 * Source: spec/error-codes.json (Twilio's dictionary), but for 20415 and 21266 (decision 0006).
 */
export const apiErrors = {
  20001: { status: 400, message: 'A parameter is missing or has the wrong form' },
  20003: {
    status: 401,
    message: 'Authentication failed: use your AccountSid as user name and an AuthToken as password',
  },
  20004: { status: 405, message: 'This method is not allowed on this resource' },
  20005: { status: 401, message: 'The account is not active' },
  20006: { status: 403, message: 'Access to this account is denied' },
  20007: { status: 400, message: 'PageSize must be between 1 and 1000' },
  20009: { status: 409, message: 'The resource cannot be deleted before it is complete' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20409: { status: 409, message: 'The request conflicts with the present state of the resource' },
  20413: { status: 413, message: 'The request is too large' },
  20415: {
    status: 415,
    message: 'Send the body as application/x-www-form-urlencoded or multipart/form-data',
  },
  20422: { status: 422, message: 'A parameter is invalid' },
  20429: { status: 429, message: 'Too many requests: try again after the number of seconds in Retry-After' },
  20500: { status: 500, message: 'An internal error occurred; the request may be repeated' },
  20503: {
    status: 503,
    message: 'The service is temporarily unavailable: try again after the number of seconds in Retry-After',
  },
  21211: { status: 400, message: 'To is not a valid phone number' },
  21212: { status: 400, message: 'From is not a valid phone number' },
  21218: { status: 400, message: 'ApplicationSid is not valid' },
  21266: { status: 400, message: 'To and From cannot be the same number' },
  21402: { status: 400, message: 'The URL is not valid' },
  21403: { status: 400, message: 'The HTTP method must be GET or POST' },
  21406: { status: 400, message: 'SmsFallbackUrl needs SmsUrl' },
  21421: { status: 400, message: 'PhoneNumber is not valid' },
  21422: {
    status: 400,
    message: 'The phone number is not available: order hosting of a number you own instead',
  },
  21454: { status: 400, message: 'CallDelay must be between 0 and 60 seconds' },
  21470: { status: 400, message: 'AccountSid is not valid' },
  21471: { status: 404, message: 'The account does not exist' },
  21481: { status: 400, message: 'PageToken is not valid' },
  21602: { status: 400, message: 'Body or MediaUrl is needed' },
  21603: { status: 400, message: 'From is needed' },
  21604: { status: 400, message: 'To is needed' },
  21606: { status: 400, message: 'From is not a number of this account that can send messages' },
  21609: { status: 400, message: 'StatusCallback is not a valid URL' },
  21610: { status: 400, message: 'The recipient has opted out of messages from this number' },
  21617: { status: 400, message: 'Body is longer than 1600 characters' },
  21620: { status: 400, message: 'MediaUrl is not valid' },
  21628: { status: 400, message: 'The address is not valid' },
  22100: { status: 400, message: 'All verification attempts are used up; an administrator must reset them' },
  22101: {
    status: 400,
    message:
      'HostedNumberOrderSids holds an order that is unknown, not yours, in the wrong status, or on another document',
  },
  22102: { status: 400, message: 'PhoneNumber is not a valid phone number in E.164 format' },
  22103: { status: 400, message: 'Numbers of this country cannot be hosted' },
  22104: { status: 400, message: 'An e-mail address is not well formed' },
  22105: { status: 400, message: 'A URL is not valid' },
  22106: { status: 400, message: 'The HTTP method must be GET or POST' },
  22107: { status: 400, message: 'The authorization document cannot be changed in its present status' },
  22108: { status: 400, message: 'SmsApplicationSid is not valid' },
  22109: { status: 400, message: 'AddressSid is not a valid address of this account' },
  22110: {
    status: 400,
    message:
      'The number cannot be hosted: it is hosted or retiring here already, or is of a kind that cannot be hosted',
  },
  22111: { status: 400, message: 'Status is not a known status' },
  22112: { status: 400, message: 'This change is not allowed in the present status of the order' },
  22113: { status: 400, message: 'The verification code is wrong or has expired' },
  22114: {
    status: 400,
    message: 'VerificationCode is not accepted here: the person who answers the call enters it',
  },
  22115: { status: 400, message: 'UniqueName is longer than 128 characters or in use' },
  22116: { status: 400, message: 'FriendlyName is longer than 64 characters' },
  22117: { status: 400, message: 'Extension may hold digits, #, * and w (a wait of half a second)' },
  22118: {
    status: 400,
    message: 'VerificationDocumentSid is not valid, or VerificationType is not phone-bill',
  },
  22119: { status: 400, message: 'SmsCapability must be true' },
  22120: { status: 400, message: 'VerificationType must be phone-call or phone-bill' },
  22121: { status: 400, message: 'A hosted number that is not in use cannot be moved to another account' },
  22122: { status: 400, message: 'Status of an authorization document may be set to opened or signing only' },
  22123: { status: 400, message: 'The verification call could not be started' },
} as const satisfies Record<number, { status: number; message: string }>;

export type ErrorCode = keyof typeof apiErrors;

/** Tells whether a number read from outside is one of our codes. */
export function isErrorCode(code: number): code is ErrorCode {
  return Object.hasOwn(apiErrors, code);
}

/** An answer that refuses a request. `detail` replaces the table's message and must never quote an unknown error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which the request may be repeated; becomes the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail?: string, retryAfterSeconds?: number) {
    super(detail ?? apiErrors[code].message);
    this.code = code;
    this.status = apiErrors[code].status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
