import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIFFERENCE_CODES, REASON_WORDS, reasonText } from '../../../../src-shared/contract/matches/difference-reasons.ts';
import { balancingRecord } from '../../../../src-shared/values/balancing.ts';
import { ADJUSTED_CODES, adjustmentLabel, OPEN_CODES } from '../../../../src-renderer/format/match-words.ts';
import { differenceLabel, summaryTables } from '../../../../src-renderer/format/summary-table.ts';
import {
  adjustmentOf,
  oneSideText,
  type SidedLine,
  sizeText,
  transposedText,
  unbalancedOf,
} from '../../../../src-renderer/format/unbalanced.ts';
import { answerOf, faultsOf, NEW_DIFFERENCE } from '../../../../src-renderer/state/decisions.ts';
import type { ReconciliationSummary } from '../../../../src-shared/contract/index.ts';

function line(side: 'a' | 'b', signed: number, more: Partial<SidedLine> = {}): SidedLine {
  return {
    id: 1,
    side,
    date: '2026-06-10',
    description: null,
    external_id: null,
    amount: Math.abs(signed),
    direction: signed < 0 ? 'debit' : 'credit',
    currency: 'GBP',
    decimal_places: 2,
    ...more,
  };
}

const unbalanced = (...lines: SidedLine[]) => unbalancedOf(lines, 'same') ?? expect.unreachable('these lines balance');

describe('the difference of picked lines', () => {
  test('is null when they balance, and when they have several currencies', () => {
    expect(unbalancedOf([line('a', 5), line('b', 5)], 'same')).toBeNull();
    expect(unbalancedOf([line('a', 5), line('a', -5)], 'same')).toBeNull();
    expect(unbalancedOf([line('a', 5), line('b', 7, { currency: 'EUR' })], 'same')).toBeNull();
    expect(unbalancedOf([], 'same')).toBeNull();
    expect(unbalancedOf([line('a', 5), line('b', -5)], 'opposite')).toBeNull();
  });

  test('has a size', () => {
    expect(sizeText(unbalanced(line('a', -40_850), line('b', -1_250)))).toBe('£396.00');
    expect(unbalanced(line('a', -40_850), line('b', -1_250)).difference.net).toBe(-39_600);
  });

  test('names a side when all lines are on it', () => {
    expect(oneSideText(unbalanced(line('a', 5), line('b', 7)))).toBeNull();
    expect(oneSideText(unbalanced(line('b', 500), line('b', 700)))).toBe(
      'Both lines are on side B, and side A has none, so the difference is the whole £12.00.',
    );
    const five = unbalanced(...Array.from({ length: 5 }, () => line('a', -100)));
    expect(oneSideText(five)).toBe('All 5 lines are on side A, and side B has none, so the difference is the whole £5.00.');
  });

  test.each<readonly [number, number, boolean]>([
    [-89_100, -81_900, true],
    [1_234, 1_243, true],
    [1_234, 1_235, false],
    [1_234, 3_214, false],
    [1_234, 12_340, false],
  ])('digits of %i and %i are transposed: %s', (left, right, isTransposed) => {
    const text = transposedText(unbalanced(line('a', left), line('b', right)), ({ amount }) => String(amount));
    expect(text).toBe(isTransposed ? `Two digits may be transposed: ${Math.abs(left)} and ${Math.abs(right)}.` : null);
  });
});

