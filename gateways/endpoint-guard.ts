/**
 * Decides whether a customer's URL may be called: before it is stored, before each request, and once more for every
 * address its name stands for at the moment of connecting. The connection goes to the very addresses that were checked.
 */
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressFault } from './endpoint-address.ts';
import { createResolver, type Resolve } from './endpoint-names.ts';

export interface EndpointGuard {
  /** Why this URL must not be called, in words a customer understands; `null` when nothing speaks against it. */
  urlFault(url: string): string | null;
  /**
   * The same, and asks what the name stands for now. A name that does not resolve is let through: it may be made
   * later, and each request is checked again.
   */
  checkUrl(url: string): Promise<string | null>;
  /** For sockets: fails with a BlockedAddressError when any address of the name must not be called. */
  readonly lookup: LookupFunction;
}

export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'BLOCKED_ADDRESS';
}

export interface EndpointGuardOptions {
  /** Permits private and loopback addresses. For a service that runs on one machine, never in production. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
}

export function createEndpointGuard({ allowPrivate, resolve }: EndpointGuardOptions): EndpointGuard {
  const addressesOf = shareInFlight(resolve ?? createResolver({ askSystem: allowPrivate }));

  const faultOf = (addresses: readonly LookupAddress[]): string | null => {
    for (const { address } of addresses) {
      const fault = addressFault(address, allowPrivate);
      if (fault !== null) return `the name stands for an address that is not public (${fault})`;
    }
    return null;
  };

  const urlFault = (url: string): string | null => {
    if (!URL.canParse(url)) return 'it is not a URL';
    const parsed = new URL(url);
    if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'only https and http are called';
    if (parsed.username || parsed.password) return 'user name and password do not belong in a URL';
    const host = parsed.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0) return null;
    const fault = addressFault(host, allowPrivate);
    return fault === null ? null : `the address is not public (${fault})`;
  };

  return {
    urlFault,
    checkUrl: async (url) => {
      const fault = urlFault(url);
      if (fault !== null) return fault;
      const { hostname } = new URL(url);
      if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
      return faultOf(await addressesOf(hostname).catch(() => []));
    },
    lookup: (hostname, options, callback) => {
      addressesOf(hostname).then(
        (addresses) => {
          const fault = faultOf(addresses);
          const wanted = addresses.filter(({ family }) => !options.family || options.family === family);
          const [first] = wanted;
          if (fault !== null) callback(new BlockedAddressError(fault), []);
          else if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
          else if (options.all) callback(null, [...wanted]);
          else callback(null, first.address, first.family);
        },
        (err: NodeJS.ErrnoException) => callback(err, []),
      );
    },
  };
}

/** One question at a time per name, however many deliveries go there. */
function shareInFlight(resolve: Resolve): Resolve {
  const inFlight = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const running = inFlight.get(hostname);
    if (running) return running;
    const started = resolve(hostname).finally(() => inFlight.delete(hostname));
    inFlight.set(hostname, started);
    return started;
  };
}
