import { expect, test } from 'vitest';
import { exitCodeOf, statementLines, verdictsText } from '../../../src-main/commands/statement-text.ts';
import { closeSteps } from '../../../src-renderer/format/close-steps.ts';
import { stateWords } from '../../../src-renderer/format/close-words.ts';
import { needsOf } from '../../../src-renderer/screens/book/needs.ts';
import type { Call } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { TestBook } from '../../support/books/backend.ts';
import { juneBook } from '../../support/books/june-book.ts';
import { packChecked, packFaults } from '../../support/pack-checks.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

/** The balances of the worked example as both sides state them, in minor units. */
const STATED = {
  bank: { opening: 1_250_000, stated_closing: 1_128_049 },
  books: { opening: 1_250_000, stated_closing: 1_266_165 },
} as const;
type Side = keyof typeof STATED;
type Which = keyof (typeof STATED)[Side];

/** A cent more or less of a balance leaves this: unexplained, and lines missing of its side. */
const CASES = (['bank', 'books'] as const).flatMap((side) =>
  (['opening', 'stated_closing'] as const).flatMap((which) =>
    [1, -1].map((cent) => ({
      side,
      which,
      cent,
      unexplained: which === 'opening' ? 0 : side === 'bank' ? cent : -cent,
      missing: which === 'opening' ? -cent : cent,
    })),
  ),
);

/** A balance of both sides moved by as much: the sides agree with each other, and neither with its lines. */
const BOTH = [100, -100].map((cents) => ({ cents }));

async function bookWith(changed: Partial<Record<Side, Partial<Record<Which, number>>>>): Promise<TestBook> {
  const book = await juneBook();
  const balances = (['bank', 'books'] as const).map((side) => ({ side, currency: 'GBP', ...STATED[side], ...changed[side] }));
  await book.client.get('periods.update', { id: 1, balances });
  return book;
}

/** What each place says, in one word: whether the figures agree. */
async function saidBy(book: TestBook): Promise<Record<string, boolean>> {
  const { client } = book;
  const period = await client.get('periods.get', { id: 1 });
  const { statement } = period;
  const contentOf = async (format: Call<'periods.report'>['format']): Promise<Buffer> => {
    const { content, encoding } = await client.get('periods.report', { id: 1, format });
    return Buffer.from(content, encoding);
  };
  const row = present((await client.get('book.home', {})).rows[0], 'row');
  const steps = closeSteps({ statement, period, coverage: null, matches: 1, statusExplains: false });
  const step = (name: string): boolean =>
    present(
      steps.find((each) => each.name === name),
      name,
    ).isDone;
  const pack = String(await contentOf('pack'));
  expect(packFaults(pack)).toEqual([]);
  const sheet = [...cellsOf(await contentOf('xlsx')).values()].flatMap((cells) => [...cells.values()].map(({ v }) => String(v)));
  const agrees = (text: string): boolean => {
    const isSaid = text.includes('The figures agree.');
    expect(text.includes('The figures do not agree.')).toBe(!isSaid);
    return isSaid;
  };
  return {
    json: statement.agrees && statement.doubts.length === 0,
    command: statementLines(statement).includes('The figures agree.') && verdictsText(statement) === 'The figures agree.',
    'exit code of report': exitCodeOf(statement) === 0,
    'steps of the window': step('balances') && step('agree'),
    'badge of the window': stateWords({ state: 'closed', stale: false }, statement.doubts).text === 'Reconciled',
    Home: row.balance.state === 'proved' && row.balance.doubts.length === 0,
    'what Home asks for': !needsOf(row, false).some(({ kind }) => kind === 'balance'),
    // A PDF is this page, printed.
    html: agrees(String(await contentOf('html'))),
    csv: agrees(String(await contentOf('csv'))),
    pack: agrees(packChecked(pack).text),
    xlsx: agrees(sheet.join('\n')),
  };
}

const all = (said: Record<string, boolean>, value: boolean): Record<string, boolean> =>
  Object.fromEntries(Object.keys(said).map((place) => [place, value]));

async function closing({ client }: TestBook, unexplained_reason?: string): Promise<string> {
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  await client.get('periods.review', { id: 1, by: 'Tom Whitfield' });
  const given = unexplained_reason === undefined ? {} : { unexplained_reason };
  const answer = await client.call('periods.close', { id: 1, by: 'Tom Whitfield', ...given });
  return answer.ok ? 'closed' : answer.error.code;
}

test('with the balances of both sides, the figures agree everywhere, and the period closes', async () => {
  const book = await bookWith({});
  const said = await saidBy(book);
  expect(said).toEqual(all(said, true));
  expect(await closing(book)).toBe('closed');
});

test.each(CASES)('$which of $side that is off by $cent: every place shows it, and closing needs a reason', async (one) => {
  const { side, which, cent, unexplained, missing } = one;
  const book = await bookWith({ [side]: { [which]: STATED[side][which] + cent } });
  const said = await saidBy(book);
  expect(said).toEqual(all(said, false));
  const { statement } = await book.client.get('periods.get', { id: 1 });
  expect([statement.unexplained, statement[side].lines_missing]).toEqual([unexplained, missing]);
  const { balance } = present((await book.client.get('book.home', {})).rows[0], 'row');
  expect([balance.amount, balance.doubts]).toEqual([statement.doubts[0]?.amount, statement.doubts.map(({ text }) => text)]);
  expect(await closing(book)).toBe('unexplained_difference');
});

test.each(BOTH)('both stated balances off by $cents: the sides agree, their lines do not, and every place shows it', async ({ cents }) => {
  const book = await bookWith({
    bank: { stated_closing: STATED.bank.stated_closing + cents },
    books: { stated_closing: STATED.books.stated_closing + cents },
  });
  const said = await saidBy(book);
  expect(said).toEqual(all(said, false));
  expect((await book.client.get('periods.get', { id: 1 })).statement.unexplained).toBe(0);
  expect(await closing(book)).toBe('unexplained_difference');
  // A reason closes it, and takes the difference away nowhere.
  const answer = await book.client.get('periods.close', { id: 1, by: 'Tom Whitfield', unexplained_reason: 'Written off by the board' });
  expect(answer.state).toBe('closed');
  const after = await saidBy(book);
  expect(after).toEqual({ ...all(after, false), 'what Home asks for': true });
});
