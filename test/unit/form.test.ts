import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dateOrTime } from '../../api/date-filter.ts';
import * as field from '../../api/fields.ts';
import { jsonObject, readFormOrJson } from '../../api/json-body.ts';
import { readForm, readQuery, valuesParser } from '../../api/form.ts';
import { deliveryFilterFields, rotateSecretForm } from '../../api/webhook-forms.ts';
import { ApiError } from '../../domain/errors.ts';

const schema = z.object({
  PhoneNumber: field.phoneNumber(),
  SmsCapability: field.optional(field.flag()),
  CcEmails: field.list(field.email()).optional(),
  CallDelay: field.optional(field.integer({ min: 0, max: 60, code: 21454 })),
  SmsUrl: field.optional(field.httpUrl()),
  SmsMethod: field.optional(field.httpMethod()),
});
const parse = valuesParser(schema);
const parsed = (query: string) => parse(readQuery(`/?${query}`));

function codeOf(run: () => unknown): number | undefined {
  try {
    run();
  } catch (err) {
    if (err instanceof ApiError) return err.code;
    throw err;
  }
  return undefined;
}

function post(body: string | FormData, type?: string): Request {
  const headers = type === undefined ? {} : { 'Content-Type': type };
  return new Request('http://api.test/', { method: 'POST', body, headers });
}

