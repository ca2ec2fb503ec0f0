/** The telephone network, as a Twilio-compatible Calls API. */
import type { CallStatus } from '../domain/verification.ts';

export interface CallToPlace {
  /** E.164. */
  readonly to: string;
  /** Sent as Idempotency-Key: the same key places one call. */
  readonly key: string;
  /** Where the provider fetches its TwiML. */
  readonly url: string;
  readonly statusCallback: string;
  /** Keys to send once the call is answered: digits, `*`, `#`, `w` (half a second). */
  readonly sendDigits: string | null;
}

export interface VoiceGateway {
  /** Places a call. `refused` when the provider will not, whatever is tried again. Throws on passing trouble. */
  placeCall(
    call: CallToPlace,
    signal?: AbortSignal,
  ): Promise<{ readonly callSid: string } | { readonly refused: string }>;
  /** Ends a live call; one that is over or unknown is no error. */
  hangUp(callSid: string, signal?: AbortSignal): Promise<void>;
  fetchStatus(callSid: string, signal?: AbortSignal): Promise<CallStatus>;
}
