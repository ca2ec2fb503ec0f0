/**
 * The life of an authorization document (the LOA) as one table: status × trigger → next status.
 * Source: domain.md §6.2, second table; the meanings of the statuses: domain.md §1.5.
 */
import type { ErrorCode } from './errors.ts';

export const documentStatuses = ['opened', 'signing', 'signed', 'canceled', 'failed'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export const documentTriggers = [
  'send',
  'sign',
  'decline',
  'reopen',
  'last-order-left',
  'expire',
  'bounce',
  'cancel',
  'change',
] as const;
export type DocumentTrigger = (typeof documentTriggers)[number];

interface Rule {
  readonly on: DocumentTrigger;
  readonly from: readonly DocumentStatus[];
  readonly to: DocumentStatus | 'same';
}

/** The table. A pair that is not in it is refused. */
export const documentRules: readonly Rule[] = [
  { on: 'send', from: ['opened'], to: 'signing' },
  { on: 'sign', from: ['signing'], to: 'signed' },
  { on: 'decline', from: ['signing'], to: 'canceled' },
  { on: 'reopen', from: ['signing'], to: 'opened' },
  { on: 'last-order-left', from: ['opened', 'signing'], to: 'canceled' },
  { on: 'expire', from: ['opened', 'signing'], to: 'failed' },
  { on: 'bounce', from: ['signing'], to: 'failed' },
  { on: 'cancel', from: ['opened', 'signing'], to: 'canceled' },
  { on: 'change', from: ['opened'], to: 'same' },
];

export type DocumentDecision =
  | { readonly allowed: true; readonly status: DocumentStatus }
  | { readonly allowed: false; readonly code: ErrorCode };

/** Answers what a trigger does to a document in this status. */
export function decideDocument(status: DocumentStatus, trigger: DocumentTrigger): DocumentDecision {
  const rule = documentRules.find((rule) => rule.on === trigger && rule.from.includes(status));
  if (!rule) return { allowed: false, code: trigger === 'cancel' ? 20409 : 22107 };
  return { allowed: true, status: rule.to === 'same' ? status : rule.to };
}

/** Tells whether nothing can happen to the document any more. */
export function isFinal(status: DocumentStatus): boolean {
  return status === 'signed' || status === 'canceled' || status === 'failed';
}
