/** What belongs to a message, as the Zipwhip calls list and fetch it (domain.md §3.3). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';

const body = `long ${'x'.repeat(800)}`;
let customer: MessageCustomer;
let messageId: string;
/** Of the line that was written to, and of another line of the same account. */
let session: string;
let stranger: string;

beforeAll(async () => {
  customer = await startMessageCustomer();
  const [{ phoneNumber: line }, { phoneNumber: other }] = [await customer.host(), await customer.host()];
  [session, stranger] = [await customer.logIn(line), await customer.logIn(other)];
  await customer.bring({ from: newPhoneNumber(), to: line, body });
  const [event] = await customer.untilEvents(line, 1);
  messageId = String(event?.payload['id']);
});
afterAll(() => customer?.stop());

const list = () =>
  customer.call('POST', '/messageAttachment/list', { form: { session, messageId }, as: null });

it('bytes are fetched by the line of their message, and unknown to the other lines of its account', async () => {
  const [attachment] = (await list()).body['response'] as { storageKey: string }[];
  const storageKey = String(attachment?.storageKey);
  const fetchAs = (who: string) =>
    customer.call('POST', '/hostedContent/get', { form: { session: who, storageKey }, as: null });
  expect(await fetchAs(session)).toMatchObject({ status: 200, body: { text: body } });
  expect(await fetchAs(stranger)).toMatchObject({ status: 404, body: { success: false, code: 20404 } });
});

it('the list answers with the fields the reference names', async () => {
  const { body: reference } = await customer.call('GET', '/openapi.json', { as: null });
  const { paths } = reference as unknown as {
    paths: Record<string, { post: { responses: Record<string, { content: Record<string, Content> }> } }>;
  };
  const schema = paths['/messageAttachment/list']?.post.responses['200']?.content['application/json']?.schema;
  const answer = Object.keys((await list()).body);
  expect(answer).toContain('total');
  expect(Object.keys(schema?.properties ?? {})).toEqual(answer);
  expect(schema?.required).toEqual(answer);
});

interface Content {
  readonly schema: { readonly properties: object; readonly required: readonly string[] };
}
