import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmtpMailer, type SmtpMailer } from '../../gateways/mail-smtp.ts';
import { selfSigned } from '../support/self-signed.ts';

let server: SMTPServer;
let mailer: SmtpMailer;
let received: Email[];
/** Reply to every recipient; `null` takes the mail. */
let reply: number | null;

beforeEach(async () => {
  received = [];
  reply = null;
  server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => {
      done(
        reply === null
          ? null
          : Object.assign(new Error('no such mailbox a@b.example'), { responseCode: reply }),
      );
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push(mail);
          done();
        });
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  mailer = createSmtpMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Hosted SMS <no-reply@hosted.example>',
  });
});

afterEach(async () => {
  mailer.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
});

const mail = {
  messageId: 'PX1.1.invitation.0@hosted.example',
  to: 'signer@example.com',
  cc: [],
  subject: 'Please sign',
  text: 'Hello',
  html: '<p>Hello</p>',
  attachments: [{ filename: 'letter.pdf', content: Buffer.from('%PDF-1.7'), contentType: 'application/pdf' }],
};

describe('mail over SMTP', () => {
  it('brings sender, stable Message-ID, text, HTML and attachment', async () => {
    await expect(mailer.send(mail)).resolves.toEqual({ accepted: true });
    const [got] = received;
    expect(got).toMatchObject({ messageId: `<${mail.messageId}>`, subject: 'Please sign' });
    expect(got?.from?.address).toBe('no-reply@hosted.example');
    expect(got?.text?.trim()).toBe('Hello');
    expect(got?.html?.trim()).toBe('<p>Hello</p>');
    expect(got?.attachments[0]).toMatchObject({ filename: 'letter.pdf', mimeType: 'application/pdf' });
  });

  it('tells a permanent refusal (5xx) without quoting the address', async () => {
    reply = 550;
    await expect(mailer.send(mail)).resolves.toEqual({
      refused: 'The mail server refused the message (550)',
    });
  });

  it('throws on a passing one (4xx), so that it is sent again', async () => {
    reply = 451;
    const failure = await mailer.send(mail).catch((err: unknown) => err);
    expect(String(failure)).toContain('451');
    expect(String(failure)).not.toContain('example');
  });

  it('throws when the server cannot be reached', async () => {
    const lost = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'a@b.example' });
    await expect(lost.send(mail)).rejects.toThrow('could not be reached (ECONNREFUSED)');
    lost.close();
  });

  it('tells a refused login and a certificate that nobody vouches for from a server that is away', async () => {
    const strict = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
    });
    const unvouched = new SMTPServer({ disabledCommands: ['AUTH'], ...selfSigned });
    const failureAt = async (server: SMTPServer, login: string): Promise<string> => {
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      server.on('error', () => {});
      const { port } = server.server.address() as AddressInfo;
      const mailer = createSmtpMailer({ url: `smtp://${login}127.0.0.1:${port}`, from: 'a@b.example' });
      const failure = await mailer.send(mail).then(() => 'none', String);
      mailer.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      return failure;
    };
    expect(await failureAt(strict, 'user:password@')).toBe(
      'GatewayError: The mail server refused our login (SMTP_URL, 535)',
    );
    expect(await failureAt(unvouched, '')).toMatch(/cannot be spoken to by TLS \([A-Z_]+\)/);
  });
});
