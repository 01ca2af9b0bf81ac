import { describe, expect, it } from 'vitest';
import { readLarge } from '../../../../src-main/domain/statement/read.ts';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const cad = { currency: 'CAD' };
const money = (minor: number): string => (minor / 100).toFixed(2);

/** Day, signed amount and the balance behind it. */
const STEPS = [
  { day: '01', minor: -1_000, behind: 9_000 },
  { day: '02', minor: 5_000, behind: 14_000 },
  { day: '15', minor: -2_500, behind: 11_500 },
  { day: '16', minor: -500, behind: 11_000 },
].map((step) => ({
  ...step,
  before: step.behind - step.minor,
  out: step.minor < 0 ? money(-step.minor) : '',
  in: step.minor > 0 ? money(step.minor) : '',
}));
type Step = (typeof STEPS)[number];
const READ = STEPS.map(({ day, minor }) => `2026-06-${day} ${minor} CAD`);
const table = (row: (step: Step) => string, header: readonly string[] = []): string => lines(...header, ...STEPS.map(row));

/** A table whose header says nothing of its columns, or that has none: the balance was read as the amount, and nothing said so. */
describe('columns of amounts without headers are recognised by the balances that fit them', () => {
  const PROVED: readonly (readonly [string, string])[] = [
    ['out, in, balance', table((step) => `06/${step.day}/2026,a,${step.out},${step.in},${money(step.behind)}`)],
    ['nil in the other column', table((step) => `06/${step.day}/2026,a,${step.out || '0.00'},${step.in || '0.00'},${money(step.behind)}`)],
    [
      'a header in an unknown language',
      table((step) => `2026-06-${step.day},a,${step.out},${step.in},${money(step.behind)}`, ['Xyz,Abc,Mno,Pqr,Stu']),
    ],
    ['balance first', table((step) => `2026-06-${step.day},${money(step.behind)},a,${money(step.minor)}`)],
    [
      'before and behind',
      table((step) => `123\tCAD\t202606${step.day}\t${money(step.before)}\t${money(step.behind)}\t${money(step.minor)}\ta`),
    ],
    ['before alone', table((step) => `${step.day}-06-2026,X,CAD,${money(step.before)},${money(step.minor)},a`)],
  ];

  it.each(PROVED)('%s', (_what, text) => {
    const statement = statementOf(text, cad);
    expect([summaryOf(statement), statement.proof, codesOf(statement)]).toEqual([READ, 'proved', []]);
    expect(statement).toMatchObject({ openingBalanceMinor: 10_000, closingBalanceMinor: 11_000 });
  });

  it('newest first', () => {
    const newest = lines(...STEPS.toReversed().map((step) => `06/${step.day}/2026,a,${step.out},${step.in},${money(step.behind)}`));
    const statement = statementOf(newest, cad);
    expect([summaryOf(statement), statement.proof]).toEqual([READ.toReversed(), 'proved']);
  });

  it('amounts without decimals', () => {
    const text = lines('2026-06-01,-10000,90000', '2026-06-02,50000,140000', '2026-06-03,-25000,115000');
    const statement = statementOf(text, { currency: 'HUF' });
    expect([statement.proof, statement.openingBalanceMinor]).toEqual(['proved', 10_000_000]);
  });

  it('a balance that the header calls by another name proves the amounts that it names', () => {
    const statement = statementOf(
      table((step) => `2026-06-${step.day},a,${money(step.minor)},${money(step.behind)}`, ['Date,Text,Amount,Stu']),
      cad,
    );
    expect([summaryOf(statement), statement.proof]).toEqual([READ, 'proved']);
  });

  it('a balance that the header calls the one before', () => {
    const statement = statementOf(
      table((step) => `2026-06-${step.day};${money(step.before)};${money(step.minor)}`, ['Datum;Saldo vorher;Betrag']),
      cad,
    );
    expect([summaryOf(statement), statement.proof, statement.openingBalanceMinor]).toEqual([READ, 'proved', 10_000]);
    const again = statementOf(lines('Datum;Saldo vorher;Betrag', '2026-07-01;5.00;1.00', '2026-07-02;6.00;1.00', '2026-07-03;7.00;1.00'), {
      ...cad,
      recipe: statement.table?.recipe,
    });
    expect(again).toMatchObject({ proof: 'proved', openingBalanceMinor: 500, closingBalanceMinor: 800 });
  });

  it('says which column it took where nothing proves it', () => {
    const statement = statementOf(lines('2026-06-01,-1.00,7.50', '2026-06-02,2.00,3.25'), cad);
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-01 -100 CAD', '2026-06-02 200 CAD'], ['columns_assumed']]);
  });

  it('in a long file that is read in stretches as well', () => {
    let behind = 10_000;
    const rows = Array.from({ length: 9_000 }, (_, index) => {
      const minor = ((index * 7_919) % 1_000) + 1;
      const isOut = (index * 104_729) % 3 > 0;
      behind += isOut ? -minor : minor;
      return `2026-06-${String(1 + Math.floor(index / 400)).padStart(2, '0')},a,${isOut ? money(minor) : ''},${isOut ? '' : money(minor)},${money(behind)}`;
    });
    const bytes = new TextEncoder().encode(lines(...rows));
    const source = { byteLength: bytes.length, head: bytes.subarray(0, 60_000), stretches: () => [bytes] };
    const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };
    const large = readLarge(source, { filename: 'a.csv', ...cad }, quiet);
    expect([statementOf(bytes, cad).proof, large.ok && large.value?.proof]).toEqual(['proved', 'proved']);
  });
});

/** Columns that only seemed to be a direction or an amount turned signs round, or left amounts empty. */
describe('columns that resemble others', () => {
  it('a type that says payment in every row is no direction beside amounts with signs', () => {
    const statement = statementOf(lines('Date,Type,Amount', '2026-06-01,Payment,-1.00', '2026-06-02,Payment,2.00'), cad);
    expect(summaryOf(statement)).toEqual(['2026-06-01 -100 CAD', '2026-06-02 200 CAD']);
    expect(summaryOf(statementOf(lines('Date,Type,Amount', '2026-06-01,Debit,1.00', '2026-06-02,Debit,2.00'), cad))).toEqual([
      '2026-06-01 -100 CAD',
      '2026-06-02 -200 CAD',
    ]);
  });

  it('a column of plus and minus is a direction', () => {
    const statement = statementOf(lines('Date,Sign,Amount', '2026-06-01,-,1.00', '2026-06-02,+,2.00'), cad);
    expect(summaryOf(statement)).toEqual(['2026-06-01 -100 CAD', '2026-06-02 200 CAD']);
  });

  it('the net amount is used beside a fee', () => {
    const statement = statementOf(lines('Date,Amount,Fee,Net', '2026-06-01,10.00,0.30,9.70', '2026-06-02,-2.00,0.00,-2.00'), cad);
    expect(summaryOf(statement)).toEqual(['2026-06-01 970 CAD', '2026-06-02 -200 CAD']);
  });

  it('an empty column is not the one of the money in', () => {
    const statement = statementOf(
      lines('Date,Receipt,Money Out,Money In', '2026-06-01,,1.00,', '2026-06-02,,,2.00', '2026-06-03,,3.00,'),
      cad,
    );
    expect(summaryOf(statement)).toEqual(['2026-06-01 -100 CAD', '2026-06-02 200 CAD', '2026-06-03 -300 CAD']);
  });
});
