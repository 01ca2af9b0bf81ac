import { describe, expect, it } from 'vitest';
import { lines, openBesideCurrency, statementOf } from '../../../support/inputs/statements.ts';

/** `I` and `O` beside amounts without signs, and some words like them, were not looked at: all of it was money in. */

const signs = (header: string, into: string, out: string): string =>
  statementOf(
    lines(
      `Date,Details,Amount,${header}`,
      `2026-06-01,Shop one,10.50,${out}`,
      `2026-06-02,Wages,20.00,${into}`,
      `2026-06-03,Bus,2.25,${out}`,
    ),
    { currency: 'GBP' },
  )
    .lines.map(({ direction }) => (direction === 'credit' ? '+' : '-'))
    .join('');

it.each([
  ['I', 'O'],
  ['i', 'o'],
  ['In', 'Out'],
  ['Inbound', 'Outbound'],
  ['Deposits', 'Withdrawals'],
  ['CRE', 'DEB'],
  ['Entrate', 'Uscite'],
  ['Entradas', 'Salidas'],
  ['C', 'D'],
  ['H', 'S'],
  ['+', '-'],
])('%s and %s', (into, out) => {
  for (const header of ['Direction', 'I/O', 'Type', 'Sign', 'X']) expect(signs(header, into, out)).toBe('-+-');
});

it('O alone is money out under a header that says so', () => {
  expect(signs('In/Out', 'O', 'O')).toBe('---');
  expect(signs('Type', 'O', 'O')).toBe('+++');
});

it('I or O among other letters is no direction', () => {
  for (const [first, second] of [
    ['I', 'S'],
    ['S', 'I'],
    ['C', 'O'],
    ['O', 'K'],
  ] as const) {
    expect(signs('Type', first, second)).toBe('+++');
    expect(signs('X', first, second)).toBe('+++');
  }
});

it('an O among credits and debits is an unknown word, like any other letter', () => {
  const rows = Array.from({ length: 9 }, (_, index) => `2026-06-1${index},Shop,1.50,${index % 2 === 0 ? 'D' : 'C'}`);
  const statement = statementOf(lines('Date,Details,Amount,D/C', ...rows, '2026-06-20,Shop,2.50,O'), { currency: 'GBP' });
  expect(statement.lines).toHaveLength(9);
  expect(statement.rejected).toMatchObject([{ row: 11 }]);
  expect(statement.questions).toMatchObject([{ about: 'money_out', choices: [{ value: 'O', label: 'O, 1 row' }] }]);
});

describe('a column of directions with some unknown words', () => {
  const rows = (words: readonly string[]): string[] =>
    Array.from({ length: 9 }, (_, index) => `2026-06-1${index},Shop ${index},1.5${index},${words[index % words.length] ?? ''}`);

  it.each([
    ['Direction', ['I', 'O', 'Transfer'], ['I', 'O', 'Transfer'], ['O', 'Transfer'], '+--+--+--'],
    ['Direction', ['I', 'O', 'Out'], ['I', 'O'], ['O'], '+--+--+--'],
    ['In/Out', ['In', 'O'], ['O'], ['O'], '+-+-+-+-+'],
    ['D/C', ['C', 'D', 'R'], ['R'], ['R'], '+--+--+--'],
    ['Direction', ['CR', 'DR', 'X'], ['X'], [], '+-++-++-+'],
    ['Soll/Haben', ['S', 'H', 'Storno'], ['Storno'], [], '-++-++-++'],
    ['Sens', ['C', 'D', 'Virement'], ['Virement'], ['Virement'], '+--+--+--'],
  ])('%s %j raises a question, and is read as a person answers', (header, words, open, out, expected) => {
    const text = lines(`Date,Details,Amount,${header}`, ...rows(words));
    const asked = statementOf(text, { currency: 'GBP' });
    expect(asked.questions).toMatchObject([{ about: 'money_out', column: header, choices: open.map((value) => ({ value })) }]);
    const said = statementOf(text, { currency: 'GBP', answers: { money_out: out } });
    expect([said.questions, said.rejected]).toEqual([[], []]);
    expect(said.lines.map(({ direction }) => (direction === 'credit' ? '+' : '-')).join('')).toBe(expected);
  });
});

