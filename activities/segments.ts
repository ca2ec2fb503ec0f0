/** How many parts a text has on the air: 160 or 153 GSM-7 characters each, 70 or 67 of any other. */
import { SegmentedMessage } from 'sms-segments-calculator';

/** Texts of which every character is one of GSM-7's basic ones, as far as those are ASCII. Most texts are. */
const plainGsm = /^[\n -Z_a-z]*$/;
const partLength = 153;
const onlyPartLength = 160;

/** At least 1: a message of media alone is one part. */
export function segmentsOf(body: string): number {
  // The library takes texts apart by graphemes, a millisecond for each text; here it would only count characters.
  if (plainGsm.test(body)) return body.length <= onlyPartLength ? 1 : Math.ceil(body.length / partLength);
  return Math.max(1, new SegmentedMessage(body).segmentsCount);
}
