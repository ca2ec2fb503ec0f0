/** Joins the parts of long texts that came over SMPP; they wait on the disk. */
import type { PartRow, Table } from './carrier-store.ts';
import type { Submission } from './smsc.ts';
import { readText } from './smsc-text.ts';

/** A text that is complete. Its id is that of the part whose receipt was asked for. */
interface WholeText {
  readonly sid: string;
  readonly body: string;
  readonly wantsReceipt: boolean;
}

export interface PartsBin {
  /** The whole text when this was the last part of it, or the only one; else `null`. */
  add(messageId: string, submission: Submission): WholeText | null;
}

export function createPartsBin(table: Table<PartRow>): PartsBin {
  return {
    add: (messageId, { from, to, part, dataCoding, octets, wantsReceipt }) => {
      if (!part) return { sid: messageId, body: readText({ dataCoding, octets }), wantsReceipt };
      const text = JSON.stringify([from, to, part.reference, part.total]);
      const earlier = table.all().filter((row) => row.text === text);
      // A client that is not sure sends a part again: the later one counts.
      for (const row of earlier) if (row.sequence === part.sequence) table.remove(row.sid);
      table.put({
        sid: messageId,
        text,
        ...part,
        dataCoding,
        octets: octets.toString('base64'),
        wantsReceipt,
      });
      const rows = table.all().filter((row) => row.text === text);
      if (rows.length < part.total) return null;
      for (const row of rows) table.remove(row.sid);
      return join(rows, messageId);
    },
  };
}

function join(rows: readonly PartRow[], lastId: string): WholeText {
  const inOrder = [...rows].sort((a, b) => a.sequence - b.sequence);
  const asked = inOrder.find((row) => row.wantsReceipt);
  const octets = Buffer.concat(inOrder.map((row) => Buffer.from(row.octets, 'base64')));
  const body = readText({ dataCoding: inOrder[0]?.dataCoding ?? 0, octets });
  return { sid: asked?.sid ?? lastId, body, wantsReceipt: asked !== undefined };
}
