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
          reply === null
            ? 'The mail server could not be reached'
            : `The mail server asks to try later (${reply})`,
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
  if (!(err instanceof Error)) return null;
  const { responseCode, code } = err as Error & {
    readonly responseCode?: unknown;
    readonly code?: unknown;
  };
  return typeof responseCode === 'number' && code !== 'EAUTH' ? responseCode : null;
}
