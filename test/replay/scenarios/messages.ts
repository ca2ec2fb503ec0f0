/** Paths of outboundMessage, messageChange and inboundReply. */
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { OutgoingMessage } from '../../../domain/message.ts';
import { newSid } from '../../../security/derived-sid.ts';
import {
  inboundReplyType,
  messageChangeType,
  outboundMessageType,
  submitMessageUpdate,
  type InboundReplyInput,
  type MessageChangeInput,
  type OutboundMessageInput,
} from '../../../workflows/messages.ts';
import type { FakeWorld } from '../../support/fake-world.ts';
import { outgoingMessage } from '../../support/outgoing-message.ts';
import type { Scenario } from './scenario.ts';

const accountSid = `AC${'0'.repeat(32)}`;
const tollFree = '+18005550100';

function timersOf({ delivery }: FakeWorld): OutboundMessageInput['timers'] {
  return { validityMs: 1000, receiptTimeoutMs: 500, smsUrlTimeoutMs: 15_000, delivery };
}

const text = (changes: Partial<OutgoingMessage> = {}): OutgoingMessage =>
  outgoingMessage({ accountSid, to: '+14158675310', ...changes });

async function send(world: FakeWorld, changes: Partial<OutgoingMessage> = {}): Promise<WorkflowHandle> {
  const message = text(changes);
  const startWorkflowOperation = new WithStartWorkflowOperation(outboundMessageType, {
    workflowId: message.sid,
    taskQueue: world.taskQueue,
    args: [{ message, timers: timersOf(world) }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  await world.client.workflow.executeUpdateWithStart(submitMessageUpdate, { startWorkflowOperation });
  return world.client.workflow.getHandle(message.sid);
}

async function ended(handle: WorkflowHandle): Promise<string> {
  await handle.result();
  return handle.workflowId;
}

const delivery = () => ({
  deliverySid: newSid('delivery'),
  accountSid,
  kind: 'message/send',
  endpointHost: 'customer.example',
  endpointKey: `WH${'0'.repeat(32)}`,
  sequence: 1,
});

export const messageScenarios: readonly Scenario[] = [
  {
    name: 'message-sent-local-line',
    answers: { placeMessage: async () => ({ kind: 'placed', deliveries: [delivery(), delivery()] }) },
    play: async (world) => ended(await send(world)),
  },
  {
    name: 'message-delivered-to-handset',
    play: async (world) => {
      const handle = await send(world, { from: tollFree });
      await handle.signal('receiptArrived', { delivered: true, errorCode: null });
      return ended(handle);
    },
  },
  { name: 'message-receipt-overdue', play: async (world) => ended(await send(world, { from: tollFree })) },
  {
    name: 'message-refused-by-carrier',
    answers: { submitMessage: async () => ({ kind: 'refused', errorCode: 30007 }) },
    play: async (world) => ended(await send(world)),
  },
  {
    name: 'message-expired',
    answers: { submitMessage: () => Promise.reject(new Error('no carrier')) },
    play: async (world) => ended(await send(world)),
  },
  {
    name: 'message-not-allowed',
    answers: { placeMessage: async () => ({ kind: 'refused', code: 21610 }) },
    play: async (world) => ended(await send(world)),
  },
  {
    name: 'message-scheduled-canceled',
    play: async (world) => {
      const handle = await send(world, { sendAt: new Date(Date.now() + 3_600_000).toISOString() });
      await handle.executeUpdate('cancelMessage');
      return ended(handle);
    },
  },
  {
    name: 'message-scheduled-canceled-through-temporal',
    play: async (world) => {
      const handle = await send(world, { sendAt: new Date(Date.now() + 3_600_000).toISOString() });
      await handle.cancel();
      return ended(handle);
    },
  },
  {
    name: 'message-scheduled-sent',
    play: async (world) => ended(await send(world, { sendAt: new Date(Date.now() + 500).toISOString() })),
  },
  {
    name: 'message-read',
    answers: { changeMessage: async () => ({ kind: 'placed', deliveries: [delivery()] }) },
    play: async ({ client, taskQueue, delivery }) => {
      const input: MessageChangeInput = {
        messageSid: newSid('message'),
        accountSid,
        change: 'read',
        mediaSid: null,
        delivery,
      };
      const workflowId = `${input.messageSid}/read`;
      await client.workflow.execute(messageChangeType, { workflowId, taskQueue, args: [input] });
      return workflowId;
    },
  },
  {
    name: 'inbound-text-answered',
    answers: {
      callSmsUrl: async ({ step }) =>
        step === 1
          ? {
              replies: [text({ direction: 'outbound-reply' })],
              next: { url: 'https://customer.example/more', method: 'POST', parameters: {} },
              errorCode: null,
            }
          : { replies: [], next: null, errorCode: null },
    },
    play: async (world) => {
      const messageSid = newSid('message');
      const input: InboundReplyInput = { messageSid, accountSid, timers: timersOf(world) };
      const workflowId = `${messageSid}/reply`;
      const { taskQueue } = world;
      await world.client.workflow.execute(inboundReplyType, { workflowId, taskQueue, args: [input] });
      return workflowId;
    },
  },
];
