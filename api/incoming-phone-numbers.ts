/** /2010-04-01/Accounts/{AC}/IncomingPhoneNumbers. Source: service.md §2.3, §4; domain.md §2.1. */
import { z } from 'zod';
import { findAddress } from '../db/reads/addresses.ts';
import { findNumber, listNumbers, type NumberRow } from '../db/reads/incoming-phone-numbers.ts';
import { type NumberSettings, updateNumberSettings } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { numberJson, numberSchema, numbersPath as path } from './incoming-phone-number-json.ts';
import { operation, type Operation } from './operation.ts';
import { releaseNumber } from './order-commands.ts';
import { legacyList, legacyListSchema, pageRequest, pagingFields } from './paging.ts';
import { requireSafeUrls } from './safe-url.ts';

const tag = 'Incoming phone numbers';
const numberAnswer = { description: 'The number', schema: numberSchema };

/** Voice and emergency fields: stored as text and returned as given. */
const otherFields = {
  VoiceUrl: field.optional(field.httpUrl(21402)),
  VoiceMethod: field.optional(field.httpMethod(21403)),
  VoiceFallbackUrl: field.optional(field.httpUrl(21402)),
  VoiceFallbackMethod: field.optional(field.httpMethod(21403)),
  VoiceApplicationSid: field.optional(field.sid('application', 21218)),
  VoiceCallerIdLookup: field.optional(field.flag()),
  VoiceReceiveMode: field.optional(field.choice(['voice', 'fax'])),
  TrunkSid: field.optional(field.text({ max: 64 })),
  IdentitySid: field.optional(field.text({ max: 64 })),
  BundleSid: field.optional(field.text({ max: 64 })),
  EmergencyStatus: field.optional(field.choice(['Active', 'Inactive'])),
  EmergencyAddressSid: field.optional(field.sid('address', 21628)),
};

const updateForm = z.object({
  AccountSid: field.optional(field.sid('account', 21470)),
  ApiVersion: field.optional(field.text({ max: 16 })),
  FriendlyName: field.optional(field.text({ max: 64 })),
  SmsUrl: field.optional(field.httpUrl(21402)),
  SmsMethod: field.optional(field.httpMethod(21403)),
  SmsFallbackUrl: field.optional(field.httpUrl(21402)),
  SmsFallbackMethod: field.optional(field.httpMethod(21403)),
  SmsApplicationSid: field.optional(field.sid('application', 21218)),
  StatusCallback: field.optional(field.httpUrl(21402)),
  StatusCallbackMethod: field.optional(field.httpMethod(21403)),
  AddressSid: field.optional(field.sid('address', 21628)),
  ...otherFields,
});
type UpdateForm = z.output<typeof updateForm>;

const fetchOperation = operation({
  id: 'fetchIncomingPhoneNumber',
  method: 'GET',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Fetch a hosted number',
  auth: 'account',
  responses: { 200: numberAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(numberJson(await requireNumber(deps, account.sid, params.Sid))),
});

const updateOperation = operation({
  id: 'updateIncomingPhoneNumber',
  method: 'POST',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Set where incoming texts of a number go',
  description:
    'Works from the moment the order is created. A parameter sent empty is taken away. AccountSid of another account is ' +
    'refused: 22121 before the order is completed, 21470 afterwards.',
  auth: 'account',
  form: updateForm,
  responses: { 200: numberAnswer },
  errors: [21406, 22121],
  handler: async ({ ctx, deps, account, params, form }) => {
    const number = await requireNumber(deps, account.sid, params.Sid);
    if (form.AccountSid && form.AccountSid !== number.accountSid) throw moveRefusal(number);
    const settings = settingsOf(number, form);
    await requireUsable(deps, number, settings);
    await updateNumberSettings(deps.db, number.sid, settings, new Date());
    return ctx.json(numberJson(await requireNumber(deps, account.sid, number.sid)));
  },
});

const deleteOperation = operation({
  id: 'deleteIncomingPhoneNumber',
  method: 'DELETE',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Release a hosted number',
  description:
    'Sending from it is refused at once; after 3 days its registration is removed. An order that is not completed ' +
    'is canceled at /HostedNumbers/HostedNumberOrders instead.',
  auth: 'account',
  responses: { 204: { description: 'Released' } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params }) => {
    const number = await requireNumber(deps, account.sid, params.Sid);
    if (number.state !== 'in-use') throw new ApiError(20409);
    await releaseNumber(deps, number.orderSid);
    return ctx.body(null, 204);
  },
});

const createOperation = operation({
  id: 'createIncomingPhoneNumber',
  method: 'POST',
  path: `${path}.json`,
  tag,
  summary: 'Always refused: this service hosts numbers and sells none',
  auth: 'account',
  responses: {},
  errors: [21422],
  handler: () => {
    throw new ApiError(21422);
  },
});

type Kind = { readonly suffix: '' | '/Local' | '/Mobile' | '/TollFree'; readonly name: string };

