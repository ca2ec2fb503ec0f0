/** Activities of an ownership verification call: its code, the call itself, its end. */
import { randomInt } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import type { OrderActivities } from '../domain/ports.ts';
import { verificationCodeLength } from '../domain/verification.ts';
import { closeAttempt, nameCall, openAttempt } from '../db/writes/verification-attempts.ts';
import type { ActivityDeps } from './deps.ts';

type VerificationActivities = Pick<
  OrderActivities,
  | 'openVerificationAttempt'
  | 'placeVerificationCall'
  | 'endVerificationCall'
  | 'fetchVerificationCall'
  | 'closeVerificationAttempt'
>;

export function createVerificationActivities({
  db,
  gateways,
  publicUrl,
}: ActivityDeps): VerificationActivities {
  const { voice } = gateways;
  return {
    openVerificationAttempt: ({ orderSid, callNumber, at }) =>
      openAttempt(db, { orderSid, callNumber, code: newVerificationCode(), startedAt: new Date(at) }),

    async placeVerificationCall({ orderSid, callNumber, to, extension }) {
      const call = `${publicUrl}/voice/verification/${orderSid}/${callNumber}`;
      const placed = await voice.placeCall(
        {
          to,
          key: `${orderSid}/${callNumber}`,
          url: `${call}?prompt=1`,
          statusCallback: `${call}/status`,
          sendDigits: extension,
        },
        cancellationSignal(),
      );
      if ('refused' in placed) return { placed: false, reason: placed.refused };
      await nameCall(db, { orderSid, callNumber }, placed.callSid);
      return { placed: true, callSid: placed.callSid };
    },

    endVerificationCall: ({ callSid }) => voice.hangUp(callSid, cancellationSignal()),

    async fetchVerificationCall({ callSid }) {
      return { status: await voice.fetchStatus(callSid, cancellationSignal()) };
    },

    closeVerificationAttempt: ({ at, ...attempt }) => closeAttempt(db, { ...attempt, endedAt: new Date(at) }),
  };
}

/** Six digits, each number equally likely, from a cryptographic source. Source: service.md §8. */
function newVerificationCode(): string {
  return randomInt(10 ** verificationCodeLength)
    .toString()
    .padStart(verificationCodeLength, '0');
}
