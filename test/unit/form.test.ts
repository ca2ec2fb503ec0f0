import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as field from '../../api/fields.ts';
import { jsonObject, readFormOrJson } from '../../api/json-body.ts';
import { readForm, readQuery, valuesParser } from '../../api/form.ts';
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

  it('reads JSON like a form: null is absent, an object is the text of its JSON', async () => {
    const body = JSON.stringify({
      text: 'C:\\u0000',
      number: 7,
      flag: true,
      none: null,
      list: ['a', { b: '\\u0000' }],
    });
    const values = await readFormOrJson(post(body, 'application/json; charset=utf-8'));
    expect(Object.fromEntries(values)).toEqual({
      text: ['C:\\u0000'],
      number: ['7'],
      flag: ['true'],
      list: ['a', '{"b":"\\\\u0000"}'],
    });
    const [, object] = values.get('list') ?? [];
    expect(typeof object === 'string' && jsonObject(object)).toEqual({ b: '\\u0000' });
    expect(await readFormOrJson(post('a=b', 'application/x-www-form-urlencoded'))).toEqual(
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
    await expect(readFormOrJson(post(body, 'application/json'))).rejects.toMatchObject({ code: 20001 });
  });
});
