/** Authorization documents, their files, and the proofs customers hand in. */
import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { DocumentStatus } from '../../domain/authorization-document.ts';
import type { Queryable } from '../client.ts';
import {
  authorizationDocuments,
  documentFiles,
  documentOrders,
  verificationDocuments,
} from '../schema/authorization-documents.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { visibleTo } from './accounts.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

export type DocumentRow = typeof authorizationDocuments.$inferSelect;
export type DocumentFileRow = typeof documentFiles.$inferSelect;
export type VerificationDocumentRow = typeof verificationDocuments.$inferSelect;

/** A document of the account or its sub-accounts. */
export async function findDocument(
  db: Queryable,
  accountSid: string,
  sid: string,
): Promise<DocumentRow | undefined> {
  const [row] = await db
    .select()
    .from(authorizationDocuments)
    .where(
      and(eq(authorizationDocuments.sid, sid), visibleTo(db, authorizationDocuments.accountSid, accountSid)),
    );
  return row;
}

/** Any account's document, for the signing page, whose link proves itself. */
export async function findAnyDocument(db: Queryable, sid: string): Promise<DocumentRow | undefined> {
  const [row] = await db.select().from(authorizationDocuments).where(eq(authorizationDocuments.sid, sid));
  return row;
}

export interface DocumentFilter {
  readonly email?: string | null | undefined;
  readonly status?: DocumentStatus | null | undefined;
}

/** Documents of one account, newest first. */
export async function listDocuments(
  db: Queryable,
  accountSid: string,
  filter: DocumentFilter,
  request: PageRequest,
): Promise<PageOf<DocumentRow>> {
  const { where, orderBy, limit, offset } = keyset(authorizationDocuments.position, request);
  const rows = await db
    .select()
    .from(authorizationDocuments)
    .where(
      and(
        eq(authorizationDocuments.accountSid, accountSid),
        filter.email ? eq(authorizationDocuments.email, filter.email) : undefined,
        filter.status ? eq(authorizationDocuments.status, filter.status) : undefined,
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

/** Orders the document names: sid, number, address. Those that left are not among them. */
export function listDocumentOrders(
  db: Queryable,
  documentSid: string,
): Promise<{ sid: string; phoneNumber: string; addressSid: string | null; friendlyName: string | null }[]> {
  return db
    .select({
      sid: hostedNumberOrders.sid,
      phoneNumber: hostedNumberOrders.phoneNumber,
      addressSid: hostedNumberOrders.addressSid,
      friendlyName: hostedNumberOrders.friendlyName,
    })
    .from(documentOrders)
    .innerJoin(hostedNumberOrders, eq(hostedNumberOrders.sid, documentOrders.orderSid))
    .where(and(eq(documentOrders.documentSid, documentSid), eq(documentOrders.active, true)))
    .orderBy(hostedNumberOrders.position);
}

/**
 * Whether an order has yet to hear that it is off the document: of a canceled one every order, else those that were
 * taken off it.
 */
export async function hasOrdersToFree(
  db: Queryable,
  { sid, status }: Pick<DocumentRow, 'sid' | 'status'>,
): Promise<boolean> {
  const [row] = await db
    .select({ sid: hostedNumberOrders.sid })
    .from(documentOrders)
    .innerJoin(hostedNumberOrders, eq(hostedNumberOrders.sid, documentOrders.orderSid))
    .where(
      and(
        eq(documentOrders.documentSid, sid),
        status === 'canceled' ? undefined : eq(documentOrders.active, false),
        eq(hostedNumberOrders.signingDocumentSid, sid),
        inArray(hostedNumberOrders.status, ['pending-loa', 'action-required']),
        isNull(hostedNumberOrders.canceledAt),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** The newest letter, or the signed one, byte for byte. */
export async function findDocumentFile(
  db: Queryable,
  documentSid: string,
  kind: DocumentFileRow['kind'],
  mailing?: number,
): Promise<DocumentFileRow | undefined> {
  const [row] = await db
    .select()
    .from(documentFiles)
    .where(
      and(
        eq(documentFiles.documentSid, documentSid),
        eq(documentFiles.kind, kind),
        mailing === undefined ? undefined : eq(documentFiles.mailing, mailing),
      ),
    )
    .orderBy(desc(documentFiles.mailing))
    .limit(1);
  return row;
}

export async function findVerificationDocument(
  db: Queryable,
  where: { readonly sid: string; readonly accountSid: string | null },
): Promise<VerificationDocumentRow | undefined> {
  const ofAccount: SQL | undefined =
    where.accountSid === null ? undefined : visibleTo(db, verificationDocuments.accountSid, where.accountSid);
  const [row] = await db
    .select()
    .from(verificationDocuments)
    .where(and(eq(verificationDocuments.sid, where.sid), ofAccount));
  return row;
}
