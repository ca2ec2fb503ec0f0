/** The people outside, who answer telephones, read mail and sign: through the stand-ins' control calls (design.md §5). */
import { until } from './until.ts';

export interface RingingCall {
  readonly sid: string;
  readonly to: string;
  readonly state: string;
  /** What went over the line so far. */
  readonly heard: readonly { readonly who: 'caller' | 'callee' | 'network'; readonly text: string }[];
}

export interface ReceivedMail {
  readonly id: string;
  readonly messageId: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly sha256: string;
    readonly url: string;
  }[];
}

export interface HandsetText {
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

export interface Outside {
  /** Every call that was ever placed to a number. */
  callsTo(number: string): Promise<RingingCall[]>;
  /** The call that rings at a number now; waits for it. */
  ringing(number: string): Promise<RingingCall>;
  act(call: RingingCall, action: 'answer' | 'hangup' | 'reject'): Promise<void>;
  press(call: RingingCall, digits: string): Promise<void>;
  /** Answers the call at a number and keys the code. */
  answerWith(number: string, code: string): Promise<void>;
  /** Waits until the call asked for the digits for the nth time, and keys them. */
  keyAtPrompt(number: string, prompt: number, digits: string): Promise<void>;
  mailsTo(address: string): Promise<ReceivedMail[]>;
  /** The first mail with a signing link; waits for it. */
  letterTo(address: string): Promise<{ readonly mail: ReceivedMail; readonly link: string }>;
  /** Reads and signs the letter behind a link. Answers the HTTP status of the page that follows. */
  sign(link: string, changes?: Readonly<Record<string, string>>): Promise<number>;
  decline(link: string, reason: string): Promise<number>;
  registry(number: string): Promise<{ readonly registration: { readonly state: string } | null }>;
  setRegistry(number: string, facts: Readonly<Record<string, string>>): Promise<void>;
  /** Texts that arrived at a handset. */
  textsTo(number: string): Promise<HandsetText[]>;
  /** A text that comes in from the network. Answers the carrier's status. */
  sendText(text: HandsetText): Promise<number>;
}

/** What a signer types in who was given an empty letter. */
export const signerForm: Readonly<Record<string, string>> = {
  businessName: 'Springfield Bakery LLC',
  street: '742 Evergreen Terrace',
  streetSecondary: '',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62704',
  isoCountry: 'US',
  signerTitle: 'Owner',
  signerPhone: '+1 415 867 5310',
  consent: 'yes',
  signerName: 'Ada Owner',
};

/** `origin`: of the stand-ins' HTTP server. */
export function outsideWorldAt(origin: string): Outside {
  const get = async <T>(path: string): Promise<T> => (await request(origin + path)).json() as Promise<T>;
  const post = async (path: string, form: Readonly<Record<string, string>> = {}): Promise<Response> =>
    request(origin + path, form);
  const outside: Outside = {
    callsTo: async (number) =>
      (await get<RingingCall[]>('/calls?state=all')).filter((call) => call.to === number),
    ringing: (number) =>
      until(
        async () =>
          (await get<RingingCall[]>('/calls')).find(({ to, state }) => to === number && state === 'ringing'),
        { what: `a telephone to ring at ${number}` },
      ),
    act: async (call, action) => accept(await post(`/calls/${call.sid}/${action}`)),
    press: async (call, digits) => accept(await post(`/calls/${call.sid}/digits`, { Digits: digits })),
    answerWith: async (number, code) => {
      await outside.act(await outside.ringing(number), 'answer');
      await outside.keyAtPrompt(number, 1, code);
    },
    keyAtPrompt: async (number, prompt, digits) => {
      const call = await until(
        async () => {
          const live = (await get<RingingCall[]>('/calls')).find(({ to }) => to === number);
          return live && promptsOf(live) === prompt && live;
        },
        { what: `prompt ${prompt} at ${number}` },
      );
      await outside.press(call, digits);
    },
    mailsTo: (address) => get(`/mail?to=${encodeURIComponent(address)}`),
    letterTo: (address) =>
      until(
        async () => {
          for (const mail of await outside.mailsTo(address)) {
            const link = mail.links.find((link) => link.includes('/sign/'));
            if (link) return { mail, link };
          }
          return null;
        },
        { what: `a letter to ${address}` },
      ),
    sign: async (link, changes = {}) => {
      const page = await request(link);
      if (!page.ok) return page.status;
      return (await request(link, { ...signerForm, ...changes })).status;
    },
    decline: async (link, reason) => (await request(`${link}/decline`, { reason })).status,
    registry: (number) => get(`/registry/numbers/${encodeURIComponent(number)}`),
    setRegistry: async (number, facts) =>
      accept(await post(`/registry/numbers/${encodeURIComponent(number)}`, facts)),
    textsTo: (number) => get(`/messages?to=${encodeURIComponent(number)}`),
    sendText: async ({ from, to, body }) =>
      (await post('/messages', { From: from, To: to, Body: body })).status,
  };
  return outside;
}

const promptsOf = ({ heard }: RingingCall): number =>
  heard.filter(({ who, text }) => who === 'caller' && /enter the .*code/i.test(text)).length;

function request(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
  const accepts = url.includes('/sign/') ? 'text/html' : 'application/json';
  return fetch(url, {
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    headers: { Accept: accepts },
    redirect: 'follow',
  });
}

async function accept(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
