/**
 * /v1/HostedNumber/Eligibility: whether a number could be hosted, and who routes its texts now, without ordering it.
 * Source: domain.md §1.11; words of the statuses: spec/enums.json.
 */
import { z } from 'zod';
import { findAccount } from '../db/reads/accounts.ts';
import { checkPlacement } from '../db/reads/order-placement.ts';
import { ApiError } from '../domain/errors.ts';
import type { Account } from './auth.ts';
import { isoDate } from './dates.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { readJson } from './form.ts';
import { isTollFree, requireHostable } from './number-rules.ts';
import { operation, type Operation } from './operation.ts';

const subStatuses = [
  'eligible',
  'country-ineligible',
  'number-type-ineligible',
  'carrier-ineligible',
  'already-in-twilio',
  'invalid-phone-number',
  'invalid-hosting-account-sid',
] as const;
type SubStatus = (typeof subStatuses)[number];

const resultSchema = z
  .object({
    phone_number: z.string(),
    hosting_account_sid: z.string(),
    date_last_checked: z.string().meta({ format: 'date-time' }),
    phone_number_type: z.enum(['local', 'toll-free']).nullable(),
    eligibility_status: z.enum(['eligible', 'ineligible']),
    eligibility_sub_status: z.enum(subStatuses),
    ineligibility_reason: z.string().nullable(),
    next_step: z.string().nullable(),
    voice_provider: z.string().nullable(),
    messaging_provider: z.string().nullable().meta({ description: 'Who routes the texts of the number now' }),
  })
  .meta({ id: 'Eligibility' });

const checkOperation = operation({
  id: 'checkEligibility',
  method: 'POST',
  path: '/v1/HostedNumber/Eligibility',
  tag: 'Numbers v1',
  summary: 'Ask whether a number could be hosted',
  description: 'Nothing is ordered and nothing is kept; a later order may be answered differently.',
  auth: 'account',
  readBody: readJson,
  form: z.object({
    phone_number: field.text({ max: 64 }),
    hosting_account_sid: field.optional(field.text({ max: 64 })),
  }),
  responses: {
    200: { description: 'One result', schema: z.object({ results: z.array(resultSchema) }) },
  },
  handler: async ({ ctx, deps, account, form }) => {
    const hostingAccountSid = form.hosting_account_sid ?? account.sid;
    const finding = await examine(deps, account, hostingAccountSid, form.phone_number);
    const eligible = finding.subStatus === 'eligible';
    const result: z.infer<typeof resultSchema> = {
      phone_number: form.phone_number,
      hosting_account_sid: hostingAccountSid,
      date_last_checked: isoDate(new Date()),
      phone_number_type: finding.kind,
      eligibility_status: eligible ? 'eligible' : 'ineligible',
      eligibility_sub_status: finding.subStatus,
      ineligibility_reason: finding.reason,
      next_step: eligible ? 'Create a hosted number order.' : null,
      voice_provider: null,
      messaging_provider: finding.holder,
    };
    return ctx.json({ results: [result] });
  },
});

export const eligibilityOperations: readonly Operation[] = [checkOperation];

interface Finding {
  readonly subStatus: SubStatus;
  readonly kind: 'local' | 'toll-free' | null;
  readonly reason: string | null;
  readonly holder: string | null;
}

/** The same questions in the same order as a create request asks them. */
async function examine(
  deps: ApiDeps,
  caller: Account,
  accountSid: string,
  phoneNumber: string,
): Promise<Finding> {
  const refused = (subStatus: SubStatus, reason: string, holder: string | null = null): Finding => ({
    subStatus,
    kind: null,
    reason,
    holder,
  });
  if (!(await mayHost(deps, caller, accountSid)))
    return refused('invalid-hosting-account-sid', 'It is neither your account nor a sub-account of yours');
  const fault = numberFault(phoneNumber, deps.config.orders.countries);
  if (fault) return refused(fault.subStatus, fault.reason);
  const question = { uniqueName: null, addressSid: null, verificationDocumentSid: null };
  const placement = await checkPlacement(deps.db, { ...question, sid: '', accountSid, phoneNumber });
  if (placement.numberTaken)
    return refused('already-in-twilio', 'The number is hosted, being hosted or retiring here already');
  const answer = await deps.checkEligibility(phoneNumber);
  const kind = isTollFree(phoneNumber) ? 'toll-free' : 'local';
  return answer.kind === 'eligible'
    ? { subStatus: 'eligible', kind, reason: null, holder: answer.holder }
    : { subStatus: 'carrier-ineligible', kind, reason: answer.reason, holder: answer.holder };
}

async function mayHost(deps: ApiDeps, caller: Account, accountSid: string): Promise<boolean> {
  if (accountSid === caller.sid) return true;
  return (await findAccount(deps.db, accountSid))?.ownerAccountSid === caller.sid;
}

function numberFault(
  phoneNumber: string,
  countries: readonly string[],
): { subStatus: SubStatus; reason: string } | null {
  try {
    requireHostable(phoneNumber, countries);
    return null;
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    const subStatus = subStatusOf[err.code] ?? 'invalid-phone-number';
    return { subStatus, reason: err.message };
  }
}

const subStatusOf: Readonly<Record<number, SubStatus>> = {
  22102: 'invalid-phone-number',
  22103: 'country-ineligible',
  22110: 'number-type-ineligible',
};
