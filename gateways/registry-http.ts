/** The registry over HTTP. Protocol: docs/gateways.md. */
import { z } from 'zod';
import { lineTypes } from '../domain/line-kind.ts';
import type { Eligibility, RegistrationState } from '../domain/ports.ts';
import type { RegistryGateway } from './registry.ts';
import { createServiceClient, GatewayError, isPassing, type ServiceAnswer } from './service-client.ts';

const eligibilityAnswer = z.object({
  eligible: z.boolean(),
  reason: z.string().nullish(),
  holder: z.string().nullish(),
  lineType: z.enum(lineTypes).nullish(),
});
const registrationAnswer = z.object({
  state: z.enum(['accepted', 'pending', 'rejected']),
  reason: z.string().nullish(),
});
const refusalAnswer = z.object({ reason: z.string() });

export interface RegistryOptions {
  readonly url: string;
  readonly token: string;
}

export function createHttpRegistry({ url, token }: RegistryOptions): RegistryGateway {
  const client = createServiceClient({ name: 'The registry', url, authorization: `Bearer ${token}` });
  const registration = (phoneNumber: string): string => `/registrations/${phoneNumber}`;

  return {
    async checkEligibility(phoneNumber, signal) {
      const path = `/eligibility/${phoneNumber}`;
      return eligibilityOf(await client.call({ method: 'GET', path, signal }));
    },
    async register({ phoneNumber, key, documentSid }, signal) {
      const answer = await client.call({
        method: 'PUT',
        path: registration(phoneNumber),
        headers: { 'idempotency-key': key },
        body: { documentSid },
        signal,
      });
      return registrationOf(answer);
    },
    async fetchRegistration(phoneNumber, signal) {
      return registrationOf(await client.call({ method: 'GET', path: registration(phoneNumber), signal }));
    },
    async deregister(phoneNumber, key, signal) {
      const { status } = await client.call({
        method: 'DELETE',
        path: registration(phoneNumber),
        headers: { 'idempotency-key': key },
        signal,
      });
      if (status >= 300 && status !== 404 && status !== 410) throw unexpected(status);
    },
  };
}

function eligibilityOf({ status, body }: ServiceAnswer): Eligibility {
  if (isPassing(status)) throw unexpected(status);
  if (status >= 400) {
    const reason = refusalAnswer.safeParse(body).data?.reason ?? 'The registry does not know the number';
    return { kind: 'ineligible', reason, holder: null };
  }
  const answer = eligibilityAnswer.safeParse(body).data;
  if (!answer) throw unexpected(status);
  const holder = answer.holder ?? null;
  if (answer.eligible) return { kind: 'eligible', holder };
  const { reason, lineType } = answer;
  return {
    kind: 'ineligible',
    reason: reason ?? 'The registry gave no reason',
    holder,
    lineType: lineType ?? null,
  };
}

function registrationOf({ status, body }: ServiceAnswer): RegistrationState {
  if (isPassing(status)) throw unexpected(status);
  if (status >= 400) {
    const reason = refusalAnswer.safeParse(body).data?.reason ?? `The registry refused it (status ${status})`;
    return { state: 'rejected', reason };
  }
  const answer = registrationAnswer.safeParse(body).data;
  if (!answer) throw unexpected(status);
  if (answer.state !== 'rejected') return { state: answer.state };
  return { state: 'rejected', reason: answer.reason ?? 'The registry gave no reason' };
}

function unexpected(status: number): GatewayError {
  return new GatewayError(`The registry answered with status ${status}, or not as agreed`);
}
