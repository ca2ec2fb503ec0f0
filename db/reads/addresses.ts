/** Postal addresses. */
import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { addresses } from '../schema/addresses.ts';
import { visibleTo } from './accounts.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

export type AddressRow = typeof addresses.$inferSelect;

/** An address of the account or its sub-accounts. */
export async function findAddress(
  db: Queryable,
  accountSid: string,
  sid: string,
): Promise<AddressRow | undefined> {
  const [row] = await db
    .select()
    .from(addresses)
    .where(and(eq(addresses.sid, sid), visibleTo(db, addresses.accountSid, accountSid)));
  return row;
}

export interface AddressFilter {
  readonly customerName?: string | null | undefined;
  readonly friendlyName?: string | null | undefined;
  readonly isoCountry?: string | null | undefined;
  readonly emergencyEnabled?: boolean | null | undefined;
}

export async function listAddresses(
  db: Queryable,
  accountSid: string,
  filter: AddressFilter,
  request: PageRequest,
): Promise<PageOf<AddressRow>> {
  const { where, orderBy, limit, offset } = keyset(addresses.position, request);
  const rows = await db
    .select()
    .from(addresses)
    .where(
      and(
        eq(addresses.accountSid, accountSid),
        filter.customerName ? eq(addresses.customerName, filter.customerName) : undefined,
        filter.friendlyName ? eq(addresses.friendlyName, filter.friendlyName) : undefined,
        filter.isoCountry ? eq(addresses.isoCountry, filter.isoCountry) : undefined,
        typeof filter.emergencyEnabled === 'boolean'
          ? eq(addresses.emergencyEnabled, filter.emergencyEnabled)
          : undefined,
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}
