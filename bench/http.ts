/** A caller of the service: forms in, JSON out, connections kept. */
import { Agent, request } from 'undici';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Caller {
  post(path: string, form: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** A fault of the network is an exception, every status an answer. */
export function createCaller(origin: string, user: string, password: string): Caller {
  const dispatcher = new Agent({ connections: 256, keepAliveTimeout: 4000 });
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const call = async (method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> => {
    const response = await request(origin + path, {
      dispatcher,
      method,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.statusCode, text: await response.body.text() };
  };
  return {
    post: (path, form) => call('POST', path, new URLSearchParams(form).toString()),
    get: (path) => call('GET', path),
  };
}

/** The answer's JSON. Throws what the service said unless the status is in the 200 range. */
export function accepted(answer: Answer): Readonly<Record<string, unknown>> {
  if (answer.status < 200 || answer.status > 299)
    throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
  return JSON.parse(answer.text) as Readonly<Record<string, unknown>>;
}
