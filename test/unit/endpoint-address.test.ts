/** Which addresses a customer's URL may lead to, in every spelling (issue 4; OWASP SSRF prevention). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressFault } from '../../gateways/endpoint-address.ts';
import { createEndpointGuard } from '../../gateways/endpoint-guard.ts';

/** First and last address of every IPv4 range that is not public. Source: IANA special-purpose registry. */
const forbiddenRanges = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;

const numberOf = (dotted: string): number =>
  dotted.split('.').reduce((number, part) => number * 256 + Number(part), 0);
const bytesOf = (number: number): [number, number, number, number] => [
  (number >>> 24) & 255,
  (number >>> 16) & 255,
  (number >>> 8) & 255,
  number & 255,
];
const dotted = (number: number): string => bytesOf(number).join('.');
/** The two last groups of an IPv6 address that holds this IPv4 address. */
const groups = (number: number): string =>
  `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;

const forbidden = fc
  .constantFrom(...forbiddenRanges)
  .chain(([first, last]) => fc.integer({ min: numberOf(first), max: numberOf(last) }));
const isForbidden = (number: number): boolean =>
  forbiddenRanges.some(([first, last]) => number >= numberOf(first) && number <= numberOf(last));

const ipv4Spellings: ((number: number) => string)[] = [
  dotted,
  String,
  (number) => `0x${number.toString(16)}`,
  (number) => `0${number.toString(8)}`,
  (number) =>
    bytesOf(number)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  (number) =>
    bytesOf(number)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  (number) => `${number >>> 24}.${number & 0xffffff}`,
  (number) => `${number >>> 24}.${(number >>> 16) & 255}.${number & 0xffff}`,
  (number) => `${dotted(number)}.`,
];
const ipv6Spellings: ((number: number) => string)[] = [
  (number) => `::ffff:${dotted(number)}`,
  (number) => `::ffff:${groups(number)}`,
  (number) => `0:0:0:0:0:ffff:${groups(number)}`,
  (number) => `::${groups(number)}`,
  (number) => `::ffff:0:${groups(number)}`,
  (number) => `64:ff9b::${groups(number)}`,
  (number) => `64:ff9b::${dotted(number)}`,
  (number) => `64:ff9b:1::${groups(number)}`,
  (number) => `2002:${groups(number)}::`,
  (number) => `2002:${groups(number)}::1`,
  (number) => `fe80::5efe:${groups(number)}`,
  (number) => `2001:4860::5efe:${groups(number)}`,
  (number) => `2001:4860::200:5efe:${groups(number)}`,
];

const guard = createEndpointGuard({ allowPrivate: false });

describe('an address that is not public', () => {
  it('is refused in every spelling a URL takes', () => {
    fc.assert(
      fc.property(
        forbidden,
        fc.constantFrom(...ipv4Spellings),
        fc.constantFrom('http', 'https'),
        (number, spell, scheme) => {
          expect(guard.urlFault(`${scheme}://${spell(number)}/hook`)).toMatch(/not public/);
        },
      ),
    );
  });

  it('is refused inside every IPv6 address that carries it', () => {
    fc.assert(
      fc.property(forbidden, fc.constantFrom(...ipv6Spellings), (number, spell) => {
        expect(addressFault(spell(number), false)).not.toBeNull();
        expect(guard.urlFault(`http://[${spell(number)}]/hook`)).toMatch(/not public/);
      }),
    );
  });

  it.each([
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '100::1',
    '3fff::1',
    '4000::1',
    'fd00:ec2::254',
    'not an address',
  ])('%s is refused', (address) => expect(addressFault(address, false)).not.toBeNull());
});

describe('a public address', () => {
  it('is allowed, plain and behind NAT64 and 6to4', () => {
    const publicNumbers = fc
      .integer({ min: numberOf('1.0.0.0'), max: numberOf('223.255.255.255') })
      .filter(
        (number) => !isForbidden(number) && !/^(192\.(0|31|52|88|175)|198\.51|203\.0)\./.test(dotted(number)),
      );
    const spellings = [
      dotted,
      (number: number) => `::ffff:${dotted(number)}`,
      (number: number) => `64:ff9b::${groups(number)}`,
      (number: number) => `2002:${groups(number)}::1`,
    ];
    fc.assert(
      fc.property(publicNumbers, fc.constantFrom(...spellings), (number, spell) => {
        expect(addressFault(spell(number), false)).toBeNull();
      }),
    );
  });

  it.each(['2606:2800:220:1::1', '2a00:1450:4001::200e', '93.184.216.34'])('%s is allowed', (address) =>
    expect(addressFault(address, false)).toBeNull());
});

describe('with private endpoints permitted', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.1.1',
    'fd12::1',
    '100.64.0.9',
  ])('%s is allowed', (address) => expect(addressFault(address, true)).toBeNull());
  it.each([
    '169.254.169.254',
    '168.63.129.16',
    'fd00:ec2::254',
    'fe80::1',
    '0.0.0.0',
    '224.0.0.1',
    '::ffff:169.254.169.254',
  ])('%s is still refused', (address) => expect(addressFault(address, true)).not.toBeNull());
});

describe('a URL when it is saved', () => {
  const resolving = (...addresses: string[]) =>
    createEndpointGuard({
      allowPrivate: false,
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    });

  it.each([
    ['ftp://example.com', /only https and http/],
    ['file:///etc/passwd', /only https and http/],
    ['https://user:pass@example.com', /user name and password/],
    ['nonsense', /not a URL/],
  ])('%s is refused with the reason', async (url, reason) => {
    expect(await guard.checkUrl(url)).toMatch(reason);
  });

  it('is refused when one of the addresses of its name is not public', async () => {
    expect(await resolving('93.184.216.34', '10.0.0.1').checkUrl('https://mixed.example/')).toMatch(
      /private/,
    );
    expect(await resolving('93.184.216.34', '::1').checkUrl('https://mixed.example/')).toMatch(/loopback/);
    expect(await resolving('93.184.216.34').checkUrl('https://fine.example/')).toBeNull();
  });

  it('is taken when its name does not resolve (yet): each request is checked again', async () => {
    const unknown = createEndpointGuard({
      allowPrivate: false,
      resolve: () => Promise.reject(new Error('ENOTFOUND')),
    });
    expect(await unknown.checkUrl('https://soon.example/')).toBeNull();
  });
});