function listOperation({ suffix, name }: Kind): Operation {
  return operation({
    id: `list${name}IncomingPhoneNumbers`,
    method: 'GET',
    path: `${path}${suffix}.json`,
    tag,
    summary: `List ${suffix === '' ? '' : `${suffix.slice(1)} `}numbers, newest first`,
    auth: 'account',
    query: z.object({
      FriendlyName: field.optional(field.text({ max: 64 })),
      PhoneNumber: field.optional(field.coded(numberPart, 21421)),
      Beta: field.optional(field.flag()),
      Origin: field.optional(field.text({ max: 32 })),
      ...pagingFields,
    }),
    responses: {
      200: {
        description: 'A page of numbers',
        schema: legacyListSchema(numberSchema, 'incoming_phone_numbers'),
      },
    },
    handler: async ({ ctx, deps, account, query }) => {
      const request = pageRequest(query);
      // No hosted number is beta, bought from Twilio, or mobile.
      const none = query.Beta === true || suffix === '/Mobile' || (query.Origin ?? 'hosted') !== 'hosted';
      const filter = {
        friendlyName: query.FriendlyName,
        phoneNumber: query.PhoneNumber,
        ...(suffix === '' ? {} : { tollFree: suffix === '/TollFree' }),
      };
      const page = none
        ? { rows: [], next: null, previous: null }
        : await listNumbers(deps.db, account.sid, filter, request);
      const address = `${path.replace('{AccountSid}', account.sid)}${suffix}.json`;
      const answer = { address, requestUrl: ctx.req.url, request, page, toItem: numberJson };
      return ctx.json(legacyList(answer, 'incoming_phone_numbers'));
    },
  });
}

/** A number or part of one; a plus sign that was sent unescaped arrives as a space. */
const numberPart = z
  .string()
  .transform((value) => value.replace(/^ /, '+'))
  .pipe(z.string().regex(/^\+?[\d*]{1,15}$/));

export const incomingPhoneNumberOperations: readonly Operation[] = [
  createOperation,
  listOperation({ suffix: '', name: '' }),
  listOperation({ suffix: '/Local', name: 'Local' }),
  listOperation({ suffix: '/Mobile', name: 'Mobile' }),
  listOperation({ suffix: '/TollFree', name: 'TollFree' }),
  fetchOperation,
  updateOperation,
  deleteOperation,
];

async function requireNumber(deps: ApiDeps, accountSid: string, sid: string): Promise<NumberRow> {
  const number = await findNumber(deps.db, accountSid, sid);
  if (!number) throw new ApiError(20404);
  return number;
}

/** Whichever account is named, and whether it exists or not. */
function moveRefusal({ state }: NumberRow): ApiError {
  if (state !== 'in-use') return new ApiError(22121);
  return new ApiError(
    21470,
    'A number in service stays with its account: release it, and order it for the other account once it is retired',
  );
}

/** Only what was sent: an absent field stays as it is, an empty one is taken away. */
function settingsOf(number: NumberRow, form: UpdateForm): NumberSettings {
  return {
    ...(form.FriendlyName === undefined ? {} : { friendlyName: form.FriendlyName ?? number.phoneNumber }),
    ...(form.SmsUrl === undefined ? {} : { smsUrl: form.SmsUrl }),
    ...(form.SmsMethod === undefined ? {} : { smsMethod: form.SmsMethod ?? 'POST' }),
    ...(form.SmsFallbackUrl === undefined ? {} : { smsFallbackUrl: form.SmsFallbackUrl }),
    ...(form.SmsFallbackMethod === undefined ? {} : { smsFallbackMethod: form.SmsFallbackMethod ?? 'POST' }),
    ...(form.SmsApplicationSid === undefined ? {} : { smsApplicationSid: form.SmsApplicationSid }),
    ...(form.StatusCallback === undefined ? {} : { statusCallback: form.StatusCallback }),
    ...(form.StatusCallbackMethod === undefined
      ? {}
      : { statusCallbackMethod: form.StatusCallbackMethod ?? 'POST' }),
    ...(form.AddressSid === undefined ? {} : { addressSid: form.AddressSid }),
    otherSettings: otherSettingsOf(form),
  };
}

function otherSettingsOf(form: UpdateForm): Record<string, string> {
  const names = Object.keys(otherFields) as (keyof typeof otherFields)[];
  const given = names.filter((name) => form[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, String(form[name] ?? '')]));
}

/** Throws 21402, 21406 and 21628. */
async function requireUsable(deps: ApiDeps, number: NumberRow, settings: NumberSettings): Promise<void> {
  await requireSafeUrls(deps, [settings.smsUrl, settings.smsFallbackUrl, settings.statusCallback], 21402);
  const { smsUrl, smsFallbackUrl } = { ...number, ...settings };
  if (settings.smsFallbackUrl && !smsUrl && smsFallbackUrl) throw new ApiError(21406);
  const emergency = settings.otherSettings?.['EmergencyAddressSid'];
  // One that was kept before may have been deleted since, which is nothing this request could help.
  const given = [
    settings.addressSid,
    emergency === number.otherSettings['EmergencyAddressSid'] ? null : emergency,
  ];
  for (const sid of given)
    if (sid && !(await findAddress(deps.db, number.accountSid, sid))) throw new ApiError(21628);
}
