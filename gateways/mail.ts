/** Mail over SMTP. */

export interface Mail {
  /** Stable Message-ID without angle brackets: receivers drop a repeated one. */
  readonly messageId: string;
  readonly to: string;
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly content: Buffer;
    readonly contentType: string;
  }[];
}

export interface MailGateway {
  /** `refused` on a permanent answer of the server; throws on passing trouble. */
  send(mail: Mail): Promise<{ readonly accepted: true } | { readonly refused: string }>;
}
