/** What a customer does to a message that has arrived or was sent: mark it as read, remove it, redact it. */
import { startDeliveries } from './delivery-children.ts';
import { record } from './message-activities.ts';
import type { Answer, MessageChangeInput } from './messages.ts';

/** Resolves when the change is stored and the deliveries that tell of it are started. */
export async function messageChange({
  messageSid,
  accountSid,
  change,
  mediaSid,
  delivery,
}: MessageChangeInput): Promise<Answer> {
  const at = new Date().toISOString();
  const changed = await record.changeMessage({ messageSid, accountSid, change, mediaSid, at });
  if (changed.kind === 'refused') return { ok: false, code: changed.code };
  await startDeliveries(changed.deliveries, delivery);
  return { ok: true, value: null };
}
