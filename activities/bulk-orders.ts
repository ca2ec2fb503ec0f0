/** One order of a bulk request: the same workflow, started the same way, as by a request of its own. */
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { BulkItemRow } from '../db/reads/bulk-requests.ts';
import { checkPlacement, type PlacementFacts } from '../db/reads/order-placement.ts';
import { addOtherSettings } from '../db/writes/configuration.ts';
import type { BulkOutcome } from '../domain/bulk-request.ts';
import { apiErrors, type ErrorCode } from '../domain/errors.ts';
import type { OrderRequest } from '../domain/ports.ts';
import { derivedSid } from '../security/derived-sid.ts';
import { orderTimers } from '../settings.ts';
import { orderStart, orderWorkflowType, placeOrderUpdate } from '../workflows/messages.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';

/** How long one order may take to be stored and asked about. Milliseconds. */
const answerTimeoutMs = 25_000;

/** Places the order, and keeps who to contact with its number. Placing the same item again changes nothing. */
export async function placeBulkItem(deps: ActivityDeps, item: BulkItemRow): Promise<BulkOutcome> {
  const { details, orderSid, accountSid, phoneNumber, requestSid } = item;
  if (details === null || orderSid === null)
    throw permanentFailure('The order of a bulk request has no details', 'BulkItemIncomplete');
  const { contactTitle, contactPhoneNumber, ...wishes } = details;
  const incomingPhoneNumberSid = derivedSid('incomingPhoneNumber', orderSid);
  const request: OrderRequest = { ...wishes, sid: orderSid, accountSid, phoneNumber, incomingPhoneNumberSid };
  const facts = await checkPlacement(deps.db, request);
  if (!facts.stored) {
    const code = refusalOf(facts) ?? (await startOrder(deps, request, requestSid));
    if (code !== null) return { kind: 'refused', code, message: apiErrors[code].message };
  }
  await addOtherSettings(deps.db, incomingPhoneNumberSid, {
    BulkHostingRequestSid: requestSid,
    ...(contactTitle === null ? {} : { ContactTitle: contactTitle }),
    ...(contactPhoneNumber === null ? {} : { ContactPhoneNumber: contactPhoneNumber }),
  });
  return { kind: 'placed' };
}

function refusalOf(facts: PlacementFacts): ErrorCode | null {
  if (facts.numberTaken) return 22110;
  return facts.addressKnown ? null : 22109;
}

/** Starts the order and waits until it is stored; answers the code of a refusal. */
async function startOrder(
  { temporal, settings }: ActivityDeps,
  request: OrderRequest,
  requestSid: string,
): Promise<ErrorCode | null> {
  const input = { request, takeOver: false, timers: orderTimers(settings) };
  const origin = `Ordered by the customer in bulk request ${requestSid}.`;
  const start = orderStart(input, settings.temporal, origin);
  const startWorkflowOperation = new WithStartWorkflowOperation(orderWorkflowType, {
    ...start,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  // The handle's own promise is rejected together with the call; nobody else looks at it.
  startWorkflowOperation.workflowHandle().catch(() => {});
  // Without a worker for orders nobody answers; the batch is tried again, and one that was answered gets the same answer.
  const answer = await temporal.withDeadline(Date.now() + answerTimeoutMs, () =>
    temporal.workflow.executeUpdateWithStart(placeOrderUpdate, {
      startWorkflowOperation,
      updateId: 'create',
    }),
  );
  return answer.ok ? null : answer.code;
}
