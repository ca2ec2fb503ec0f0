/** What a process writes into its log about errors. */
import { ApplicationFailure } from '@temporalio/common';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../boot.ts';

/** The line that logging these fields leaves. */
function logged(fields: object): { text: string; json: Record<string, unknown> } {
  const lines: string[] = [];
  createLogger('test', 'info', { write: (line) => void lines.push(line) }).warn(fields, 'trouble');
  return { text: lines.join(''), json: JSON.parse(lines.join('')) as Record<string, unknown> };
}

const phoneNumber = '+14155550123';
const refused = new DrizzleQueryError(
  'insert into messages',
  [phoneNumber],
  Object.assign(new Error('duplicate'), { code: '23505' }),
);

describe('an error in the log', () => {
  it('can be read under the name that the SDK of Temporal gives it', () => {
    const cause = new Error('the mail server is down');
    const error = ApplicationFailure.create({ message: 'no mail', type: 'MailFailure', cause });
    expect(logged({ error }).json['error']).toMatchObject({
      type: 'ApplicationFailure',
      message: 'no mail',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { message: 'the mail server is down' },
    });
  });

  it('that is a word stays one', () => {
    expect(logged({ error: 'AbortError' }).json).toMatchObject({ error: 'AbortError' });
  });

  it.each([
    ['under our own name', { err: refused }],
    ['under the SDK’s', { error: refused }],
    ['as a cause', { error: new Error('an activity failed', { cause: refused }) }],
    ['among its details', { error: ApplicationFailure.create({ message: 'x', details: [phoneNumber] }) }],
  ])('tells nothing of a customer: %s', (_, fields) => {
    expect(logged(fields).text).not.toContain(phoneNumber);
  });
});
