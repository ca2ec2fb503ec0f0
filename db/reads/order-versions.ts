/** Orders by version, for who keeps copies of them: PostgreSQL says which version counts, and only new ones are read. */
import DataLoader from 'dataloader';
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { arrayLiteral } from '../lists.ts';
import { perDatabase } from '../prepared.ts';
import { accounts } from '../schema/accounts.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { verificationAttempts } from '../schema/verification-attempts.ts';
import { liveAttempt, pageOf, pageShape, type OrderFilter, type OrderRow } from './hosted-number-orders.ts';
import { keysetValues, toPage, type PageOf, type PageRequest } from './page.ts';

const { placeholder } = sql;

/** What tells two states of an order apart. */
export interface OrderVersion {
  readonly sid: string;
  /** Different after every change of what an `OrderRow` shows. */
  readonly version: string;
}

/** The transaction that wrote the row, and the one field that is of another table. */
const version = sql<string>`${hostedNumberOrders}.xmin::text || coalesce('/' || ${verificationAttempts.code}, '')`;

/** Which orders are on a page, newest first. */
export async function listOrderVersions(
  db: Queryable,
  accountSid: string,
  filter: OrderFilter,
  request: PageRequest,
): Promise<PageOf<OrderVersion>> {
  const given = { ...filter, accountSid };
  const rows = await versionPage(db, pageShape(request, given)).execute({
    ...given,
    ...keysetValues(request),
  });
  return toPage(rows, request, (row) => row.position);
}

const versionPage = perDatabase((db, shape: string) => {
  const { where, orderBy, limit, offset } = pageOf(shape);
  return db
    .select({ sid: hostedNumberOrders.sid, position: hostedNumberOrders.position, version })
    .from(hostedNumberOrders)
    .leftJoin(verificationAttempts, liveAttempt())
    .where(where)
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)
    .prepare(`order_versions_${shape}`);
});

/** The version of an order of the account or its sub-accounts. Questions of the same moment are one query. */
export async function findOrderVersion(
  db: Queryable,
  accountSid: string,
  sid: string,
): Promise<OrderVersion | undefined> {
  const found = await versionsBySid(db, undefined).load(sid);
  const mayRead = found?.accountSid === accountSid || found?.ownerAccountSid === accountSid;
  return mayRead ? found : undefined;
}

/** Nothing is kept here: the next moment asks anew. */
const versionsBySid = perDatabase(
  (db) =>
    new DataLoader(
      async (sids: readonly string[]) => {
        const rows = await versions(db, undefined).execute({ sids: arrayLiteral(sids) });
        const bySid = new Map(rows.map((row) => [row.sid, row]));
        return sids.map((sid) => bySid.get(sid));
      },
      { cache: false, maxBatchSize: 100, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
    ),
);

const versions = perDatabase((db) =>
  db
    .select({
      sid: hostedNumberOrders.sid,
      accountSid: hostedNumberOrders.accountSid,
      ownerAccountSid: accounts.ownerAccountSid,
      version,
    })
    .from(hostedNumberOrders)
    .innerJoin(accounts, eq(accounts.sid, hostedNumberOrders.accountSid))
    .leftJoin(verificationAttempts, liveAttempt())
    .where(among)
    .prepare('order_versions'),
);

/** Every one of these orders that was not canceled, whoever owns it. */
export function findOrders(
  db: Queryable,
  sids: readonly string[],
): Promise<(OrderRow & { readonly version: string })[]> {
  return orders(db, undefined).execute({ sids: arrayLiteral(sids) });
}

const orders = perDatabase((db) =>
  db
    .select({
      ...getTableColumns(hostedNumberOrders),
      verificationCode: verificationAttempts.code,
      version,
    })
    .from(hostedNumberOrders)
    .leftJoin(verificationAttempts, liveAttempt())
    .where(among)
    .prepare('orders_by_sid'),
);

const among = and(
  sql`${hostedNumberOrders.sid} = any(${placeholder('sids')}::text[])`,
  isNull(hostedNumberOrders.canceledAt),
);
