/** The mail that tells an account that one of its endpoints was switched off. */
import type { SwitchedOffEndpoint } from '../db/reads/subscriptions.ts';
import type { Mail } from '../gateways/mail.ts';
import { mailText } from './mail-text.ts';

export function endpointDisabledMail(
  endpoint: SwitchedOffEndpoint & { readonly email: string; readonly deliverySid: string },
): Mail {
  const { subscriptionSid, url, reason, accountName, email, deliverySid } = endpoint;
  const paragraphs = [
    `Hello ${accountName},`,
    `your webhook endpoint ${url} (subscription ${subscriptionSid}) was switched off: ${reason}.`,
    'Nothing is lost: what happens from now on is kept. When the endpoint works again, switch the subscription on ' +
      `(POST /Webhooks/${subscriptionSid} with Enabled=true) and have it sent ` +
      `(POST /Webhooks/${subscriptionSid}/Replay with Since).`,
  ];
  return {
    messageId: `endpoint-disabled.${deliverySid}@hosted-sms`,
    to: email,
    cc: [],
    subject: `Your webhook endpoint ${new URL(url).host} was switched off`,
    ...mailText(paragraphs),
    attachments: [],
  };
}
