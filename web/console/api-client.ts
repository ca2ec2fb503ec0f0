/** Calls to the API with the credentials of a session: what a customer would send with curl, word for word. */
import type { ApiFetch, WebDeps } from '../deps.ts';
import { type Session, userOf } from './session.ts';

export type ApiAnswer =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: number; readonly code: number; readonly message: string };

/** Parameters of a form; a list is sent once per value, `undefined` not at all. */
type ApiForm = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ApiClient {
  post(path: string, form: ApiForm): Promise<ApiAnswer>;
  delete(path: string): Promise<ApiAnswer>;
}

export function createApiClient({ config }: WebDeps, api: ApiFetch, session: Session): ApiClient {
  const credentials = Buffer.from(`${userOf(session)}:${session.token}`).toString('base64');
  const call = async (path: string, init: RequestInit): Promise<ApiAnswer> => {
    const headers = { Authorization: `Basic ${credentials}` };
    const request = new Request(config.env.publicUrl + path, { ...init, headers });
    return readAnswer(await api(request));
  };
  return {
    post: (path, form) => call(path, { method: 'POST', body: toParameters(form) }),
    delete: (path) => call(path, { method: 'DELETE' }),
  };
}

function toParameters(form: ApiForm): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    const values = value === undefined ? [] : typeof value === 'string' ? [value] : value;
    for (const one of values) parameters.append(name, one);
  }
  return parameters;
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
  if (response.ok) return { ok: true, body };
  const { code, message } = body;
  return {
    ok: false,
    status: response.status,
    code: typeof code === 'number' ? code : 20500,
    message: typeof message === 'string' ? message : 'The request failed',
  };
}
