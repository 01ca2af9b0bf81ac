import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const EUR = { currency: 'EUR' };

describe('an amount with what came back of it in brackets', () => {
  const read = (cell: string) => statementOf(lines('Date,Details,Amount', `2026-06-01,Shop,"${cell}"`, '2026-06-02,Rent,-5.00'), EUR);

  it.each([
    '-100.00(refunded 20.00)',
    '-100.00 (Refund: EUR 20.00)',
    '-100.00（已退款￥20.00）',
    '-100.00(已全额退款)',
    '-100.00 (remboursé 20,00 €)',
  ])('%s is the amount before it, with a note', (cell) => {
    const statement = read(cell);
    expect(summaryOf(statement)).toEqual(['2026-06-01 -10000 EUR', '2026-06-02 -500 EUR']);
    expect(statement.problems).toMatchObject([{ code: 'returns_in_amounts', severity: 'note', row: 2, column: 'Amount' }]);
  });

  it('is rejected where the brackets say something else', () => {
    expect(codesOf(read('-100.00(see 20.00)'))).toEqual(['unreadable_amount']);
  });

  it('of a wallet is read beside the row that gives the money back', () => {
    const statement = statementOf(
      lines(
        '交易时间,商品说明,收/支,金额,交易状态',
        '2026-01-02 10:00:00,午餐,支出,100.00(已退款20.00),交易成功',
        '2026-01-03 10:00:00,午餐,支出,50.00,交易成功',
        '2026-01-04 10:00:00,退款-午餐,不计收支,20.00,退款成功',
        '2026-01-05 10:00:00,转账,不计收支,30.00,交易成功',
      ),
      { currency: 'CNY' },
    );
    expect(summaryOf(statement)).toEqual(['2026-01-02 -10000 CNY', '2026-01-03 -5000 CNY', '2026-01-04 2000 CNY']);
    expect(codesOf(statement)).toEqual(['returns_in_amounts', 'unknown_direction']);
  });
});

it('a stray delimiter beside an amount is ignored', () => {
  const statement = statementOf(
    lines(
      'Data Contabile;Addebiti;Accrediti;Descrizione;Saldo',
      '13/01/2026;10,00;;PAGAMENTO;990,00|',
      '14/01/2026;;20,00;ACCREDITO;1.010,00 |',
      '15/01/2026;5,00|;;PAGAMENTO;|1.005,00',
    ),
    EUR,
  );
  expect([statement.proof, summaryOf(statement)]).toEqual([
    'proved',
    ['2026-01-13 -1000 EUR', '2026-01-14 2000 EUR', '2026-01-15 -500 EUR'],
  ]);
});

describe('decimals beyond those of a currency', () => {
  const read = (...rows: readonly string[]) => statementOf(lines('Date,Details,Amount,Currency', ...rows), EUR);
  const sentences = (...rows: readonly string[]) => read(...rows).problems.map(({ code, row, message }) => [code, row, message]);

  it('are dropped where they are zero', () => {
    expect(summaryOf(read('2026-01-02,Deposit,12.340000,EUR', '2026-01-03,Rent,-7.00000000,JPY'))).toEqual([
      '2026-01-02 1234 EUR',
      '2026-01-03 -7 JPY',
    ]);
  });

  it('reject only their own row where they are not zero, with the decimals of the currency in the message', () => {
    expect(sentences('2026-01-02,Deposit,12.345,EUR', '2026-01-03,Rent,-7.00,EUR')).toEqual([
      [
        'too_many_decimals',
        2,
        'The amount "12.345" in row 2, column Amount, has more decimals than EUR has (2). Correct it, or the currency.',
      ],
    ]);
  });

  it('of an unknown currency are rejected with that reason', () => {
    const rows = ['2026-01-02,Buy,0.00012345,BTC', '2026-01-03,Rent,-7.00,EUR'];
    expect(sentences(...rows)).toEqual([
      [
        'too_many_decimals',
        2,
        'The amount "0.00012345" in row 2, column Amount, has more decimals than are kept of BTC, whose own are not known (2). Round it in the file, or leave the row out.',
      ],
    ]);
  });

  it('beside a unit that is no currency are rejected with that reason', () => {
    const statement = statementOf(lines('Date,Details,Amount', '2026-01-02,Buy,0.00012345 BTC', '2026-01-03,Rent,-7.00 EUR'));
    expect(summaryOf(statement)).toEqual(['2026-01-03 -700 EUR']);
    expect(statement.problems.map(({ message }) => message)).toEqual([
      '"0.00012345 BTC" in row 2, column Amount, is an amount of BTC, which is no currency that is known. Write a currency of three letters in a column of its own, or leave the row out.',
    ]);
  });
});