describe('a column of words that are not all known', () => {
  const table = (header: string, words: readonly string[], amounts: readonly string[] = []): string =>
    lines(
      `Date,Details,Amount,${header}`,
      ...Array.from({ length: 73 }, (_, at) => {
        const day = String((at % 28) + 1).padStart(2, '0');
        return `2026-03-${day},Shop ${at},${amounts[at] ?? `${at + 1}.50`},${words[at % words.length] ?? ''}`;
      }),
    );
  const outs = (text: string, options = {}): number =>
    statementOf(text, { currency: 'GBP', ...options }).lines.filter(({ direction }) => direction === 'debit').length;

  it.each([
    ['Type', ['O', 'I', 'C', 'D'], ['O', 'I']],
    ['Type', ['O', 'I', 'OUT'], ['O', 'I']],
    ['Type', ['S', 'I'], ['I']],
    ['Type', ['O', 'X'], ['O', 'X']],
    ['Type', ['O'], ['O']],
    ['O/I', ['Zed', 'Yod'], ['Zed', 'Yod']],
    ['Direction', ['1', '2'], ['1', '2']],
    ['Direction', ['Zed', 'Zed', 'Yod', ''], ['Zed', 'Yod']],
    ['Direction', ['INR', 'OUT'], ['INR']],
  ])('under %s raises a question: %s', (header, words, choices) => {
    const text = table(header, words);
    expect(openBesideCurrency(statementOf(text, { currency: 'GBP' }))).toMatchObject([
      { about: 'money_out', choices: choices.map((value) => ({ value })) },
    ]);
  });

  it('reads a letter that was offered and not chosen as money in', () => {
    const text = table('Type', ['O', 'I', 'C', 'D']);
    expect(outs(text, { answers: { money_out: ['O'] } })).toBe(19 + 18);
    expect(outs(text, { answers: { money_out: ['I'] } })).toBe(18 + 18);
  });

  it('raises a question although some amounts are reversals, and none where signs decide', () => {
    const some = Array.from({ length: 73 }, (_, at) => `${at === 7 ? '-' : ''}${at + 1}.50`);
    const text = table('Direction', ['Zed', 'Yod'], some);
    expect(openBesideCurrency(statementOf(text, { currency: 'GBP' }))).toMatchObject([{ about: 'money_out' }]);
    expect(outs(text, { answers: { money_out: ['Zed'] } })).toBe(38);
    const signed = Array.from({ length: 73 }, (_, at) => `${at % 10 === 0 ? '-' : ''}${at + 1}.50`);
    const tenth = Array.from({ length: 10 }, (_, at) => (at === 0 ? 'Zed' : 'Yod'));
    expect(openBesideCurrency(statementOf(table('Direction', tenth, signed), { currency: 'GBP' }))).toEqual([]);
  });

  it.each(['Description', 'Reference', 'Status', 'Category'])(
    'under %s gives the direction where each row is a deposit or a withdrawal',
    (header) => {
      expect(outs(table(header, ['Withdrawal', 'Deposit']))).toBe(37);
    },
  );
});

it.each([
  ['Tipo', 'E', 'S'],
  ['Typ', 'Q', 'K'],
  ['Type', 'Zip', 'Zap'],
])('%s with %s and %s raises a question in a file of three rows', (header, into, out) => {
  const rows = [`2026-06-01,A,10.50,${out}`, `2026-06-02,B,20.00,${into}`, `2026-06-03,C,2.25,${out}`];
  const text = lines(`Date,Details,Amount,${header}`, ...rows);
  expect(statementOf(text, { currency: 'EUR' }).questions).toMatchObject([{ about: 'money_out' }]);
  const said = statementOf(text, { currency: 'EUR', answers: { money_out: [out] } });
  expect(said.lines.map(({ direction }) => direction)).toEqual(['debit', 'credit', 'debit']);
});
