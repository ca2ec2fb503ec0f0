/** A text on its way out. */
import type { OutgoingMessage } from '../../domain/message.ts';
import { newSid } from '../../security/derived-sid.ts';
import { newPhoneNumber } from './phone-numbers.ts';

export function outgoingMessage(
  given: Pick<OutgoingMessage, 'accountSid'> & Partial<OutgoingMessage>,
): OutgoingMessage {
  return {
    sid: newSid('message'),
    direction: 'outbound-api',
    from: newPhoneNumber(),
    to: newPhoneNumber(),
    body: 'Hello',
    mediaUrls: [],
    statusCallback: null,
    sendAt: null,
    validityPeriodSeconds: null,
    inReplyTo: null,
    ...given,
  };
}
