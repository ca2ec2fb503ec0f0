/** Activities that may take long say that they are alive, so that one whose worker died is taken up again within seconds. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Heartbeats on behalf of every activity whose caller gave it a heartbeat time-out. */
export const heartbeatInterceptor: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    execute: async (input, next) => {
      const { heartbeatTimeoutMs } = context.info;
      if (!heartbeatTimeoutMs) return next(input);
      const timer = setInterval(() => context.heartbeat(), heartbeatTimeoutMs / 3);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
