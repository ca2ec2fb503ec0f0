/** A request in Twilio's form, to an address of a customer. Source: domain.md §2.4. */
import { callbackContentType, userAgent } from '../domain/delivery-headers.ts';
import type { EndpointRequest } from '../gateways/endpoint.ts';
import { signRequest, type FormParameters } from '../security/request-signature.ts';

export interface SignedForm {
  readonly authToken: string;
  readonly url: string;
  readonly method: string;
  /** application/x-www-form-urlencoded */
  readonly form: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The form as body, or for GET as query, signed with the account's token over the URL as it goes out. */
export function signedFormRequest({ authToken, url, method, form, headers }: SignedForm): EndpointRequest {
  const target = new URL(url);
  target.hash = '';
  const common = { ...headers, 'user-agent': userAgent };
  if (method === 'GET') {
    target.search = [target.search.slice(1), form].filter((part) => part !== '').join('&');
    const signature = signRequest(authToken, target.href);
    return {
      method: 'GET',
      url: target.href,
      body: null,
      headers: { ...common, 'x-twilio-signature': signature },
    };
  }
  const signature = signRequest(authToken, target.href, parametersOf(form));
  return {
    method: 'POST',
    url: target.href,
    body: form,
    headers: { ...common, 'content-type': callbackContentType, 'x-twilio-signature': signature },
  };
}

function parametersOf(form: string): FormParameters {
  const parameters: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(form)) (parameters[name] ??= []).push(value);
  return parameters;
}
