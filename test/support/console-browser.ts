/** A browser at the console, and the way in. */
import type { Service } from './service.ts';

type Site = Pick<Service, 'url'>;
/** An AccountSid with its token, or `admin` with the administrator's. */
type Credentials = readonly [user: string, password: string];

interface Page {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
}

/** A browser as far as the console needs one: a cookie, and the Origin of its own pages. */
export interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Posts a form and follows the redirect. */
  submit(path: string, form?: Readonly<Record<string, string>>): Promise<Page & { readonly path: string }>;
}

interface BrowserRequest {
  readonly method?: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

/** `origin`: of the service. */
export function browserWith(origin: string, cookie: string): Browser {
  const call = async (path: string, init: BrowserRequest): Promise<Page> => {
    const response = await fetch(origin + path, {
      ...init,
      headers: { Cookie: cookie, ...init.headers },
      redirect: 'manual',
    });
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get('location'),
    };
  };
  const get: Browser['get'] = (path, headers = {}) => call(path, { headers: { ...headers } });
  return {
    get,
    submit: async (path, form = {}) => {
      const headers = { Origin: origin };
      const page = await call(path, { method: 'POST', headers, body: new URLSearchParams(form) });
      if (page.status !== 303 || page.location === null) return { ...page, path };
      return { ...(await get(page.location)), path: page.location };
    },
  };
}

/** `origin`: where the form of the sign-in says it stands. */
export function signIn(
  service: Site,
  [user, password]: Credentials,
  origin = service.url,
): Promise<Response> {
  return fetch(`${service.url}/console/login`, {
    method: 'POST',
    headers: { Origin: origin },
    body: new URLSearchParams({ user, password, next: '/console/orders' }),
    redirect: 'manual',
  });
}

/** Fails where the sign-in is refused. */
export async function signedIn(service: Site, credentials: Credentials): Promise<Browser> {
  const response = await signIn(service, credentials);
  if (response.status !== 303) throw new Error(`the sign-in was answered ${response.status}`);
  return browserWith(service.url, response.headers.get('set-cookie')?.split(';')[0] ?? '');
}
