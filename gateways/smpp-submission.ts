/** What becomes of a submission: the PDUs of a text, and what the SMSC's answer means. Source: SMPP 3.4 §4.4, §5.1.3. */
import { createHash } from 'node:crypto';
import { undeliveredError } from '../domain/message.ts';
import type { OutgoingText, Submission } from './carrier.ts';
import { commandStatus, esmClass, npi, statusName, ton } from './smpp-protocol.ts';
import {
  type DefaultAlphabet,
  encodeText,
  joinPieces,
  type LongTexts,
  partHeader,
  type TextOctets,
} from './smpp-text.ts';

export interface SubmissionStyle {
  readonly longTexts: LongTexts;
  readonly defaultAlphabet: DefaultAlphabet;
}

type Fields = Readonly<Record<string, unknown>>;

/** Asks the SMSC for a receipt on the final outcome. Source: SMPP 3.4 §5.2.17. */
const receiptWanted = 1;
/** Most octets of short_message. Source: SMPP 3.4 §5.2.21. */
const shortMessageOctets = 254;
/** Most parts of one text: their number is one octet of the header. Source: 3GPP 23.040 §9.2.3.24.1. */
const maxParts = 255;

/**
 * The submit_sm requests of a text, in order. A receipt is asked for the last part only: one message, one outcome. The
 * reference of the parts comes from the key, so that a handset that gets a part twice does not show it twice. `null`: the
 * text takes more parts than can be numbered; media are links in it, and ten of them can be that long.
 */
export function submissionFields(text: OutgoingText, style: SubmissionStyle): readonly Fields[] | null {
  // SMPP has no media: whoever gets the text can open the links.
  const body = [text.body, ...text.mediaUrls].filter((line) => line !== '').join('\n');
  const pieces = encodeText(body, style.defaultAlphabet);
  const reference = createHash('sha256').update(text.key).digest().readUInt16BE(0);
  const common = { ...addresses(text), user_message_reference: reference, ...validity(text) };

  if (pieces.length > 1 && style.longTexts === 'parts') {
    if (pieces.length > maxParts) return null;
    return pieces.map(({ dataCoding, octets }, index) => ({
      ...common,
      esm_class: esmClass.userDataHeader,
      registered_delivery: index === pieces.length - 1 ? receiptWanted : 0,
      data_coding: dataCoding,
      short_message: Buffer.concat([
        partHeader({ reference, total: pieces.length, sequence: index + 1 }),
        octets,
      ]),
    }));
  }
  return [{ ...common, registered_delivery: receiptWanted, ...wholeText(joinPieces(pieces)) }];
}

function wholeText({ dataCoding, octets }: TextOctets): Fields {
  const field = octets.length > shortMessageOctets ? 'message_payload' : 'short_message';
  return { data_coding: dataCoding, [field]: octets };
}

function addresses({ from, to }: OutgoingText): Fields {
  const source = addressOf(from);
  const destination = addressOf(to);
  return {
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.address,
  };
}

function addressOf(number: string): { ton: number; npi: number; address: string } {
  const international = number.startsWith('+');
  return international
    ? { ton: ton.international, npi: npi.isdn, address: number.slice(1) }
    : { ton: ton.unknown, npi: npi.isdn, address: number };
}

/** Relative time, days to seconds: the SMSC's clock does not matter then. Source: SMPP 3.4 §7.1.1. */
function validity({ validityPeriodSeconds }: OutgoingText): Fields {
  if (validityPeriodSeconds === null) return {};
  const days = Math.min(Math.floor(validityPeriodSeconds / 86_400), 30);
  const clock = new Date((validityPeriodSeconds % 86_400) * 1000).toISOString().slice(11, 19);
  return { validity_period: `0000${String(days).padStart(2, '0')}${clock.replaceAll(':', '')}000R` };
}

/** The SMSC cannot now, but may later. */
const passing: readonly number[] = [
  commandStatus.throttled,
  commandStatus.queueFull,
  commandStatus.systemError,
  commandStatus.unknownError,
  commandStatus.tryAgain,
  commandStatus.wrongBindState,
];

/** Twilio's codes: 30003 handset out of reach, 30004 blocked, 30005 no such destination, 30008 unknown. */
const errorByStatus: Readonly<Record<number, number>> = {
  [commandStatus.invalidDestination]: 30005,
  [commandStatus.invalidDestinationTon]: 30005,
  [commandStatus.invalidDestinationNpi]: 30005,
  [commandStatus.deliveryFailed]: 30003,
  [commandStatus.prohibited]: 30004,
  [commandStatus.rejected]: 30004,
  [commandStatus.neverAgain]: 30004,
};

export const isPassingStatus = (status: number): boolean => passing.includes(status);

/** What becomes of a text for which there are no requests. */
export const tooManyParts: Submission = {
  kind: 'refused',
  errorCode: undeliveredError,
  reason: `The text and the links to its media take more than ${maxParts} parts`,
};

/** For a status that is neither success nor passing trouble. */
export function refusal(status: number): Submission {
  const errorCode = errorByStatus[status] ?? undeliveredError;
  return { kind: 'refused', errorCode, reason: `The carrier refused the text (${statusName(status)})` };
}