test('the previewed adjustment is the one that the service records', () => {
  const some = fc.record({
    side: fc.constantFrom('a' as const, 'b' as const),
    signed: fc.integer({ min: -100_000, max: 100_000 }),
    decimal_places: fc.constantFrom(0, 2, 3),
  });
  fc.assert(
    fc.property(
      fc.array(some, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('any' as const, 'same' as const, 'opposite' as const),
      (given, convention) => {
        const lines = given.map(({ side, signed, decimal_places }) => line(side, signed, { decimal_places }));
        const members = lines.map((member) => ({ ...member, direction: member.direction === 'credit' ? 1 : 0 }));
        const recorded = balancingRecord(members, convention);
        const shown = unbalancedOf(lines, convention);
        const preview = shown === null ? null : adjustmentOf(shown);
        expect(preview).toEqual(
          recorded === null
            ? null
            : { side: recorded.side, date: '2026-06-10', net: recorded.direction === 1 ? recorded.amount : -recorded.amount },
        );
      },
    ),
  );
});

describe('an answer about a difference', () => {
  test('needs a type and a reason for an adjustment', () => {
    expect(faultsOf(NEW_DIFFERENCE)).toEqual({
      type: 'Choose what the difference is.',
      note: 'Say why. It is kept with the match.',
    });
    expect(answerOf({ ...NEW_DIFFERENCE, adjusted: 'fx' })).toBeNull();
    expect(answerOf({ ...NEW_DIFFERENCE, adjusted: 'fx', note: ' \n' })).toBeNull();
    expect(answerOf({ ...NEW_DIFFERENCE, note: 'Why' })).toBeNull();
    expect(answerOf({ ...NEW_DIFFERENCE, adjusted: 'fx', note: ' Rate of Friday ' })).toEqual({
      create_adjustment: true,
      difference_reason: { code: 'fx', note: 'Rate of Friday' },
    });
  });

  test('needs nothing more when it is left open, except for an error of the bank', () => {
    const open = { ...NEW_DIFFERENCE, outcome: 'open' } as const;
    expect(answerOf(open)).toEqual({ create_adjustment: false, difference_reason: { code: 'left_open', note: null } });
    expect(faultsOf({ ...open, open: 'bank_error' })).toEqual({ note: 'Say why. It is kept with the match.' });
    expect(answerOf({ ...open, open: 'bank_error', note: 'Not ours' })).toEqual({
      create_adjustment: false,
      difference_reason: { code: 'bank_error', note: 'Not ours' },
    });
  });

  test('can be any of the codes, each for one outcome', () => {
    expect([...ADJUSTED_CODES, ...OPEN_CODES].toSorted()).toEqual([...DIFFERENCE_CODES].toSorted());
  });
});

test('reasons in words', () => {
  expect(reasonText({ code: 'left_open', note: null })).toBe('Left open');
  expect(reasonText({ code: 'bank_charge', note: 'Fee of June' })).toBe('Bank charge: Fee of June');
  expect(adjustmentLabel({ metadata: { difference_code: 'write_off' } })).toBe('Write-off');
  for (const metadata of [{}, { difference_code: 'theft' }, { difference_code: 'toString' }, { difference_code: 3 }]) {
    expect(adjustmentLabel({ metadata })).toBeNull();
  }
  expect(new Set(Object.values(REASON_WORDS)).size).toBe(DIFFERENCE_CODES.length);
});

function summaryOf(a: number, b: number): ReconciliationSummary {
  const side = (net: number) => {
    const counts = { records: 1, matched: 0, proposed: 0, open: 1, unmatched: 1 };
    const nets = { net, matched_net: 0, proposed_net: 0, open_net: net, unmatched_net: net, adjusted_net: 0 };
    return { ...counts, totals: [{ currency: 'GBP', decimal_places: 2, ...counts, ...nets }] };
  };
  return { reconciliation_id: 1, matches: 0, proposed_matches: 0, differing_matches: 0, side_a: side(a), side_b: side(b) };
}

test.each<readonly [number, number, 'any' | 'same' | 'opposite', string, number]>([
  [10, 3, 'same', 'Difference, A − B', 7],
  [-10, 3, 'same', 'Difference, A − B', -13],
  [10, 3, 'opposite', 'Difference, A + B', 13],
  [10, 3, 'any', 'Difference, A − B', 7],
  [-10, -3, 'any', 'Difference, B − A', 7],
  [10, -3, 'any', 'Difference, A + B', 7],
  [-10, 3, 'any', 'Difference, −A − B', 7],
  [0, -3, 'any', 'Difference, B − A', -3],
  [0, 0, 'any', 'Difference, A − B', 0],
])('%i against %i under %s: %s', (a, b, convention, label, difference) => {
  const [table] = summaryTables(summaryOf(a, b), convention);
  expect(table === undefined ? null : [differenceLabel(table), table.difference.total.net]).toEqual([label, difference]);
  expect(table?.difference.matched.net).toBe(0);
});
