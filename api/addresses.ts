/** /2010-04-01/Accounts/{AC}/Addresses. Source: domain.md §2.3, spec/twilio-2010-subset.json. */
import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';
import { type AddressRow, findAddress, listAddresses } from '../db/reads/addresses.ts';
import {
  type AddressChanges,
  deleteAddress,
  insertAddress,
  updateAddress,
} from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { isPostalCode } from '../domain/service-address.ts';
import { rfc2822Date } from './dates.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { operation, type Operation } from './operation.ts';
import { legacyList, legacyListSchema, pageRequest, pagingFields } from './paging.ts';

const path = '/2010-04-01/Accounts/{AccountSid}/Addresses';
const tag = 'Addresses';
const line = field.line({ min: 1, max: 256, code: 21628 });
const country = field.coded(
  z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.string().refine(isSupportedCountry)),
  21628,
  { description: 'ISO 3166-1, two letters, of a country with telephones of its own', examples: ['US'] },
);

const requiredFields = { CustomerName: line, Street: line, City: line, Region: line, PostalCode: line };
const otherFields = {
  FriendlyName: field.optional(field.text({ max: 64 })),
  StreetSecondary: field.optional(field.line({ max: 256, code: 21628 })),
  EmergencyEnabled: field.optional(field.flag()),
  AutoCorrectAddress: field.optional(field.flag()),
};
const createForm = z.object({ ...requiredFields, IsoCountry: country, ...otherFields });
const updateForm = z.object({ ...requiredFields, ...otherFields }).partial();

