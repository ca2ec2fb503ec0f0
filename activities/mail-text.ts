/** The body of a mail: plain text and simple HTML that say the same. */
import type { Mail } from '../gateways/mail.ts';

export type Paragraph = string | { readonly link: string; readonly label: string };

export function mailText(paragraphs: readonly Paragraph[]): Pick<Mail, 'text' | 'html'> {
  return {
    text: paragraphs.map(plainParagraph).join('\n\n'),
    html: `<!doctype html>\n<html lang="en"><body>\n${paragraphs.map(htmlParagraph).join('\n')}\n</body></html>`,
  };
}

const plainParagraph = (paragraph: Paragraph): string =>
  typeof paragraph === 'string' ? paragraph : `${paragraph.label}:\n${paragraph.link}`;

const htmlParagraph = (paragraph: Paragraph): string =>
  typeof paragraph === 'string'
    ? `<p>${escapeHtml(paragraph)}</p>`
    : `<p><a href="${escapeHtml(paragraph.link)}">${escapeHtml(paragraph.label)}</a></p>`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
