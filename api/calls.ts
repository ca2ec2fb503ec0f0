/** /2010-04-01/Accounts/{AC}/Calls/{CA}: the verification calls of the account's orders, read only. Source: domain.md §6.1. */
import { z } from 'zod';
import { type AttemptWithOrder, findCall } from '../db/reads/verification-attempts.ts';
import { ApiError } from '../domain/errors.ts';
import type { AttemptOutcome, CallStatus } from '../domain/verification.ts';
import { rfc2822Date } from './dates.ts';
import { operation, type Operation } from './operation.ts';

const path = '/2010-04-01/Accounts/{AccountSid}/Calls/{Sid}.json';
const text = z.string().nullable();

const callSchema = z
  .object({
    sid: text,
    account_sid: z.string(),
    parent_call_sid: text,
    phone_number_sid: text,
    to: z.string(),
    to_formatted: z.string(),
    from: z.string(),
    from_formatted: z.string(),
    status: z.string(),
    direction: z.literal('outbound-api'),
    start_time: z.string(),
    end_time: text,
    duration: text.meta({ description: 'Seconds from the answer to the end; null where nobody answered' }),
    price: text,
    price_unit: z.string(),
    answered_by: text,
    caller_name: text,
    forwarded_from: text,
    group_sid: text,
    queue_time: z.string(),
    trunk_sid: text,
    api_version: z.string(),
    date_created: z.string(),
    date_updated: z.string(),
    uri: z.string(),
    subresource_uris: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Call' });

const fetchOperation = operation({
  id: 'fetchCall',
  method: 'GET',
  path,
  tag: 'Calls',
  summary: 'Fetch a verification call',
  auth: 'account',
  responses: { 200: { description: 'The call', schema: callSchema } },
  handler: async ({ ctx, deps, account, params }) => {
    const call = await findCall(deps.db, account.sid, params.Sid);
    if (!call) throw new ApiError(20404);
    return ctx.json(callJson(call, deps.config.gateways.voice.from));
  },
});

export const callOperations: readonly Operation[] = [fetchOperation];

/** A call that was answered is completed, whether or not the code was keyed. */
const statuses: Readonly<Record<AttemptOutcome, CallStatus>> = {
  verified: 'completed',
  'not-entered': 'completed',
  'no-answer': 'no-answer',
  busy: 'busy',
  failed: 'failed',
  canceled: 'canceled',
};

/** Without a final word of the provider it rings until somebody takes it. */
function statusOf({ outcome, answeredAt }: AttemptWithOrder): CallStatus {
  if (outcome !== null) return statuses[outcome];
  return answeredAt === null ? 'ringing' : 'in-progress';
}

/** Seconds somebody was on the line. */
function durationOf({ answeredAt, endedAt }: AttemptWithOrder): string | null {
  if (answeredAt === null || endedAt === null) return null;
  return String(Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000));
}

function callJson(call: AttemptWithOrder, from: string): z.infer<typeof callSchema> {
  const started = rfc2822Date(call.startedAt);
  return {
    sid: call.callSid,
    account_sid: call.accountSid,
    parent_call_sid: null,
    phone_number_sid: call.incomingPhoneNumberSid,
    to: call.phoneNumber,
    to_formatted: call.phoneNumber,
    from,
    from_formatted: from,
    status: statusOf(call),
    direction: 'outbound-api',
    start_time: started,
    end_time: rfc2822Date(call.endedAt),
    duration: durationOf(call),
    price: null,
    price_unit: 'USD',
    answered_by: null,
    caller_name: null,
    forwarded_from: null,
    group_sid: null,
    queue_time: '0',
    trunk_sid: null,
    api_version: '2010-04-01',
    date_created: started,
    date_updated: rfc2822Date(call.endedAt ?? call.startedAt),
    uri: path.replace('{AccountSid}', call.accountSid).replace('{Sid}', call.callSid ?? ''),
    subresource_uris: {},
  };
}
