/** What the workers register; nothing else. */
export * from './authorization-document.ts';
export * from './hosted-number-order.ts';
