/** Where something stands, as a word with a colour beside it: the word alone says all. */
import type { FC } from 'hono/jsx';
import type { DocumentStatus } from '../../domain/authorization-document.ts';
import type { DeliveryState } from '../../domain/delivery.ts';
import type { OrderStatus } from '../../domain/hosted-number-order.ts';
import type { MessageStatus } from '../../domain/message.ts';
import type { Tone } from './notice.tsx';

type Shown =
  | OrderStatus
  | DocumentStatus
  | DeliveryState
  | MessageStatus
  | 'enabled'
  | 'retiring'
  | 'retired';

const tones: Readonly<Record<Shown, Tone>> = {
  'twilio-processing': 'busy',
  received: 'busy',
  'pending-verification': 'busy',
  verified: 'busy',
  'pending-loa': 'busy',
  'carrier-processing': 'busy',
  testing: 'busy',
  completed: 'good',
  failed: 'bad',
  'action-required': 'warn',
  opened: 'idle',
  signing: 'busy',
  signed: 'good',
  canceled: 'idle',
  pending: 'busy',
  delivered: 'good',
  'dead-letter': 'bad',
  disabled: 'warn',
  enabled: 'good',
  retiring: 'warn',
  retired: 'idle',
  accepted: 'busy',
  scheduled: 'idle',
  queued: 'busy',
  sending: 'busy',
  sent: 'good',
  undelivered: 'bad',
  receiving: 'busy',
  read: 'good',
  partially_delivered: 'warn',
};

export const Status: FC<{ status: string }> = ({ status }) => (
  <span class="status" data-tone={isShown(status) ? tones[status] : 'idle'}>
    {status}
  </span>
);

function isShown(status: string): status is Shown {
  return Object.hasOwn(tones, status);
}
