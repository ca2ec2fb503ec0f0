/** Messages by the identifier a carrier knows them by: which text was brought again, and what a receipt is about. */
import { and, desc, eq, isNull, or } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { messages } from '../schema/messages.ts';
import { type MessageRow, messageSelection, toMessageRow } from './messages.ts';

/** The text that came in on the line under the carrier's identifier, whatever came with it. */
export async function loadInbound(
  db: Queryable,
  { line, carrierId }: { readonly line: string; readonly carrierId: string },
): Promise<MessageRow | undefined> {
  const inbound = and(eq(messages.direction, 'inbound'), eq(messages.line, line));
  const [row] = await db
    .select(messageSelection)
    .from(messages)
    .where(and(inbound, eq(messages.carrierId, carrierId)));
  return row && toMessageRow(row);
}

export interface SubmittedMessage {
  readonly sid: string;
  readonly carrierId: string | null;
  readonly contact: string;
  /** Its receipt has not come. */
  readonly isOpen: boolean;
}

const isOutgoing = or(eq(messages.direction, 'outbound-api'), eq(messages.direction, 'outbound-reply'));

/** Whom messages are on their way to from one of the lines, and the carrier's identifier of them is not known yet. */
export async function listUnanswered(db: Queryable, lines: readonly string[]): Promise<readonly string[]> {
  const onItsWay = or(eq(messages.status, 'queued'), eq(messages.status, 'sending'));
  const found = await db
    .selectDistinct({ contact: messages.contact })
    .from(messages)
    .where(and(isAnyOf(messages.line, lines), isNull(messages.carrierId), onItsWay, isOutgoing));
  return found.map(({ contact }) => contact);
}

/**
 * The outgoing messages a receipt may be about, by the carrier's identifier in any of its spellings, the likeliest first;
 * the newest first of those whose identifier the carrier gave again.
 */
export async function listByCarrierId(
  db: Queryable,
  spellings: readonly string[],
): Promise<readonly SubmittedMessage[]> {
  const found = await db
    .select({
      sid: messages.sid,
      carrierId: messages.carrierId,
      contact: messages.contact,
      status: messages.status,
    })
    .from(messages)
    .where(and(isAnyOf(messages.carrierId, spellings), isOutgoing))
    .orderBy(desc(messages.id));
  return spellings.flatMap((spelling) =>
    found
      .filter(({ carrierId }) => carrierId === spelling)
      .map(({ status, ...row }) => ({ ...row, isOpen: status === 'sending' || status === 'sent' })),
  );
}
