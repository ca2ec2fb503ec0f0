/** Events a customer can subscribe to. Source: service.md §6.1. */
export const messageEvents = [
  'message/receive',
  'message/send',
  'message/progress',
  'message/read',
  'message/delete',
] as const;
export const eventTypes = [...messageEvents, 'optout/change'] as const;
export type EventType = (typeof eventTypes)[number];
/** What a delivery carries: a subscribed event, or a callback in Twilio's form shape. */
export const deliveryKinds = [...eventTypes, 'order/status', 'message/status'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];
