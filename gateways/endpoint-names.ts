/**
 * The addresses a customer's name stands for. Name servers are asked without a thread (c-ares): the system's resolver works
 * in a few threads that the whole process shares, and a dozen names whose DNS hangs would take them from everybody else.
 */
import { lookup, type LookupAddress, promises } from 'node:dns';

/** Every address of a name. Rejects with the resolver's error. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolverOptions {
  /**
   * Asks the system where the name servers know no such name: it reads the hosts file and adds search domains. Only
   * where customers are trusted: their name servers may say no at first and then hang.
   */
  readonly askSystem: boolean;
  /** `address:port`; those of the system when absent. */
  readonly servers?: readonly string[];
}

/** How long a name server has for its first answer; it is asked again once, and has longer then. Milliseconds. */
const answerMs = 1_500;
const tries = 2;

/** What name servers answer about a name they do not know, and what happens where there are none. */
const unknownName: readonly (string | undefined)[] = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

export function createResolver({ askSystem, servers }: ResolverOptions): Resolve {
  const resolver = new promises.Resolver({ timeout: answerMs, tries });
  if (servers) resolver.setServers(servers);

  return async (hostname) => {
    // A name without a dot, such as localhost, is the system's own: no name server of a customer is asked for it.
    if (!hostname.includes('.')) return resolveBySystem(hostname);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (addresses.length > 0) return addresses;
    const fault = [v6, v4].flatMap((asked) =>
      asked.status === 'rejected' ? [asked.reason as NodeJS.ErrnoException] : [],
    );
    const isUnknown = fault.every(({ code }) => unknownName.includes(code));
    if (askSystem && isUnknown) return resolveBySystem(hostname);
    throw fault.find(({ code }) => !unknownName.includes(code)) ?? fault[0] ?? new Error('no address');
  };
}

function addressesOf(asked: PromiseSettledResult<string[]>, family: 4 | 6): readonly LookupAddress[] {
  return asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : [];
}

/** Asks the operating system, hosts file included. Keeps its order of addresses. */
const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true, verbatim: true }, (err, addresses) => {
      if (err) reject(err);
      else resolve(addresses);
    });
  });
