import { expect, it } from 'vitest';
import { lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** Banks leave out the reference of a message (tag 20), or its account (tag 25): the file was refused, or two statements became one. */

const message = (account: string, from: string, amount: string, to: string): readonly string[] => [
  ':20:STARTUMS',
  `:25:${account}`,
  ':28C:1/1',
  `:60F:C260601EUR${from}`,
  `:61:260602C${amount}NTRFNONREF`,
  ':86:Sale',
  `:62F:C260630EUR${to}`,
];
const WHOLE = [...message('ONE', '100,00', '10,00', '110,00'), ...message('ONE', '110,00', '5,00', '115,00')];

it.each([
  ['20', /^:20:/],
  ['25', /^:25:/],
  ['20 and 25', /^:2[05]:/],
  ['20, 25 and 28C', /^:2/],
])('statements without tag %s are read as with it', (_, left) => {
  const whole = statementOf(lines(...WHOLE));
  const statement = statementOf(lines(...WHOLE.filter((line) => !left.test(line))));
  expect([statement.format, summaryOf(statement), statement.proof, statement.problems]).toEqual([
    'mt940',
    ['2026-06-02 1000 EUR', '2026-06-02 500 EUR'],
    'proved',
    [],
  ]);
  expect([statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([whole.openingBalanceMinor, whole.closingBalanceMinor]);
});

it('accounts stay apart where no message has a tag 20', () => {
  const two = [...message('ONE', '100,00', '10,00', '110,00'), ...message('TWO', '7,00', '5,00', '12,00')];
  const statement = statementOf(lines(...two.filter((line) => !line.startsWith(':20:'))));
  expect(statement.periods.map(({ account, closingMinor }) => [account, closingMinor])).toEqual([
    ['ONE', 11_000],
    ['TWO', 1_200],
  ]);
});

it('a message without a tag 20 that is cut off says so', () => {
  const [, ...cut] = message('ONE', '100,00', '10,00', '110,00').slice(0, -1);
  expect(statementOf(lines(...cut)).problems).toMatchObject([{ code: 'file_cut_off' }]);
});

it('a text that speaks of a tag is no message', () => {
  expect(readText(lines('Notes', ':61: is a line of MT940', ':62F: its balance'))).toMatchObject({ ok: false });
});
