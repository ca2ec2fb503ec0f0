/** Mail over any SMTP server. */
import { createTransport } from 'nodemailer';
import type { Mail, MailGateway } from './mail.ts';
import { GatewayError } from './service-client.ts';

/** Time for a connection, its greeting, and each silence within. Milliseconds. Source: decision 0009. */
const smtpTimeoutMs = 15_000;

export interface SmtpOptions {
  /** Such as `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** Sender, as `Name <address>`. */
  readonly from: string;
}

export interface SmtpMailer extends MailGateway {
  close(): void;
}

export function createSmtpMailer({ url, from }: SmtpOptions): SmtpMailer {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(envelopeOf(mail, from));
        return { accepted: true };
      } catch (err) {
        const reply = replyCode(err);
        if (reply !== null && reply >= 500)
          return { refused: `The mail server refused the message (${reply})` };
        throw new GatewayError(
          reply === null ? troubleInWords(err) : `The mail server asks to try later (${reply})`,
        );
      }
    },
    close: () => transport.close(),
  };
}

function envelopeOf(mail: Mail, from: string): Parameters<ReturnType<typeof createTransport>['sendMail']>[0] {
  return {
    from,
    to: mail.to,
    cc: [...mail.cc],
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.messageId}>`,
    attachments: [...mail.attachments],
    // Asks calendars and holiday notices not to answer. RFC 3834.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The server's reply code; `null` where there was no reply, or one about our own credentials, which an operator can mend. */
function replyCode(err: unknown): number | null {
  const { responseCode, code } = partsOf(err);
  return responseCode !== undefined && code !== 'EAUTH' ? responseCode : null;
}

/** What Node says of a network on which the server is not there. */
const unreachable = /^(E?CONN|ETIMEDOUT|EDNS|ENOTFOUND|EAI_|EHOST|ENET|EPIPE)/;

/** Why nothing came of it where the server said nothing of the mail: whom an operator has to ask. */
function troubleInWords(err: unknown): string {
  const { code = 'no code', originalCode, responseCode } = partsOf(err);
  const told = originalCode ?? code;
  if (code === 'EAUTH')
    return `The mail server refused our login (SMTP_URL${responseCode ? `, ${responseCode}` : ''})`;
  if (unreachable.test(told)) return `The mail server could not be reached (${told})`;
  if (code === 'ETLS' || code === 'ESOCKET') return `The mail server cannot be spoken to by TLS (${told})`;
  return `The mail could not be handed to the mail server (${told})`;
}

/** What nodemailer puts on its errors. */
interface MailErrorParts {
  readonly code?: string;
  /** Node's own, where the mailer gave the error a code of its kind. */
  readonly originalCode?: string;
  readonly responseCode?: number;
}

const partsOf = (err: unknown): MailErrorParts =>
  err instanceof Error ? (err as Error & MailErrorParts) : {};
