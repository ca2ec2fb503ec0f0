/** The table of message steps (service.md §3.4, domain.md §6.4). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineKind, type LineKind } from '../../domain/line-kind.ts';
import {
  messageErrorText,
  messageStatuses,
  messageTriggers,
  statusCodes,
  stepMessage,
  type MessageFacts,
  type MessageTrigger,
  type StatusCode,
} from '../../domain/message.ts';

const accepted = (line: LineKind): MessageFacts => ({ line, status: 'queued', statusCode: 2 });
const scheduled = (line: LineKind): MessageFacts => ({ line, status: 'scheduled', statusCode: null });

/** Statuses and reported codes along a way; triggers that do nothing leave no trace. */
function walk(start: MessageFacts, triggers: readonly MessageTrigger[]): (string | StatusCode)[] {
  let facts = start;
  return triggers.flatMap((trigger) => {
    const step = stepMessage(facts, trigger);
    if (!step) return [];
    facts = step.facts;
    return [facts.status, ...(step.reported === null ? [] : [step.reported])];
  });
}

describe('status codes (service.md §3.4)', () => {
  it('are the seven of the specification, final as it says', () => {
    const final = Object.entries(statusCodes).filter(([, { final }]) => final);
    expect(Object.keys(statusCodes)).toEqual(['0', '1', '2', '4', '5', '6', '7']);
    expect(final.map(([code]) => code)).toEqual(['0', '4', '5', '6', '7']);
  });

  it.each<[string, LineKind, MessageTrigger[], (string | StatusCode)[]]>([
    ['taken by the carrier', 'local', ['submitting', 'accepted'], ['sending', 1, 'sent', 4]],
    [
      'taken without a receipt to come',
      'local',
      ['submitting', 'accepted-without-receipt'],
      ['sending', 1, 'sent', 0],
    ],
    ['refused by the carrier', 'local', ['submitting', 'refused'], ['sending', 1, 'failed', 5]],
    ['not taken in time', 'toll-free', ['submitting', 'expired'], ['sending', 1, 'failed', 5]],
    [
      'received by the handset of a local line: 4 was the last code',
      'local',
      ['submitting', 'accepted', 'handset-received'],
      ['sending', 1, 'sent', 4, 'delivered'],
    ],
    [
      'not received by the handset of a local line: 4 was the last code',
      'local',
      ['submitting', 'accepted', 'handset-failed'],
      ['sending', 1, 'sent', 4, 'undelivered'],
    ],
    [
      'received by the handset of a toll-free line',
      'toll-free',
      ['submitting', 'accepted', 'handset-received'],
      ['sending', 1, 'sent', 'delivered', 6],
    ],
    [
      'not received by the handset of a toll-free line',
      'toll-free',
      ['submitting', 'accepted', 'handset-failed'],
      ['sending', 1, 'sent', 'undelivered', 7],
    ],
    [
      'a toll-free line that hears nothing',
      'toll-free',
      ['submitting', 'accepted', 'receipt-overdue'],
      ['sending', 1, 'sent', 'sent', 4],
    ],
    [
      'a receipt after the last word changes the status alone',
      'toll-free',
      ['submitting', 'accepted', 'receipt-overdue', 'handset-failed'],
      ['sending', 1, 'sent', 'sent', 4, 'undelivered'],
    ],
    [
      'a local line that hears nothing',
      'local',
      ['submitting', 'accepted', 'receipt-overdue'],
      ['sending', 1, 'sent', 4],
    ],
  ])('%s (%s)', (_, line, triggers, expected) => {
    expect(walk(accepted(line), triggers)).toEqual(expected);
  });

  it('a scheduled message is queued when its time has come, or canceled before', () => {
    expect(walk(scheduled('local'), ['queued', 'canceled'])).toEqual(['queued', 2]);
    expect(walk(scheduled('local'), ['canceled', 'queued', 'submitting'])).toEqual(['canceled']);
  });
});

describe('whatever happens to a message', () => {
  const anyStart = fc
    .tuple(fc.constantFrom<LineKind>('local', 'toll-free'), fc.boolean())
    .map(([line, later]) => (later ? scheduled(line) : accepted(line)));
  const anyWay = fc.array(fc.constantFrom(...messageTriggers), { maxLength: 30 });
  const codesOf = (start: MessageFacts, way: readonly MessageTrigger[]): StatusCode[] =>
    walk(start, way).filter((entry) => typeof entry === 'number');

  it('at most one final code is reported, and nothing after it', () => {
    fc.assert(
      fc.property(anyStart, anyWay, (start, way) => {
        const codes = codesOf(start, way);
        const firstFinal = codes.findIndex((code) => statusCodes[code].final);
        expect(firstFinal === -1 || firstFinal === codes.length - 1).toBe(true);
      }),
    );
  });

  it('6 and 7 are reported on toll-free lines only', () => {
    fc.assert(
      fc.property(anyWay, (way) => {
        const codes = codesOf(accepted('local'), way);
        expect(codes.filter((code) => code === 6 || code === 7)).toEqual([]);
      }),
    );
  });

  it('every cell of status and trigger either does nothing or moves to a known status', () => {
    for (const status of messageStatuses)
      for (const trigger of messageTriggers)
        for (const line of ['local', 'toll-free'] as const)
          for (const statusCode of [null, 1, 2, 4] as const) {
            const step = stepMessage({ line, status, statusCode }, trigger);
            if (step) expect(messageStatuses).toContain(step.facts.status);
          }
  });
});

describe('lines', () => {
  it.each(['800', '833', '844', '855', '866', '877', '888'])('+1 %s is toll-free', (area) => {
    expect(lineKind(`+1${area}5550100`)).toBe('toll-free');
  });
  it.each([
    '+14155550100',
    '+18105550100',
    '+448005550100',
    '+1800555010',
    '+18005550100 ',
  ])('%s is local', (number) => {
    expect(lineKind(number)).toBe('local');
  });
});

it('every error code has a text, unknown ones a general one', () => {
  expect(messageErrorText(null)).toBeNull();
  expect(messageErrorText(30003)).toBe('The handset cannot be reached');
  expect(messageErrorText(4711)).toBe('The carrier could not deliver the message');
});
