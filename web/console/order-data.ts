/** Everything the page of an order shows, read at once. */
import { findAnyDocument, type DocumentRow } from '../../db/reads/authorization-documents.ts';
import { findStatusSince, listResourceDeliveries } from '../../db/reads/console.ts';
import type { DeliveryRow } from '../../db/reads/deliveries.ts';
import { findAnyOrder, type OperatorOrder } from '../../db/reads/hosted-number-orders.ts';
import { findNumber, type NumberRow } from '../../db/reads/incoming-phone-numbers.ts';
import { readTimeline, type TimelineRow } from '../../db/reads/timeline.ts';
import { listAttempts, type VerificationAttemptRow } from '../../db/reads/verification-attempts.ts';
import { isSid } from '../../domain/sid.ts';
import type { OrderFacts } from '../../domain/hosted-number-order.ts';
import { factsOf } from '../../domain/order-facts.ts';
import type { WebDeps } from '../deps.ts';
import type { Session } from './session.ts';

export interface OrderData {
  readonly order: OperatorOrder;
  readonly facts: OrderFacts;
  /** When the order came into its status; its creation where no timeline tells. */
  readonly since: Date;
  /** Oldest first. */
  readonly timeline: readonly TimelineRow[];
  /** Newest first. */
  readonly attempts: readonly VerificationAttemptRow[];
  readonly document: DocumentRow | undefined;
  /** While the customer has the number. */
  readonly number: NumberRow | undefined;
  /** Newest first. */
  readonly callbacks: readonly DeliveryRow[];
}

/** The order, where the session may see it: its own account's, or any for an administrator. */
export async function readOrderData(
  { db }: WebDeps,
  session: Session,
  sid: string,
): Promise<OrderData | undefined> {
  const order = isSid('hostedNumberOrder', sid) ? await findAnyOrder(db, sid) : undefined;
  if (!order || !maySee(session, order.accountSid)) return undefined;
  const { accountSid, signingDocumentSid } = order;
  const [timeline, attempts, callbacks, since, number, document] = await Promise.all([
    readTimeline(db, sid),
    listAttempts(db, sid),
    listResourceDeliveries(db, sid),
    findStatusSince(db, [sid]),
    findNumber(db, accountSid, order.incomingPhoneNumberSid),
    signingDocumentSid === null ? undefined : findAnyDocument(db, signingDocumentSid),
  ]);
  return {
    order,
    facts: factsOf(order),
    since: since.get(sid) ?? order.dateCreated,
    timeline,
    attempts,
    callbacks,
    number,
    document,
  };
}

function maySee(session: Session, accountSid: string): boolean {
  return session.kind === 'admin' || session.account.sid === accountSid;
}
