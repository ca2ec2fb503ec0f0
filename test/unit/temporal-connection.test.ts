/** How a process reaches Temporal: plainly, by TLS, by a certificate of its own, by an API key. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, createSecureServer, type Http2Server, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { connectTemporal } from '../../boot.ts';
import { ConfigError, forLocalTemporal, readConfig } from '../../config.ts';
import '../support/quiet-runtime.ts';
import { vouchedFor } from '../support/self-signed.ts';

const folder = mkdtempSync(join(tmpdir(), 'hosted-sms-temporal-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** What a server sees of its first caller. */
interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly encrypted: boolean;
  readonly certificate: string | undefined;
}

const servers: Http2Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers the one call a connection begins with: GetSystemInfo, with an empty message. */
async function startServer(
  make: () => Http2Server = createServer,
): Promise<{ port: number; caller: Promise<Caller> }> {
  const server = make();
  servers.push(server);
  const caller = new Promise<Caller>((resolve) => {
    server.on('stream', (stream, headers) => {
      const socket = stream.session?.socket;
      const encrypted = socket instanceof TLSSocket;
      const certificate = encrypted ? socket.getPeerX509Certificate()?.subject : undefined;
      resolve({ headers, encrypted, certificate });
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.alloc(5));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, caller };
}
const secure = (): Http2Server =>
  createSecureServer({
    ...vouchedFor,
    requestCert: true,
    rejectUnauthorized: false,
  });

async function connectWith(env: Record<string, string>): Promise<void> {
  const connection = await connectTemporal(readConfig(env), pino({ level: 'silent' }));
  await connection.close();
}

describe('a connection to Temporal', () => {
  it('is plain with an address alone', async () => {
    const { port, caller } = await startServer();
    await connectWith({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    const { headers, encrypted } = await caller;
    expect({ encrypted, authorization: headers.authorization }).toEqual({
      encrypted: false,
      authorization: undefined,
    });
  });

  it('is encrypted, and shows the certificate it was given', async () => {
    const { port, caller } = await startServer(secure);
    await connectWith({
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem', vouchedFor.ca),
      TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', vouchedFor.cert),
      TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', vouchedFor.key),
    });
    expect(await caller).toMatchObject({ encrypted: true, certificate: 'CN=localhost' });
  });

  it('is encrypted with an API key, and sends it', async () => {
    const { port, caller } = await startServer(secure);
    await connectWith({
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_API_KEY: 'key-of-the-cloud',
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: vouchedFor.ca,
    });
    const { headers, encrypted } = await caller;
    expect({ encrypted, authorization: headers.authorization }).toEqual({
      encrypted: true,
      authorization: 'Bearer key-of-the-cloud',
    });
  });

  it('asks the server for a certificate that is vouched for', async () => {
    const { port } = await startServer(secure);
    const { temporalConnection } = readConfig({ TEMPORAL_TLS: 'true' }).env;
    const connecting = NativeConnection.connect({ ...temporalConnection, address: `127.0.0.1:${port}` });
    await expect(connecting).rejects.toThrow(/certificate/i);
  });
});

describe('the environment of Temporal’s tools', () => {
  const profiles = file(
    'temporal.toml',
    `[profile.cloud]
     address = "sms.abcde.tmprl.cloud:7233"
     api_key = "key-of-the-profile"
     [profile.default]
     address = "somewhere.else:7233"`,
  );

  it('names a profile, whose values give way to single ones', () => {
    const named = { TEMPORAL_CONFIG_FILE: profiles, TEMPORAL_PROFILE: 'cloud' };
    const { env } = readConfig(named);
    expect(env).toMatchObject({
      temporalAddress: 'sms.abcde.tmprl.cloud:7233',
      temporalConnection: { apiKey: 'key-of-the-profile', tls: true },
    });
    const nearer = readConfig({ ...named, TEMPORAL_ADDRESS: 'nearer:7233', TEMPORAL_API_KEY: 'another' });
    expect(nearer.env).toMatchObject({
      temporalAddress: 'nearer:7233',
      temporalConnection: { apiKey: 'another' },
    });
  });

  it('is not asked for a profile that nobody named: what one uses by hand is not the service’s', () => {
    mkdirSync(join(folder, 'temporalio'));
    copyFileSync(profiles, join(folder, 'temporalio', 'temporal.toml'));
    const { env } = readConfig({ XDG_CONFIG_HOME: folder });
    expect(env.temporalAddress).toBeUndefined();
    expect(env.temporalConnection).toEqual(readConfig({}).env.temporalConnection);
  });

  it('says in words what it cannot use', () => {
    const missing = { TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'none.pem') };
    expect(() => readConfig(missing)).toThrow(ConfigError);
    expect(() => readConfig(missing)).toThrow(/none\.pem/);
    expect(() => readConfig({ TEMPORAL_CONFIG_FILE: profiles, TEMPORAL_PROFILE: 'nobody' })).toThrow(
      /nobody/,
    );
  });

  it('counts an empty value as none', () => {
    const { temporalConnection } = readConfig({ TEMPORAL_API_KEY: '', TEMPORAL_PROFILE: '' }).env;
    expect(temporalConnection).toEqual(readConfig({}).env.temporalConnection);
  });

  it('does not make processes encrypt what the local server speaks plainly', () => {
    const shell = {
      PATH: '/bin',
      TEMPORAL_API_KEY: 'key',
      TEMPORAL_TLS_SERVER_NAME: 'x',
      TEMPORAL_PROFILE: 'cloud',
      TEMPORAL_CLI_PATH: '/bin/temporal',
    };
    expect(forLocalTemporal(shell, '127.0.0.1:7233')).toEqual({
      PATH: '/bin',
      TEMPORAL_CLI_PATH: '/bin/temporal',
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
    });
  });
});
