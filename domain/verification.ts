/** Ownership verification: what a call is, how it ends, and the code that is asked for. Source: service.md §3.1, §8. */

/** Times one call asks for the code before it hangs up. Source: service.md §8. */
export const tokenPromptsPerCall = 4;
/** Digits of a verification code. Source: service.md §8. */
export const verificationCodeLength = 6;

/** Statuses of a call as a Twilio-compatible Calls API reports them. Source: domain.md §2.3. */
export const callStatuses = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'failed',
  'no-answer',
  'canceled',
] as const;
export type CallStatus = (typeof callStatuses)[number];

/** Tells whether a call with this status is over. */
export function isCallOver(status: CallStatus): boolean {
  return !['queued', 'initiated', 'ringing', 'in-progress'].includes(status);
}

export const attemptOutcomes = [
  'verified',
  'not-entered',
  'no-answer',
  'busy',
  'failed',
  'canceled',
] as const;
/** How a verification attempt ended. `not-entered`: the call was answered, the right code was not keyed. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Maps the final status of a call that did not verify to the outcome of its attempt. */
export function outcomeOf(status: CallStatus): AttemptOutcome {
  if (status === 'busy' || status === 'no-answer' || status === 'failed' || status === 'canceled')
    return status;
  return 'not-entered';
}
