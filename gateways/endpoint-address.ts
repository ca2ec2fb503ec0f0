/**
 * Which addresses customers' URLs may lead to: public ones, in every spelling. IPv6 forms that carry an IPv4 address
 * (mapped, NAT64, 6to4, ISATAP) are judged by both. Source: OWASP SSRF prevention, IANA special-purpose registries.
 */
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type IPv6 = Extract<Address, { zoneId?: string }>;

/** Ranges that `allowPrivate` opens. Link-local stays shut: clouds keep their credentials there. */
const privateRanges: readonly string[] = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];
/** Services of clouds to their own machines, at addresses that are private or even public (Azure). */
const metadataAddresses: readonly string[] = [
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
];

/** Why an address must not be called, such as `loopback` or `link-local`; `null` when it may. `address` is an IP literal. */
export function addressFault(address: string, allowPrivate: boolean): string | null {
  if (!ipaddr.isValid(address)) return 'not an address';
  const parsed = ipaddr.process(address);
  // The library's names of ranges as people write them: linkLocal is link-local.
  return fault(parsed, allowPrivate)?.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`) ?? null;
}

function fault(address: Address, allowPrivate: boolean): string | null {
  if (metadataAddresses.includes(address.toString())) return 'metadata service';
  const range = address.range();
  if (allowPrivate && privateRanges.includes(range)) return null;
  if (!(address instanceof ipaddr.IPv6)) return range === 'unicast' ? null : range;
  const gateway = behindGateway(address);
  if (gateway) return fault(gateway, allowPrivate);
  if (range !== 'unicast') return range;
  // ipaddr.js calls everything it has no name for unicast; only 2000::/3 was ever given out.
  if (!isGlobalUnicast(address)) return 'reserved';
  return isIsatap(address) ? fault(ipv4At(address, 12), allowPrivate) : null;
}

/** The IPv4 address that NAT64 (64:ff9b::/96) or 6to4 (2002::/16) sends a packet on to. */
function behindGateway(address: IPv6): Address | null {
  const [a, b, c, d, e, f] = address.parts;
  const nat64 = a === 0x64 && b === 0xff9b && [c, d, e, f].every((part) => part === 0);
  if (nat64) return ipv4At(address, 12);
  return a === 0x2002 ? ipv4At(address, 2) : null;
}

/** ISATAP: any prefix, and an interface identifier that holds an IPv4 address. */
function isIsatap({ parts }: IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

function ipv4At(address: IPv6, offset: number): Address {
  return ipaddr.fromByteArray(address.toByteArray().slice(offset, offset + 4));
}

const isGlobalUnicast = (address: IPv6): boolean => ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
