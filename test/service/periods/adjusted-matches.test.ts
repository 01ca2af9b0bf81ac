import { expect, test } from 'vitest';
import type { Call } from '../../../src-shared/contract/index.ts';
import { DIFFERENCE_CODES, REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { BY_EXTERNAL_ID, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const gbp = (amount: number, external_id: string) => ({ amount, external_id, currency: 'GBP' });
const BALANCES = (['bank', 'books'] as const).map((side) => ({ side, currency: 'GBP', opening: 0 }));

/** The books have 100.00 and the bank 91.00; a person ties them, and says what the rest is. */
async function adjusted(said: Partial<Call<'matches.create'>>): Promise<QuietBook> {
  const book = openQuietBook();
  const { aIds, bIds } = await setUpPair(book.client, { a: [gbp(10_000, 'x1')], b: [gbp(9_100, 'x1')] });
  await book.client.get('matches.create', { reconciliation_id: 1, record_ids: [...aIds, ...bIds], create_adjustment: true, ...said });
  const june = { from: '2026-06-01', to: '2026-06-30' };
  await book.client.get('periods.create', { reconciliation_id: 1, bank_side: 'b', ...june, balances: BALANCES });
  return book;
}

const reportOf = async ({ client }: QuietBook, format: 'csv' | 'journal'): Promise<string> =>
  (await client.get('periods.report', { id: 1, format })).content;

test.each(DIFFERENCE_CODES.filter((code) => code !== 'left_open'))(
  'a match that an adjustment made even keeps its reason %s in the statement, the journal and the report',
  async (code) => {
    const book = await adjusted({ difference_reason: { code, note: 'Seen on the advice' } });
    const { statement } = await book.client.get('periods.get', { id: 1 });
    const isOfBank = code === 'bank_error';
    expect(statement).toMatchObject({
      unexplained: 0,
      bank_errors: isOfBank ? { count: 1, total: 900 } : { count: 0, total: 0 },
      match_differences: isOfBank ? { count: 0, total: 0 } : { count: 1, total: -900 },
    });
    const csv = await reportOf(book, 'csv');
    expect(csv).toContain('Seen on the advice');
    expect(csv).not.toMatch(/No reason given|nobody has decided/);
    expect(csv).toContain(REASON_WORDS[code]);
    const journal = await reportOf(book, 'journal');
    // The bank's own error is no entry of the books; all others are.
    expect(journal.includes('9.00')).toBe(!isOfBank);
  },
);

test('an adjustment with words and no code is taken over by the journal, and the report has the words', async () => {
  const book = await adjusted({ adjustment_reason: 'Fee of the transfer' });
  const csv = await reportOf(book, 'csv');
  expect(csv).toContain('Fee of the transfer');
  expect(csv).not.toMatch(/No reason given|nobody has decided/);
  expect(await reportOf(book, 'journal')).toContain('9.00');
});

test('a match that is not adjusted and has no reason is still undecided', async () => {
  const book = await adjusted({ create_adjustment: false });
  const csv = await reportOf(book, 'csv');
  expect(csv).toContain('No reason given');
  expect(csv).toContain('nobody has decided');
  expect(await reportOf(book, 'journal')).not.toContain('9.00');
});

test('a difference that is left open is a step of the close, beside the comments that are missing', async () => {
  const book = await adjusted({ create_adjustment: false, difference_reason: { code: 'left_open' } });
  const { statement } = await book.client.get('periods.get', { id: 1 });
  expect(statement).toMatchObject({ match_differences: { count: 1, total: -900 }, unexplained_item_count: 0 });
  expect(statement?.undone.find(({ step }) => step === 'explained')?.texts).toEqual(['the difference of 1 match is not explained yet']);
  for (const kind of ['prepare', 'review'] as const)
    await book.client.get(`periods.${kind}`, { id: 1, by: kind === 'prepare' ? 'Amira Patel' : 'Ben Ode' });
  const refused = await book.client.call('periods.close', { id: 1, by: 'Ben Ode' });
  expect(refused).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('the difference of 1 match is not explained yet') },
  });
});

test('a proposal that is confirmed with an adjustment keeps its reason, and so does one that is taken apart and put back', async () => {
  const book = openQuietBook();
  const { client } = book;
  const gap = { ...BY_EXTERNAL_ID, outcome: 'propose' } as const;
  await setUpPair(client, { a: [gbp(10_000, 'x1')], b: [gbp(9_100, 'x1')] }, [gap]);
  await book.run(1);
  const june = { from: '2026-06-01', to: '2026-06-30' };
  await client.get('periods.create', { reconciliation_id: 1, bank_side: 'b', ...june, balances: BALANCES });
  await client.get('matches.confirm', { id: 1, create_adjustment: true, difference_reason: { code: 'bank_charge', note: 'Seen' } });
  const told = async (): Promise<void> => {
    expect(await reportOf(book, 'journal')).toContain('Bank charge');
    expect((await client.get('periods.get', { id: 1 })).statement).toMatchObject({ match_differences: { count: 1, total: -900 } });
  };
  await told();
  await client.get('matches.remove', { id: 1 });
  expect(await reportOf(book, 'journal')).not.toContain('9.00');
  await client.get('matches.restore', { id: 1 });
  await told();
});

test.each(
  (['bank_charge', 'interest', 'fx', 'rounding', 'book_error', 'bank_error', 'write_off'] as const).flatMap((code) => [
    { code, books: 9_100, bank: 10_000, opposite: false },
    { code, books: -10_000, bank: -9_100, opposite: false },
    { code, books: 10_000, bank: -9_100, opposite: true },
  ]),
)('$code of $bank and $books: the reason stays when the match is separated and restored', async ({ code, books, bank, opposite }) => {
  const book = openQuietBook();
  const { client } = book;
  const lines = { a: [gbp(books, 'x1')], b: [gbp(bank, 'x1')] };
  const { aIds, bIds } = await setUpPair(client, lines, undefined, opposite ? 'opposite' : 'same');
  const difference_reason = { code, note: 'Seen on the advice' };
  const match = await client.get('matches.create', {
    reconciliation_id: 1,
    record_ids: [...aIds, ...bIds],
    create_adjustment: true,
    difference_reason,
  });
  const june = { from: '2026-06-01', to: '2026-06-30' };
  await client.get('periods.create', { reconciliation_id: 1, bank_side: 'b', ...june, balances: BALANCES });
  const difference = bank - (opposite ? -books : books);
  const told = async (): Promise<void> => {
    const { statement } = await client.get('periods.get', { id: 1 });
    const isOfBank = code === 'bank_error';
    expect(statement).toMatchObject({
      bank_errors: isOfBank ? { count: 1, total: -difference } : { count: 0 },
      match_differences: isOfBank ? { count: 0 } : { count: 1, total: difference },
    });
    expect(await reportOf(book, 'csv')).toContain(REASON_WORDS[code]);
    expect((await reportOf(book, 'journal')).includes('9.00')).toBe(!isOfBank);
  };
  await told();
  await client.get('matches.remove', { id: match.id });
  expect((await client.get('periods.get', { id: 1 })).statement).toMatchObject({
    bank_errors: { count: 0 },
    match_differences: { count: 0 },
  });
  await client.get('matches.restore', { id: match.id });
  await told();
});
