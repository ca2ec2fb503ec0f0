/** The registry that knows who routes a number's texts. Protocol: docs/gateways.md. */
import type { Eligibility, RegistrationState } from '../domain/ports.ts';

export interface RegistryGateway {
  /** Read only. `signal` ends the wait. */
  checkEligibility(phoneNumber: string, signal?: AbortSignal): Promise<Eligibility>;
  /** Asks for the routing; the same key asks once. */
  register(
    registration: {
      readonly phoneNumber: string;
      readonly key: string;
      readonly documentSid: string | null;
    },
    signal?: AbortSignal,
  ): Promise<RegistrationState>;
  fetchRegistration(phoneNumber: string, signal?: AbortSignal): Promise<RegistrationState>;
  /** A registration that is gone already is no error. */
  deregister(phoneNumber: string, key: string, signal?: AbortSignal): Promise<void>;
}
