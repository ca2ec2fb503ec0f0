/**
 * Lines of text that a letter prints. What turns the direction of writing would make the signing page, where a browser
 * obeys it, say something else than the PDF, which does not: a name could read as another one.
 */

/** What a line has to be, to complete "it has to be …". */
export const plainLine =
  'one line of text, without tabs, control characters and marks that turn the direction of writing';

/** Tells whether a text is one line that reads the same wherever it is shown. */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);
}

/** The text as such a line: what does not belong there becomes a space. */
export function toPlainLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}
