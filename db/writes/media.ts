/** What messages lead to: links to media, and the text of long bodies. Insert or ignore, by derived identifiers. */
import { and, eq } from 'drizzle-orm';
import { derivedSid } from '../../security/derived-sid.ts';
import type { Queryable } from '../client.ts';
import { media } from '../schema/messages.ts';

/** The .txt that stands in for a body over the limit. Key: the message's sid. */
export async function insertBodyAttachment(
  db: Queryable,
  text: {
    readonly accountSid: string;
    readonly messageSid: string;
    readonly body: string;
    readonly at: Date;
  },
): Promise<void> {
  const { accountSid, messageSid, body, at } = text;
  await db
    .insert(media)
    .values({
      sid: derivedSid('media', messageSid, 'body'),
      accountSid,
      messageSid,
      fileName: `${messageSid}.txt`,
      contentType: 'text/plain; charset=utf-8',
      bytes: Buffer.from(body, 'utf8'),
      isBody: true,
      dateCreated: at,
      dateUpdated: at,
    })
    .onConflictDoNothing({ target: media.sid });
}

/** Media a message leads to, in its order. Key: the message's sid and the place in it. */
export async function insertMediaLinks(
  db: Queryable,
  links: {
    readonly accountSid: string;
    readonly messageSid: string;
    readonly urls: readonly string[];
    readonly at: Date;
  },
): Promise<void> {
  const { accountSid, messageSid, urls, at } = links;
  if (urls.length === 0) return;
  const rows = urls.map((url, place) => ({
    sid: derivedSid('media', messageSid, String(place)),
    accountSid,
    messageSid,
    ...describeLink(url),
    url,
    bytes: Buffer.alloc(0),
    dateCreated: at,
    dateUpdated: at,
  }));
  await db.insert(media).values(rows).onConflictDoNothing({ target: media.sid });
}

const contentTypes: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  vcf: 'text/vcard',
};

/** Name and type as the link tells them: its bytes stay with whoever keeps them. */
function describeLink(url: string): { readonly fileName: string; readonly contentType: string } {
  const fileName = new URL(url).pathname.split('/').at(-1)?.slice(0, 255) || 'media';
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return { fileName, contentType: contentTypes[extension] ?? 'application/octet-stream' };
}

export async function deleteMedia(db: Queryable, messageSid: string, sid: string): Promise<void> {
  await db.delete(media).where(and(eq(media.sid, sid), eq(media.messageSid, messageSid)));
}
