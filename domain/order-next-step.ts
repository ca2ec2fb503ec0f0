/** What has to happen next to an order, in words. */
import { maxVerificationAttempts, type OrderFacts } from './hosted-number-order.ts';

/** For the Web UI, the console and the v2 API's `next_step`. */
export function nextStep(facts: OrderFacts): string {
  if (facts.canceled) return 'Nothing: the order was canceled.';
  switch (facts.status) {
    case 'twilio-processing':
      return 'Wait for the registry to say whether the number can be hosted.';
    case 'received':
      return facts.ownershipVerified
        ? 'Create an authorization document for this order.'
        : 'Verify ownership of the number, or create an authorization document.';
    case 'pending-verification':
      if (facts.billUnderReview) return 'An administrator reviews the phone bill.';
      return facts.callLive
        ? 'Answer the verification call and enter the 6-digit code.'
        : `Start another verification call (${maxVerificationAttempts - facts.verificationAttempts} left).`;
    case 'verified':
      return 'Create an authorization document for this order.';
    case 'pending-loa':
      if (!facts.documentSigned) return 'The signer reads and signs the letter of authorization.';
      return 'The letter is signed; verify ownership of the number.';
    case 'carrier-processing':
      return 'Wait for the registry to route the number here.';
    case 'testing':
      return 'Wait for the test messages to arrive in both directions.';
    case 'completed':
      if (facts.numberState === 'retiring')
        return 'The number retires; an administrator can still restore it.';
      if (facts.numberState === 'retired') return 'Nothing: the number is retired and can be ordered anew.';
      return 'Nothing: the number is in service.';
    case 'failed':
      return 'Create a new order to start again.';
    case 'action-required':
      return 'An administrator resolves the order in time, or it fails.';
  }
}
