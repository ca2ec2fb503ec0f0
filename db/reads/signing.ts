/** What the signing page and the check of a signed file look at. */
import { and, asc, desc, eq } from 'drizzle-orm';
import type { DocumentStatus } from '../../domain/authorization-document.ts';
import type { Actor, LetterAddress } from '../../domain/ports.ts';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { addresses } from '../schema/addresses.ts';
import { authorizationDocuments, documentFiles, documentOrders } from '../schema/authorization-documents.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { timelineEntries } from '../schema/timeline-entries.ts';

export interface DocumentToSign {
  readonly sid: string;
  readonly accountSid: string;
  readonly status: DocumentStatus;
  readonly mailing: number;
  readonly failureReason: string | null;
  /** Who did what happened last. */
  readonly lastActor: Actor | null;
  readonly signerName: string | null;
  readonly signedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly email: string;
  readonly contactTitle: string | null;
  readonly contactPhoneNumber: string | null;
  /** Where the numbers' service is, as the letter states it; null when the signer has to tell. */
  readonly address: LetterAddress | null;
  /** E.164, sorted. */
  readonly phoneNumbers: readonly string[];
}

/** A document with all that its letter says, or `undefined` when there is none of this sid. */
export async function readDocumentToSign(
  db: Queryable,
  documentSid: string,
): Promise<DocumentToSign | undefined> {
  const [document] = await db
    .select()
    .from(authorizationDocuments)
    .where(eq(authorizationDocuments.sid, documentSid));
  if (!document) return undefined;
  const orders = await db
    .select({
      phoneNumber: hostedNumberOrders.phoneNumber,
      addressSid: hostedNumberOrders.addressSid,
    })
    .from(documentOrders)
    .innerJoin(hostedNumberOrders, eq(hostedNumberOrders.sid, documentOrders.orderSid))
    .where(and(eq(documentOrders.documentSid, documentSid), eq(documentOrders.active, true)))
    .orderBy(asc(hostedNumberOrders.phoneNumber));
  const addressSid = document.addressSid ?? orders.find((order) => order.addressSid !== null)?.addressSid;
  return {
    ...document,
    lastActor: await readLastActor(db, documentSid),
    address: addressSid ? await readLetterAddress(db, addressSid, document.accountSid) : null,
    phoneNumbers: orders.map((order) => order.phoneNumber),
  };
}

async function readLastActor(db: Queryable, documentSid: string): Promise<Actor | null> {
  const [entry] = await db
    .select({ actor: timelineEntries.actor })
    .from(timelineEntries)
    .where(eq(timelineEntries.resourceSid, documentSid))
    .orderBy(desc(timelineEntries.sequence))
    .limit(1);
  return entry?.actor ?? null;
}

async function readLetterAddress(
  db: Queryable,
  sid: string,
  accountSid: string,
): Promise<LetterAddress | null> {
  const [address] = await db
    .select({
      customerName: addresses.customerName,
      street: addresses.street,
      streetSecondary: addresses.streetSecondary,
      city: addresses.city,
      region: addresses.region,
      postalCode: addresses.postalCode,
      isoCountry: addresses.isoCountry,
    })
    .from(addresses)
    .where(and(eq(addresses.sid, sid), eq(addresses.accountSid, accountSid)));
  return address ?? null;
}

/** The hash of a file of a document, without its bytes. */
export async function readFileHash(
  db: Queryable,
  file: {
    readonly documentSid: string;
    readonly kind: 'letter' | 'signed';
    readonly mailing: number;
  },
): Promise<string | undefined> {
  const [row] = await db
    .select({ sha256: documentFiles.sha256 })
    .from(documentFiles)
    .where(
      and(
        eq(documentFiles.documentSid, file.documentSid),
        eq(documentFiles.kind, file.kind),
        eq(documentFiles.mailing, file.mailing),
      ),
    );
  return row?.sha256;
}

export interface KnownFile {
  readonly documentSid: string;
  readonly kind: 'letter' | 'signed';
  readonly mailing: number;
  readonly sha256: string;
  readonly byteLength: number;
  readonly dateCreated: Date;
  readonly documentStatus: DocumentStatus;
  readonly signedAt: Date | null;
}

/** Files that this service made and that have one of these SHA-256 hashes (lower-case hexadecimal). */
export async function findFilesByHash(db: Queryable, hashes: readonly string[]): Promise<KnownFile[]> {
  if (hashes.length === 0) return [];
  return db
    .select({
      documentSid: documentFiles.documentSid,
      kind: documentFiles.kind,
      mailing: documentFiles.mailing,
      sha256: documentFiles.sha256,
      byteLength: documentFiles.byteLength,
      dateCreated: documentFiles.dateCreated,
      documentStatus: authorizationDocuments.status,
      signedAt: authorizationDocuments.signedAt,
    })
    .from(documentFiles)
    .innerJoin(authorizationDocuments, eq(authorizationDocuments.sid, documentFiles.documentSid))
    .where(isAnyOf(documentFiles.sha256, hashes));
}
