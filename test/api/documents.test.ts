/** Letters that a registry would refuse are refused when they are asked for. Source: domain.md §1.4, §2.3, §5.4. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const documents = '/HostedNumbers/AuthorizationDocuments';
const bakery = {
  CustomerName: 'Springfield Bakery LLC',
  Street: '742 Evergreen Terrace',
  City: 'Springfield',
  Region: 'IL',
  PostalCode: '62704',
  IsoCountry: 'US',
};
let service: Service;
let call: RawClient;
let addresses: string;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
  addresses = `/2010-04-01/Accounts/${service.credentials.accountSid}/Addresses`;
});
afterAll(() => service?.stop());

async function made(answer: Promise<RawAnswer>): Promise<string> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body['sid']);
}
const newOrder = (more = {}): Promise<string> => {
  const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', ...more };
  return made(call('POST', '/HostedNumbers/HostedNumberOrders', { form }));
};
const newAddress = (more = {}): Promise<string> =>
  made(call('POST', `${addresses}.json`, { form: { ...bakery, ...more } }));
const newDocument = (orderSid: string, more = {}): Promise<RawAnswer> =>
  call('POST', documents, { form: { HostedNumberOrderSids: orderSid, Email: 'owner@example.com', ...more } });
const statusOf = async (orderSid: string): Promise<unknown> =>
  (await call('GET', `/HostedNumbers/HostedNumberOrders/${orderSid}`)).body['status'];

describe('a postal code that is none of its country', () => {
  it.each([
    ['ABC', 'US'],
    ['62704', 'CA'],
  ])('%s makes no address in %s', async (PostalCode, IsoCountry) => {
    const answer = await call('POST', `${addresses}.json`, { form: { ...bakery, PostalCode, IsoCountry } });
    expect(answer).toMatchObject({ status: 400, body: { code: 21628 } });
    expect(answer.body['message']).toContain(`postal code for ${IsoCountry}`);
  });

  it('has to be of a country that there is', async () => {
    const answer = await call('POST', `${addresses}.json`, { form: { ...bakery, IsoCountry: 'XX' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 21628 } });
  });

  it('is not put into an address that is there, and any code goes where the form is not known', async () => {
    const sid = await newAddress();
    const changed = await call('POST', `${addresses}/${sid}.json`, { form: { PostalCode: 'ABC' } });
    expect(changed).toMatchObject({ status: 400, body: { code: 21628 } });
    expect((await call('GET', `${addresses}/${sid}.json`)).body['postal_code']).toBe('62704');
    await newAddress({ PostalCode: 'SW1A 1AA', IsoCountry: 'GB' });
  });
});

/** `\u202e` makes a browser show "CLL emcA" as "Acme LLC"; a PDF has no such thing. */
const unclear = ['\u202eCLL emcA', 'Acme\u200f 12 34', 'Acme\tLLC', 'Acme\nLLC', 'Acme\u2028LLC'];

describe('text that page and PDF of a letter would show differently, or that no font has', () => {
  it.each([
    'CustomerName',
    'Street',
    'StreetSecondary',
    'City',
    'Region',
    'PostalCode',
  ])('makes no address in %s, and is not put into one that is there', async (name) => {
    const path = `${addresses}/${await newAddress()}.json`;
    const before = (await call('GET', path)).body;
    for (const text of unclear) {
      const form = { ...bakery, IsoCountry: 'GB', [name]: text };
      for (const answer of [
        await call('POST', `${addresses}.json`, { form }),
        await call('POST', path, { form: { [name]: text } }),
      ]) {
        expect(answer, JSON.stringify(text)).toMatchObject({ status: 400, body: { code: 21628 } });
        expect(answer.body['message']).toMatch(`${name} is not valid: it has to be one line of text`);
      }
    }
    expect((await call('GET', path)).body).toEqual(before);
  });

  it('makes no title of a signer, in a new letter and in one that is there', async () => {
    const [orderSid, other] = [await newOrder(), await newOrder()];
    const document = `${documents}/${await made(newDocument(other, { ContactTitle: 'Owner' }))}`;
    for (const ContactTitle of unclear) {
      for (const answer of [
        await newDocument(orderSid, { ContactTitle }),
        await call('POST', document, { form: { Status: 'opened', ContactTitle } }),
      ])
        expect(answer, JSON.stringify(ContactTitle)).toMatchObject({ status: 400, body: { code: 20001 } });
    }
    expect(await statusOf(orderSid)).toBe('received');
    expect((await call('GET', document)).body['status']).toBe('signing');
  });

  it('is refused for a letter where an address has it from before', async () => {
    const AddressSid = await newAddress();
    await service.sql`update addresses set customer_name = ${unclear[0] ?? ''} where sid = ${AddressSid}`;
    const answer = await newDocument(await newOrder(), { AddressSid });
    expect(answer).toMatchObject({ status: 400, body: { code: 22109 } });
    expect(answer.body['message']).toContain('marks that turn the direction of writing');
  });
});

