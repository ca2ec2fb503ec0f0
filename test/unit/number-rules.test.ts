import { describe, expect, it } from 'vitest';
import { requireHostable } from '../../api/number-rules.ts';

describe('numbers that can be hosted (domain.md §5.1)', () => {
  it.each(['+14158675310', '+16045550123', '+18005551212', '+18885550123'])('accepts %s', (number) => {
    expect(() => requireHostable(number, ['US', 'CA'])).not.toThrow();
  });

  it.each([
    ['+1415', 22102, 'too short'],
    ['+11234567890', 22102, 'no such area code'],
    ['+999123456', 22102, 'no such country'],
    ['+442079460958', 22103, 'a landline of another country'],
    ['+17875551234', 22103, 'Puerto Rico is a country of its own'],
    ['+19005551234', 22110, 'premium rate'],
    ['+15005550006', 22110, 'personal number'],
  ])('refuses %s with %i: %s', (number, code) => {
    expect(() => requireHostable(number, ['US', 'CA'])).toThrow(expect.objectContaining({ code }));
  });

  it('keeps to the configured countries', () => {
    expect(() => requireHostable('+14158675310', ['CA'])).toThrow(expect.objectContaining({ code: 22103 }));
    expect(() => requireHostable('+442079460958', ['GB'])).not.toThrow();
  });
});
