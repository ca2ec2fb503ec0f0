/** The HTTP carrier's way in: texts that arrive, and receipts for those that went out. Source: design.md §5. */
import { z } from 'zod';
import { ApiError } from '../domain/errors.ts';
import { maxMediaUrls } from '../domain/message.ts';
import { partyOf } from '../domain/party.ts';
import * as field from './fields.ts';
import { operation, type Operation } from './operation.ts';

const tag = 'Carrier';

/** MediaUrl0 to MediaUrl9, as Twilio's webhooks name them; MediaUrl is repeated instead. */
const numberedMedia = Array.from({ length: maxMediaUrls }, (_, place) => `MediaUrl${place}`);
const numberedFields: Record<string, z.ZodOptional> = Object.fromEntries(
  numberedMedia.map((name) => [name, field.optional(field.httpUrl(21620))]),
);

/** Longest text a carrier may bring, put together from its parts. Characters. */
const maxInboundLength = 40_000;

const receiveText = operation({
  id: 'receiveText',
  method: 'POST',
  path: '/carrier/messages',
  tag,
  summary: 'A text for a hosted number',
  description:
    'Answered when the text is durable and every delivery of it is started; until then it may be sent again. The same ' +
    '`MessageSid` again changes nothing. 404: no hosted number has this line.',
  auth: 'carrier',
  form: z.object({
    MessageSid: field.text({ min: 1, max: 255 }),
    /** E.164, a short code, or a name. */
    From: field.text({ min: 1, max: 32, code: 21212 }),
    To: field.phoneNumber(21211),
    Body: field.text({ max: maxInboundLength, code: 21617 }).optional(),
    MediaUrl: field.list(field.httpUrl(21620), maxMediaUrls).optional(),
    ...numberedFields,
  }),
  responses: {
    200: {
      description: 'It is here',
      schema: z.object({ status: z.enum(['stored', 'repeated', 'route-test']) }),
    },
  },
  errors: [20404],
  handler: async ({ ctx, deps, form, values }) => {
    const reception = await deps.inbox.receiveText({
      carrierId: form.MessageSid,
      // A plus sign that was sent unescaped arrives as a space.
      from: partyOf(form.From.replace(/^ (?=\d)/, '+')),
      to: form.To,
      body: form.Body ?? '',
      mediaUrls: ['MediaUrl', ...numberedMedia]
        .flatMap((name) => values.form.get(name) ?? [])
        .filter((url): url is string => typeof url === 'string' && url !== ''),
    });
    if (reception === 'unknown-line') throw new ApiError(20404, 'No hosted number has this line');
    return ctx.json({ status: reception });
  },
});

const failedStatuses: readonly string[] = ['undelivered', 'failed'];

const receiveReceipt = operation({
  id: 'receiveReceipt',
  method: 'POST',
  path: '/carrier/receipts',
  tag,
  summary: 'What became of a text that was handed over',
  description: '`delivered`, `undelivered` or `failed`; any other status is no news and ignored.',
  auth: 'carrier',
  form: z.object({
    MessageSid: field.text({ min: 1, max: 255 }),
    MessageStatus: field.text({ min: 1, max: 32 }),
    ErrorCode: field.optional(field.integer({ min: 0, max: 999_999 })),
  }),
  responses: { 204: { description: 'Taken' } },
  errors: [20404],
  handler: async ({ ctx, deps, form }) => {
    const failed = failedStatuses.includes(form.MessageStatus);
    if (failed || form.MessageStatus === 'delivered') {
      const told = await deps.inbox.receiveReceipt({
        carrierId: form.MessageSid,
        state: failed ? 'failed' : 'delivered',
        errorCode: form.ErrorCode || null,
      });
      if (told === 'unknown') throw new ApiError(20404);
    }
    return ctx.body(null, 204);
  },
});

export const carrierOperations: readonly Operation[] = [receiveText, receiveReceipt];
