/** Delivery receipts: which message, and how it ended. Source: SMPP 3.4 appendix B, §5.3.2.12, §5.3.2.35, §5.3.2.31. */
import { undeliveredError } from '../domain/message.ts';
import type { ReceivedReceipt } from '../domain/ports.ts';
import type { Delivery } from './smpp-delivery.ts';

/** How a message ended; `null` while it is still under way. */
type FinalState = ReceivedReceipt['state'] | null;

/** Message states as a number (TLV message_state) and as the word after `stat:`. */
const states: readonly (readonly [number, string, FinalState])[] = [
  [1, 'ENROUTE', null],
  [2, 'DELIVRD', 'delivered'],
  [3, 'EXPIRED', 'failed'],
  [4, 'DELETED', 'failed'],
  [5, 'UNDELIV', 'failed'],
  // Taken over by a person at the carrier, or merely buffered: a final one may follow.
  [6, 'ACCEPTD', null],
  [7, 'UNKNOWN', 'failed'],
  [8, 'REJECTD', 'failed'],
];

/** Twilio's codes: 30003 handset out of reach, 30007 filtered, 30008 unknown. */
const errorByState: Readonly<Record<string, number>> = { EXPIRED: 30003, REJECTD: 30007 };
/** GSM network errors, by their MAP number. Source: 3GPP 29.002 §17.6.6. */
const errorByNetworkCode: Readonly<Record<number, number>> = {
  1: 30005,
  5: 30005,
  6: 30003,
  9: 30004,
  11: 30006,
  13: 30004,
  27: 30003,
  31: 30003,
};
const gsmNetwork = 3;

/** `null` for a receipt that is not final, or that names no message or state. */
export function readReceipt(delivery: Delivery): ReceivedReceipt | null {
  const text = delivery.octets.toString('latin1');
  const id = delivery.receiptedMessageId ?? /\bid: ?(\S+)/i.exec(text)?.[1];
  const word = /\bstat: ?(\w{5,7})/i.exec(text)?.[1]?.toUpperCase();
  const state = states.find(([number, name]) => number === delivery.messageState || name === word);
  if (!id || !state) return null;
  const [, name, final] = state;
  if (final === null) return null;
  return {
    carrierId: plainId(id),
    otherIds: otherForms(id),
    parties: [delivery.from, delivery.to],
    state: final,
    errorCode: final === 'delivered' ? null : errorCode(name, delivery.networkErrorCode),
  };
}

/** One spelling for ids that differ only in letter case or leading zeros of a number. */
export function plainId(id: string): string {
  return /^[0-9a-f]+$/i.test(id) ? id.toLowerCase().replace(/^0+(?=.)/, '') : id;
}

/**
 * The same number in the other notation: many an SMSC answers a submission in hexadecimal and reports in decimal, or
 * the other way round. Nothing in the protocol says which it is.
 */
function otherForms(id: string): readonly string[] {
  const hexadecimal = /^\d{1,20}$/.test(id) ? [BigInt(id).toString(16)] : [];
  const decimal = /^[0-9a-f]{1,16}$/i.test(id) ? [BigInt(`0x${id}`).toString()] : [];
  return [...hexadecimal, ...decimal].filter((form) => form !== plainId(id));
}

function errorCode(state: string, networkErrorCode: Buffer | null): number {
  const fromNetwork =
    networkErrorCode?.length === 3 && networkErrorCode[0] === gsmNetwork
      ? errorByNetworkCode[networkErrorCode.readUInt16BE(1)]
      : undefined;
  return fromNetwork ?? errorByState[state] ?? undeliveredError;
}
