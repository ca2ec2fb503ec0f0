/** Plain HTTP calls of the API, for what an official client would not send. */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** As JSON has it; `null` for an empty body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Form fields: a list is sent once per value. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export interface HttpClient {
  get(path: string): Promise<HttpAnswer>;
  post(path: string, form?: FormFields, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  delete(path: string): Promise<HttpAnswer>;
  /** Any request, with the client's credentials. */
  send(path: string, init: RequestInit): Promise<HttpAnswer>;
}

export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** `origin`: of the API. */
export function httpClient(origin: string, user: string, password: string): HttpClient {
  const authorization = basicAuth(user, password);
  const send: HttpClient['send'] = async (path, init) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', authorization);
    const response = await fetch(origin + path, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  return {
    send,
    get: (path) => send(path, {}),
    delete: (path) => send(path, { method: 'DELETE' }),
    post: (path, form = {}, headers = {}) => send(path, { method: 'POST', body: formBody(form), headers }),
  };
}

export function formBody(form: FormFields): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form))
    for (const item of typeof value === 'string' ? [value] : value) body.append(name, item);
  return body;
}
