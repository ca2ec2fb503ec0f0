/** What every activity that runs on a worker of its own has in common. */

/** An activity whose worker died is taken up by another after this time; all of them heartbeat (activities/heartbeat.ts). */
export const heartbeatTimeout = '5 seconds';
