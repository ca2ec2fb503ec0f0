/**
 * The headers a delivery carries: names for the code that sends them, meanings for the reference. A customer's own, and
 * those of the connection (`Host`, `Content-Length`), come on top. Source: decision 0010, domain.md §2.4.
 */

export interface DeliveryHeader {
  readonly meaning: string;
  /** A value as it is sent. */
  readonly example: string;
  /** True for a header that some deliveries lack; `meaning` says which. */
  readonly optional?: true;
}

export const userAgent = 'Hosted-SMS/1.0';
export const eventContentType = 'application/json;charset=UTF-8';
export const callbackContentType = 'application/x-www-form-urlencoded; charset=utf-8';

/** Of an event to a subscription. */
export const eventHeaders = {
  'content-type': {
    meaning: 'Absent with Method=GET, which has no body',
    example: eventContentType,
    optional: true,
  },
  'user-agent': { meaning: 'The service', example: userAgent },
  'webhook-id': {
    meaning: 'The event, the same over attempts, replays and endpoints: know a repeated one by it',
    example: 'EV5c1f0e9a7b3d4c2f8e6a1b0c9d8e7f60',
  },
  'webhook-timestamp': {
    meaning: 'When this attempt was made, in seconds since 1970',
    example: '1773500966',
  },
  'webhook-signature': {
    meaning: 'HMAC-SHA256 of id, timestamp and body; one for each secret while a rotation lasts',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  'webhook-delivery': {
    meaning: 'The delivery, the same over its attempts; a replay is a new one',
    example: 'DL0a4b7c2e9f1d4863b5a7c9e0d2f4a6b8',
  },
  'webhook-attempt': { meaning: 'Number of the attempt, from 1', example: '1' },
  'webhook-line-sequence': {
    meaning: 'Place among the events of the line, from 1 and without gaps; absent with a test event',
    example: '7',
    optional: true,
  },
} as const satisfies Readonly<Record<string, DeliveryHeader>>;

/** Of a callback in Twilio's form. */
export const callbackHeaders = {
  'content-type': {
    meaning: 'Absent with the method GET, which has no body',
    example: callbackContentType,
    optional: true,
  },
  'user-agent': { meaning: 'The service', example: userAgent },
  'x-twilio-signature': {
    meaning: 'HMAC-SHA1 of the URL and the parameters, keyed with your AuthToken',
    example: 'GvWf1cFY/Q7PnoempGyD5oXAezc=',
  },
  'i-twilio-idempotency-token': {
    meaning: 'The delivery, the same over its attempts: know a repeated one by it',
    example: 'DL0a4b7c2e9f1d4863b5a7c9e0d2f4a6b8',
  },
} as const satisfies Readonly<Record<string, DeliveryHeader>>;

/** What goes out under names of a table, each as text. */
export type HeadersOf<Table> = Readonly<Partial<Record<keyof Table, string>>>;
