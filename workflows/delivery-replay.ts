/**
 * Sends deliveries again that have ended: one, or all of a subscription since a time, or a test event. A workflow,
 * so that a large set survives a crash half way and never holds up a request.
 */
import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ReplayActivities } from '../domain/ports.ts';
import type { DeliveryReplayInput, DeliveryReplayResult } from './messages.ts';

const { replayPage } = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

export async function deliveryReplay(input: DeliveryReplayInput): Promise<DeliveryReplayResult> {
  const until = input.progress?.until ?? new Date().toISOString();
  let { after, count } = input.progress ?? { after: 0, count: 0 };
  for (;;) {
    const { replaySid, accountSid, subscriptionSid, selection } = input;
    const page = await replayPage({ replaySid, accountSid, subscriptionSid, selection, after, until });
    count += page.deliverySids.length;
    setCurrentDetails(`${count} deliveries were started.`);
    if (page.next === null) return { count, deliverySids: page.deliverySids };
    after = page.next;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof deliveryReplay>({ ...input, progress: { after, until, count } });
  }
}
