import { describe, expect, it } from 'vitest';
import { breakSentence, needsOf, nextStep, shortPeriod } from '../../../../src-renderer/screens/book/needs.ts';
import type { HomeRow } from '../../../../src-shared/contract/index.ts';

const JUNE = { id: 4, name: 'June 2026', from: '2026-06-01', to: '2026-06-30', state: 'open' } as const;

const PROVED: HomeRow['balance'] = {
  state: 'proved',
  doubts: [],
  amount: null,
  currency: null,
  decimal_places: 2,
  computed: false,
  earlier: false,
  from: null,
  to: null,
  data_stream_key: null,
};

function rowOf(change: Partial<HomeRow>): HomeRow {
  return {
    reconciliation_id: 7,
    name: 'Ledger / Bank',
    side_a: ['Ledger'],
    side_b: ['Bank'],
    months: [],
    period: null,
    as_of: '2026-06-30',
    records: 10,
    matched: 10,
    proposed_matches: 0,
    open: 0,
    proposed: 0,
    currency: 'GBP',
    decimal_places: 2,
    currency_count: 1,
    open_by_age: [0, 0, 0, 0],
    open_net: 0,
    uncommented: null,
    balance: PROVED,
    files_missing: [],
    last_run_at: '2026-07-01T08:00:00.000Z',
    is_running: false,
    ...change,
  };
}

function nextOf(change: Partial<HomeRow>, isStale = false) {
  const row = rowOf(change);
  return nextStep(row, needsOf(row, isStale));
}

const CLOSE = { screen: 'close', key: 7, periodId: 4 } as const;

describe('the next step', () => {
  it.each([
    ['what was never run is run', { last_run_at: null }, 'Run it', { screen: 'reconciliation', id: 7 }],
    ['proposals are decided', { proposed_matches: 11 }, 'Decide 11 proposals', { screen: 'reconciliation', id: 7, tab: 'proposed' }],
    ['without a period one looks at what is open', { open: 3 }, 'Show 3 open lines', { screen: 'reconciliation', id: 7 }],
    ['without a period and an open line the close begins', {}, 'Begin the close', { screen: 'close', key: 7, periodId: null }],
    ['an open period with nothing left is prepared', { period: JUNE }, 'Prepare June', CLOSE],
    ['a prepared one is reviewed', { period: { ...JUNE, state: 'prepared' as const } }, 'Review June', CLOSE],
    ['a reviewed one is closed', { period: { ...JUNE, state: 'reviewed' as const } }, 'Close June', CLOSE],
  ] as const)('%s', (_, change, next, place) => {
    expect(nextOf(change)).toMatchObject({ next, place });
  });

  it('is null when the period is closed', () => {
    expect(nextOf({ period: { ...JUNE, state: 'closed' } })).toBeNull();
  });

  it('is to prepare again when something changed after the signature', () => {
    expect(nextOf({ period: { ...JUNE, state: 'reviewed' } }, true)).toMatchObject({ next: 'Prepare again', place: CLOSE });
  });

  it('is first of all the stream whose balances break', () => {
    const balance = { ...PROVED, state: 'breaks', from: '2026-06-18', to: '2026-06-19', data_stream_key: 'euro' } as const;
    expect(nextOf({ balance, proposed_matches: 2, period: JUNE })).toMatchObject({ place: { screen: 'stream', key: 'euro' } });
  });
});

it('a reconciliation that has run and has no period leads to the close, after its proposals', () => {
  const kinds = (change: Partial<HomeRow>) => needsOf(rowOf(change), false).map(({ kind }) => kind);
  expect(kinds({ proposed_matches: 2, open: 3 })).toEqual(['decide', 'begin']);
  expect(kinds({ last_run_at: null })).toEqual(['run']);
});

it.each([
  ['2026-06-15', '2026-06-20', 'The balances of the statements break between 15/06/2026 and 20/06/2026'],
  ['2026-06-15', '2026-06-15', 'The balances of the statements break on 15/06/2026'],
  [null, null, 'A statement does not follow from the one before'],
])('a break from %s to %s has both days, since the balance still holds on the first one', (from, to, sentence) => {
  expect(breakSentence({ ...PROVED, state: 'breaks', from, to })).toBe(sentence);
});

it('an open period needs the book balance and comments', () => {
  const uncommented = { count: 2, oldest: { record_id: 1, label: 'CHG-Q2', age_days: 27 } };
  const balance = { ...PROVED, state: 'books_not_stated', computed: true } as const;
  expect(needsOf(rowOf({ period: JUNE, uncommented, balance }), false).map(({ next }) => next)).toEqual([
    'Enter the book balance',
    'Comment on CHG-Q2',
  ]);
});

it('figures that do not agree come first in an open period, in the words of its statement', () => {
  const balance = { ...PROVED, state: 'differs', doubts: ['100.00 is unexplained', 'a balance is not stated'], amount: 10_000 } as const;
  const [first] = needsOf(rowOf({ period: JUNE, balance: { ...balance, doubts: [...balance.doubts] } }), false);
  expect(first).toMatchObject({
    sentence: 'The figures of June do not agree: 100.00 is unexplained and a balance is not stated',
    next: 'Show the difference',
  });
});

it('a month is named without its year, other days in full', () => {
  expect([shortPeriod('June 2026'), shortPeriod('01/06/2026 to 15/06/2026')]).toEqual(['June', '01/06/2026 to 15/06/2026']);
});

it('a file that is missing is imported, and closing in spite of what is not done needs a reason', () => {
  const row = rowOf({ period: JUNE, files_missing: ['no line of the bank is in June 2026'] });
  expect(needsOf(row, false)).toMatchObject([
    { kind: 'files', sentence: 'No line of the bank is in June 2026', place: { screen: 'import', streamKey: null } },
  ]);
  const uncommented = { count: 5, oldest: { record_id: 1, label: 'CHG-Q2', age_days: 27 } };
  const reviewed = { ...row, period: { ...JUNE, state: 'reviewed' as const }, proposed_matches: 2, uncommented };
  expect(needsOf(reviewed, false).at(-1)).toMatchObject({
    sentence:
      'June is reviewed, but closing it needs a reason: no line of the bank is in June 2026, 2 proposals are not decided and 5 open items have no comment',
    next: 'Give a reason to close June',
  });
});

describe('a signed period whose figures do not agree', () => {
  const doubts = ['0.01 is unexplained'];
  const balance = { ...PROVED, state: 'differs', doubts, amount: 1, currency: 'GBP' } as const;

  it.each([
    ['prepared', 'June is prepared, although 0.01 is unexplained', 'Review June'],
    ['reviewed', 'June is reviewed, but closing it needs a reason: 0.01 is unexplained', 'Give a reason to close June'],
  ] as const)('%s: is not said to be ready', (state, sentence, next) => {
    const row = rowOf({ period: { ...JUNE, state }, balance });
    expect(needsOf(row, false)).toMatchObject([{ sentence, next }]);
  });
});
