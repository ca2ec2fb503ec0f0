/** The public key of sealed letters, for whoever wants to check one without asking the service. */
import { operation, type Operation } from './operation.ts';

const fetchOperation = operation({
  id: 'fetchSigningKey',
  method: 'GET',
  path: '/.well-known/hosted-sms-signing-key.pem',
  tag: 'Authorization documents',
  summary: 'The public key (Ed25519) that signed letters are sealed with',
  description:
    'The last line of a signed letter is a signature over all bytes before it: `npm run verify-document`.',
  auth: 'none',
  responses: { 200: { description: 'SPKI in PEM', contentType: 'application/x-pem-file' } },
  handler: ({ ctx, deps }) =>
    ctx.body(deps.vault.sealer.publicKeyPem, 200, { 'Content-Type': 'application/x-pem-file' }),
});

export const signingKeyOperations: readonly Operation[] = [fetchOperation];
