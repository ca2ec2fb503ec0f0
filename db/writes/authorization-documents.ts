/** Authorization documents and their letters, written by activities only. Each write may be repeated. */
import { and, eq, lt, not, sql } from 'drizzle-orm';
import type { DocumentSnapshot } from '../../domain/ports.ts';
import type { Db, Queryable } from '../client.ts';
import { arrayLiteral, isAnyOf } from '../lists.ts';
import { authorizationDocuments, documentFiles, documentOrders } from '../schema/authorization-documents.ts';
import { appendTimeline } from './timeline.ts';

/** Copies a state of the document and its orders to the read model, unless a later one is there. Key: sid and revision. */
export async function writeDocumentSnapshot(db: Db, snapshot: DocumentSnapshot): Promise<void> {
  const { orderSids, timeline, updatedAt, expiresAt, signedAt, ...columns } = snapshot;
  const row = {
    ...columns,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    signedAt: signedAt === null ? null : new Date(signedAt),
    dateUpdated: new Date(updatedAt),
  };
  await db.transaction(async (tx) => {
    const written = await tx
      .insert(authorizationDocuments)
      .values({ ...row, dateCreated: row.dateUpdated })
      .onConflictDoUpdate({
        target: authorizationDocuments.sid,
        set: row,
        setWhere: lt(authorizationDocuments.revision, snapshot.revision),
      })
      .returning({ sid: authorizationDocuments.sid });
    if (written.length > 0) await writeOrders(tx, snapshot.sid, orderSids);
    await appendTimeline(tx, snapshot.sid, timeline);
  });
}

/** Keeps the bytes of a letter. Key: document, kind and mailing; what is there already stays, byte for byte. */
export async function keepFile(db: Db, file: typeof documentFiles.$inferInsert): Promise<void> {
  await db.insert(documentFiles).values(file).onConflictDoNothing();
}

async function writeOrders(tx: Queryable, documentSid: string, orderSids: readonly string[]): Promise<void> {
  const ofDocument = eq(documentOrders.documentSid, documentSid);
  const left = not(isAnyOf(documentOrders.orderSid, orderSids));
  await tx.update(documentOrders).set({ active: false }).where(and(ofDocument, left));
  await tx.execute(sql`
    insert into document_orders (document_sid, order_sid, active)
    select ${documentSid}, order_sid, true from unnest(${arrayLiteral(orderSids)}::text[]) as order_sid
    on conflict (document_sid, order_sid) do update set active = true`);
}
