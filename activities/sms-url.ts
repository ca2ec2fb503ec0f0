/**
 * The customer's server answers an inbound text: SmsUrl is called, and what its TwiML says becomes replies and the next
 * request. Whatever that server does wrong is an outcome with Twilio's code, never an exception.
 */
import { loadReplyContext, type ReplyContext } from '../db/reads/messages.ts';
import { writeReplyError } from '../db/writes/messages.ts';
import type { MessageActivities, SmsUrlCall } from '../domain/ports.ts';
import { permanentFailure } from './failures.ts';
import { nothing, readAnswer } from './sms-url-answer.ts';
import { buildSmsUrlRequest, type SmsUrlDeps } from './sms-url-request.ts';

export type { SmsUrlDeps };

export function createSmsUrlActivity(deps: SmsUrlDeps): Pick<MessageActivities, 'callSmsUrl'> {
  return {
    callSmsUrl: async ({ messageSid, step, call: given }) => {
      const context = await loadReplyContext(deps.db, messageSid);
      if (!context) throw permanentFailure('The message is not in the database', 'MessageNotFound');
      const call = given ?? ownCall(context);
      // The number was released, or its SmsUrl taken away, since the text came in.
      if (call === null) return nothing;
      const conversation = { context, step, call };
      const answer = await deps.smsUrls.send(await buildSmsUrlRequest(deps, conversation));
      const outcome = await readAnswer(deps, conversation, answer);
      if (outcome.errorCode !== null) await writeReplyError(deps.db, messageSid, outcome.errorCode);
      return outcome;
    },
  };
}

function ownCall({ number }: ReplyContext): SmsUrlCall | null {
  if (number?.smsUrl == null) return null;
  return { url: number.smsUrl, method: number.smsMethod === 'GET' ? 'GET' : 'POST', parameters: {} };
}
