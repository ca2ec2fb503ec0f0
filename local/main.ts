/** The outside world as a program: configured by the environment alone, ends with its parent. */
import { startLocal } from './server.tsx';

const { env } = process;
const port = Number(env['LOCAL_PORT'] ?? 3001);

const local = await startLocal({
  port,
  smtpPort: port === 0 ? 0 : port + 1,
  smppPort: port === 0 ? 0 : port + 2,
  dataDir: env['DATA_DIR'] ?? '.data',
  publicUrl: env['PUBLIC_URL'] ?? `http://localhost:${env['PORT'] ?? 3000}`,
  accountSid: given('HOSTED_SMS_GATEWAYS__VOICE__ACCOUNT_SID'),
  voiceAuthToken: given('VOICE_AUTH_TOKEN'),
  registryToken: given('REGISTRY_TOKEN'),
  carrierToken: given('CARRIER_TOKEN'),
  systemId: env['LOCAL_CARRIER_SYSTEM_ID'] ?? 'hosted-sms',
  routeTestNumber: env['LOCAL_ROUTE_TEST_NUMBER'] ?? '+15005550009',
  // The pace of a calm voice.
  speechMsPerCharacter: Number(env['LOCAL_SPEECH_MS_PER_CHARACTER'] ?? 50),
});
console.log(`the outside world is at ${local.url}, SMTP on ${local.smtpPort}, SMPP on ${local.smppPort}`);
process.send?.('ready');

const stop = (): void => {
  void local.stop().finally(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (process.send) process.once('disconnect', stop);

function given(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} has to be set`);
  return value;
}
