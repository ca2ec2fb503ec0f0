import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../api/admin-import.ts';

const account = `AC${'1'.repeat(32)}`;

describe('a CSV file of numbers to take over (issue 4)', () => {
  it('reads quoted cells, any order of columns, and any line end', () => {
    const csv = `\uFEFFPhoneNumber,FriendlyName,AccountSid\r\n+14158675310,"Smith, ""Bob""",${account}\n\n+18005551212,,${account}\n`;
    expect(parseCsv(csv)).toEqual([
      {
        line: 2,
        accountSid: account,
        phoneNumber: '+14158675310',
        friendlyName: 'Smith, "Bob"',
        firstLine: null,
      },
      { line: 4, accountSid: account, phoneNumber: '+18005551212', friendlyName: null, firstLine: null },
    ]);
  });

  it('takes an empty first cell for what it is', () => {
    const csv = `FriendlyName,AccountSid,PhoneNumber\n,${account},+14158675310`;
    expect(parseCsv(csv)).toEqual([
      { line: 2, accountSid: account, phoneNumber: '+14158675310', friendlyName: null, firstLine: null },
    ]);
  });

  it('keeps a cell of two lines together, and knows a number that it had before', () => {
    const csv = `AccountSid,PhoneNumber,FriendlyName\n${account},+14158675310,"Front\ndesk"\n${account},+14158675310`;
    expect(parseCsv(csv)).toMatchObject([
      { line: 3, friendlyName: 'Front\ndesk', firstLine: null },
      { line: 4, friendlyName: null, firstLine: 3 },
    ]);
  });

  it.each([
    ['PhoneNumber\n+14158675310', 'a missing column'],
    [`AccountSid,PhoneNumber\n${`${account},+14158675310\n`.repeat(1001)}`, 'too many lines'],
    ['AccountSid,PhoneNumber\n\0', 'what is no text'],
    ['', 'nothing in it'],
    ['AccountSid,PhoneNumber\n"AC', 'a cell without end'],
  ])('refuses a file with %#: %s', (csv) => {
    expect(() => parseCsv(csv)).toThrow(expect.objectContaining({ code: 20001 }));
  });
});
