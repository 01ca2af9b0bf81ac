import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasLineTerms, type MatchTerms, matchTermsText, readMatchTerms, termsOf } from '../../../src-shared/values/match-filter.ts';

const READING = { today: 20_785, isDayFirst: true };
const NOTHING = { likelihoods: [], differences: [], rules: [], origins: [], certainties: [] };
const sized = (least: string | null, most: string | null, isOpen = false) => ({ least, most, isOpen, isSigned: false });

test.each<[string, Partial<Omit<MatchTerms, 'lines'>>]>([
  ['likely:>=99', { likelihoods: [sized('99', null)] }],
  ['likely:50..90%', { likelihoods: [sized('50', '90')] }],
  ['likely:unknown', { likelihoods: ['unknown'] }],
  ['difference:<=0.50', { differences: [sized(null, '0.50')] }],
  ['difference:0', { differences: [sized('0', '0')] }],
  ['rule:3 rule:"By invoice"', { rules: ['3', 'By invoice'] }],
  ['by:hand sure:Contested', { origins: ['hand'], certainties: ['contested'] }],
])('%s says something about the match', (typed, expected) => {
  const { lines: _, ...own } = readMatchTerms(typed, READING);
  expect(own).toEqual({ ...NOTHING, ...expected });
  expect(hasLineTerms(readMatchTerms(typed, READING))).toBe(false);
});

test.each(['difference:-5', 'likely:soon', 'by:me', 'sure:', '"likely:>=99"', '350.00'])('%s is a term of lines', (typed) => {
  const { lines: _, ...own } = readMatchTerms(typed, READING);
  expect(own).toEqual(NOTHING);
  expect(hasLineTerms(readMatchTerms(typed, READING))).toBe(true);
});

test('the text of any terms reads as the same terms, and its terms put together are the text', () => {
  const piece = fc.constantFrom(
    'likely:>99.5',
    'likely:unknown',
    'difference:0.01..0.50',
    'rule:"By order"',
    'by:sync',
    'sure:best',
    '>1000',
    '30/06',
    'account:bank',
    '"some words"',
    'Acme',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const typed = pieces.join(' ');
      const terms = readMatchTerms(typed, READING);
      expect(readMatchTerms(matchTermsText(terms, READING), READING)).toEqual(terms);
      expect(termsOf(typed).join(' ')).toBe(typed);
    }),
  );
});
