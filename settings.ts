/** The shape of `temporal.yaml`. Every key of the file is here and every key here is in the file; a test holds them together. */
import ms, { type StringValue } from 'ms';
import { z } from 'zod';
import type { DeliveryPolicy, DocumentTimers, MessageTimers, OrderTimers } from './domain/timers.ts';

/** A duration in words, such as "7 days"; read as milliseconds. */
const duration = z.string().transform((words, context) => {
  // It throws for an empty or endless text, and answers nothing for another that is no duration.
  const milliseconds = words.length > 0 && words.length <= 100 ? ms(words as StringValue) : undefined;
  if (milliseconds !== undefined && milliseconds >= 0) return milliseconds;
  context.addIssue({
    code: 'custom',
    message: `"${words}" is not a duration such as "7 seconds" or "72 hours"`,
  });
  return z.NEVER;
});
const count = z.number().int().positive();
/** An address that begins with one of these protocols, or nothing. */
const url = (...protocols: readonly string[]) =>
  z.string().superRefine((text, context) => {
    if (text !== '' && !isUrl(text, protocols))
      context.addIssue({ code: 'custom', message: `this ${urlRule(protocols)}` });
  });
const phoneNumber = z.string({ error: 'a phone number has to be quoted: +1… is read as a number' });

/** What the address of a carrier begins with. */
const carrierUrls = { http: ['http', 'https'], smpp: ['smpp', 'ssmpp'] } as const;

const slots = z.strictObject({
  workflowTasks: count,
  workflowTaskPolls: count,
  activities: count,
  activityTaskPolls: count,
  localActivities: count,
});

export const configSchema = z.strictObject({
  temporal: z.strictObject({
    namespace: z.string().min(1),
    taskQueues: z.strictObject({ orders: z.string(), messages: z.string(), deliveries: z.string() }),
    searchAttributes: z.array(z.string()),
    stickyQueueTimeout: duration,
    workflowTaskTimeout: duration,
    maxCachedWorkflows: count,
    webUiUrl: url('http', 'https'),
    orderWorker: slots,
    deliveryWorker: slots,
    localServer: z.strictObject({
      port: z.number().int(),
      uiPort: z.number().int(),
      dynamicConfig: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
      sqlitePragmas: z.array(z.string()),
    }),
  }),
  orders: z.strictObject({
    countries: z.array(z.string().length(2)),
    eligibilityBudget: duration,
    eligibilityDeadline: duration,
    callDeadline: duration,
    promptTimeout: duration,
    actionRequired: duration,
    registryPoll: duration,
    registryPollMaximum: duration,
    registryDeadline: duration,
    routeTestRounds: count,
    routeTestRound: duration,
    retirement: duration,
  }),
  documents: z.strictObject({
    signature: duration,
    reminders: z.array(duration),
    provider: z.string(),
    fonts: z.array(z.string()),
  }),
  deliveries: z.strictObject({
    timeout: duration,
    retry: z.strictObject({
      initialInterval: duration,
      backoffCoefficient: z.number().min(1),
      maximumInterval: duration,
      jitter: z.number().min(0).max(1),
      window: duration,
    }),
    responseHeadBytes: count,
    endpointConcurrency: count,
    disableAfter: duration,
    failuresForgottenAfter: duration,
    secretOverlap: duration,
    sources: z.array(z.string()),
  }),
  messages: z.strictObject({
    bodyLimitBytes: count,
    messageTransport: z.number().int(),
    messageStatus: z.number().int(),
    outgoingMessageType: z.string(),
    validity: duration,
    receiptTimeout: duration,
    smsUrlTimeout: duration,
  }),
  api: z.strictObject({
    bodyLimitBytes: count,
    rateLimitPerSecond: count,
    rateLimitBurst: count,
    trustedProxies: z.number().int().min(0),
    uploadLimitBytes: count,
    zipwhipSession: duration,
    idempotencyKey: duration,
    secretsFile: z.string(),
  }),
  gateways: z.strictObject({
    voice: z.strictObject({ url: url('http', 'https'), accountSid: z.string(), from: phoneNumber }),
    registry: z.strictObject({ url: url('http', 'https') }),
    carrier: z
      .strictObject({
        protocol: z.enum(['http', 'smpp']),
        url: url(...carrierUrls.http, ...carrierUrls.smpp),
        systemId: z.string(),
        routeTestNumber: phoneNumber,
        window: count,
        enquireLink: duration,
        reconnect: duration,
        responseTimeout: duration,
        longTexts: z.enum(['parts', 'payload']),
        defaultAlphabet: z.enum(['gsm', 'latin1']),
        reassembly: duration,
      })
      .refine(({ protocol, url }) => url === '' || isUrl(url, carrierUrls[protocol]), {
        path: ['url'],
        error: 'this is not an address of the protocol that gateways.carrier.protocol names',
      }),
    mail: z.strictObject({ from: z.string() }),
  }),
});

