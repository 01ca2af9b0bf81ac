import { describe, expect, it } from 'vitest';
import { limitTexts, missingText, nothingText, suggestionTitle } from '../../../../src-renderer/format/unbalanced.ts';
import type { Output, SumSuggestion } from '../../../../src-shared/contract/index.ts';

type Answer = Output<'matches.suggest_sums'>;
type Searched = Answer['searched'][number];

const searched = (given: Partial<Searched> = {}): Searched => ({
  side: 'b',
  candidates: 12,
  is_cut: false,
  gave_up: false,
  known_up_to: 12,
  ...given,
});
const answerOf = (given: Partial<Answer> = {}): Answer => ({
  difference: -1250,
  currency: 'GBP',
  decimal_places: 2,
  suggestions: [],
  searched: [searched()],
  ...given,
});
const suggestion = (records: number, daySpan: number): SumSuggestion =>
  ({ side: 'b', records: Array.from({ length: records }), total: -1250, day_span: daySpan }) as SumSuggestion;

describe('suggested sums in words', () => {
  it('name the missing amount without a sign', () => {
    expect(missingText(answerOf())).toBe('£12.50');
  });

  it('name a combination by its lines, its side, its total and its days', () => {
    expect(suggestionTitle(suggestion(3, 1), answerOf())).toBe('3 lines of side B, \u2212£12.50, over 2 days');
    expect(suggestionTitle(suggestion(2, 0), answerOf())).toBe('2 lines of side B, \u2212£12.50, on one day');
    expect(suggestionTitle(suggestion(1, 0), answerOf())).toBe('1 line of side B, \u2212£12.50');
  });

  it('say that nothing was found', () => {
    expect(nothingText(answerOf(), 30)).toBe('Nothing within 30 days adds up to £12.50.');
    expect(nothingText(answerOf({ searched: [searched({ candidates: 0 })] }), 1)).toBe('No other line is open within 1 day.');
    expect(nothingText(answerOf({ searched: [] }), 30)).toBe('These lines balance already.');
  });

  it('list the limits of the search', () => {
    expect(limitTexts(answerOf())).toEqual([]);
    const cut = searched({ is_cut: true, candidates: 2000 });
    expect(limitTexts(answerOf({ searched: [cut] }))).toEqual(['Only the nearest 2,000 open lines of side B were tried.']);
    const unfinished = answerOf({
      searched: [searched({ gave_up: true, known_up_to: 4 }), searched({ side: 'a', gave_up: true, known_up_to: 3 })],
    });
    expect(limitTexts(unfinished)).toEqual(['Combinations of more than 3 lines were not all tried: there may be others.']);
    const hopeless = answerOf({ searched: [searched({ gave_up: true, known_up_to: 0 })] });
    expect(limitTexts(hopeless)).toEqual(['There are too many lines to try all combinations: there may be others.']);
  });
});
