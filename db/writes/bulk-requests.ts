/** Bulk requests: stored with all their numbers, then one outcome after another. Each write may be repeated. */
import { and, eq, isNull } from 'drizzle-orm';
import type { BulkOutcome } from '../../domain/bulk-request.ts';
import type { Queryable } from '../client.ts';
import { bulkItems, bulkRequests } from '../schema/bulk-requests.ts';

export type { BulkOrderDetails } from '../schema/bulk-requests.ts';

export type NewBulkRequest = Pick<
  typeof bulkRequests.$inferInsert,
  'sid' | 'accountSid' | 'kind' | 'friendlyName' | 'notificationEmail'
> & { readonly at: Date };
export type NewBulkItem = Omit<typeof bulkItems.$inferInsert, 'requestSid' | 'number'>;

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const rowsPerStatement = 2000;

/** Stores a request with its numbers, all or none. One with this sid that is there already stays as it is. */
export async function insertBulkRequest(
  db: Queryable,
  { at, ...request }: NewBulkRequest,
  items: readonly NewBulkItem[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await tx
      .insert(bulkRequests)
      .values({ ...request, status: 'QUEUED', totalCount: items.length, dateCreated: at, dateUpdated: at })
      .onConflictDoNothing()
      .returning({ sid: bulkRequests.sid });
    if (stored.length === 0) return;
    const rows = items.map((item, index) => ({ ...item, requestSid: request.sid, number: index + 1 }));
    for (let start = 0; start < rows.length; start += rowsPerStatement)
      await tx.insert(bulkItems).values(rows.slice(start, start + rowsPerStatement));
  });
}

export async function startBulkRequest(db: Queryable, sid: string, at: Date): Promise<void> {
  await db
    .update(bulkRequests)
    .set({ status: 'IN_PROGRESS', dateUpdated: at })
    .where(and(eq(bulkRequests.sid, sid), eq(bulkRequests.status, 'QUEUED')));
}

/** The first outcome of a number stands. */
export async function writeBulkOutcome(
  db: Queryable,
  item: { readonly requestSid: string; readonly number: number },
  outcome: BulkOutcome,
): Promise<void> {
  await db
    .update(bulkItems)
    .set({ outcome })
    .where(
      and(
        eq(bulkItems.requestSid, item.requestSid),
        eq(bulkItems.number, item.number),
        isNull(bulkItems.outcome),
      ),
    );
}

export async function writeBulkCompletion(db: Queryable, sid: string, at: Date): Promise<void> {
  await db
    .update(bulkRequests)
    .set({ status: 'PROCESSED', dateCompleted: at, dateUpdated: at })
    .where(and(eq(bulkRequests.sid, sid), isNull(bulkRequests.dateCompleted)));
}
