/** The least a Temporal server can be asked to do: what the product's figures stand beside. */
import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** One activity that does nothing. */
export async function oneActivity(): Promise<void> {
  await nothing();
}

export const answerUpdate = defineUpdate<string>('answer');

/** One update handler that answers from memory; stays open, as an order does. */
export async function oneUpdate(): Promise<void> {
  setHandler(answerUpdate, () => 'here');
  await condition(() => false); // no deadline: it is thrown away with its server
}
