/** What pages leave in the log when they fail: the kind of the error and where, never its words (design.md §6). */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { authorizationDocuments } from '../../db/schema/authorization-documents.ts';
import { createVault } from '../../security/vault.ts';
import type { WebDeps } from '../../web/deps.ts';
import { createWeb } from '../../web/pages.ts';

const phoneNumber = '+14155550123';
const trouble = new RangeError(`cannot read ${phoneNumber}`, { cause: new Error(phoneNumber) });
const logged = vi.fn();
beforeEach(() => logged.mockClear());

/** A database in which one document waits for its signature, and a Temporal that fails with the customer's number. */
const document = { sid: 'PX1', accountSid: 'AC1', status: 'signing', mailing: 1, addressSid: null };
const answering = (rows: readonly object[]): unknown => {
  const answer = Promise.resolve(rows);
  const query: unknown = new Proxy(answer, {
    get: (_, name) => (name === 'then' ? answer.then.bind(answer) : () => query),
  });
  return query;
};
const failing = {
  db: {
    select: () => ({
      from: (table: unknown) => answering(table === authorizationDocuments ? [document] : []),
    }),
  },
  temporal: {
    workflow: { getHandle: () => ({}) },
    withDeadline: () => Promise.reject(trouble),
  },
};
const deps = {
  ...failing,
  config: readConfig({}),
  vault: createVault('a master key of enough characters'),
  log: { error: logged, warn: logged },
} as unknown as WebDeps;
const unused = (): never => {
  throw new Error('these pages do not call the API');
};
const pagesOf = (deps: WebDeps) => createWeb(deps, { fetch: unused, count: unused });

const expectNothingOfTheCustomer = (): void => {
  expect(logged).toHaveBeenCalledOnce();
  const [fields] = logged.mock.lastCall ?? [];
  expect(fields).toMatchObject({ error: 'RangeError' });
  expect(fields.stack[0]).toContain('web-errors.test.ts');
  expect(Object.values(fields).some((value) => value instanceof Error)).toBe(false);
  expect(JSON.stringify(fields)).not.toContain(phoneNumber);
};

describe('the log tells nothing of a customer', () => {
  it('when a page cannot be made', async () => {
    const readToken = (): never => {
      throw trouble;
    };
    const response = await pagesOf({ ...deps, vault: { ...deps.vault, readToken } }).request('/sign/token');
    expect(response.status).toBe(500);
    expectNothingOfTheCustomer();
    expect(logged.mock.lastCall?.[0]).toMatchObject({ code: 20500 });
  });

  it('when the answer of a signer does not reach the document', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const token = deps.vault.issueToken({ purpose: 'sign-document', subject: 'PX1:1', expiresAt });
    const response = await pagesOf(deps).request(`/sign/${token}/decline`, {
      method: 'POST',
      body: new URLSearchParams({ reason: 'it is not mine' }),
    });
    expect(response.status).toBe(503);
    expectNothingOfTheCustomer();
  });
});
