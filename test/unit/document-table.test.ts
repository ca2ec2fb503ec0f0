/** Every cell of the document table: 5 statuses × 9 triggers. Written out from domain.md §6.2, second table, and §1.5. */
import { describe, expect, it } from 'vitest';
import {
  decideDocument,
  documentStatuses,
  documentTriggers,
  isFinal,
  type DocumentStatus,
  type DocumentTrigger,
} from '../../domain/authorization-document.ts';
import type { ErrorCode } from '../../domain/errors.ts';

const final = (code: ErrorCode) => ({ signed: code, canceled: code, failed: code });

const expected: Record<DocumentTrigger, Record<DocumentStatus, DocumentStatus | ErrorCode>> = {
  send: { opened: 'signing', signing: 22107, ...final(22107) },
  sign: { opened: 22107, signing: 'signed', ...final(22107) },
  decline: { opened: 22107, signing: 'canceled', ...final(22107) },
  reopen: { opened: 22107, signing: 'opened', ...final(22107) },
  'last-order-left': { opened: 'canceled', signing: 'canceled', ...final(22107) },
  expire: { opened: 'failed', signing: 'failed', ...final(22107) },
  bounce: { opened: 22107, signing: 'failed', ...final(22107) },
  cancel: { opened: 'canceled', signing: 'canceled', ...final(20409) },
  change: { opened: 'opened', signing: 22107, ...final(22107) },
};

describe.each(documentStatuses)('an authorization document in %s (domain.md §6.2)', (status) => {
  it.each(documentTriggers)('does on %s what the table says', (trigger) => {
    const decision = decideDocument(status, trigger);
    expect(decision.allowed ? decision.status : decision.code).toBe(expected[trigger][status]);
  });
});

describe('an authorization document', () => {
  it('is final exactly when nothing can happen to it any more', () => {
    for (const status of documentStatuses) {
      const canMove = documentTriggers.some((trigger) => decideDocument(status, trigger).allowed);
      expect(isFinal(status)).toBe(!canMove);
    }
  });
});
