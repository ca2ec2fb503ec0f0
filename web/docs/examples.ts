/** The examples on the page about webhooks. Payloads and signature are made by the code that makes the real ones. */
import { eventHeaders } from '../../domain/delivery-headers.ts';
import { messagePayload, optOutPayload, type PayloadSettings } from '../../domain/message-payload.ts';
import { webhookHeaders } from '../../security/webhook-signature.ts';

const at = new Date('2026-03-14T15:09:26.000Z');
const line = '+14158675310';
const contact = '+12025550143';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export function exampleMessage(settings: PayloadSettings): string {
  const message = messagePayload(
    {
      id: 1_000_000_000_042,
      direction: 'inbound',
      line,
      contact,
      body: 'Are you open on Saturday?',
      hasMedia: false,
      statusCode: 4,
      dateCreated: at,
      sendAt: null,
      dateDelivered: null,
      dateRead: null,
      dateDeleted: null,
    },
    settings,
  );
  return JSON.stringify(message, null, 2);
}

const optOut = optOutPayload({ id: 1_000_000_000_043, line, contact, body: 'STOP', type: 'STOP', at });

export function exampleOptOut(): string {
  return JSON.stringify(optOut, null, 2);
}

/** A request as it arrives, with the signature that really belongs to it. */
export function exampleRequest(): string {
  const body = JSON.stringify(optOut);
  const id = eventHeaders['webhook-id'].example;
  const signed: Readonly<Record<string, string>> = webhookHeaders({ id, at, body, secrets: [secret] });
  return [
    'POST /hooks/optout/change HTTP/1.1',
    ...Object.entries(eventHeaders).map(([name, { example }]) => `${name}: ${signed[name] ?? example}`),
    '',
    body,
    '',
    `# secret: ${secret}`,
  ].join('\n');
}

export function subscribeCommand(publicUrl: string): string {
  return [
    `curl -u "$ACCOUNT_SID:$AUTH_TOKEN" ${publicUrl}/Webhooks \\`,
    '  --data-urlencode "Url=https://example.com/hooks" \\',
    '  --data-urlencode "Events=message/receive" \\',
    '  --data-urlencode "Events=optout/change"',
  ].join('\n');
}

export const nodeRecipe = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
webhook.verify(rawBody, request.headers); // throws when it is not genuine or too old`;

export const pythonRecipe = `from standardwebhooks import Webhook

Webhook(os.environ["WEBHOOK_SECRET"]).verify(raw_body, request.headers)`;

export const twilioRecipe = `import { validateRequest } from 'twilio';

validateRequest(authToken, request.headers['x-twilio-signature'], fullUrl, formParameters);`;
