/** Authorization documents and their letters, written by activities only. Each write may be repeated. */
import { and, eq, inArray, lt, not } from 'drizzle-orm';
import type { DocumentSnapshot } from '../../domain/ports.ts';
import type { Db, Queryable } from '../client.ts';
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
  const left = not(inArray(documentOrders.orderSid, [...orderSids]));
  await tx
    .update(documentOrders)
    .set({ active: false })
    .where(orderSids.length === 0 ? ofDocument : and(ofDocument, left));
  if (orderSids.length === 0) return;
  await tx
    .insert(documentOrders)
    .values(orderSids.map((orderSid) => ({ documentSid, orderSid, active: true })))
    .onConflictDoUpdate({
      target: [documentOrders.documentSid, documentOrders.orderSid],
      set: { active: true },
    });
}
