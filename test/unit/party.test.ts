/** Whom a text can go to, and when two spellings are of one number. */
import { describe, expect, it } from 'vitest';
import { isRecipient, mayBeSameNumber } from '../../domain/party.ts';

describe('a number in a receipt', () => {
  it.each([
    ['+14158675310', '+14158675310', true],
    ['4158675310', '+14158675310', true],
    ['07700900123', '+447700900123', true],
    ['24242', '24242', true],
    ['+14158675310', '+14158675311', false],
    ['24242', '+14155524242', false],
    ['BANK24', '+14155524242', false],
    ['', '+14158675310', false],
  ])('%j may be %s: %s', (left, right, same) => {
    expect(mayBeSameNumber(left, right)).toBe(same);
    expect(mayBeSameNumber(right, left)).toBe(same);
  });
});

describe('a text', () => {
  it.each([
    ['+14158675310', true],
    ['24242', true],
    ['911', true],
    ['14158675310', false],
    ['1234567', false],
    ['02424', false],
    ['+1415', false],
    ['BANK', false],
    ['', false],
  ])('to %j can be sent: %s', (party, possible) => {
    expect(isRecipient(party)).toBe(possible);
  });
});
