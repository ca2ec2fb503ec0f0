/** The pages of a PDF under a pen that moves from top to bottom; what is drawn is tagged for screen readers. */
import Pdf from 'pdfkit';
import { isRightToLeft } from './bidi.ts';
import type { Fonts } from './fonts.ts';
import { createWriter, type TextOptions, type Writer } from './writer.ts';

export interface CanvasOptions {
  readonly fonts: Fonts;
  readonly title: string;
  /** Stands for creation and change: the same input gives the same bytes. */
  readonly date: Date;
  /** With a structure for screen readers. */
  readonly tagged: boolean;
  /** Left part of the footer of each page. */
  readonly footer: string;
}

export interface Canvas {
  readonly writer: Writer;
  /** Height of the pen on the page, in points from the top. */
  y: number;
  /** Begins a page when less than `height` points are left on this one. */
  makeRoom(height: number): void;
  newPage(): void;
  /** Prints a line at the pen's height as an element of the structure (`H1`, `P`, …). The pen stays. */
  print(tag: string, text: string, x: number, options?: TextOptions): void;
  /** A thin horizontal line at the pen's height. */
  rule(x: number, width: number): void;
  /** Prints the footers and ends the document. */
  finish(): Promise<Buffer>;
}

/** Points. US letter, the paper of the countries whose numbers can be hosted. */
export const page = { width: 612, height: 792, margin: 64 } as const;
export const quietInk = '#555555';
const ruleInk = '#b5b5b5';
const bottom = page.height - page.margin - 16;

export function createCanvas({ fonts, title, date, tagged, footer }: CanvasOptions): Canvas {
  const pdf = new Pdf({
    size: [page.width, page.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Producer: 'Hosted SMS', Creator: 'Hosted SMS', CreationDate: date, ModDate: date },
  });
  const bytes = collect(pdf);
  const writer = createWriter(pdf, fonts);
  const decoration = (draw: () => void): void => {
    if (tagged) pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    if (tagged) pdf.endMarkedContent();
  };

  const canvas: Canvas = {
    writer,
    y: page.margin,
    makeRoom: (height) => {
      if (canvas.y + height > bottom) canvas.newPage();
    },
    newPage: () => {
      pdf.addPage();
      canvas.y = page.margin;
    },
    print: (tag, text, x, options) => {
      if (text === '') return;
      const draw = (): void => writer.line(text, x, canvas.y, options);
      if (!tagged) return draw();
      // Glyphs stand in their order on the paper; the text as it is read goes along where that differs.
      const element = pdf.struct(tag, isRightToLeft(text) ? { actual: text } : {}, draw);
      pdf.addStructure(element);
      element.end();
    },
    rule: (x, width) =>
      decoration(() => {
        const end = x + width;
        pdf.moveTo(x, canvas.y).lineTo(end, canvas.y).lineWidth(0.5).strokeColor(ruleInk).stroke();
      }),
    finish: () => {
      const { start, count } = pdf.bufferedPageRange();
      for (let index = 0; index < count; index++) {
        pdf.switchToPage(start + index);
        decoration(() => printFooter(writer, footer, `Page ${index + 1} of ${count}`));
      }
      pdf.end();
      return bytes;
    },
  };
  return canvas;
}

function printFooter(writer: Writer, left: string, right: string): void {
  const options = { size: 8, color: quietInk };
  const y = page.height - page.margin + 8;
  writer.line(left, page.margin, y, options);
  writer.line(right, page.width - page.margin - writer.width(right, options), y, options);
}

function collect(pdf: typeof Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
