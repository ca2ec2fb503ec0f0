/** A customer with hosted numbers, an endpoint that hears every event, and an HTTP carrier that brings texts. */
import { eventTypes } from '../../domain/events.ts';
import { newSid } from '../../security/derived-sid.ts';
import { newPhoneNumber } from './phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from './raw-client.ts';
import { startService, type Service, type ServiceOptions } from './service.ts';
import { answer, startSink, type Behaviour, type SeenRequest, type Sink } from './sink.ts';
import { twilioFor, type TwilioClient } from './twilio.ts';
import { until } from './until.ts';

interface SeenEvent {
  /** Such as `message/receive`. */
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly request: SeenRequest;
}

export interface MessageCustomer {
  readonly service: Service;
  readonly client: TwilioClient;
  readonly call: RawClient;
  readonly sink: Sink;
  /** A number in service. */
  host(phoneNumber?: string): Promise<{ readonly phoneNumber: string; readonly numberSid: string }>;
  /** The session of a line that logs in as Zipwhip's clients do. */
  logIn(line: string): Promise<string>;
  /** A text the carrier brings. */
  bring(text: {
    readonly from: string;
    readonly to: string;
    readonly body: string;
    readonly sid?: string;
  }): Promise<RawAnswer>;
  /** Events about the conversations of a line, in the order they arrived. */
  eventsOf(line: string): SeenEvent[];
  /** Waits until so many events of a line have arrived. */
  untilEvents(line: string, count: number): Promise<SeenEvent[]>;
  /** What a test's own address saw. */
  seenAt(path: string): SeenRequest[];
  stop(): Promise<void>;
}

/** `pages`: how the endpoint answers at further addresses of its own. Events are answered 200. */
export async function startMessageCustomer(
  pages: Readonly<Record<string, Behaviour>> = {},
  options: ServiceOptions = {},
): Promise<MessageCustomer> {
  const service = await startService(options);
  const sink = await startSink((response, request) => {
    const page = pages[new URL(request.path, 'http://sink').pathname] ?? answer(200);
    return page(response, request);
  });
  const call = rawClient(service);
  const form = new URLSearchParams({ Url: `${sink.url}/hook` });
  for (const event of eventTypes) form.append('Events', event);
  await expectStatus(201, call('POST', '/Webhooks', { form: form.toString() }));

  const eventsOf = (line: string): SeenEvent[] =>
    sink.seen
      .filter(({ path }) => path.startsWith('/hook/'))
      .map((request) => ({
        type: request.path.slice('/hook/'.length),
        payload: JSON.parse(request.body) as SeenEvent['payload'],
        request,
      }))
      .filter(({ payload }) => Object.values(payload).includes(line));
  return {
    service,
    client: twilioFor(service),
    call,
    sink,
    host: async (phoneNumber = newPhoneNumber()) => {
      const order = { AccountSid: service.credentials.accountSid, PhoneNumber: phoneNumber };
      const as = ['admin', service.credentials.adminToken] as const;
      const { body } = await expectStatus(201, call('POST', '/admin/HostedNumbers', { form: order, as }));
      return { phoneNumber, numberSid: String(body['incoming_phone_number_sid']) };
    },
    logIn: async (username) => {
      const credentials = { username, password: service.credentials.authToken };
      const { body } = await expectStatus(200, call('POST', '/user/login', { form: credentials, as: null }));
      return String(body['response']);
    },
    bring: ({ from, to, body, sid = newSid('message') }) =>
      call('POST', '/carrier/messages', {
        form: { MessageSid: sid, From: from, To: to, Body: body },
        as: ['carrier', service.credentials.carrierToken],
      }),
    eventsOf,
    untilEvents: (line, count) =>
      until(() => eventsOf(line).length >= count && eventsOf(line), { what: `${count} events of ${line}` }),
    seenAt: (path) => sink.seen.filter((request) => request.path.split('?')[0] === path),
    stop: async () => {
      await service.stop();
      await sink.close();
    },
  };
}

/** A number that every handset knows as toll-free. */
export function newTollFreeNumber(): string {
  return `+1888${newPhoneNumber().slice(5)}`;
}

async function expectStatus(status: number, answering: Promise<RawAnswer>): Promise<RawAnswer> {
  const given = await answering;
  if (given.status !== status) throw new Error(`${given.status} ${JSON.stringify(given.body)}`);
  return given;
}
