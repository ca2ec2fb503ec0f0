/** One number of a bulk eligibility check: is it ours already, and what does the registry say of it. */
import { cancellationSignal } from '@temporalio/activity';
import type { BulkItemRow } from '../db/reads/bulk-requests.ts';
import { isNumberHeld } from '../db/reads/order-placement.ts';
import type { BulkOutcome } from '../domain/bulk-request.ts';
import type { Eligibility } from '../domain/ports.ts';
import { heldTimeout } from '../gateways/held-timeout.ts';
import type { ActivityDeps } from './deps.ts';

/** Times the registry is asked about one number, and how long each may take. Milliseconds. */
const tries = 3;
const answerTimeoutMs = 10_000;

export async function checkBulkItem(deps: ActivityDeps, item: BulkItemRow): Promise<BulkOutcome> {
  const at = new Date().toISOString();
  const checked = { kind: 'checked', reason: null, holder: null, at } as const;
  if (await isNumberHeld(deps.db, item.phoneNumber)) {
    const reason = 'The number is hosted, being hosted or retiring here already';
    return { ...checked, subStatus: 'already-in-twilio', reason };
  }
  const answer = await askRegistry(deps, item);
  if (answer === null)
    return { ...checked, subStatus: 'internal-processing-error', reason: 'The registry did not answer' };
  const { holder } = answer;
  return answer.kind === 'eligible'
    ? { ...checked, subStatus: 'eligible', holder }
    : { ...checked, subStatus: 'carrier-ineligible', reason: answer.reason, holder };
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
