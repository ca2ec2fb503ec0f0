/** What `npm start` says: a line per step with its time, then one box. Plain lines, good for a pipe as well. */
import { styleText } from 'node:util';

export interface Console {
  /** Says how long the work took, or that it failed. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** A line about a part that is being worked on, or runs. */
  about(name: string): (line: string) => void;
  line(text: string): void;
  /** Titled groups of name and value in one frame. */
  box(title: string, groups: readonly (readonly (readonly [string, string])[])[]): void;
}

const nameWidth = 18;

export function createConsole(write: (line: string) => void): Console {
  return {
    async step(name, work) {
      const startedAt = Date.now();
      try {
        const result = await work();
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
        write(`  ${styleText('green', '✓')} ${name.padEnd(nameWidth)} ${styleText('dim', `${seconds} s`)}`);
        return result;
      } catch (err) {
        write(`  ${styleText('red', '✗')} ${name}`);
        throw err;
      }
    },
    about: (name) => (line) => {
      write(styleText('dim', `    ${name}: ${line}`));
    },
    line: write,
    box(title, groups) {
      const width = Math.max(...groups.flat().map(([name]) => name.length)) + 2;
      const body = groups.flatMap((rows, index) => [
        ...(index === 0 ? [] : ['']),
        ...rows.map(([name, value]) => `${name.padEnd(width)}${value}`),
      ]);
      const inner = Math.max(title.length + 2, ...body.map((text) => text.length));
      write(`╭─ ${title} ${'─'.repeat(inner - title.length - 1)}╮`);
      for (const text of body) write(`│ ${text.padEnd(inner)} │`);
      write(`╰${'─'.repeat(inner + 2)}╯`);
    },
  };
}
