/** What the workers register; nothing else. */
export * from './authorization-document.ts';
export * from './bulk-request.ts';
export * from './delivery-replay.ts';
export * from './hosted-number-order.ts';
export * from './inbound-reply.ts';
export * from './message-change.ts';
export * from './outbound-message.ts';
export * from './webhook-delivery.ts';