export type Settings = z.infer<typeof configSchema>;

/** Whether the text is a URL of one of these protocols, in which the user's name and password can be read. */
export function isUrl(text: string, protocols: readonly string[]): boolean {
  const written = /^([a-z]+):\/\//i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!protocols.includes(written)) return false;
  try {
    const isDatabase = written.startsWith('postgres');
    // PostgreSQL's may name several hosts, with a port each.
    const url = new URL(isDatabase ? text.replace(/(,[^,/?#@]*)+(?=[/?#]|$)/, '') : text);
    decodeURIComponent(url.username + url.password);
    if (written.startsWith('http')) return true;
    // Behind the host there is no @, unless the host is the beginning of a password with a / or # in it.
    return (isDatabase || url.hostname !== '') && !`${url.pathname}${url.hash}`.includes('@');
  } catch {
    return false;
  }
}

/** What a text that is no such URL is answered with. Never with the text: it may hold a password. */
export function urlRule(protocols: readonly string[]): string {
  const starts = protocols.map((protocol) => `${protocol}://`).join(' or ');
  return `has to be a URL that begins with ${starts}; a password in it has to be percent-encoded`;
}

/** What a delivery workflow is started with. */
export function deliveryPolicy(settings: Settings): DeliveryPolicy {
  const { retry } = settings.deliveries;
  return {
    taskQueue: settings.temporal.taskQueues.deliveries,
    timeoutMs: settings.deliveries.timeout,
    retry: {
      initialIntervalMs: retry.initialInterval,
      backoffCoefficient: retry.backoffCoefficient,
      maximumIntervalMs: retry.maximumInterval,
      jitter: retry.jitter,
      windowMs: retry.window,
    },
  };
}

/** What an order workflow is started with. */
export function orderTimers(settings: Settings): OrderTimers {
  const { orders } = settings;
  return {
    eligibilityBudgetMs: orders.eligibilityBudget,
    eligibilityDeadlineMs: orders.eligibilityDeadline,
    callDeadlineMs: orders.callDeadline,
    actionRequiredMs: orders.actionRequired,
    letterValidMs: settings.documents.signature,
    registryPollMs: orders.registryPoll,
    registryPollMaximumMs: orders.registryPollMaximum,
    registryDeadlineMs: orders.registryDeadline,
    routeTestRounds: orders.routeTestRounds,
    routeTestRoundMs: orders.routeTestRound,
    retirementMs: orders.retirement,
    delivery: deliveryPolicy(settings),
  };
}

/** What a document workflow is started with. */
export function documentTimers(settings: Settings): DocumentTimers {
  return { signatureMs: settings.documents.signature, reminderMs: settings.documents.reminders };
}

/** What the workflows of a message are started with. */
export function messageTimers(settings: Settings): MessageTimers {
  const { messages } = settings;
  return {
    validityMs: messages.validity,
    receiptTimeoutMs: messages.receiptTimeout,
    smsUrlTimeoutMs: messages.smsUrlTimeout,
    delivery: deliveryPolicy(settings),
  };
}
