/** The telephone network over a Twilio-compatible Calls API. Protocol: docs/gateways.md, domain.md §2.3. */
import { z } from 'zod';
import { callStatuses, isCallOver } from '../domain/verification.ts';
import {
  basicAuthorization,
  createServiceClient,
  GatewayError,
  isPassing,
  type ServiceAnswer,
} from './service-client.ts';
import type { CallToPlace, VoiceGateway } from './voice.ts';

const placedAnswer = z.object({ sid: z.string().regex(/^CA[0-9a-fA-F]{32}$/) });
const callAnswer = z.object({ status: z.enum(callStatuses) });
const errorAnswer = z.object({ code: z.number().int() });

export interface VoiceOptions {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** Number the call shows. E.164. */
  readonly from: string;
}

export function createHttpVoice({ url, accountSid, authToken, from }: VoiceOptions): VoiceGateway {
  const client = createServiceClient({
    name: 'The voice provider',
    url: `${url}/2010-04-01/Accounts/${accountSid}`,
    authorization: basicAuthorization(accountSid, authToken),
  });

  const fetchStatus: VoiceGateway['fetchStatus'] = async (callSid, signal) => {
    const { status, body } = await client.call({ method: 'GET', path: `/Calls/${callSid}.json`, signal });
    if (status === 404) return 'failed';
    const call = callAnswer.safeParse(body).data;
    if (status >= 300 || !call) throw unexpected(status);
    return call.status;
  };

  return {
    fetchStatus,
    async placeCall(call, signal) {
      const answer = await client.call({
        method: 'POST',
        path: '/Calls.json',
        headers: { 'idempotency-key': call.key },
        body: callForm(call, from),
        signal,
      });
      if (willNotPlace(answer.status)) return { refused: refusal(answer) };
      const placed = placedAnswer.safeParse(answer.body).data;
      if (answer.status >= 300 || !placed) throw unexpected(answer.status);
      return { callSid: placed.sid };
    },
    async hangUp(callSid, signal) {
      const body = new URLSearchParams({ Status: 'completed' });
      const path = `/Calls/${callSid}.json`;
      const { status } = await client.call({ method: 'POST', path, body, signal });
      if (status < 300) return;
      // A refusal mostly says, in codes that differ by provider, that the call is over. Whether it is can be asked.
      if (isPassing(status) || !isCallOver(await fetchStatus(callSid, signal))) throw unexpected(status);
    },
  };
}

function callForm(call: CallToPlace, from: string): URLSearchParams {
  const form = new URLSearchParams({
    To: call.to,
    From: from,
    Url: call.url,
    Method: 'POST',
    StatusCallback: call.statusCallback,
    StatusCallbackMethod: 'POST',
  });
  for (const event of ['initiated', 'ringing', 'answered', 'completed'])
    form.append('StatusCallbackEvent', event);
  if (call.sendDigits !== null) form.set('SendDigits', call.sendDigits);
  return form;
}

/**
 * The provider refuses the call. So it does where our credentials are wrong: elsewhere that waits for an operator, but a
 * client that asked for a call is told at once that none comes. Source: decision 0009.
 */
function willNotPlace(status: number): boolean {
  return status === 401 || status === 403 || (status >= 400 && !isPassing(status));
}

/** In our own words: the provider's message may quote the number. */
function refusal({ status, body }: ServiceAnswer): string {
  const code = errorAnswer.safeParse(body).data?.code;
  return `The voice provider refused the call (${code === undefined ? `status ${status}` : `error ${code}`})`;
}

function unexpected(status: number): GatewayError {
  return new GatewayError(`The voice provider answered with status ${status}, or not as agreed`);
}
