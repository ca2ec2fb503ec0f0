/** Hosted numbers as customers and messages look them up. A released or removed number is gone for its customer. */
import { and, eq, inArray, like, notLike, or, type SQL } from 'drizzle-orm';
import type { OrderStatus } from '../../domain/hosted-number-order.ts';
import { tollFreeCodes } from '../../domain/line-kind.ts';
import type { Queryable } from '../client.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

export type NumberRow = typeof incomingPhoneNumbers.$inferSelect;

/** States in which the customer still has the number. */
const presentStates = ['pending', 'in-use'] as const satisfies readonly NumberRow['state'][];

export async function findNumber(
  db: Queryable,
  accountSid: string,
  sid: string,
): Promise<(NumberRow & { readonly orderStatus: OrderStatus | null }) | undefined> {
  const [row] = await db
    .select({ number: incomingPhoneNumbers, orderStatus: hostedNumberOrders.status })
    .from(incomingPhoneNumbers)
    .leftJoin(hostedNumberOrders, eq(hostedNumberOrders.sid, incomingPhoneNumbers.orderSid))
    .where(
      and(
        eq(incomingPhoneNumbers.sid, sid),
        eq(incomingPhoneNumbers.accountSid, accountSid),
        inArray(incomingPhoneNumbers.state, presentStates),
      ),
    );
  return row && { ...row.number, orderStatus: row.orderStatus };
}

/** The number that an account sends from or receives on, in service: by E.164. */
export async function findNumberInUse(db: Queryable, phoneNumber: string): Promise<NumberRow | undefined> {
  const [row] = await db
    .select()
    .from(incomingPhoneNumbers)
    .where(and(eq(incomingPhoneNumbers.phoneNumber, phoneNumber), eq(incomingPhoneNumbers.state, 'in-use')))
    .limit(1);
  return row;
}

export interface NumberFilter {
  readonly friendlyName?: string | null | undefined;
  /** E.164, or a part of it; `*` stands for any digit. */
  readonly phoneNumber?: string | null | undefined;
  readonly tollFree?: boolean | undefined;
}

/** Numbers of one account, newest first; of every account where none is named (operators only). */
export async function listNumbers(
  db: Queryable,
  accountSid: string | null,
  filter: NumberFilter,
  request: PageRequest,
): Promise<PageOf<NumberRow>> {
  const { where, orderBy, limit, offset } = keyset(incomingPhoneNumbers.position, request);
  const rows = await db
    .select()
    .from(incomingPhoneNumbers)
    .where(
      and(
        accountSid === null ? undefined : eq(incomingPhoneNumbers.accountSid, accountSid),
        inArray(incomingPhoneNumbers.state, presentStates),
        filter.friendlyName ? eq(incomingPhoneNumbers.friendlyName, filter.friendlyName) : undefined,
        filter.phoneNumber ? like(incomingPhoneNumbers.phoneNumber, pattern(filter.phoneNumber)) : undefined,
        filter.tollFree === undefined ? undefined : tollFree(filter.tollFree),
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

/** `*` is one digit; everything else stands for itself, anywhere in the number. */
function pattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '_')}%`;
}

const tollFreePrefixes = tollFreeCodes.map((code) => `+1${code}%`);

function tollFree(wanted: boolean): SQL | undefined {
  const column = incomingPhoneNumbers.phoneNumber;
  return wanted
    ? or(...tollFreePrefixes.map((prefix) => like(column, prefix)))
    : and(...tollFreePrefixes.map((prefix) => notLike(column, prefix)));
}
