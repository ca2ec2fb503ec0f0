/** Pages that are filled from top to bottom: headings, paragraphs, facts, lists, and a footer on each page at the end. */
import Pdf from 'pdfkit';
import { isRightToLeft } from './bidi.ts';
import type { Fonts } from './fonts.ts';
import { createWriter, type TextOptions, type Writer } from './writer.ts';

export interface SheetOptions {
  readonly fonts: Fonts;
  readonly title: string;
  /** Stands for creation and change: the same input gives the same bytes. */
  readonly date: Date;
  /** With a structure for screen readers. */
  readonly tagged: boolean;
  /** Left part of the footer. */
  readonly footer: string;
}

/** A label and what is known under it; `null` leaves a line to be filled in. */
export type Fact = readonly [label: string, value: string | null];

export interface Sheet {
  heading(text: string, level: 1 | 2): void;
  paragraph(text: string, options?: TextOptions & { readonly gapAfter?: number }): void;
  facts(rows: readonly Fact[], options?: { readonly labelWidth?: number }): void;
  /** Short texts, several on a line. */
  list(items: readonly string[], columns: number): void;
  /** A line to sign on, with what is written above it. */
  signature(text: string, label: string): void;
  gap(points: number): void;
  newPage(): void;
  /** Ends the document. */
  finish(): Promise<Buffer>;
}

const margin = 64;
const pageWidth = 612;
const pageHeight = 792;
const contentWidth = pageWidth - 2 * margin;
const bottom = pageHeight - margin - 16;
const quiet = '#555555';
const rule = '#b5b5b5';

export function createSheet({ fonts, title, date, tagged, footer }: SheetOptions): Sheet {
  const pdf = new Pdf({
    size: [pageWidth, pageHeight],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Producer: 'Hosted SMS', Creator: 'Hosted SMS', CreationDate: date, ModDate: date },
  });
  const writer = createWriter(pdf, fonts);
  const done = collect(pdf);
  let y = margin;

  /** What is drawn inside is one element of the structure, read out in reading order. */
  const element = (tag: string, text: string, draw: () => void): void => {
    if (!tagged) return draw();
    const element = pdf.struct(tag, isRightToLeft(text) ? { actual: text } : {}, draw);
    pdf.addStructure(element);
    element.end();
  };
  const decoration = (draw: () => void): void => {
    if (!tagged) return draw();
    pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    pdf.endMarkedContent();
  };
  const makeRoom = (height: number): void => {
    if (y + height <= bottom) return;
    pdf.addPage();
    y = margin;
  };
  const horizontalRule = (x: number, top: number, width: number): void =>
    decoration(() => {
      pdf
        .moveTo(x, top)
        .lineTo(x + width, top)
        .lineWidth(0.5)
        .strokeColor(rule)
        .stroke();
    });
  const block = (tag: string, text: string, x: number, width: number, options: TextOptions): void => {
    const height = writer.lineHeight(options);
    for (const [index, line] of writer.lines(text, width, options).entries()) {
      makeRoom(height);
      element(index === 0 ? tag : 'Span', line, () => writer.line(line, x, y, options));
      y += height;
    }
  };

  return {
    heading(text, level) {
      const options = { style: 'bold', size: level === 1 ? 20 : 12 } as const;
      makeRoom(60);
      if (level === 2) y += 8;
      block(`H${level}`, text, margin, contentWidth, options);
      y += level === 1 ? 4 : 2;
    },
    paragraph(text, { gapAfter = 8, ...options } = {}) {
      block('P', text, margin, contentWidth, options);
      y += gapAfter;
    },
    facts(rows, { labelWidth = 150 } = {}) {
      for (const [label, value] of rows) {
        const valueX = margin + labelWidth;
        const lines = value === null ? [''] : writer.lines(value, contentWidth - labelWidth);
        makeRoom(lines.length * writer.lineHeight() + 6);
        y += 3;
        if (label !== '') element('P', label, () => writer.line(label, margin, y, { color: quiet }));
        for (const line of lines) {
          if (line !== '') element('P', line, () => writer.line(line, valueX, y));
          y += writer.lineHeight();
        }
        y += 3;
        horizontalRule(margin, y, contentWidth);
      }
      y += 8;
    },
    list(items, columns) {
      const columnWidth = contentWidth / columns;
      for (let first = 0; first < items.length; first += columns) {
        makeRoom(18);
        for (const [column, item] of items.slice(first, first + columns).entries()) {
          element('P', item, () => writer.line(item, margin + column * columnWidth, y + 2));
        }
        y += 18;
      }
      y += 6;
    },
    signature(text, label) {
      makeRoom(64);
      element('P', text, () =>
        writer.line(text, margin + 4, y, { style: 'signature', size: fitting(writer, text) }),
      );
      y += 36;
      horizontalRule(margin, y, contentWidth * 0.6);
      y += 4;
      element('P', label, () => writer.line(label, margin, y, { size: 8, color: quiet }));
      y += 20;
    },
    gap(points) {
      y += points;
    },
    newPage() {
      pdf.addPage();
      y = margin;
    },
    finish() {
      const { start, count } = pdf.bufferedPageRange();
      for (let page = 0; page < count; page++) {
        pdf.switchToPage(start + page);
        decoration(() => printFooter(writer, footer, `Page ${page + 1} of ${count}`));
      }
      pdf.end();
      return done;
    },
  };
}

/** A signature as large as fits on its line. Points. */
function fitting(writer: Writer, text: string): number {
  const sizes = [24, 20, 16, 12];
  return sizes.find((size) => writer.width(text, { style: 'signature', size }) <= contentWidth * 0.6) ?? 8;
}

function printFooter(writer: Writer, left: string, right: string): void {
  const options = { size: 8, color: quiet };
  const y = pageHeight - margin + 8;
  writer.line(left, margin, y, options);
  writer.line(right, pageWidth - margin - writer.width(right, options), y, options);
}

function collect(pdf: typeof Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
