/** What the service sends to customers' endpoints, as the reference shows it. Source: service.md §2.4, §2.5, §6. */
import { z } from 'zod';
import { callbackHeaders, eventHeaders } from '../domain/delivery-headers.ts';
import { eventTypes, type EventType } from '../domain/events.ts';
import type { MessagePayload } from '../domain/message-payload.ts';
import type { WebhookSpec } from './openapi.ts';

const nothing = z.null();
const instant = z.string().meta({ format: 'date-time' });

const messagePayloadSchema = z
  .object({
    body: z
      .string()
      .meta({ description: 'Ignore it when hasAttachment is true and there is a .txt attachment' }),
    bodySize: z.int().meta({ description: 'Bytes (UTF-8)' }),
    address: z.string().meta({ description: 'The other party', examples: ['ptn:/+14155550100'] }),
    finalSource: z.string(),
    finalDestination: z.string(),
    messageType: z.string().meta({ description: 'MO: a phone sent it' }),
    fingerprint: z.string().meta({ description: 'Names the conversation' }),
    id: z.int().meta({ format: 'int64' }),
    cc: nothing,
    bcc: nothing,
    visible: z.boolean(),
    read: z.boolean(),
    contactId: z.int(),
    scheduledDate: instant.nullable(),
    deviceId: z.int(),
    dateDeleted: instant.nullable(),
    messageTransport: z.int(),
    dateDelivered: instant.nullable(),
    hasAttachment: z.boolean(),
    dateCreated: instant,
    deleted: z.boolean(),
    dateRead: instant.nullable(),
    statusCode: z.int().meta({ description: '0, 1, 2, 4, 5, 6 or 7; their meanings: /docs/webhooks' }),
    messageStatus: z.int(),
  })
  .meta({ id: 'MessageEvent' }) satisfies z.ZodType<MessagePayload>;

const optOutPayloadSchema = z
  .object({
    messageBody: z.string(),
    line: z.string(),
    contact: z.string(),
    messageId: z.string(),
    type: z.enum(['STOP', 'UNSTOP']),
    eventDate: instant,
  })
  .meta({ id: 'OptOutEvent' });

const orderStatusSchema = z
  .object({
    HostedNumberOrderSid: z.string(),
    AccountSid: z.string(),
    IncomingPhoneNumberSid: z.string(),
    SigningDocumentSid: z.string(),
    PhoneNumber: z.string(),
    FriendlyName: z.string(),
    UniqueName: z.string(),
    Status: z.string(),
    FailureReason: z.string(),
    VerificationAttempts: z.string(),
    Timestamp: instant,
    Sequence: z.string(),
  })
  .meta({ id: 'OrderStatusCallback' });

const messageStatusSchema = z
  .object({
    MessageSid: z.string(),
    SmsSid: z.string(),
    MessageStatus: z.string(),
    SmsStatus: z.string(),
    To: z.string(),
    From: z.string(),
    AccountSid: z.string(),
    ApiVersion: z.string(),
    ErrorCode: z.string().optional(),
  })
  .meta({ id: 'MessageStatusCallback' });

const summaries: Readonly<Record<EventType, string>> = {
  'message/receive': 'A message was received',
  'message/send': 'A message is sent from your number',
  'message/progress': 'An outgoing message changed its status',
  'message/read': 'An incoming message was read',
  'message/delete': 'A message was deleted',
  'optout/change': 'A contact sent STOP or UNSTOP',
};

const howToVerify =
  'Signed as Standard Webhooks says. An answer from 200 to 299 within 7 seconds takes it; otherwise it is sent again for ' +
  'up to 72 hours.';

/** Every webhook and callback, for the `webhooks` of the OpenAPI document. */
export const webhooks: readonly WebhookSpec[] = [
  ...eventTypes.map((event) => ({
    path: `/${event}`,
    summary: summaries[event],
    description: howToVerify,
    headers: eventHeaders,
    contentType: 'application/json',
    schema: event === 'optout/change' ? optOutPayloadSchema : messagePayloadSchema,
  })),
  {
    path: '/order/status',
    summary: 'An order changed its status',
    description: 'To StatusCallbackUrl, signed with X-Twilio-Signature; as a query when the method is GET.',
    headers: callbackHeaders,
    contentType: 'application/x-www-form-urlencoded',
    schema: orderStatusSchema,
  },
  {
    path: '/message/status',
    summary: 'An outgoing message changed its status',
    description: 'To the StatusCallback of the message, signed with X-Twilio-Signature.',
    headers: callbackHeaders,
    contentType: 'application/x-www-form-urlencoded',
    schema: messageStatusSchema,
  },
];
