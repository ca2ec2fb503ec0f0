/** /2010-04-01/Accounts: sub-accounts, suspension, rotation of auth tokens. Source: issue 5; shapes as Twilio's. */
import { z } from 'zod';
import { type AccountRow, listAccounts } from '../db/reads/accounts.ts';
import { promoteAuthToken, updateAccount } from '../db/writes/configuration.ts';
import { accountStatuses, subAccountName } from '../domain/account.ts';
import { ApiError } from '../domain/errors.ts';
import type { Vault } from '../security/vault.ts';
import { changeAccount, createAccount, newAuthToken, requireAccount } from './account-commands.ts';
import type { Account } from './auth.ts';
import { rfc2822Date } from './dates.ts';
import * as field from './fields.ts';
import { operation, type Operation } from './operation.ts';
import { legacyList, legacyListSchema, pageRequest, pagingFields } from './paging.ts';

const path = '/2010-04-01/Accounts';
const tag = 'Accounts';

export const accountSchema = z
  .object({
    sid: z.string().meta({ examples: ['AC0123456789abcdef0123456789abcdef'] }),
    owner_account_sid: z.string(),
    friendly_name: z.string(),
    status: z.enum(accountStatuses),
    type: z.literal('Full'),
    auth_token: z.string(),
    email: z.string().nullable().meta({
      description:
        'Where the account is told that one of its endpoints was switched off; null: nobody is told',
    }),
    date_created: z.string(),
    date_updated: z.string(),
    uri: z.string(),
    subresource_uris: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Account' });
const accountAnswer = { description: 'The account', schema: accountSchema };

const secondarySchema = z.object({
  account_sid: z.string(),
  secondary_auth_token: z.string(),
  date_updated: z.string(),
});

const createOperation = operation({
  id: 'createAccount',
  method: 'POST',
  path: `${path}.json`,
  tag,
  summary: 'Create a sub-account',
  auth: 'account',
  form: z.object({ FriendlyName: field.optional(field.text({ max: 64, code: 22116 })) }),
  responses: { 201: accountAnswer },
  errors: [20006],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    if (account.ownerAccountSid !== account.sid)
      throw new ApiError(20006, 'A sub-account has no sub-accounts of its own');
    const created = await createAccount(deps, {
      sid: newSid('account'),
      ownerAccountSid: account.sid,
      friendlyName: form.FriendlyName ?? subAccountName,
    });
    return ctx.json(accountJson(created, deps.vault), 201);
  },
});

const listOperation = operation({
  id: 'listAccounts',
  method: 'GET',
  path: `${path}.json`,
  tag,
  summary: 'List the account and its sub-accounts, newest first',
  auth: 'account',
  query: z.object({
    FriendlyName: field.optional(field.text({ max: 64 })),
    Status: field.optional(field.choice(accountStatuses)),
    ...pagingFields,
  }),
  responses: {
    200: { description: 'A page of accounts', schema: legacyListSchema(accountSchema, 'accounts') },
  },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const filter = { friendlyName: query.FriendlyName, status: query.Status };
    const page = await listAccounts(deps.db, account.sid, filter, request);
    const toItem = (row: AccountRow): z.infer<typeof accountSchema> => accountJson(row, deps.vault);
    const answer = { address: `${path}.json`, requestUrl: ctx.req.url, request, page, toItem };
    return ctx.json(legacyList(answer, 'accounts'));
  },
});

const fetchOperation = operation({
  id: 'fetchAccount',
  method: 'GET',
  path: `${path}/{AccountSid}.json`,
  tag,
  summary: 'Fetch the account or a sub-account',
  auth: 'account',
  responses: { 200: accountAnswer },
  // Read anew: the account that was let in may be a second old, and a change just made has to show.
  handler: async ({ ctx, deps, account }) =>
    ctx.json(accountJson(await requireAccount(deps.db, account.sid), deps.vault)),
});

