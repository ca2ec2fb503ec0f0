/** How many parts a text has on the air: 160 or 153 GSM-7 characters each, 70 or 67 of any other. */
import { SegmentedMessage } from 'sms-segments-calculator';

/** At least 1: a message of media alone is one part. */
export function segmentsOf(body: string): number {
  return Math.max(1, new SegmentedMessage(body).segmentsCount);
}
