/**
 * The addresses a customer's name stands for. Name servers are asked without a thread (c-ares): the system's resolver works
 * in a few threads that the whole process shares, and a dozen names whose DNS hangs would take them from everybody else.
 */
import { lookup, type LookupAddress, promises } from 'node:dns';

/** Every address of a name. Rejects as the system's resolver does: ENOTFOUND for a name that is none, else EAI_AGAIN. */
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

/** Where there is no such name, or it has no address of the kind. */
const notKnown: readonly (string | undefined)[] = ['ENOTFOUND', 'ENODATA'];
/** Where nobody listens at the name server's address. */
const noServer = 'ECONNREFUSED';

export function createResolver({ askSystem, servers }: ResolverOptions): Resolve {
  const resolver = new promises.Resolver({ timeout: answerMs, tries });
  if (servers) resolver.setServers(servers);

  return async (hostname) => {
    // A name without a dot, such as localhost, is the system's own: no name server of a customer is asked for it.
    if (!hostname.includes('.')) return resolveBySystem(hostname);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (addresses.length > 0) return addresses;
    const codes = [codeOf(v4), codeOf(v6)];
    if (askSystem && codes.every((code) => notKnown.includes(code) || code === noServer))
      return resolveBySystem(hostname);
    const code = codes.every((code) => notKnown.includes(code)) ? 'ENOTFOUND' : 'EAI_AGAIN';
    throw Object.assign(new Error(`no address: ${codes.join(', ')}`), { code });
  };
}

function addressesOf(asked: PromiseSettledResult<string[]>, family: 4 | 6): readonly LookupAddress[] {
  return asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : [];
}

function codeOf(asked: PromiseSettledResult<string[]>): string | undefined {
  return asked.status === 'rejected' ? (asked.reason as NodeJS.ErrnoException).code : undefined;
}

/** Asks the operating system, hosts file included. Keeps its order of addresses. */
const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true, verbatim: true }, (err, addresses) => {
      if (err) reject(err);
      else resolve(addresses);
    });
  });
