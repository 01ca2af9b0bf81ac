import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { type LineTerms, lineTermsText, minorBounds, readLineTerms } from '../../../src-shared/values/line-filter.ts';

const TODAY = dayFromIso('2026-11-28') ?? 0;
const BRITISH = { today: TODAY, isDayFirst: true };
const day = (iso: string) => dayFromIso(iso) ?? 0;
const sized = (least: string | null, most: string | null, isOpen = false) => ({ least, most, isOpen, isSigned: false });

describe('what a person types into the search of lines', () => {
  test.each<[string, Partial<LineTerms>]>([
    ['350.00', { amounts: [sized('350.00', '350.00')] }],
    ['1,275', { amounts: [sized('1275', '1275')] }],
    ['1.275,50', { amounts: [sized('1275.50', '1275.50')] }],
    ['12,5', { amounts: [sized('12.5', '12.5')] }],
    ['>1000', { amounts: [sized('1000', null, true)] }],
    ['<=20', { amounts: [sized(null, '20')] }],
    ['-25..-10', { amounts: [{ least: '-25', most: '-10', isOpen: false, isSigned: true }] }],
    ['-10..-25', { amounts: [{ least: '-25', most: '-10', isOpen: false, isSigned: true }] }],
    ['10.50..25', { amounts: [sized('10.50', '25')] }],
    ['1275', { numbers: ['1275'] }],
    ['30/06', { days: [{ from: day('2026-06-30'), to: day('2026-06-30') }] }],
    ['30/12', { days: [{ from: day('2025-12-30'), to: day('2025-12-30') }] }],
    ['30/06/25', { days: [{ from: day('2025-06-30'), to: day('2025-06-30') }] }],
    ['2026-06', { days: [{ from: day('2026-06-01'), to: day('2026-06-30') }] }],
    ['01/06..30/06', { days: [{ from: day('2026-06-01'), to: day('2026-06-30') }] }],
    ['>30/06', { days: [{ from: day('2026-07-01'), to: null }] }],
    ['age:>30', { ages: [{ from: 31, to: null }] }],
    ['account:bank party:"Yarrowgate Vets"', { accounts: ['bank'], parties: ['Yarrowgate Vets'] }],
    ['is:overdue is:Proposed', { states: ['overdue', 'proposed'] }],
    ['is:ready', { words: ['is:ready'] }],
    ['cheque 100338', { words: ['cheque'], numbers: ['100338'] }],
    ['"350.00"', { words: ['350.00'] }],
    ['31/02', { words: ['31/02'] }],
    ['100% >x ORD-77 --', { words: ['100%', '>x', 'ORD-77', '--'] }],
  ])('%s', (typed, expected) => {
    const nothing = { words: [], numbers: [], amounts: [], days: [], ages: [], accounts: [], parties: [], states: [] };
    expect(readLineTerms(typed, BRITISH)).toEqual({ ...nothing, ...expected });
  });

  test('30/06 and 06/30 are the same day, as the reader writes dates', () => {
    expect(readLineTerms('06/30', { today: TODAY, isDayFirst: false }).days).toEqual(readLineTerms('30/06', BRITISH).days);
  });

  test('bounds in minor units keep fractions that the currency does not have outside', () => {
    expect(minorBounds(sized('350.00', '350.00'), 2)).toEqual({ least: 35_000, most: 35_000 });
    expect(minorBounds(sized('350.005', '350.005'), 2)).toEqual({ least: 35_001, most: 35_000 });
    expect(minorBounds(sized('1000', null, true), 2)).toEqual({ least: 100_001, most: null });
    expect(minorBounds(sized('10.5', null, true), 0)).toEqual({ least: 11, most: null });
    expect(minorBounds({ least: '-25', most: '-10', isOpen: false, isSigned: true }, 3)).toEqual({ least: -25_000, most: -10_000 });
  });
});

test('the text of any terms reads as the same terms, in every locale', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '350.00',
      '1,275',
      '>1000',
      '-25..-10',
      '+5',
      '30/06',
      '2026-06',
      '<01/02',
      'age:>30',
      'is:open',
      'account:bank',
      '"a 12"',
      '..',
      '>',
    ),
    fc.string({ maxLength: 12 }),
    fc.integer({ min: 0, max: 20_000 }).map(isoFromDay),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const terms = readLineTerms(pieces.join(' '), BRITISH);
      const text = lineTermsText(terms, BRITISH);
      expect(readLineTerms(text, { today: 0, isDayFirst: false })).toEqual(terms);
      expect(lineTermsText(terms, BRITISH)).toBe(text);
    }),
  );
});
