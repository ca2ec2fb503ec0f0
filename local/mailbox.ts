/** The inbox of everybody: an SMTP server that keeps each mail on the disk, once per Message-ID. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { writeAtomically } from './json-file.ts';

/** A mail as scripts see it. Source: design.md §5. */
export interface StoredMail {
  readonly id: string;
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly hasHtml: boolean;
  /** Addresses in the text, or in the HTML where there is no text. */
  readonly links: readonly string[];
  readonly attachments: readonly StoredAttachment[];
  /** ISO 8601. */
  readonly receivedAt: string;
}

interface StoredAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
  /** Path on this server. */
  readonly url: string;
}

export interface Mailbox {
  /** Newest first; those of one receiver when `to` is given. */
  list(to?: string): readonly StoredMail[];
  find(id: string): StoredMail | undefined;
  html(id: string): Promise<string>;
  attachment(
    id: string,
    index: number,
  ): Promise<{ readonly contentType: string; readonly content: Uint8Array<ArrayBuffer> } | null>;
  /** Listens; resolves with the port. */
  start(port: number): Promise<number>;
  stop(): Promise<void>;
}

/** Source: common limit of mail providers. */
const sizeLimitBytes = 25 * 1024 * 1024;
/** Receivers at this domain do not exist, at that one their server has no time: two answers a mailer must tell apart. */
const refusedDomain = '@refused.example';
const busyDomain = '@busy.example';

export function createMailbox(dataDir: string): Mailbox {
  const folder = join(dataDir, 'mail');
  mkdirSync(folder, { recursive: true });
  const mails = new Map(storedMails(folder).map((mail) => [mail.id, mail]));
  const parse = async (id: string): Promise<Email> =>
    PostalMime.parse(await readFile(join(folder, `${id}.eml`)));

  const keep = async (raw: Buffer): Promise<void> => {
    const email = await PostalMime.parse(raw);
    const mail = describe(email, raw);
    if (mails.has(mail.id)) return;
    await writeAtomically(join(folder, `${mail.id}.eml`), raw);
    await writeAtomically(join(folder, `${mail.id}.json`), JSON.stringify(mail, null, 1));
    mails.set(mail.id, mail);
  };
  const server = createServer(keep);

  return {
    list: (to) =>
      [...mails.values()]
        .filter((mail) => to === undefined || [...mail.to, ...mail.cc].includes(to))
        .sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)),
    find: (id) => mails.get(id),
    html: async (id) => (await parse(id)).html ?? '',
    async attachment(id, index) {
      const found = (await parse(id)).attachments[index];
      return found ? { contentType: found.mimeType, content: bytesOf(found.content) } : null;
    },
    start: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        const listener = server.listen(port, '127.0.0.1', () =>
          resolve((listener.address() as AddressInfo).port),
        );
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function createServer(keep: (raw: Buffer) => Promise<void>): SMTPServer {
  return new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    size: sizeLimitBytes,
    banner: 'Hosted SMS local mailbox',
    onRcptTo({ address }, _session, callback) {
      if (address.endsWith(refusedDomain)) return callback(reply(550, 'no such mailbox'));
      if (address.endsWith(busyDomain)) return callback(reply(451, 'try again later'));
      callback();
    },
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (stream.sizeExceeded) return callback(reply(552, 'the mail is too large'));
        // Acknowledged when it is on the disk.
        keep(Buffer.concat(chunks)).then(
          () => callback(),
          () => callback(reply(451, 'the mail could not be kept')),
        );
      });
    },
  });
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function describe(email: Email, raw: Buffer): StoredMail {
  const messageId = email.messageId ?? createHash('sha256').update(raw).digest('hex');
  const id = createHash('sha256').update(messageId).digest('hex').slice(0, 16);
  return {
    id,
    messageId,
    from: addressesOf(email.from ? [email.from] : [])[0] ?? '',
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    subject: email.subject ?? '',
    text: email.text ?? '',
    hasHtml: email.html !== undefined,
    links: linksOf(email.text ?? email.html ?? ''),
    attachments: email.attachments.map(({ filename, mimeType, content }, index) => {
      const bytes = bytesOf(content);
      return {
        filename: filename ?? `attachment-${index + 1}`,
        contentType: mimeType,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        url: `/mail/${id}/attachments/${index}`,
      };
    }),
    receivedAt: new Date().toISOString(),
  };
}

function addressesOf(addresses: readonly Address[] = []): string[] {
  return addresses.flatMap((entry) => (entry.group ?? [entry]).map(({ address }) => address ?? ''));
}

/** http(s) addresses, each once, without the punctuation that ends a sentence. */
export function linksOf(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  return [...new Set(found.map((link) => link.replaceAll('&amp;', '&').replace(/[.,;:!?]+$/, '')))];
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
}

/** Written by `keep`; nothing else writes there. */
function storedMails(folder: string): StoredMail[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as StoredMail);
}
