/**
 * /v1/HostedNumber/Eligibility: whether a number could be hosted, and who routes its texts now, without ordering it.
 * Source: domain.md §1.11; words of the statuses: spec/enums.json.
 */
import { z } from 'zod';
import { isNumberHeld } from '../db/reads/order-placement.ts';
import {
  type EligibilityFinding,
  eligibilitySubStatuses,
  type EligibilitySubStatus,
  findingOf,
  hostedHere,
} from '../domain/bulk-request.ts';
import { ApiError } from '../domain/errors.ts';
import { lineKind } from '../domain/line-kind.ts';
import type { Eligibility } from '../domain/ports.ts';
import type { Account } from './auth.ts';
import { isoDate } from './dates.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { hostsAmong } from './hosting-accounts.ts';
import { readJson } from './json-body.ts';
import { requireHostable } from './number-rules.ts';
import { operation, type Operation } from './operation.ts';

/** Seconds after which a request may be repeated that met a silent registry. */
const registryRetrySeconds = 5;

type SubStatus = EligibilitySubStatus;

export const eligibilityResultSchema = z
  .object({
    phone_number: z.string(),
    hosting_account_sid: z.string(),
    date_last_checked: z.string().meta({ format: 'date-time' }),
    phone_number_type: z.enum(['local', 'toll-free']).nullable(),
    eligibility_status: z.enum(['eligible', 'ineligible']),
    eligibility_sub_status: z.enum(eligibilitySubStatuses),
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
    phone_number: field.text({ max: 64 }).meta({ examples: ['+14158675310'] }),
    hosting_account_sid: field.optional(field.text({ max: 64 })),
  }),
  responses: {
    200: { description: 'One result', schema: z.object({ results: z.array(eligibilityResultSchema) }) },
  },
  handler: async ({ ctx, deps, account, form }) => {
    const hostingAccountSid = form.hosting_account_sid ?? account.sid;
    const finding = await examine(deps, account, hostingAccountSid, form.phone_number);
    const result = eligibilityResult(form.phone_number, hostingAccountSid, { ...finding, at: new Date() });
    return ctx.json({ results: [result] });
  },
});

export const eligibilityOperations: readonly Operation[] = [checkOperation];

/** One number on the wire, whichever way it was asked about. */
export function eligibilityResult(
  phoneNumber: string,
  hostingAccountSid: string,
  finding: EligibilityFinding & { readonly at: Date },
): z.infer<typeof eligibilityResultSchema> {
  const eligible = finding.subStatus === 'eligible';
  const isNumber = !numberFaults.includes(finding.subStatus);
  return {
    phone_number: phoneNumber,
    hosting_account_sid: hostingAccountSid,
    date_last_checked: isoDate(finding.at),
    phone_number_type: isNumber ? lineKind(phoneNumber) : null,
    eligibility_status: eligible ? 'eligible' : 'ineligible',
    eligibility_sub_status: finding.subStatus,
    ineligibility_reason: finding.reason,
    next_step: nextStep(finding),
    voice_provider: null,
    messaging_provider: finding.holder,
  };
}

const numberFaults: readonly SubStatus[] = [
  'invalid-phone-number',
  'number-format-ineligible',
  'number-type-ineligible',
  'country-ineligible',
  'invalid-hosting-account-sid',
];

const nextSteps: Partial<Record<SubStatus, string>> = {
  eligible: 'Create a hosted number order.',
  'already-in-twilio': 'Find the number among your orders, or have its present customer release it.',
  'carrier-ineligible': 'Have the present holder of the texts release them, then check again.',
  'internal-processing-error': 'Check again later.',
  'invalid-phone-number': 'Send the number in E.164.',
  'invalid-hosting-account-sid': 'Name your account or one of its active sub-accounts.',
};

/** A carrier's refusal can be undone only where somebody holds the texts. */
function nextStep({ subStatus, holder }: EligibilityFinding): string | null {
  if (subStatus === 'carrier-ineligible' && holder === null) return null;
  return nextSteps[subStatus] ?? null;
}

/** Why an account may not be named. */
export const noHost = 'It is neither your account nor an active sub-account of yours';

/** The same questions in the same order as a create request asks them. */
async function examine(
  deps: ApiDeps,
  caller: Account,
  accountSid: string,
  phoneNumber: string,
): Promise<EligibilityFinding> {
  const hosts = await hostsAmong(deps, caller.sid, [accountSid]);
  if (!hosts.has(accountSid)) {
    return { subStatus: 'invalid-hosting-account-sid', reason: noHost, holder: null };
  }
  const fault = numberFault(phoneNumber, deps.config.orders.countries);
  if (fault) return { ...fault, holder: null };
  if (await isNumberHeld(deps.db, phoneNumber)) return hostedHere;
  return findingOf(await askRegistry(deps, phoneNumber));
}

/** A registry that is down or slow is an outage like any other: 20503. */
async function askRegistry(deps: ApiDeps, phoneNumber: string): Promise<Eligibility> {
  try {
    return await deps.checkEligibility(phoneNumber);
  } catch (err) {
    deps.log.warn({ error: err instanceof Error ? err.name : typeof err }, 'the registry did not answer');
    throw new ApiError(20503, 'The registry does not answer', registryRetrySeconds);
  }
}

export function numberFault(
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
