/** The words of SMPP 3.4 that both directions use, and the library set to carry octets. Source: SMPP 3.4, chapters 4 and 5. */
import smpp, { type Command } from 'smpp';

/** Command statuses that we send or decide by. Source: SMPP 3.4 §5.1.3. */
export const commandStatus = {
  ok: 0x00,
  invalidCommand: 0x03,
  wrongBindState: 0x04,
  systemError: 0x08,
  invalidDestination: 0x0b,
  queueFull: 0x14,
  invalidDestinationTon: 0x50,
  invalidDestinationNpi: 0x51,
  throttled: 0x58,
  /** The receiver cannot take it now: the SMSC sends it again. */
  tryAgain: 0x64,
  /** The receiver never takes it. */
  neverAgain: 0x65,
  rejected: 0x66,
  deliveryFailed: 0xfe,
  unknownError: 0xff,
  prohibited: 0x101,
} as const;

/** Bits of esm_class. Source: SMPP 3.4 §5.2.12. */
export const esmClass = {
  messageType: 0x3c,
  receipt: 0x04,
  intermediate: 0x20,
  userDataHeader: 0x40,
} as const;

/** Type of number and numbering plan. Source: SMPP 3.4 §5.2.5, §5.2.6. */
export const ton = { unknown: 0, international: 1, alphanumeric: 5 } as const;
export const npi = { unknown: 0, isdn: 1 } as const;

/** The specification's name of a status, such as `ESME_RTHROTTLED`; its number where it has none. */
export function statusName(status: number): string {
  const known = Object.entries(smpp.errors).find(([, value]) => value === status);
  return known ? known[0] : `0x${status.toString(16).padStart(8, '0')}`;
}

/**
 * Has the library pass octets through. Left alone it decodes texts by tables of its own, in which data coding 1 is GSM,
 * parts are decoded before they are joined, and an odd time value of a peer throws.
 */
export function carryOctets(): void {
  for (const name of ['submit_sm', 'deliver_sm', 'data_sm']) {
    const command = smpp.commands[name];
    if (command) smpp.addCommand(name, withoutFilters(command));
  }
  smpp.addTLV('message_payload', { id: 0x0424, type: smpp.types.tlv.buffer });
}

function withoutFilters({ id, params = {} }: Command): Command {
  const plain = Object.entries(params).map(([name, parameter]) => {
    const { type } = parameter;
    return [name, 'default' in parameter ? { type, default: parameter.default } : { type }];
  });
  return { id, params: Object.fromEntries(plain) };
}
