/** What the log is told of a request that failed: enough to find the cause, and nothing of the customer. */
import { ServiceError } from '@temporalio/client';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { describe, expect, it } from 'vitest';
import { errorForLog } from '../../api/error-log.ts';
import { toApiError } from '../../api/errors.ts';
import { createVault } from '../../security/vault.ts';

const phoneNumber = '+14155550123';

/** As the client throws what the server answered. */
function serverSaid(code: number, details: string): ServiceError {
  const cause = Object.assign(new Error(details), { code, details, metadata: {} });
  return new ServiceError('Failed to start Workflow', { cause });
}
const queryFailed = (cause: object): DrizzleQueryError =>
  new DrizzleQueryError(
    'insert into messages',
    [phoneNumber, 'see you\n    at Lefty’s'],
    Object.assign(new Error('failed'), cause),
  );

describe('the log line of a request that failed', () => {
  it('tells what Temporal refused, without the numbers in it', () => {
    const missing = 'Namespace default has no mapping defined for search attribute AccountSid';
    expect(errorForLog(serverSaid(3, missing))).toMatchObject({
      error: 'ServiceError',
      cause: `INVALID_ARGUMENT: ${missing}`,
    });
    expect(errorForLog(serverSaid(5, `no workflow ${phoneNumber}`)).cause).toBe('NOT_FOUND: no workflow …');
  });

  it.each([
    [{ code: '42P01' }, '42P01'],
    [{ code: '23505', constraint_name: 'orders_by_number' }, '23505 orders_by_number'],
    [{ code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
  ])('tells what PostgreSQL refused: %j', (cause, words) => {
    expect(errorForLog(queryFailed(cause))).toMatchObject({ error: 'DatabaseError', cause: words });
  });

  it('tells that a secret was sealed with another key', () => {
    const [one, other] = ['1', '2'].map((digit) => createVault(digit.repeat(32)));
    let thrown: unknown;
    try {
      other?.open(one?.seal('token') ?? '');
    } catch (err) {
      thrown = err;
    }
    expect(errorForLog(thrown)).toMatchObject({ error: 'SealError', cause: 'ERR_OTHER_SECRET_KEY' });
  });

  it.each([
    ['a statement', queryFailed({ code: '22001' })],
    ['words in place of a code', Object.assign(new Error(phoneNumber), { code: `for ${phoneNumber}` })],
    ['a cause', new Error('failed', { cause: new Error(phoneNumber) })],
    ['a message that looks like a stack', new Error(`Hello\n    at Lefty’s, ${phoneNumber}`)],
  ])('tells nothing of a customer: %s', (_, error) => {
    const told = errorForLog(error);
    expect(JSON.stringify(told)).not.toMatch(/4155550123|Lefty/);
    expect(told.stack[0]).toContain('error-log.test.ts');
  });
});

describe('an outage is answered with 20503, to be tried again', () => {
  it.each([
    ['Temporal’s server is away', serverSaid(14, 'unavailable')],
    [
      'a workflow is stuck',
      serverSaid(9, 'Unable to perform workflow execution update due to Workflow Task in failed state.'),
    ],
    ['PostgreSQL became a read-only one', queryFailed({ code: '25006' })],
    ['a statement took too long', queryFailed({ code: '57014' })],
  ])('when %s', (_, error) => {
    expect(toApiError(error)).toMatchObject({ code: 20503, retryAfterSeconds: 2 });
  });

  it.each([
    ['a state that Temporal does not allow', serverSaid(9, 'workflow execution already completed')],
    ['a column that is not there', queryFailed({ code: '42703' })],
  ])('and not for %s', (_, error) => {
    expect(toApiError(error).code).toBe(20500);
  });
});
