import { describe, expect, it } from 'vitest';
import { signedMinorOfText } from '../../../../src-shared/values/amount-input.ts';
import { FIRST_NOTATION, inNotation } from '../../../../src-shared/values/notation.ts';
import { changeSentence } from '../../../../src-renderer/format/close-changes.ts';
import { dateText, dayCount, daysAfter, daysName, monthOf, shortDay } from '../../../../src-renderer/format/dates.ts';
import { closeSteps } from '../../../../src-renderer/format/close-steps.ts';
import { initials, lineName, stateWords, sumText, withMinus } from '../../../../src-renderer/format/close-words.ts';
import { typedAmount } from '../../../../src-renderer/format/money.ts';
import type { PeriodOpenItem, PeriodStatement } from '../../../../src-shared/contract/index.ts';

const NONE = { count: 0, total: 0 };
const side = {
  opening: 1_250_000,
  receipts: 100,
  payments: -300,
  receipt_count: 1,
  payment_count: 2,
  closing: 1_249_800,
  stated_closing: 1_249_800 as number | null,
  balance: 1_249_800,
  lines_missing: 0 as number | null,
  lines_missing_by_account: [],
  breaks: [],
  holds: true as boolean | null,
  closing_balance: { stated: 1_249_800, computed: 1_249_800, source: 'entered' as const, as_of: '2026-06-30' },
};

const item: PeriodOpenItem = {
  record_id: 2,
  side: 'bank',
  date: '2026-06-03',
  amount: -3000,
  reference: 'CHG-Q2',
  description: 'CHG-Q2',
  data_stream_id: 1,
  group: 'unbooked_payments',
  reason: 'unmatched',
  match_id: null,
  carried_forward: false,
  age_days: 27,
  expected_on: null,
  late: false,
  note: null,
  causes: [
    {
      kind: 'bank_charge',
      title: 'Bank charge, not booked',
      amount: -3000,
      record_ids: [],
      sentence: 'Its words say that it is a bank charge.',
    },
  ],
};

const row = { name: null, label: '', note: null, amount: 0, unknown: 'not known', adds: null };
const sideOf = (slot: 'bank' | 'books') => ({
  side: slot,
  title: slot === 'bank' ? 'Bank' : 'Books',
  name: `the ${slot}`,
  account: '',
  movement: [],
  balance: row,
  groups: [],
  adjusted: row,
});
const DOCUMENT: PeriodStatement['document'] = {
  title: '',
  subtitle: '',
  currency: 'GBP',
  decimal_places: 2,
  sides: [sideOf('bank'), sideOf('books')],
  unexplained: row,
  outcome: 'agree',
  verdict: 'The figures agree.',
  why: null,
  undone: null,
  reason: null,
};

function statementOf(change: Partial<PeriodStatement> = {}): PeriodStatement {
  return {
    reconciliation: { id: 1, name: 'Cash book' },
    period: { id: 1, from: '2026-06-01', to: '2026-06-30', name: 'June 2026' },
    state: 'open',
    stale: false,
    bank_side: 'b',
    document: DOCUMENT,
    differing_matches: [],
    currency: 'GBP',
    decimal_places: 2,
    bank: side,
    books: side,
    agrees: true,
    doubts: [],
    proposed_item_count: 0,
    deposits_in_transit: NONE,
    outstanding_payments: NONE,
    unbooked_receipts: NONE,
    unbooked_payments: { count: 1, total: -3000 },
    match_differences: NONE,
    bank_errors: NONE,
    book_errors: NONE,
    adjusted_bank: 1_249_800,
    adjusted_books: 1_249_800,
    unexplained: 0,
    raw_difference: 0,
    opening_difference: 0,
    balance_sources: { bank: { opening: 'stated', stated_closing: 'stated' }, books: { opening: 'entered', stated_closing: 'entered' } },
    open_items: [item],
    open_item_count: 1,
    proposal_count: 0,
    explained_item_count: 0,
    unexplained_item_count: 1,
    undone: [{ step: 'explained', currency: 'GBP', texts: ['1 open item has no comment'] }],
    ageing: [],
    unexplained_causes: [],
    looked_at: null,
    warnings: [],
    currencies: [{ currency: 'GBP', decimal_places: 2, unexplained: 0, agrees: true, verdict: 'The figures agree.' }],
    changes: [],
    change_count: 0,
    sign_offs: [],
    ...change,
  };
}

const period = { state: 'open', stale: false, prepared_by: null, reviewed_by: null, closed_by: null } as const;
const covered = (['bank', 'books'] as const).map((slot) => ({ slot, from: '2026-06-01', to: '2026-06-30' }));
const stepsOf = (change: Partial<PeriodStatement> = {}, of: Partial<Parameters<typeof closeSteps>[0]> = {}) =>
  closeSteps({ statement: statementOf(change), period, coverage: covered, matches: 12, statusExplains: false, ...of });

