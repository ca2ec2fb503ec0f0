/**
 * What the voice provider asks during a verification call: four prompts for the code, then goodbye. Every request is
 * signed by the provider. The code is compared here, against the read model; the workflow only learns whether it fits.
 * Source: service.md §3.1, §8; domain.md §2.3.
 */
import { z } from 'zod';
import { findAttempt, type VerificationAttemptRow } from '../db/reads/verification-attempts.ts';
import { noteAnswer } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { callStatuses, tokenPromptsPerCall, verificationCodeLength } from '../domain/verification.ts';
import { isSignedBy } from '../security/request-signature.ts';
import { equalSecrets } from '../security/vault.ts';
import { callProgressSignal, enterTokenUpdate, orderWorkflowId } from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import { toApiError } from './errors.ts';
import * as field from './fields.ts';
import type { Values } from './form.ts';
import { operation, type Operation, type OperationRequest } from './operation.ts';
import { gather, hangUp, pause, redirect, say, twimlResponse } from './twiml.ts';
import { callWorkflow, tellWorkflow, WorkflowEnded } from './workflow-calls.ts';

const path = '/voice/verification/{OrderSid}/{CallNumber}';
const twiml = { description: 'TwiML', contentType: 'text/xml' };
const promptQuery = z.object({ prompt: field.integer({ min: 1, max: 99 }).default(1) });
const common = { tag: 'Voice callbacks', auth: 'none', published: false } as const;

/** A provider waits 15 seconds for its TwiML; this leaves room for the way. Milliseconds. */
const answerTimeoutMs = 10_000;

const ask = operation({
  ...common,
  id: 'askForVerificationCode',
  method: 'POST',
  path,
  summary: 'The prompt that asks the callee for the code',
  query: promptQuery,
  form: z.object({ CallSid: field.text({ max: 64 }) }),
  responses: { 200: twiml },
  handler: async (request) => {
    requireSignature(request);
    const { deps, params, query, form } = request;
    const attempt = await findLiveAttempt(deps, params, form.CallSid);
    if (!attempt || query.prompt > tokenPromptsPerCall) return twimlResponse(hangUp);
    if (attempt.answeredAt === null) await noteAnswer(deps.db, attempt, new Date());
    return promptFor(deps, params, query.prompt);
  },
});

const enter = operation({
  ...common,
  id: 'enterVerificationCode',
  method: 'POST',
  path: `${path}/digits`,
  summary: 'The six digits the callee keyed',
  query: promptQuery,
  form: z.object({ CallSid: field.text({ max: 64 }), Digits: field.text({ max: 64 }).default('') }),
  responses: { 200: twiml },
  handler: async (request) => {
    requireSignature(request);
    const { deps, params, query, form } = request;
    const attempt = await findLiveAttempt(deps, params, form.CallSid);
    if (!attempt?.code || query.prompt > tokenPromptsPerCall) return twimlResponse(hangUp);
    const entry = {
      callSid: form.CallSid,
      prompt: query.prompt,
      correct: equalSecrets(form.Digits, attempt.code),
    };
    return answerEntry(deps, params, entry);
  },
});

const progress = operation({
  ...common,
  id: 'reportVerificationCall',
  method: 'POST',
  path: `${path}/status`,
  summary: 'How the call goes, and how it ended',
  form: z.object({ CallSid: field.text({ max: 64 }), CallStatus: field.choice(callStatuses) }),
  responses: { 204: { description: 'Noted' } },
  handler: async (request) => {
    requireSignature(request);
    const { ctx, deps, params, form } = request;
    const report = { callSid: form.CallSid, status: form.CallStatus };
    await tellWorkflow(deps, orderWorkflowId(params.OrderSid), callProgressSignal, report);
    return ctx.body(null, 204);
  },
});

export const voiceOperations: readonly Operation[] = [ask, enter, progress];

interface CallParams {
  readonly OrderSid: string;
  readonly CallNumber: string;
}