describe('a letter that no registry would take', () => {
  it('is refused with what is wrong, and its order stays as it was', async () => {
    const [orderSid, AddressSid] = [await newOrder(), await newAddress({ Street: 'P.O. Box 12' })];
    const { status, body } = await newDocument(orderSid, { AddressSid });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 22109 });
    expect(body['message']).toBe(
      `The letter would be refused for ${AddressSid}: a post office box is no service address`,
    );
    expect(await statusOf(orderSid)).toBe('received');
  });

  it('is refused for a post office box in the second line of its address', async () => {
    const AddressSid = await newAddress({ StreetSecondary: 'P.O. Box 12' });
    const answer = await newDocument(await newOrder(), { AddressSid });
    expect(answer).toMatchObject({ status: 400, body: { code: 22109 } });
    expect(answer.body['message']).toContain('a post office box is no service address');
  });

  it('is refused for the address of its order too', async () => {
    const AddressSid = await newAddress({ City: ' ' });
    const answer = await newDocument(await newOrder({ AddressSid }));
    expect(answer).toMatchObject({ status: 400, body: { code: 22109 } });
    expect(answer.body['message']).toContain('the service address has no city');
  });

  it('is not mailed again once its address was changed for the worse', async () => {
    const [orderSid, AddressSid] = [await newOrder(), await newAddress()];
    const answer = await newDocument(orderSid, { AddressSid });
    expect(answer).toMatchObject({ status: 201, body: { status: 'signing', failure_reason: null } });
    const document = `${documents}/${String(answer.body['sid'])}`;
    // The letter is made with the address as it is then.
    await until(async () => (await timelineOf(document)).includes('mailed the letter'));
    await call('POST', `${addresses}/${AddressSid}.json`, { form: { Street: 'PO Box 12' } });
    expect((await call('POST', document, { form: { Status: 'opened' } })).status).toBe(200);
    const again = await call('POST', document, { form: { Status: 'signing' } });
    expect(again).toMatchObject({ status: 400, body: { code: 22109 } });
    expect((await call('POST', document, { form: { Status: 'signing', AddressSid: '' } })).status).toBe(200);
  });
});

async function timelineOf(document: string): Promise<string> {
  return JSON.stringify((await call('GET', `${document}/Timeline`)).body);
}

describe('an order that cannot join a document (22101)', () => {
  it('is named together with the document it is on', async () => {
    const [free, taken] = [await newOrder(), await newOrder()];
    const first = await newDocument(taken);
    const form = new FormData();
    for (const sid of [free, taken]) form.append('HostedNumberOrderSids', sid);
    form.append('Email', 'owner@example.com');
    const { status, body } = await call('POST', documents, { form });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 22101 });
    expect(body['message']).toBe(
      `HostedNumberOrderSids: ${taken} is pending-loa and on authorization document ${String(first.body['sid'])}`,
    );
  });

  it('is named in the same words whether nobody has it or another account does', async () => {
    const other = await service.addAccount();
    const foreign = await call('POST', '/HostedNumbers/HostedNumberOrders', {
      form: { PhoneNumber: newPhoneNumber(), SmsCapability: 'true' },
      as: [other.sid, other.token],
    });
    for (const sid of [String(foreign.body['sid']), `HR${'0'.repeat(32)}`]) {
      const { body } = await newDocument(sid);
      expect(body).toMatchObject({
        code: 22101,
        message: `HostedNumberOrderSids: ${sid} is not an order of yours`,
      });
    }
  });
});

describe('orders that several documents want', () => {
  const ask = (orderSids: readonly string[]): Promise<RawAnswer> => {
    const form = new FormData();
    for (const sid of orderSids) form.append('HostedNumberOrderSids', sid);
    form.append('Email', 'owner@example.com');
    return call('POST', documents, { form });
  };
  const newOrders = (): Promise<string[]> => Promise.all([1, 2, 3].map(() => newOrder()));

  it('join one of two that ask at the same moment, whatever the order they name them in', async () => {
    const sids = await newOrders();
    const both = await Promise.all([ask(sids), ask(sids.toReversed())]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400]);
  });

  it('are free for the next as soon as the deletion of theirs was answered', async () => {
    const sids = await newOrders();
    const first = await ask(sids);
    expect((await call('DELETE', `${documents}/${String(first.body['sid'])}`)).status).toBe(204);
    expect((await ask(sids.toReversed())).status).toBe(201);
  });

  it('are free as soon as the change that takes them off theirs was answered', async () => {
    const [kept = '', ...others] = await newOrders();
    const document = `${documents}/${String((await ask([kept, ...others])).body['sid'])}`;
    const change = { Status: 'opened', HostedNumberOrderSids: kept };
    expect((await call('POST', document, { form: change })).status).toBe(200);
    expect((await ask(others)).status).toBe(201);
  });

  it('are 200 of one document at most', async () => {
    const many = Array.from({ length: 201 }, (_, index) => `HR${String(index).padStart(32, '0')}`);
    expect(await ask(many)).toMatchObject({ status: 400, body: { code: 22101 } });
  });
});

describe('an address of an order that was deleted since', () => {
  it('leaves the letter to ask its signer; one that is named for the letter has to be there', async () => {
    const AddressSid = await newAddress();
    const [orderSid, other] = [await newOrder({ AddressSid }), await newOrder()];
    expect((await call('DELETE', `${addresses}/${AddressSid}.json`)).status).toBe(204);
    expect(await newDocument(orderSid)).toMatchObject({ status: 201 });
    expect(await newDocument(other, { AddressSid })).toMatchObject({ status: 400, body: { code: 22109 } });
  });
});
