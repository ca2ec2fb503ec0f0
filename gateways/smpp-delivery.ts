/** What the SMSC brings (deliver_sm, data_sm), read once into a plain value. Source: SMPP 3.4 §4.6.1, §4.7.1. */
import type { Pdu } from 'smpp';
import { partyOf } from '../domain/party.ts';
import { esmClass, ton } from './smpp-protocol.ts';
import { type PartPosition, splitHeader, validPart } from './smpp-text.ts';

export interface Delivery {
  readonly kind: 'text' | 'receipt';
  /** E.164 where the address is a number of that length; short codes and names as they come. */
  readonly from: string;
  readonly to: string;
  readonly dataCoding: number;
  /** Without the user data header. */
  readonly octets: Buffer;
  readonly part: PartPosition | null;
  /** The SMSC's own identifier: of the message that a receipt is about, or of the text itself. */
  readonly receiptedMessageId: string | null;
  readonly messageState: number | null;
  readonly networkErrorCode: Buffer | null;
}

export function readDelivery(pdu: Pdu): Delivery {
  const flags = numberOf(pdu, 'esm_class') ?? 0;
  const messageType = flags & esmClass.messageType;
  const receiptedMessageId = textOf(pdu, 'receipted_message_id') || null;
  const messageState = numberOf(pdu, 'message_state');
  const carried = octetsOf(pdu, 'short_message');
  const whole = carried?.length ? carried : (octetsOf(pdu, 'message_payload') ?? Buffer.alloc(0));
  const { part, octets } =
    flags & esmClass.userDataHeader ? splitHeader(whole) : { part: null, octets: whole };
  return {
    kind:
      messageType === esmClass.receipt || messageType === esmClass.intermediate || messageState !== null
        ? 'receipt'
        : 'text',
    from: addressOf(pdu, 'source_addr'),
    to: addressOf(pdu, 'destination_addr'),
    dataCoding: numberOf(pdu, 'data_coding') ?? 0,
    octets,
    part: part ?? segmentOf(pdu),
    receiptedMessageId,
    messageState,
    networkErrorCode: octetsOf(pdu, 'network_error_code'),
  };
}

/** The other way to mark parts: the sar_ fields. Source: SMPP 3.4 §5.3.2.22–24. */
function segmentOf(pdu: Pdu): PartPosition | null {
  const reference = numberOf(pdu, 'sar_msg_ref_num');
  if (reference === null) return null;
  return validPart(
    reference,
    numberOf(pdu, 'sar_total_segments') ?? 0,
    numberOf(pdu, 'sar_segment_seqnum') ?? 0,
  );
}

function addressOf(pdu: Pdu, field: 'source_addr' | 'destination_addr'): string {
  const address = textOf(pdu, field);
  const type = numberOf(pdu, field === 'source_addr' ? 'source_addr_ton' : 'dest_addr_ton');
  if (type === ton.alphanumeric) return address;
  return partyOf(type === ton.international ? address.replace(/^(?=\d)/, '+') : address);
}

const numberOf = (pdu: Pdu, field: string): number | null => {
  const value = pdu[field];
  return typeof value === 'number' ? value : null;
};
const textOf = (pdu: Pdu, field: string): string => {
  const value = pdu[field];
  return typeof value === 'string' ? value : '';
};
const octetsOf = (pdu: Pdu, field: string): Buffer | null => {
  const value = pdu[field];
  return Buffer.isBuffer(value) ? value : null;
};
