/** /v1/HostedNumber/Eligibility/Bulk: the same check of up to 10,000 numbers, as a workflow. Source: domain.md §1.11. */
import { z } from 'zod';
import { type BulkRequestRow, type BulkResultRow, readBulkResults } from '../db/reads/bulk-requests.ts';
import type { NewBulkItem } from '../db/writes/configuration.ts';
import type { BulkOutcome, EligibilitySubStatus } from '../domain/bulk-request.ts';
import { maxBulkNumbers } from '../domain/bulk-request.ts';
import type { Account } from './auth.ts';
import { createBulkRequest, requireBulkRequest } from './bulk-commands.ts';
import { isoDate } from './dates.ts';
import type { ApiDeps } from './deps.ts';
import { eligibilityResult, eligibilityResultSchema, noHost, numberFault } from './eligibility.ts';
import * as field from './fields.ts';
import { jsonObject, readJson, valuesOf } from './json-body.ts';
import { valuesParser } from './form.ts';
import { hostsAmong } from './hosting-accounts.ts';
import { operation, type Operation } from './operation.ts';

const path = '/v1/HostedNumber/Eligibility/Bulk';
const common = { tag: 'Numbers v1', auth: 'account' } as const;

const bulkEligibilitySchema = z
  .object({
    request_id: z.string().meta({ examples: ['EC0123456789abcdef0123456789abcdef'] }),
    url: z.url(),
    results: z.array(eligibilityResultSchema).meta({ description: 'The numbers checked so far' }),
    friendly_name: z.string().nullable(),
    status: z.enum(['QUEUED', 'IN_PROGRESS', 'COMPLETE']),
    date_created: z.string().meta({ format: 'date-time' }),
    date_completed: z.string().meta({ format: 'date-time' }).nullable(),
  })
  .meta({ id: 'BulkEligibility' });

/** A number to check: its text, or an object that names the account as well. */
const itemForm = z.object({
  phone_number: field.text({ max: 64 }),
  hosting_account_sid: field.optional(field.text({ max: 64 })),
});
const parseItem = valuesParser(itemForm);

/** Schema of a list of one number or more, each a text or an object with these fields. */
export function numbersField(item: object): ReturnType<typeof field.list<z.ZodString>> {
  const text = z
    .string()
    .max(20_000)
    .meta({
      type: ['string', 'object'],
      oneOf: [{ type: 'string', description: 'E.164', examples: ['+14158675310'] }, item],
    });
  return field
    .list(text, maxBulkNumbers)
    .refine((numbers) => numbers.length > 0, 'a list of one number at least')
    .meta({ minItems: 1 });
}

const createOperation = operation({
  ...common,
  id: 'createBulkEligibility',
  method: 'POST',
  path,
  summary: 'Ask whether many numbers could be hosted',
  description:
    'A JSON object with up to 10,000 `phone_numbers`. Nothing is ordered. Fetch the request for its results.',
  readBody: readJson,
  bodyLimitBytes: (config) => config.api.uploadLimitBytes,
  form: z.object({
    friendly_name: field.optional(field.text({ max: 128 })),
    hosting_account_sid: field.optional(field.text({ max: 64 })),
    phone_numbers: numbersField(z.toJSONSchema(itemForm, { io: 'input', unrepresentable: 'any' })),
  }),
  responses: { 202: { description: 'Accepted', schema: bulkEligibilitySchema } },
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const hostingAccountSid = form.hosting_account_sid ?? account.sid;
    const wanted = form.phone_numbers.map((text) => {
      const object = jsonObject(text);
      const { phone_number, hosting_account_sid } = object
        ? parseItem(valuesOf(object, itemForm))
        : { phone_number: text };
      return { phoneNumber: phone_number, accountSid: hosting_account_sid ?? hostingAccountSid };
    });
    const faultOf = await faultFinder(deps, account, wanted);
    const items = wanted.map((item): NewBulkItem => ({ ...item, outcome: faultOf(item) }));
    const request = await createBulkRequest(
      deps,
      {
        sid: newSid('bulkEligibility'),
        accountSid: account.sid,
        kind: 'eligibility',
        friendlyName: form.friendly_name ?? null,
        notificationEmail: null,
      },
      items,
    );
    return ctx.json(bulkEligibilityJson(request, [], deps.config.env.publicUrl), 202);
  },
});

const fetchOperation = operation({
  ...common,
  id: 'fetchBulkEligibility',
  method: 'GET',
  path: `${path}/{RequestId}`,
  summary: 'Fetch a bulk check with the results so far',
  responses: { 200: { description: 'The request', schema: bulkEligibilitySchema } },
  handler: async ({ ctx, deps, account, params }) => {
    const question = { accountSid: account.sid, sid: params.RequestId, kind: 'eligibility' } as const;
    const request = await requireBulkRequest(deps, question);
    const results = await readBulkResults(deps.db, request.sid);
    return ctx.json(bulkEligibilityJson(request, results, deps.config.env.publicUrl));
  },
});

export const bulkEligibilityOperations: readonly Operation[] = [createOperation, fetchOperation];

type Wanted = Pick<NewBulkItem, 'phoneNumber' | 'accountSid'>;

/** What the request itself tells of a number; the registry is asked about the others only. */
async function faultFinder(
  deps: ApiDeps,
  account: Account,
  wanted: readonly Wanted[],
): Promise<(item: Wanted) => BulkOutcome | null> {
  const accountSids = wanted.map((item) => item.accountSid);
  const hosts = await hostsAmong(deps, account.sid, accountSids);
  const at = new Date().toISOString();
  const fault = (subStatus: EligibilitySubStatus, reason: string): BulkOutcome => ({
    kind: 'checked',
    subStatus,
    reason,
    holder: null,
    at,
  });
  return ({ phoneNumber, accountSid }) => {
    if (!hosts.has(accountSid)) return fault('invalid-hosting-account-sid', noHost);
    const found = numberFault(phoneNumber, deps.config.orders.countries);
    return found ? fault(found.subStatus, found.reason) : null;
  };
}

function bulkEligibilityJson(
  request: BulkRequestRow,
  rows: readonly BulkResultRow[],
  publicUrl: string,
): z.infer<typeof bulkEligibilitySchema> {
  const results = rows.flatMap(({ phoneNumber, accountSid, outcome }) =>
    outcome?.kind === 'checked'
      ? [eligibilityResult(phoneNumber, accountSid, { ...outcome, at: new Date(outcome.at) })]
      : [],
  );
  return {
    request_id: request.sid,
    url: `${publicUrl}${path}/${request.sid}`,
    results,
    friendly_name: request.friendlyName,
    status: request.status === 'PROCESSED' ? 'COMPLETE' : request.status,
    date_created: isoDate(request.dateCreated),
    date_completed: request.dateCompleted && isoDate(request.dateCompleted),
  };
}
