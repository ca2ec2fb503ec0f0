/** How activities fail: what may be read in workflow histories and logs, and what is worth another try. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import { withoutParameters } from '../db/errors.ts';

/** A failure that another try would only repeat. `message` is shown to operators: our own words, no customer data. */
export function permanentFailure(message: string, type: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type);
}

/** Keeps statement parameters (phone numbers, codes) out of every failure, whichever activity it comes from. */
export const failureInterceptor: ActivityInterceptorsFactory = () => ({
  inbound: {
    execute: async (input, next) => {
      try {
        return await next(input);
      } catch (err) {
        throw withoutParameters(err);
      }
    },
  },
});
