/** Every table, for the clients and for the generator of migrations. */
export * from './schema/accounts.ts';
export * from './schema/addresses.ts';
export * from './schema/authorization-documents.ts';
export * from './schema/bulk-requests.ts';
export * from './schema/deliveries.ts';
export * from './schema/hosted-number-orders.ts';
export * from './schema/idempotency-keys.ts';
export * from './schema/incoming-phone-numbers.ts';
export * from './schema/messages.ts';
export * from './schema/sessions.ts';
export * from './schema/subscriptions.ts';
export * from './schema/timeline-entries.ts';
export * from './schema/verification-attempts.ts';