describe('days of a close', () => {
  it('are formatted as in a statement', () => {
    expect([dateText('2026-06-30'), shortDay('2026-06-30'), dateText('no day')]).toEqual(['30/06/2026', '30/06', 'no day']);
    expect(daysName({ from: '2026-06-01', to: '2026-06-30' })).toBe('June 2026');
    expect(daysName({ from: '2024-02-01', to: '2024-02-28' })).toBe('01/02/2024 to 28/02/2024');
  });

  it('follow one another by months', () => {
    expect(monthOf('2024-02-11')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(daysAfter({ to: '2026-12-31' })).toEqual({ from: '2027-01-01', to: '2027-01-31' });
    expect(daysAfter({ to: '2026-06-15' })).toEqual({ from: '2026-06-16', to: '2026-06-30' });
    expect([dayCount({ from: '2026-06-01', to: '2026-06-30' }), dayCount({ from: '2026-06-02', to: '2026-06-01' })]).toEqual([30, 0]);
  });
});

describe('words of a close', () => {
  it('call a period reconciled only when it is closed and its figures agree', () => {
    const closed = { state: 'closed', stale: false } as const;
    expect(stateWords(closed, []).text).toBe('Reconciled');
    expect(stateWords(closed, [{ amount: null }, { amount: 100 }]).text).toBe('Closed with a difference');
    expect(stateWords(closed, [{ amount: null }]).text).toBe('Closed, not proved');
    expect(stateWords({ state: 'reviewed', stale: true }, []).text).toBe('Reviewed, stale');
  });

  it('put a true minus in front of amounts and leave hyphens', () => {
    expect(withMinus('The bank has -64.31 (difference -0.01), CHG-22 of 2026-06-30')).toBe(
      'The bank has \u221264.31 (difference \u22120.01), CHG-22 of 2026-06-30',
    );
    expect(sumText(1_250_000, -121_951, 2)).toBe('12,500.00 \u2212 1,219.51');
  });

  it('name a line by its reference and description, without repeating either', () => {
    expect(lineName({ reference: 'CHG-Q2', description: 'CHG-Q2' })).toBe('CHG-Q2');
    expect(lineName({ reference: 'CHQ-1', description: 'Fresh Produce' })).toBe('CHQ-1 Fresh Produce');
    expect(lineName({ reference: null, description: null })).toBe('no text');
    expect([initials('Amira Patel'), initials('  bo '), initials('')]).toEqual(['AP', 'B', '']);
  });

  it('describe a change with the old value and its author', () => {
    const change = {
      kind: 'record',
      id: 37,
      at: null,
      by: 'Ben Osei',
      before: { side: 'books', date: '2026-06-28', amount: 1, reference: 'RCT-0629' },
      after: { side: 'books', date: '2026-06-29', amount: 1, reference: 'RCT-0629' },
    } as const;
    const of = { isNeutral: false, decimalPlaces: 2 };
    expect(changeSentence(change, of)).toBe('RCT-0629 in the books: date 29/06/2026, was 28/06/2026. Changed by Ben Osei.');
    expect(changeSentence({ ...change, after: null }, of)).toBe('RCT-0629 in the books is gone. Removed by Ben Osei.');
  });
});

describe('typed amounts', () => {
  it.each([
    ['12,500.00', 1_250_000],
    ['12500', 1_250_000],
    ['12.500,5', 1_250_050],
    ['12,500', 1_250_000],
    ['1 250,00', 125_000],
    ['-0.01', -1],
    ['\u22125', -500],
    ['(1,275.00)', -127_500],
    ['12,34,567.50', 123_456_750],
    ['1.234.567', 123_456_700],
    ['0', 0],
  ])('%s is %i', (text, minor) => expect(signedMinorOfText(text, 2)).toBe(minor));
  it.each(['', 'abc', '1.234.5x', '0.005', '--1', '1.234.5', '1,23,4.50', '1,2345.00', '12.34.56', '1.234,567.8', '0,123,456.00', ',,1'])(
    '%j is none',
    (text) => expect(signedMinorOfText(text, 2)).toBeNull(),
  );

  it('ask the notation of the book what a single mark before three digits is', () => {
    const read = (decimal: '.' | ',') =>
      inNotation({ ...FIRST_NOTATION, decimal, groups: decimal === '.' ? ',' : '.' }, () =>
        ['1,234', '1.234', '-1.234,50'].map((text) => [signedMinorOfText(text, 2), signedMinorOfText(text, 3)]),
      );
    expect(read('.')).toEqual([
      [123_400, 1_234_000],
      [null, 1_234],
      [-123_450, -1_234_500],
    ]);
    expect(read(',')).toEqual([
      [null, 1_234],
      [123_400, 1_234_000],
      [-123_450, -1_234_500],
    ]);
  });

  it('begin as the book writes them, and are read back as they begin', () => {
    for (const decimal of ['.', ','] as const) {
      inNotation({ ...FIRST_NOTATION, decimal, groups: decimal === '.' ? ',' : '.' }, () => {
        for (const places of [0, 2, 3]) {
          for (const minor of [0, 5, -1_234, 1_234_567]) {
            expect(typedAmount(minor, places)).not.toContain(decimal === '.' ? ',' : '.');
            expect(signedMinorOfText(typedAmount(minor, places), places)).toBe(minor);
          }
        }
      });
    }
  });
});

describe('the steps of a close', () => {
  const openOf = (steps: ReturnType<typeof closeSteps>) => steps.filter(({ isDone }) => !isDone).map(({ name }) => name);

  it('check themselves: one item without a comment remains', () => {
    const steps = stepsOf();
    expect(openOf(steps)).toEqual(['explained', 'sign_off']);
    expect(steps[3]?.missing).toEqual(['CHG-Q2, bank charge, not booked \u221230.00, has no comment']);
    expect(steps[3]?.way).toEqual({ label: 'Go to CHG-Q2', way: { to: 'item', recordId: 2 } });
    expect(steps[0]?.facts).toContain('No day missing');
    expect(steps[5]?.facts).toEqual(['Step 4 is not done']);
  });

  it('lead to the differences that are left open when every open item has a comment', () => {
    const [, , , step] = stepsOf({
      open_items: [],
      explained_item_count: 0,
      unexplained_item_count: 0,
      undone: [{ step: 'explained', currency: 'GBP', texts: ['the difference of 1 match is not explained yet'] }],
    });
    expect(step).toMatchObject({
      isDone: false,
      missing: ['The difference of 1 match is not explained yet'],
      way: { way: { to: 'differences' } },
    });
  });

  const undone = (...steps: readonly PeriodStatement['undone'][number]['step'][]): Pick<PeriodStatement, 'undone'> => ({
    undone: steps.map((step) => ({ step, currency: 'GBP', texts: [`${step} is missing`] })),
  });

  it('are done where the service says so, and otherwise name what it says is missing', () => {
    for (const name of ['files', 'balances', 'proposals'] as const) expect(openOf(stepsOf(undone(name)))).toEqual([name, 'sign_off']);
    expect(stepsOf(undone('files', 'proposals')).map(({ missing }) => missing[0])).toEqual([
      'Files is missing',
      undefined,
      'Proposals is missing',
      undefined,
      undefined,
      undefined,
    ]);
    expect(stepsOf({ undone: [{ step: 'files', currency: 'EUR', texts: ['no line'] }] })[0]?.isDone).toBe(true);
  });

  it('lead to the missing balance', () => {
    const nothing = { opening: null, closing: null, stated_closing: null, holds: null, balance: null, lines_missing: null };
    const books = { ...side, ...nothing };
    const steps = stepsOf({ books, adjusted_books: null, unexplained: null, ...undone('balances', 'agree') });
    expect(openOf(steps)).toEqual(['balances', 'agree', 'sign_off']);
    expect(steps[1]?.way?.way).toEqual({ to: 'balance', slot: 'books', which: 'opening' });
  });

  it('lead to a balance that is computed, and say it', () => {
    const computed = { ...side, stated_closing: null, lines_missing: null, holds: null };
    const text = 'the closing balance is computed, not stated';
    const doubt = { code: 'not_stated', side: 'books', amount: null, currency: 'GBP', text } as const;
    const steps = stepsOf({ books: computed, agrees: false, doubts: [doubt], ...undone('balances', 'agree') });
    expect(steps[1]?.facts.at(-1)).toMatch(/ \(computed, not stated\)$/);
    expect(steps[1]?.way?.way).toEqual({ to: 'balance', slot: 'books', which: 'stated_closing' });
    expect(steps[4]?.missing).toEqual(['The closing balance is computed, not stated']);
  });

  it('end with the changes beneath a signature', () => {
    const [last] = stepsOf({ change_count: 1 }, { period: { ...period, state: 'prepared', stale: true, prepared_by: 'Amira' } }).slice(-1);
    expect(last?.missing).toEqual(['Prepared, then changed']);
    expect(last?.way?.label).toBe('See the 1 change');
  });
});
