import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmtpMailer, type SmtpMailer } from '../../gateways/mail-smtp.ts';
import { createMailRoutes } from '../../local/mail-routes.tsx';
import { createMailbox, linksOf, type Mailbox } from '../../local/mailbox.ts';

const content = Buffer.from('%PDF-1.7 \u0000\u00ff letter');
const letter = {
  messageId: 'PX1.1@hosted-sms.example',
  to: 'owner@example.com',
  cc: ['copy@example.com'],
  subject: 'Bitte unterschreiben Sie: Größe',
  text: 'Read it at http://localhost:3000/sign/abc-_123.\nThank you.',
  html: '<p>Read <a href="http://localhost:3000/sign/abc-_123">it</a></p><script>alert(1)</script>',
  attachments: [{ filename: 'Bevollmächtigung.pdf', content, contentType: 'application/pdf' }],
};

let dataDir: string;
let mailbox: Mailbox;
let mailer: SmtpMailer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mail-'));
  mailbox = createMailbox(dataDir);
  const port = await mailbox.start(0);
  mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Hosted SMS <no-reply@example.com>' });
});
afterEach(async () => {
  mailer.close();
  await mailbox.stop();
  await rm(dataDir, { recursive: true });
});

describe('the local mailbox, filled by our own mail gateway', () => {
  it('shows a mail with its receivers, links and attachment, byte for byte', async () => {
    await mailer.send(letter);
    const [mail] = mailbox.list('copy@example.com');
    expect(mail).toMatchObject({
      from: 'no-reply@example.com',
      to: ['owner@example.com'],
      cc: ['copy@example.com'],
      subject: letter.subject,
      links: ['http://localhost:3000/sign/abc-_123'],
    });
    const attachment = mail?.attachments[0];
    expect(attachment).toMatchObject({
      filename: 'Bevollmächtigung.pdf',
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    const answer = await createMailRoutes(mailbox).request(attachment?.url ?? '');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
  });

  it('keeps a mail once, and over a restart', async () => {
    await mailer.send(letter);
    await mailer.send(letter);
    expect(createMailbox(dataDir).list()).toEqual(mailbox.list());
    expect(mailbox.list()).toHaveLength(1);
  });

  it('shows HTML only where nothing in it can run', async () => {
    await mailer.send(letter);
    const answer = await createMailRoutes(mailbox).request(`/mail/${mailbox.list()[0]?.id}/html`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('sandbox');
    expect(policy).not.toContain('allow-scripts');
    expect(policy).toContain("default-src 'none'");
  });

  it('refuses for good, or for now, whoever lives at the domains for that', async () => {
    await expect(mailer.send({ ...letter, to: 'a@refused.example', cc: [] })).resolves.toHaveProperty(
      'refused',
    );
    await expect(mailer.send({ ...letter, to: 'a@busy.example', cc: [] })).rejects.toThrow('451');
  });

  it('finds links without the sentence around them', () => {
    expect(linksOf('See (https://a.example/x?y=1&amp;z=2), or https://b.example.')).toEqual([
      'https://a.example/x?y=1&z=2',
      'https://b.example',
    ]);
  });
});