describe('parameters (domain.md §0.4, §1.2)', () => {
  it('takes booleans and methods in any letter case', () => {
    const form = parsed('PhoneNumber=%2B14158675310&SmsCapability=True&SmsMethod=get');
    expect(form).toMatchObject({ SmsCapability: true, SmsMethod: 'GET' });
  });

  it('repairs a plus sign that was sent unescaped', () => {
    expect(parsed('PhoneNumber=+14158675310').PhoneNumber).toBe('+14158675310');
  });

  it('reads a repeated parameter as a list, also when it is sent once', () => {
    expect(parsed('PhoneNumber=%2B1415&CcEmails=a@b.co&CcEmails=c@d.co').CcEmails).toEqual([
      'a@b.co',
      'c@d.co',
    ]);
    expect(parsed('PhoneNumber=%2B1415&CcEmails=a@b.co').CcEmails).toEqual(['a@b.co']);
    expect(parsed('PhoneNumber=%2B1415&CcEmails=').CcEmails).toEqual([]);
  });

  it('tells an empty parameter from an absent one', () => {
    expect(parsed('PhoneNumber=%2B1415&SmsUrl=').SmsUrl).toBeNull();
    expect(parsed('PhoneNumber=%2B1415').SmsUrl).toBeUndefined();
  });

  it('ignores unknown parameters, whatever their names', () => {
    const form = parsed('PhoneNumber=%2B1415&__proto__=x&constructor=y&IsoCountry=US');
    expect(Object.keys(form)).toEqual(['PhoneNumber']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    ['', 20001],
    ['PhoneNumber=', 22102],
    ['PhoneNumber=4158675310', 22102],
    ['PhoneNumber=%2B1415&PhoneNumber=%2B1416', 20001],
    ['PhoneNumber=%2B1415&SmsCapability=maybe', 20001],
    ['PhoneNumber=%2B1415&CcEmails=a@b.co&CcEmails=nobody', 22104],
    ['PhoneNumber=%2B1415&CcEmails=a@b.co%0d%0aBcc:x@y.zz', 22104],
    ['PhoneNumber=%2B1415&CallDelay=61', 21454],
    ['PhoneNumber=%2B1415&CallDelay=1e1', 21454],
    ['PhoneNumber=%2B1415&SmsUrl=javascript:alert(1)', 22105],
    ['PhoneNumber=%2B1415&SmsUrl=https://user:secret@example.com/', 22105],
    ['PhoneNumber=%2B1415&SmsMethod=PUT', 22106],
    ['PhoneNumber=%2B1415%00', 20001],
  ])('refuses %s with %i', (query, code) => {
    expect(codeOf(() => parsed(query))).toBe(code);
  });
});

describe('what a caller is told of a wrong parameter', () => {
  const told = z.object({
    PhoneNumber: field.phoneNumber(),
    Contact: field.optional(field.phoneNumber(20001)),
    Enabled: field.optional(field.flag()),
    Method: field.optional(field.choice(['POST', 'PUT'])),
    Events: field.list(field.choice(['message/send', 'message/read']), 2).optional(),
    Action: field.optional(field.choice(['retry'])),
    Status: field.optional(field.choice(['received', 'verified'], 22111)),
    SmsMethod: field.optional(field.httpMethod()),
    Rate: field.optional(field.integer({ min: 1, max: 9 })),
    Since: dateOrTime.optional(),
    UniqueName: field.optional(field.text({ max: 4, code: 22115 })),
    Street: field.text({ min: 1, max: 9, code: 21628 }).optional(),
    Secret: rotateSecretForm.shape.Secret,
    Moment: deliveryFilterFields.Since,
  });
  const parseTold = valuesParser(told);

  it.each([
    ['PhoneNumber=1', 22102, 'PhoneNumber is not a valid phone number in E.164 format'],
    ['Contact=1', 20001, 'Contact is not valid: it has to be in E.164 format, such as +14158675310'],
    ['Enabled=1', 20001, 'Enabled is not valid: it has to be true or false'],
    ['Method=GET', 20001, 'Method is not valid: it has to be one of POST, PUT'],
    ['Events=all', 20001, 'Events is not valid: each has to be one of message/send, message/read'],
    ['Events=a&Events=b&Events=c', 20001, 'Events may be sent 2 times at most'],
    ['Action=stop', 20001, 'Action is not valid: it has to be retry'],
    ['Status=open', 22111, 'Status is not valid: it has to be one of received, verified'],
    ['SmsMethod=PUT', 22106, 'The HTTP method must be GET or POST (SmsMethod)'],
    ['Rate=10', 20001, 'Rate is not valid: it has to be a whole number from 1 to 9'],
    [
      'Since=soon',
      20001,
      'Since is not valid: it has to be an ISO 8601 time with offset, such as 2026-03-01T09:30:00Z, or a day',
    ],
    [
      'Moment=soon',
      20001,
      'Moment is not valid: it has to be an ISO 8601 time with offset, such as 2026-03-01T09:30:00Z',
    ],
    ['Secret=x', 20001, 'Secret is not valid: it has to be `whsec_` and 24 to 64 bytes in base64'],
    ['UniqueName=12345', 22115, 'UniqueName is longer than 4 characters'],
    ['Street=', 21628, 'Street is empty'],
  ])('%s: %i, %s', (query, code, message) => {
    const given = query.startsWith('PhoneNumber=') ? query : `PhoneNumber=%2B14158675310&${query}`;
    expect(() => parseTold(readQuery(`/?${given}`))).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('bodies (domain.md §0.4)', () => {
  it('reads multipart like urlencoded', async () => {
    const body = new FormData();
    body.append('PhoneNumber', '+14158675310');
    body.append('CcEmails', 'a@b.co');
    body.append('CcEmails', 'c@d.co');
    const fromMultipart = parse(await readForm(post(body)));
    const fromUrlencoded = parse(
      await readForm(
        post(
          'PhoneNumber=%2B14158675310&CcEmails=a%40b.co&CcEmails=c%40d.co',
          'application/x-www-form-urlencoded; charset=UTF-8',
        ),
      ),
    );
    expect(fromMultipart).toEqual(fromUrlencoded);
  });

  it('takes no body at all as an empty form', async () => {
    const request = new Request('http://api.test/', { method: 'POST' });
    expect((await readForm(request)).size).toBe(0);
  });

  it.each([
    ['{}', 'application/json', 20415],
    ['a=b', 'text/plain', 20415],
    ['no boundary', 'multipart/form-data; boundary=x', 20001],
  ])('refuses %s as %s', async (body, type, code) => {
    await expect(readForm(post(body, type))).rejects.toMatchObject({ code });
  });

  const objects = z.object({ list: field.list(z.string().meta({ type: ['string', 'object'] })) });

  it('reads JSON like a form: null is absent, an object is the text of its JSON', async () => {
    const body = JSON.stringify({
      text: 'C:\\u0000',
      number: 7,
      flag: true,
      none: null,
      list: ['a', { b: '\\u0000' }],
    });
    const values = await readFormOrJson(post(body, 'application/json; charset=utf-8'), objects);
    expect(Object.fromEntries(values)).toEqual({
      text: ['C:\\u0000'],
      number: ['7'],
      flag: ['true'],
      list: ['a', '{"b":"\\\\u0000"}'],
    });
    const [, object] = values.get('list') ?? [];
    expect(typeof object === 'string' && jsonObject(object)).toEqual({ b: '\\u0000' });
    expect(await readFormOrJson(post('a=b', 'application/x-www-form-urlencoded'), objects)).toEqual(
      new Map([['a', ['b']]]),
    );
  });

  it.each([
    '[]',
    'null',
    '"text"',
    '{',
    '{"a":"\\u0000"}',
    '{"a":{"b":["\\u0000"]}}',
  ])('refuses %s as JSON', async (body) => {
    const read = readFormOrJson(post(body, 'application/json'), objects);
    await expect(read).rejects.toMatchObject({ code: 20001 });
  });

  const texts = z.object({
    body: field.text({ max: 9 }),
    contacts: field.optional(field.list(field.text({ max: 9 }))),
  });

  it.each([
    [{ body: { a: 1 } }, 'body is not valid: it has to be a text, not an object or a list'],
    [{ body: [['a']] }, 'body is not valid: it has to be a text, not an object or a list'],
    [{ contacts: { a: 1 } }, 'contacts is not valid: each has to be a text, not an object or a list'],
    [{ contacts: ['a', {}] }, 'contacts is not valid: each has to be a text, not an object or a list'],
  ])('refuses the object of %j, where a text belongs', async (body, message) => {
    const read = readFormOrJson(post(JSON.stringify(body), 'application/json'), texts);
    await expect(read).rejects.toMatchObject({ code: 20001, message });
  });

  it('ignores objects under names that are unknown here, as it does texts', async () => {
    const body = JSON.stringify({ body: '{"a":1}', extra: { a: 1 } });
    const values = await readFormOrJson(post(body, 'application/json'), texts);
    expect(valuesParser(texts)(values)).toEqual({ body: '{"a":1}' });
  });

  it('refuses a file where a text belongs, whatever the code of the field', async () => {
    const told = z.object({
      Body: field.optional(field.text({ max: 9, code: 21617 })),
      Urls: field.list(field.httpUrl()),
    });
    for (const name of ['Body', 'Urls']) {
      const body = new FormData();
      body.append('Urls', 'https://example.com');
      body.append(name, new File(['hello'], 'body.txt'));
      const values = await readForm(post(body));
      const message = `${name} is not valid: it has to be a text, not a file`;
      expect(() => valuesParser(told)(values)).toThrow(expect.objectContaining({ code: 20001, message }));
    }
  });
});
