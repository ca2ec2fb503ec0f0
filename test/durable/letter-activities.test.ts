/** What a letter says and whom it is mailed to, when activities are tried again, late or too early. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createDocumentActivities } from '../../activities/documents.ts';
import { readConfig } from '../../config.ts';
import { keepFile, writeDocumentSnapshot } from '../../db/writes/authorization-documents.ts';
import type { DocumentSnapshot } from '../../domain/ports.ts';
import type { Mail } from '../../gateways/mail.ts';
import { newSid } from '../../security/derived-sid.ts';
import { createVault } from '../../security/vault.ts';
import { openOrderRecords, placedAt, type OrderRecords } from '../support/order-records.ts';

let records: OrderRecords;
beforeAll(async () => {
  records = await openOrderRecords();
});
afterAll(() => records?.close());

/** The mail server's opinion of each recipient; it takes everything else. */
const reception: Readonly<Record<string, () => { refused: string }>> = {
  'slow@example.org': () => {
    throw new Error('450 greylisted');
  },
  'gone@example.org': () => ({ refused: 'no such mailbox' }),
};

function activitiesOf(sent: Mail[]) {
  const send = async (mail: Mail) => {
    sent.push(mail);
    return reception[mail.to]?.() ?? { accepted: true };
  };
  const deps = {
    db: records.db,
    settings: readConfig({}),
    vault: createVault('x'.repeat(32)),
    publicUrl: 'http://localhost',
    log: pino({ level: 'silent' }),
    gateways: { mail: { send } },
  };
  // Only what these activities use; anything else would throw.
  return createDocumentActivities(deps as unknown as ActivityDeps);
}

async function recorded(changes: Partial<DocumentSnapshot> = {}): Promise<DocumentSnapshot> {
  const snapshot: DocumentSnapshot = {
    sid: newSid('authorizationDocument'),
    accountSid: records.accountSid,
    revision: 1,
    status: 'signing',
    failureReason: null,
    mailing: 1,
    expiresAt: '2027-01-01T00:00:00.000Z',
    signedAt: null,
    signerName: null,
    addressSid: null,
    email: 'signer@example.com',
    ccEmails: ['slow@example.org', 'works@example.org', 'gone@example.org'],
    contactTitle: null,
    contactPhoneNumber: null,
    orderSids: [],
    updatedAt: placedAt,
    timeline: [],
    ...changes,
  };
  await writeDocumentSnapshot(records.db, snapshot);
  for (const kind of ['letter', 'signed'] as const)
    await keepFile(records.db, {
      documentSid: snapshot.sid,
      mailing: 1,
      kind,
      bytes: Buffer.from('%PDF-'),
      byteLength: 5,
      sha256: '0'.repeat(64),
      dateCreated: new Date(placedAt),
    });
  return snapshot;
}

const invitation = {
  mailing: 1,
  kind: 'invitation',
  number: 0,
  expiresAt: '2027-01-01T00:00:00.000Z',
} as const;
const linkIn = (mail: Mail | undefined): boolean => mail?.text.includes('/sign/') ?? false;

describe('a mail about a letter', () => {
  it('goes to the recipient that is named and to nobody else, with the link for the signer alone', async () => {
    const { sid: documentSid } = await recorded();
    const sent: Mail[] = [];
    const activities = activitiesOf(sent);
    const letter = { documentSid, ...invitation };
    const signer = { to: 'signer@example.com', copy: 0 };
    const copied = { to: 'works@example.org', copy: 2 };
    expect(await activities.mailLetter({ ...letter, recipient: signer })).toEqual({ accepted: true });
    expect(await activities.mailLetter({ ...letter, recipient: copied })).toEqual({ accepted: true });
    expect(await activities.mailCopies({ documentSid, mailing: 1, recipient: copied })).toEqual({
      accepted: true,
    });
    expect(sent.map(({ to }) => to)).toEqual([signer.to, copied.to, copied.to]);
    expect(sent.map(linkIn)).toEqual([true, false, false]);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it('of a run that was begun by 0.1.0 is no failure when a copy could not be sent', async () => {
    const { sid: documentSid } = await recorded();
    const sent: Mail[] = [];
    const activities = activitiesOf(sent);
    const everybody = ['signer@example.com', 'slow@example.org', 'works@example.org', 'gone@example.org'];
    expect(await activities.mailLetter({ documentSid, ...invitation })).toEqual({ accepted: true });
    expect(sent.map(({ to }) => to)).toEqual(everybody);
    expect(await activities.mailCopies({ documentSid, mailing: 1 })).toEqual({ accepted: true });
    expect(sent.map(({ to }) => to)).toEqual([...everybody, ...everybody]);
  });

  it.each([
    ['canceled', { status: 'canceled' }],
    ['signed already', { status: 'signed' }],
    ['taken back', { status: 'opened' }],
    ['sent anew', { mailing: 2 }],
  ] as const)('is not sent when the document was %s', async (_, changes) => {
    const { sid: documentSid } = await recorded(changes);
    const sent: Mail[] = [];
    const activities = activitiesOf(sent);
    for (const copy of [0, 1]) {
      const recipient = { to: 'signer@example.com', copy };
      expect((await activities.mailLetter({ documentSid, ...invitation, recipient })).accepted).toBe(false);
    }
    expect(sent).toEqual([]);
  });
});

describe('the letter of a mailing', () => {
  it('is made once the mailing is recorded: an older state would stay in it for ever', async () => {
    const order = records.request();
    await records.place(order);
    const document = await recorded({ orderSids: [order.sid] });
    const activities = activitiesOf([]);
    const second = { documentSid: document.sid, mailing: 2 };
    await expect(activities.prepareLetter(second)).rejects.toThrow('not recorded yet');
    await writeDocumentSnapshot(records.db, { ...document, revision: 2, mailing: 2 });
    expect((await activities.prepareLetter(second)).byteLength).toBeGreaterThan(1000);
  });

  it('is not made any more when a newer one was sent', async () => {
    const { sid: documentSid } = await recorded({ mailing: 3 });
    const activities = activitiesOf([]);
    await expect(activities.prepareLetter({ documentSid, mailing: 2 })).rejects.toMatchObject({
      nonRetryable: true,
      type: 'LetterVoid',
    });
  });
});
