/** What the history of a workflow says has happened, where a test has to know it before it lets anything go on. */
import type { WorkflowHandle } from '@temporalio/client';

/** Updates that the workflow has begun to handle. */
export async function updatesAccepted(workflow: WorkflowHandle): Promise<number> {
  const { events } = await workflow.fetchHistory();
  return events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length ?? 0;
}

/** How often the workflow has asked for an activity. */
export async function timesScheduled(workflow: WorkflowHandle, activity: string): Promise<number> {
  const { events } = await workflow.fetchHistory();
  const names = events?.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name) ?? [];
  return names.filter((name) => name === activity).length;
}
