/** Accounts: who may call, and whose rows may be seen. */
import { and, eq, inArray, ne, or, type Placeholder, type SQL } from 'drizzle-orm';
import { alias, type AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { accounts } from '../schema/accounts.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

export type AccountRow = typeof accounts.$inferSelect;

/** An account with the status of the one that owns it: suspending an owner suspends its sub-accounts. */
export interface AccountWithOwner extends AccountRow {
  readonly ownerStatus: AccountRow['status'];
}

export async function findAccount(db: Queryable, sid: string): Promise<AccountWithOwner | undefined> {
  const owner = alias(accounts, 'owner');
  const [row] = await db
    .select({ account: accounts, ownerStatus: owner.status })
    .from(accounts)
    .leftJoin(owner, eq(owner.sid, accounts.ownerAccountSid))
    .where(eq(accounts.sid, sid));
  return row && { ...row.account, ownerStatus: row.ownerStatus ?? row.account.status };
}

export interface AccountFilter {
  readonly friendlyName?: string | null | undefined;
  readonly status?: AccountRow['status'] | null | undefined;
}

/** An account and its sub-accounts. */
export async function listAccounts(
  db: Queryable,
  ownerSid: string,
  filter: AccountFilter,
  request: PageRequest,
): Promise<PageOf<AccountRow>> {
  const { where, orderBy, limit, offset } = keyset(accounts.position, request);
  const rows = await db
    .select()
    .from(accounts)
    .where(
      and(
        or(eq(accounts.sid, ownerSid), eq(accounts.ownerAccountSid, ownerSid)),
        filter.friendlyName ? eq(accounts.friendlyName, filter.friendlyName) : undefined,
        filter.status ? eq(accounts.status, filter.status) : undefined,
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

/** Those of the accounts that are the owner's and active. */
export async function listActiveSubAccounts(
  db: Queryable,
  ownerSid: string,
  sids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .select({ sid: accounts.sid })
    .from(accounts)
    .where(
      and(isAnyOf(accounts.sid, sids), eq(accounts.ownerAccountSid, ownerSid), eq(accounts.status, 'active')),
    );
  return rows.map(({ sid }) => sid);
}

/** Condition for rows an account may see by their sid: its own and those of its sub-accounts. */
export function visibleTo(
  db: Queryable,
  column: AnyPgColumn,
  accountSid: string | Placeholder,
): SQL | undefined {
  const subAccounts = db
    .select({ sid: accounts.sid })
    .from(accounts)
    .where(and(eq(accounts.ownerAccountSid, accountSid), ne(accounts.sid, accountSid)));
  return or(eq(column, accountSid), inArray(column, subAccounts));
}
