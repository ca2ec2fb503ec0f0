/** One number of a bulk eligibility check: is it ours already, and what does the registry say of it. */
import { cancellationSignal } from '@temporalio/activity';
import type { BulkItemRow } from '../db/reads/bulk-requests.ts';
import { isNumberHeld } from '../db/reads/order-placement.ts';
import { type BulkOutcome, type EligibilityFinding, findingOf, hostedHere } from '../domain/bulk-request.ts';
import type { Eligibility } from '../domain/ports.ts';
import { heldTimeout } from '../gateways/held-timeout.ts';
import type { ActivityDeps } from './deps.ts';

/** Times the registry is asked about one number, and how long each may take. Milliseconds. */
const tries = 3;
const answerTimeoutMs = 10_000;

export async function checkBulkItem(deps: ActivityDeps, item: BulkItemRow): Promise<BulkOutcome> {
  const at = new Date().toISOString();
  return { kind: 'checked', ...(await examine(deps, item)), at };
}

async function examine(deps: ActivityDeps, item: BulkItemRow): Promise<EligibilityFinding> {
  if (await isNumberHeld(deps.db, item.phoneNumber)) return hostedHere;
  const answer = await askRegistry(deps, item);
  if (answer === null)
    return { subStatus: 'internal-processing-error', reason: 'The registry did not answer', holder: null };
  return findingOf(answer);
}

/** One number the registry has no answer for must not hold up ten thousand others. */
async function askRegistry(
  { gateways, log }: ActivityDeps,
  { phoneNumber, requestSid, number }: BulkItemRow,
): Promise<Eligibility | null> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const signal = AbortSignal.any([cancellationSignal(), heldTimeout(answerTimeoutMs)]);
    try {
      return await gateways.registry.checkEligibility(phoneNumber, signal);
    } catch (err) {
      if (cancellationSignal().aborted) throw err;
      log.info({ requestSid, number, attempt }, 'the registry did not answer');
    }
  }
  return null;
}
