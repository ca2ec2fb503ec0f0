/** What letters are made of: headings, paragraphs, facts, lists, a line to sign on; each below the one before. */
import { createCanvas, page, quietInk, type Canvas, type CanvasOptions } from './canvas.ts';
import type { TextOptions, Writer } from './writer.ts';

/** A label and what is known under it. A row without a label goes on with the one before. */
export type Fact = readonly [label: string, value: string];

export interface Sheet {
  heading(text: string, level: 1 | 2): void;
  paragraph(text: string, options?: TextOptions & { readonly gapAfter?: number }): void;
  facts(rows: readonly Fact[]): void;
  /** Short texts, several on a line. */
  list(items: readonly string[], columns: number): void;
  /** A line to sign on: what is written above it, and small under it. */
  signature(text: string, label: string): void;
  gap(points: number): void;
  newPage(): void;
  /** Ends the document. */
  finish(): Promise<Buffer>;
}

const left = page.margin;
const contentWidth = page.width - 2 * page.margin;
const labelWidth = 150;
const signatureWidth = contentWidth * 0.6;

export function createSheet(options: CanvasOptions): Sheet {
  const canvas = createCanvas(options);
  return {
    heading: (text, level) => {
      canvas.makeRoom(60);
      if (level === 2) canvas.y += 8;
      printBlock(canvas, `H${level}`, text, { style: 'bold', size: level === 1 ? 20 : 12 });
      canvas.y += level === 1 ? 4 : 2;
    },
    paragraph: (text, { gapAfter = 8, ...options } = {}) => {
      printBlock(canvas, 'P', text, options);
      canvas.y += gapAfter;
    },
    facts: (rows) => {
      for (const row of rows) printFact(canvas, row);
      canvas.y += 8;
    },
    list: (items, columns) => printList(canvas, items, columns),
    signature: (text, label) => printSignature(canvas, text, label),
    gap: (points) => {
      canvas.y += points;
    },
    newPage: () => canvas.newPage(),
    finish: () => canvas.finish(),
  };
}

function printBlock(canvas: Canvas, tag: string, text: string, options: TextOptions): void {
  const height = canvas.writer.lineHeight(options);
  for (const [index, line] of canvas.writer.lines(text, contentWidth, options).entries()) {
    canvas.makeRoom(height);
    canvas.print(index === 0 ? tag : 'Span', line, left, options);
    canvas.y += height;
  }
}

function printFact(canvas: Canvas, [label, value]: Fact): void {
  const { writer } = canvas;
  const lines = writer.lines(value, contentWidth - labelWidth);
  canvas.makeRoom(lines.length * writer.lineHeight() + 6);
  canvas.y += 3;
  canvas.print('P', label, left, { color: quietInk });
  for (const line of lines) {
    canvas.print('P', line, left + labelWidth);
    canvas.y += writer.lineHeight();
  }
  canvas.y += 3;
  canvas.rule(left, contentWidth);
}

function printList(canvas: Canvas, items: readonly string[], columns: number): void {
  const rowHeight = 18;
  for (let first = 0; first < items.length; first += columns) {
    canvas.makeRoom(rowHeight);
    for (const [column, item] of items.slice(first, first + columns).entries())
      canvas.print('P', item, left + (column * contentWidth) / columns);
    canvas.y += rowHeight;
  }
  canvas.y += 6;
}

function printSignature(canvas: Canvas, text: string, label: string): void {
  canvas.makeRoom(64);
  canvas.print('P', text, left + 4, { style: 'signature', size: fittingSize(canvas.writer, text) });
  canvas.y += 36;
  canvas.rule(left, signatureWidth);
  canvas.y += 4;
  printBlock(canvas, 'P', label, { size: 8, color: quietInk });
  canvas.y += 8;
}

/** A signature as large as fits on its line. Points. */
function fittingSize(writer: Writer, text: string): number {
  const fits = (size: number): boolean => writer.width(text, { style: 'signature', size }) <= signatureWidth;
  return [24, 20, 16, 12].find(fits) ?? 8;
}