const addressSchema = z
  .object({
    sid: z.string().meta({ examples: ['AD0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    customer_name: z.string(),
    friendly_name: z.string(),
    street: z.string(),
    street_secondary: z.string().nullable(),
    city: z.string(),
    region: z.string(),
    postal_code: z.string(),
    iso_country: z.string(),
    emergency_enabled: z.boolean(),
    validated: z.boolean(),
    verified: z.boolean(),
    date_created: z.string(),
    date_updated: z.string(),
    uri: z.string(),
  })
  .meta({ id: 'Address', description: 'A postal address, as the letter of authorization states it' });
const addressAnswer = { description: 'The address', schema: addressSchema };

const createOperation = operation({
  id: 'createAddress',
  method: 'POST',
  path: `${path}.json`,
  tag,
  summary: 'Create an address',
  auth: 'account',
  form: createForm,
  responses: { 201: addressAnswer },
  handler: async ({ ctx, deps, account, form, newSid }) => {
    requirePostalCode(form.IsoCountry, form.PostalCode);
    const sid = newSid('address');
    const address = {
      sid,
      accountSid: account.sid,
      customerName: form.CustomerName,
      friendlyName: form.FriendlyName ?? '',
      street: form.Street,
      streetSecondary: form.StreetSecondary ?? null,
      city: form.City,
      region: form.Region,
      postalCode: form.PostalCode,
      isoCountry: form.IsoCountry,
      emergencyEnabled: form.EmergencyEnabled ?? false,
    };
    await insertAddress(deps.db, address, new Date());
    return ctx.json(addressJson(await requireAddress(deps, account.sid, sid)), 201);
  },
});

const fetchOperation = operation({
  id: 'fetchAddress',
  method: 'GET',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Fetch an address',
  auth: 'account',
  responses: { 200: addressAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(addressJson(await requireAddress(deps, account.sid, params.Sid))),
});

const updateOperation = operation({
  id: 'updateAddress',
  method: 'POST',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Change an address',
  description: 'Letters that were mailed already keep the address they were mailed with.',
  auth: 'account',
  form: updateForm,
  responses: { 200: addressAnswer },
  handler: async ({ ctx, deps, account, params, form }) => {
    const address = await requireAddress(deps, account.sid, params.Sid);
    if (form.PostalCode !== undefined) requirePostalCode(address.isoCountry, form.PostalCode);
    await updateAddress(deps.db, address.sid, changesOf(form), new Date());
    return ctx.json(addressJson(await requireAddress(deps, account.sid, address.sid)));
  },
});

const deleteOperation = operation({
  id: 'deleteAddress',
  method: 'DELETE',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Delete an address',
  auth: 'account',
  responses: { 204: { description: 'Deleted' } },
  handler: async ({ ctx, deps, account, params }) => {
    const address = await requireAddress(deps, account.sid, params.Sid);
    await deleteAddress(deps.db, address.sid);
    return ctx.body(null, 204);
  },
});

const listOperation = operation({
  id: 'listAddresses',
  method: 'GET',
  path: `${path}.json`,
  tag,
  summary: 'List addresses, newest first',
  auth: 'account',
  query: z.object({
    CustomerName: field.optional(field.text({ max: 256 })),
    FriendlyName: field.optional(field.text({ max: 64 })),
    EmergencyEnabled: field.optional(field.flag()),
    IsoCountry: field.optional(field.text({ max: 2 })),
    ...pagingFields,
  }),
  responses: {
    200: { description: 'A page of addresses', schema: legacyListSchema(addressSchema, 'addresses') },
  },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const filter = {
      customerName: query.CustomerName,
      friendlyName: query.FriendlyName,
      isoCountry: query.IsoCountry,
      emergencyEnabled: query.EmergencyEnabled,
    };
    const page = await listAddresses(deps.db, account.sid, filter, request);
    const address = path.replace('{AccountSid}', account.sid);
    const answer = {
      address: `${address}.json`,
      requestUrl: ctx.req.url,
      request,
      page,
      toItem: addressJson,
    };
    return ctx.json(legacyList(answer, 'addresses'));
  },
});

export const addressOperations: readonly Operation[] = [
  createOperation,
  listOperation,
  fetchOperation,
  updateOperation,
  deleteOperation,
];

async function requireAddress(deps: ApiDeps, accountSid: string, sid: string): Promise<AddressRow> {
  const address = await findAddress(deps.db, accountSid, sid);
  if (!address) throw new ApiError(20404);
  return address;
}

/** A letter with a postal code of another form would be refused; better said now than when it is mailed. Throws 21628. */
function requirePostalCode(isoCountry: string, postalCode: string): void {
  if (!isPostalCode(isoCountry, postalCode.trim()))
    throw new ApiError(21628, `PostalCode is not a valid postal code for ${isoCountry}`);
}

function changesOf(form: z.output<typeof updateForm>): AddressChanges {
  return {
    ...(form.CustomerName === undefined ? {} : { customerName: form.CustomerName }),
    ...(form.FriendlyName === undefined ? {} : { friendlyName: form.FriendlyName ?? '' }),
    ...(form.Street === undefined ? {} : { street: form.Street }),
    ...(form.StreetSecondary === undefined ? {} : { streetSecondary: form.StreetSecondary }),
    ...(form.City === undefined ? {} : { city: form.City }),
    ...(form.Region === undefined ? {} : { region: form.Region }),
    ...(form.PostalCode === undefined ? {} : { postalCode: form.PostalCode }),
    ...(typeof form.EmergencyEnabled === 'boolean' ? { emergencyEnabled: form.EmergencyEnabled } : {}),
  };
}

/** `validated` and `verified` are false: no postal authority was asked. */
function addressJson(row: AddressRow): z.infer<typeof addressSchema> {
  return {
    sid: row.sid,
    account_sid: row.accountSid,
    customer_name: row.customerName,
    friendly_name: row.friendlyName,
    street: row.street,
    street_secondary: row.streetSecondary,
    city: row.city,
    region: row.region,
    postal_code: row.postalCode,
    iso_country: row.isoCountry,
    emergency_enabled: row.emergencyEnabled,
    validated: false,
    verified: false,
    date_created: rfc2822Date(row.dateCreated),
    date_updated: rfc2822Date(row.dateUpdated),
    uri: `${path.replace('{AccountSid}', row.accountSid)}/${row.sid}.json`,
  };
}
