/** Bodies that are no text to send, by the Zipwhip call and by the Messages resource (domain.md §2.2, §3.2). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';

let customer: MessageCustomer;
let line: string;
let session: string;
const contacts = newPhoneNumber();

beforeAll(async () => {
  customer = await startMessageCustomer();
  ({ phoneNumber: line } = await customer.host());
  session = await customer.logIn(line);
});
afterAll(() => customer?.stop());

const asJson = (body: unknown) => JSON.stringify({ session, contacts, body });
const asForm = (body: string) => new URLSearchParams({ session, contacts, body }).toString();

describe('/message/send refuses, and says why', () => {
  it.each([
    ['an empty body', () => asForm(''), 21602, 'body is empty'],
    ['a body that is too long', () => asForm('x'.repeat(1601)), 21617, 'body is longer than 1600 characters'],
    ['an empty body in JSON', () => asJson(''), 21602, 'body is empty'],
    [
      'an object as the body',
      () => asJson({ a: 1 }),
      20001,
      'body is not valid: it has to be a text, not an object or a list',
    ],
    ['no body', () => asJson(null), 20001, 'body is missing'],
  ])('%s', async (_, form, code, response) => {
    const text = form();
    const type = text.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
    const headers = { 'Content-Type': type };
    const refused = { status: 400, body: { success: false, code, response } };
    expect(await customer.call('POST', '/message/send', { form: text, headers, as: null })).toMatchObject(
      refused,
    );
  });
});

it('a file is no body of a text, and is not called too long', async () => {
  const path = `/2010-04-01/Accounts/${customer.service.credentials.accountSid}/Messages.json`;
  const form = new FormData();
  form.append('To', contacts);
  form.append('From', line);
  form.append('Body', new File(['hello'], 'body.txt'));
  const message = 'Body is not valid: it has to be a text, not a file';
  expect(await customer.call('POST', path, { form })).toMatchObject({ body: { code: 20001, message } });

  const zipwhip = new FormData();
  for (const [name, value] of Object.entries({ session, contacts })) zipwhip.append(name, value);
  zipwhip.append('body', new File(['hello'], 'body.txt'));
  const response = 'body is not valid: it has to be a text, not a file';
  expect(await customer.call('POST', '/message/send', { form: zipwhip, as: null })).toMatchObject({
    body: { success: false, code: 20001, response },
  });
});
