/** A request that cancels a delivery waits a moment to see its end, and asks little meanwhile. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startDeliveryCustomers, type DeliveryCustomers } from '../support/delivery-customers.ts';
import { until } from '../support/until.ts';

let customers: DeliveryCustomers;

beforeAll(async () => {
  customers = await startDeliveryCustomers();
});
afterAll(() => customers?.stop());

it('a cancel that waits for an attempt under way reads the whole delivery before and after, not meanwhile', async () => {
  const { service } = customers;
  let answerEndpoint: () => void = () => {};
  const { customer, endpoint } = await customers.customerAt((response) => {
    answerEndpoint = () => response.writeHead(500).end();
  });
  const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
  await until(() => endpoint.seen.length === 1);

  const transactions = vi.spyOn(service.db, 'transaction');
  const queries = vi.spyOn(service.db, 'select');
  const canceling = customer.call('POST', `/Deliveries/${sid}`, { Action: 'cancel' });
  // It has looked several times by now, and would have gone on.
  await until(() => queries.mock.calls.length > 10);
  answerEndpoint();
  expect((await canceling).body).toMatchObject({ sid, status: 'canceled', attempts: [{ number: 1 }] });
  expect(transactions).toHaveBeenCalledTimes(2);
});
