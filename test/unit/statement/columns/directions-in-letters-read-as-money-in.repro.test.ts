import { expect, it } from 'vitest';
import { lines, statementOf } from '../../../support/inputs/statements.ts';

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

it('letters of which I or O is but one of them say nothing of in and out', () => {
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

it('an O among credits and debits is named, as any other letter is', () => {
  const rows = Array.from({ length: 9 }, (_, index) => `2026-06-1${index},Shop,1.50,${index % 2 === 0 ? 'D' : 'C'}`);
  const statement = statementOf(lines('Date,Details,Amount,D/C', ...rows, '2026-06-20,Shop,2.50,O'), { currency: 'GBP' });
  expect(statement.lines).toHaveLength(9);
  expect(statement.rejected).toMatchObject([{ row: 11 }]);
});