const updateOperation = operation({
  id: 'updateAccount',
  method: 'POST',
  path: `${path}/{AccountSid}.json`,
  tag,
  summary: 'Rename an account, say where it is mailed; suspend, reactivate or close a sub-account',
  description:
    'A closed account stays closed. A suspended one is answered with 20005 within a second. `Email` is where the account ' +
    'is told that one of its endpoints was switched off; sent empty it is taken away, and nobody is told.',
  auth: 'account',
  form: z.object({
    FriendlyName: field.optional(field.text({ max: 64, code: 22116 })),
    Status: field.optional(field.choice(accountStatuses)),
    Email: field.optional(field.email()),
  }),
  responses: { 200: accountAnswer },
  errors: [20006, 20409],
  handler: async ({ ctx, deps, caller, account, form }) => {
    if (form.Status) requireOwner(caller, account, form.Status);
    const changes = {
      ...(form.FriendlyName ? { friendlyName: form.FriendlyName } : {}),
      ...(form.Status ? { status: form.Status } : {}),
      ...(form.Email === undefined ? {} : { email: form.Email }),
    };
    return ctx.json(accountJson(await changeAccount(deps, account.sid, changes), deps.vault));
  },
});

const createSecondary = operation({
  id: 'createSecondaryAuthToken',
  method: 'POST',
  path: `${path}/{AccountSid}/AuthTokens/Secondary.json`,
  tag,
  summary: 'Create a second auth token',
  description: 'Both tokens are good until one is promoted or removed. An earlier second token is replaced.',
  auth: 'account',
  responses: { 201: { description: 'The second token', schema: secondarySchema } },
  handler: async ({ ctx, deps, account, once }) => {
    const sealed = deps.vault.seal(newAuthToken());
    await once(deps.db, async (tx) => {
      await updateAccount(tx, account.sid, { secondaryAuthTokenSealed: sealed }, new Date());
    });
    const { secondaryAuthTokenSealed: kept, dateUpdated } = await requireAccount(deps.db, account.sid);
    if (kept === null) throw new ApiError(20404, 'The second auth token was promoted or removed since');
    return ctx.json(
      {
        account_sid: account.sid,
        secondary_auth_token: deps.vault.open(kept),
        date_updated: rfc2822Date(dateUpdated),
      },
      201,
    );
  },
});

const deleteSecondary = operation({
  id: 'deleteSecondaryAuthToken',
  method: 'DELETE',
  path: `${path}/{AccountSid}/AuthTokens/Secondary.json`,
  tag,
  summary: 'Remove the second auth token',
  auth: 'account',
  responses: { 204: { description: 'Removed' } },
  handler: async ({ ctx, deps, account }) => {
    await updateAccount(deps.db, account.sid, { secondaryAuthTokenSealed: null }, new Date());
    return ctx.body(null, 204);
  },
});

const promote = operation({
  id: 'promoteAuthToken',
  method: 'POST',
  path: `${path}/{AccountSid}/AuthTokens/Promote.json`,
  tag,
  summary: 'Make the second auth token the only one',
  description:
    'The first token is void within a second. Callbacks are signed with the promoted one from then on.',
  auth: 'account',
  responses: { 200: accountAnswer },
  errors: [20409],
  handler: async ({ ctx, deps, account, once }) => {
    await once(deps.db, async (tx) => {
      if (!(await promoteAuthToken(tx, account.sid, new Date())))
        throw new ApiError(20409, 'There is no second auth token to promote');
    });
    return ctx.json(accountJson(await requireAccount(deps.db, account.sid), deps.vault));
  },
});

export const accountOperations: readonly Operation[] = [
  createOperation,
  listOperation,
  fetchOperation,
  updateOperation,
  createSecondary,
  deleteSecondary,
  promote,
];

export function accountJson(row: AccountRow, vault: Vault): z.infer<typeof accountSchema> {
  const uri = `${path}/${row.sid}`;
  return {
    sid: row.sid,
    owner_account_sid: row.ownerAccountSid,
    friendly_name: row.friendlyName,
    status: row.status,
    type: 'Full',
    auth_token: vault.open(row.authTokenSealed),
    email: row.email,
    date_created: rfc2822Date(row.dateCreated),
    date_updated: rfc2822Date(row.dateUpdated),
    uri: `${uri}.json`,
    subresource_uris: {
      addresses: `${uri}/Addresses.json`,
      incoming_phone_numbers: `${uri}/IncomingPhoneNumbers.json`,
      messages: `${uri}/Messages.json`,
    },
  };
}

/** Only the owner changes the status of a sub-account. Throws 20006. */
function requireOwner(caller: Account, account: Account, status: AccountRow['status']): void {
  if (account.status === status || caller.sid !== account.sid) return;
  throw new ApiError(20006, 'An account cannot change its own status');
}