async function answerEntry(
  deps: ApiDeps,
  params: CallParams,
  entry: { readonly callSid: string; readonly prompt: number; readonly correct: boolean },
): Promise<Response> {
  try {
    const { verified, promptsLeft } = await callWorkflow(deps, {
      workflowId: orderWorkflowId(params.OrderSid),
      update: enterTokenUpdate,
      args: [entry],
      // A provider that asks again gets the same answer. Where it never got the first, the prompt was asked again and
      // may be answered otherwise; the order counts prompts by their number, so that both count as one.
      updateId: `digits/${entry.callSid}/${entry.prompt}/${entry.correct}`,
      timeoutMs: answerTimeoutMs,
    });
    if (verified) return twimlResponse(say('Thank you. The number is verified. Goodbye.'), hangUp);
    if (promptsLeft === 0) return twimlResponse(say('That code is not right. Goodbye.'), hangUp);
    return twimlResponse(say('That code is not right.'), redirect(promptUrl(deps, params, entry.prompt + 1)));
  } catch (error) {
    if (error instanceof WorkflowEnded) return twimlResponse(hangUp);
    const { status } = toApiError(error);
    if (status < 500) return twimlResponse(hangUp);
    // The service is being restarted: keep the callee on the line and ask again.
    deps.log.warn({ orderSid: params.OrderSid, status }, 'the order did not answer; the prompt is repeated');
    return twimlResponse(
      say('One moment, please.'),
      pause(2),
      redirect(promptUrl(deps, params, entry.prompt)),
    );
  }
}

function promptFor(deps: ApiDeps, params: CallParams, prompt: number): Response {
  const { publicUrl } = deps.config.env;
  const ask = gather({
    digits: verificationCodeLength,
    timeoutSeconds: Math.ceil(deps.config.orders.promptTimeout / 1000),
    action: `${publicUrl}${callPath(params)}/digits?prompt=${prompt}`,
    prompt:
      prompt === 1
        ? 'Hello. Text messaging was requested for this phone number. Please enter the six digit verification code.'
        : 'Please enter the six digit verification code.',
  });
  const next =
    prompt < tokenPromptsPerCall
      ? [redirect(promptUrl(deps, params, prompt + 1))]
      : [say('No code was entered. Goodbye.'), hangUp];
  return twimlResponse(ask, ...next);
}

const callPath = ({ OrderSid, CallNumber }: CallParams): string =>
  `/voice/verification/${encodeURIComponent(OrderSid)}/${encodeURIComponent(CallNumber)}`;
const promptUrl = (deps: ApiDeps, params: CallParams, prompt: number): string =>
  `${deps.config.env.publicUrl}${callPath(params)}?prompt=${prompt}`;

/** The attempt while its code is good. The provider may ask before we have stored its name for the call. */
async function findLiveAttempt(
  deps: ApiDeps,
  params: CallParams,
  callSid: string,
): Promise<VerificationAttemptRow | undefined> {
  if (!/^\d{1,6}$/.test(params.CallNumber)) return undefined;
  const attempt = await findAttempt(deps.db, params.OrderSid, Number(params.CallNumber));
  const live = attempt?.code != null && (attempt.callSid === null || attempt.callSid === callSid);
  return live ? attempt : undefined;
}

type Signed = Pick<OperationRequest<never, 'none', z.ZodObject, z.ZodObject>, 'ctx' | 'deps' | 'values'>;

/** Throws 20006 unless the voice provider signed the request. */
function requireSignature({ ctx, deps, values }: Signed): void {
  const { voiceAuthToken, publicUrl } = deps.config.env;
  const signature = ctx.req.header('x-twilio-signature');
  const { url } = ctx.req;
  const target = publicUrl + url.slice(url.indexOf('/', url.indexOf('//') + 2));
  if (!voiceAuthToken || !signature || !isSignedBy(voiceAuthToken, signature, target, textsOf(values.form)))
    throw new ApiError(20006, 'The request is not signed by the voice provider');
}

function textsOf(form: Values): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    [...form].map(([name, values]) => {
      const texts = values.filter((value) => typeof value === 'string');
      return [name, texts.length === 1 ? (texts[0] ?? '') : texts];
    }),
  );
}
