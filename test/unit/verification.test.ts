import { describe, expect, it } from 'vitest';
import { callStatuses, isCallOver, outcomeOf } from '../../domain/verification.ts';

describe('a verification call (service.md §3.1, domain.md §2.3)', () => {
  it('is over in every status but those before and during the talk', () => {
    const live = callStatuses.filter((status) => !isCallOver(status));
    expect(live).toEqual(['queued', 'initiated', 'ringing', 'in-progress']);
  });

  it.each([
    ['completed', 'not-entered'],
    ['busy', 'busy'],
    ['no-answer', 'no-answer'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const)('that ends with %s without the code counts as %s', (status, outcome) => {
    expect(outcomeOf(status)).toBe(outcome);
  });
});
