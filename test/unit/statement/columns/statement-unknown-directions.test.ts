import { describe, expect, it, test } from 'vitest';
import { openBesideCurrency, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const ROWS = [
  ['2026-06-01', 'Rent', 'X', '950.00'],
  ['2026-06-02', 'Wage', 'Y', '2100.00'],
  ['2026-06-03', 'Tea', 'X', '4.50'],
  ['2026-06-04', 'Bus', 'X', '2.10'],
  ['2026-06-05', 'Sale', 'Y', '80.00'],
] as const;
const table = (header: string, words: Readonly<Record<string, string>> = {}): string =>
  [header, ...ROWS.map((row) => row.map((cell) => words[cell] ?? cell).join(','))].join('\n');
let kinds = 0;
const XY = table('Date,Details,Kind,Amount');
const signs = (text: string, options = {}) =>
  statementOf(text, options)
    .lines.map(({ direction }) => (direction === 'credit' ? '+' : '-'))
    .join('');

describe('a column of directions in unknown words', () => {
  it('raises a question with each word, its number of rows and an example', () => {
    expect(openBesideCurrency(statementOf(XY))).toEqual([
      {
        about: 'money_out',
        column: 'Kind',
        message:
          'No amount has a sign, and the column Kind says words that may tell money in from money out, which Tieout does not know: “X”, “Y”. Say which of them mean money out.',
        taken: '',
        choices: [
          { value: 'X', label: 'X, 3 rows', examples: [{ written: 'row 2: 2026-06-01, Rent, X, 950.00', read: 'money out' }] },
          { value: 'Y', label: 'Y, 2 rows', examples: [{ written: 'row 3: 2026-06-02, Wage, Y, 2100.00', read: 'money out' }] },
        ],
      },
    ]);
  });

  test.each([
    ['under a header that says direction', 'Date,Details,Kind,Amount', {}],
    ['under one that says type', 'Date,Details,Type,Amount', {}],
    ['under one that nobody knows, beside the amount', 'Date,Details,Qwrt,Amount', {}],
    ['of another language', 'Date,Details,Kind,Amount', { X: 'Imeuzwa', Y: 'Imeingia' }],
    ['beside a word that is known', 'Date,Details,Kind,Amount', { Y: 'Credit' }],
  ])('%s', (_, header, words: Record<string, string>) => {
    const text = table(header, words);
    expect(openBesideCurrency(statementOf(text))).toMatchObject([{ about: 'money_out' }]);
    expect(signs(text, { answers: { money_out: [words['X'] ?? 'X'] } })).toBe('-+--+');
  });

  it('is read as a person answers, regardless of case, and its recipe keeps the answer', () => {
    const said = statementOf(XY, { answers: { money_out: ['x'] } });
    expect([openBesideCurrency(said), signs(XY, { answers: { money_out: ['x'] } })]).toEqual([[], '-+--+']);
    expect(said.columns.map(({ role }) => role)).toEqual(['date', 'description', 'direction', 'amount']);
    const recipe = said.table?.recipe;
    expect(recipe).toMatchObject({ sign_model: 'direction', direction_words: { in: ['Y'], out: ['x'] } });
    expect(signs(XY, { recipe })).toBe('-+--+');
    expect(signs(XY, { recipe, answers: { money_out: ['Y'] } })).toBe('-----');
  });

  it('raises the question again where a recipe lacks some of its words', () => {
    const recipe = statementOf(XY, { answers: { money_out: ['X'] } }).table?.recipe;
    const next = `${XY}\n2026-06-06,Fine,Z,7.00`;
    const asked = statementOf(next, { recipe });
    expect(openBesideCurrency(asked)).toMatchObject([{ about: 'money_out', choices: [{ value: 'Z', label: 'Z, 1 row' }] }]);
    expect(asked.rejected).toMatchObject([{ row: 7 }]);
    expect(signs(next, { recipe, answers: { money_out: ['Z'] } })).toBe('-+--+-');
    expect(statementOf(next, { recipe, answers: { money_out: ['Z'] } }).table?.recipe.direction_words).toEqual({
      in: ['Y'],
      out: ['Z', 'X'],
    });
  });

  it('may be called a direction by hand first', () => {
    const found = statementOf(table('Date,Details,Qwrt,Amount')).table?.recipe;
    const columns = found?.columns.map((column) => (column.header === 'Qwrt' ? { ...column, role: 'direction' as const } : column)) ?? [];
    const recipe = found && { ...found, columns, sign_model: null };
    const asked = statementOf(table('Date,Details,Qwrt,Amount'), { recipe });
    expect(openBesideCurrency(asked)).toMatchObject([{ about: 'money_out', column: 'Qwrt' }]);
    expect(signs(table('Date,Details,Qwrt,Amount'), { recipe, answers: { money_out: ['Y'] } })).toBe('+-++-');
  });

  it('is one like any other where none of its words means money out', () => {
    const none = statementOf(XY, { answers: { money_out: [] } });
    expect([openBesideCurrency(none), none.columns.map(({ role }) => role), none.table?.recipe.direction_words]).toEqual([
      [],
      ['date', 'description', 'metadata', 'amount'],
      null,
    ]);
    expect(openBesideCurrency(statementOf(XY, { recipe: none.table?.recipe }))).toEqual([]);
  });

  it('raises no question where the signs are answered in another way', () => {
    const all = statementOf(XY, { answers: { sign_model: 'signed_inverted' } });
    expect([openBesideCurrency(all), signs(XY, { answers: { sign_model: 'signed_inverted' } })]).toEqual([[], '-----']);
    expect(all.table?.recipe.direction_words).toBeNull();
    expect(openBesideCurrency(statementOf(XY, { recipe: all.table?.recipe }))).toEqual([]);
  });

  it.each([
    [XY, ['Z'], 'No row says “Z” in the column Kind, which says “X”, “Y”. Say one of these.'],
    ['Date,Details,Amount\n2026-06-01,Rent,-9.00\n', ['X'], 'No column of this file tells money in from money out by words.'],
  ])('accepts no words that it does not have: %#', (text, words, message) => {
    const read = readText(text, { answers: { money_out: words } });
    expect(read).toMatchObject({ ok: false, error: { code: 'answer_does_not_fit', message: expect.stringContaining(message) } });
  });
});

test.each([
  ['words that are known', table('Date,Details,Kind,Amount', { X: 'Debit', Y: 'Credit' }), '-+--+'],
  ['letters that are known', table('Date,Details,I/O,Amount', { X: 'O', Y: 'I' }), '-+--+'],
  ['signs', table('Date,Details,Kind,Amount', { '950.00': '-950.00' }), '-++++'],
  ['many kinds', table('Date,Details,Type,Amount', { Rent: 'A', X: 'POS' }).replace(/POS/g, () => `K${(kinds += 1)}`), '+++++'],
  [
    'two words far from the amount',
    'Date,Region,Details,Amount\n'.concat(ROWS.map(([d, t, w, a]) => `${d},${w},${t},${a}`).join('\n')),
    '+++++',
  ],
  ['a column of another meaning', table('Date,Details,Status,Amount'), '+++++'],
  ['currencies', table('Date,Details,Qwrt,Amount', { X: 'EUR', Y: 'USD' }), '+++++'],
])('no question is asked where the file has %s', (_, text, expected) => {
  expect([openBesideCurrency(statementOf(text)), signs(text)]).toEqual([[], expected]);
});

test('the words raise no question once they are answered, and a balance proves them', () => {
  let balance = 0;
  const rows = ROWS.map(([date, text, word, amount]) => {
    balance += (word === 'X' ? -1 : 1) * Math.round(Number(amount) * 100);
    return `${date},${text},${word},${amount},${(balance / 100).toFixed(2)}`;
  });
  const text = `Date,Details,Kind,Amount,Balance\n${rows.join('\n')}\n`;
  expect(openBesideCurrency(statementOf(text))).toMatchObject([{ about: 'money_out' }]);
  const said = statementOf(text, { answers: { money_out: ['X'] } });
  expect([said.proof, summaryOf(said)[0]]).toEqual(['proved', '2026-06-01 -95000 XXX']);
});
