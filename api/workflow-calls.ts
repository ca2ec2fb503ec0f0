/** Calls into workflows: with a deadline, and with the workflow's refusal turned into the API's error. */
import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, type SignalDefinition, type UpdateDefinition } from '@temporalio/common';
import { ApiError } from '../domain/errors.ts';
import type { Answer } from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';

type CallDeps = Pick<ApiDeps, 'temporal'>;

/**
 * How long a request waits for a workflow's answer before it is told to come again (20503). Milliseconds.
 * Longer than the longest wait of a handler: 20 seconds, for a verification call to be placed.
 */
export const answerTimeoutMs = 25_000;

/** Thrown when the workflow is not running: the resource has come to its end. */
export class WorkflowEnded extends Error {
  override readonly name = 'WorkflowEnded';
}

export interface UpdateKey {
  /** The same id again gets the first answer. */
  readonly updateId?: string | undefined;
  /** Called when the workflow refuses: Temporal keeps a refusal under the id as it keeps any answer. */
  readonly onRefusal?: () => Promise<void>;
}

export interface WorkflowCall<T, Args extends unknown[]> extends UpdateKey {
  readonly workflowId: string;
  readonly update: UpdateDefinition<Answer<T>, Args>;
  readonly args: Args;
  /** How long to wait for the answer. Milliseconds. */
  readonly timeoutMs?: number;
}

/** Sends an update and waits for its answer. Throws the code of a refusal; WorkflowEnded when nobody is there. */
export async function callWorkflow<T, Args extends unknown[]>(
  { temporal }: CallDeps,
  call: WorkflowCall<T, Args>,
): Promise<T> {
  const { workflowId, update, args, updateId, onRefusal, timeoutMs = answerTimeoutMs } = call;
  const handle = temporal.workflow.getHandle(workflowId);
  try {
    const answer = await temporal.withDeadline(Date.now() + timeoutMs, () =>
      // The client types updates with and without arguments apart; at run time both take this object.
      handle.executeUpdate(update as unknown as UpdateDefinition<Answer<T>, [unknown, ...unknown[]]>, {
        args: args as unknown as [unknown, ...unknown[]],
        ...(updateId === undefined ? {} : { updateId }),
      }),
    );
    if (!answer.ok) await onRefusal?.();
    return valueOf(answer);
  } catch (error) {
    throw endedOr(error);
  }
}

/**
 * Starts a workflow and waits for the answer to its first update. A workflow with this id that runs is asked instead. The
 * update has no id of its own: under one, Temporal would answer a new request with the refusal of a run that has ended.
 */
export async function startWithCall<T>(
  { temporal }: CallDeps,
  start: {
    readonly workflowType: string;
    readonly options: WorkflowStartOptions;
    readonly update: UpdateDefinition<Answer<T>>;
  },
): Promise<T> {
  const { workflowType, options, update } = start;
  const operation = new WithStartWorkflowOperation(workflowType, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  // The handle's own promise is rejected together with the call; nobody else looks at it.
  operation.workflowHandle().catch(() => {});
  const answer = await temporal.withDeadline(Date.now() + answerTimeoutMs, () =>
    temporal.workflow.executeUpdateWithStart(update, { startWorkflowOperation: operation }),
  );
  return valueOf(answer);
}

/** Tells a workflow a fact. Answers false when it has ended and no longer needs to know. */
export async function tellWorkflow<Args extends unknown[]>(
  { temporal }: CallDeps,
  workflowId: string,
  signal: SignalDefinition<Args>,
  ...args: Args
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + answerTimeoutMs, () =>
      temporal.workflow.getHandle(workflowId).signal(signal, ...args),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new ApiError(answer.code, answer.detail);
}

/** A workflow that ends while the update is on its way fails it with this type; one that ended before is not found. */
const endedMeanwhile = 'AcceptedUpdateCompletedWorkflow';

function endedOr(error: unknown): unknown {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  const meanwhile = cause instanceof ApplicationFailure && cause.type === endedMeanwhile;
  return meanwhile || error instanceof WorkflowNotFoundError
    ? new WorkflowEnded('the workflow has ended', { cause: error })
    : error;
}

/** Starts a workflow unless one with this id runs or has run, and waits until the server has it. */
export async function startOnce(
  { temporal }: CallDeps,
  workflowType: string,
  options: WorkflowStartOptions,
): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + answerTimeoutMs, () =>
      temporal.workflow.start(workflowType, {
        ...options,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
