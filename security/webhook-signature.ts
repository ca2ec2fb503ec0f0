/** Standard Webhooks headers. Source: standard-webhooks `spec/standard-webhooks.md`, scheme `v1`. */
import { createHmac, randomBytes } from 'node:crypto';

/** A new endpoint secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Tells whether a secret given by a customer has the form and the strength (24 to 64 bytes) that the standard asks for. */
export function isWebhookSecret(secret: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return false;
  const bytes = Buffer.from(secret.slice(6), 'base64').length;
  return bytes >= 24 && bytes <= 64;
}

export interface WebhookToSign {
  /** The same over all attempts of a delivery. */
  readonly id: string;
  /** Time of this attempt. */
  readonly at: Date;
  readonly body: string;
  /** One secret, or two while a rotation lasts. */
  readonly secrets: readonly string[];
}

type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

export function webhookHeaders({ id, at, body, secrets }: WebhookToSign): SignatureHeaders {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
