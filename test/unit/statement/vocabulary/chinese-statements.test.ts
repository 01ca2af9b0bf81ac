import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

describe('the sign of yen and yuan', () => {
  it('is that of yuan where an amount has a fraction', () => {
    const statement = statementOf(lines('交易时间,收/支,金额,商品', '2026-03-01 10:00:00,支出,¥66.66,A', '2026-03-02 10:00:00,收入,12,B'));
    expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-03-01 -6666 CNY', '2026-03-02 1200 CNY']);
  });

  it('is that of yuan where the header or a line above it names them', () => {
    for (const [above, header] of [
      ['', '交易时间,收/支,金额(元),商品'],
      ['收入：0笔 0.00元\n', '交易时间,收/支,金额,商品'],
    ]) {
      const statement = statementOf(`${above}${lines(header ?? '', '2026-03-01,支出,¥66,A', '2026-03-02,收入,¥12,B')}`);
      expect(summaryOf(statement)).toEqual(['2026-03-01 -6600 CNY', '2026-03-02 1200 CNY']);
    }
  });

  it('is that of yen where nothing speaks for yuan, or the target has yen', () => {
    const text = lines('日付,摘要,出金,入金', '2026/03/01,A,"¥1,200",', '2026/03/02,B,,¥300');
    expect(summaryOf(statementOf(text))).toEqual(['2026-03-01 -1200 JPY', '2026-03-02 300 JPY']);
    expect(summaryOf(statementOf(text, { currency: 'JPY' }))).toEqual(['2026-03-01 -1200 JPY', '2026-03-02 300 JPY']);
  });
});

describe('a column of directions', () => {
  it('may say of rows that they are neither, which are rejected', () => {
    const statement = statementOf(
      lines(
        '交易时间,商品说明,收/支   ,金额',
        '2026-03-01,A,支出,5.00',
        '2026-03-02,B,不计收支,6.00',
        '2026-03-03,C,不计收支,7.00',
        '2026-03-04,D,/,8.00',
      ),
      { currency: 'CNY' },
    );
    expect([summaryOf(statement), statement.rejectedRows]).toEqual([['2026-03-01 -500 CNY'], 3]);
    expect(statement.problems).toMatchObject([{ code: 'unknown_direction', row: 3 }, { row: 4 }, { row: 5 }]);
  });

  it('may say the same in two languages, or that money was moved in or out', () => {
    const statement = statementOf(
      lines('交易日期,借贷,交易金额', '2026-03-01,贷 Cr,1.23', '2026-03-02,借 Dr,3.21', '2026-03-03,转出,2.00', '2026-03-04,转入,4.00'),
      { currency: 'CNY' },
    );
    expect(summaryOf(statement)).toEqual(['2026-03-01 123 CNY', '2026-03-02 -321 CNY', '2026-03-03 -200 CNY', '2026-03-04 400 CNY']);
  });
});

it('the booked amount has precedence over the one paid elsewhere', () => {
  const statement = statementOf(
    lines(
      '交易日期,记账日期,交易说明,交易币种/金额,入账币种/金额',
      '2026-01-18,2026-01-20,Suica,JPY 1000.00,CNY 49.85',
      '2026-01-19,2026-01-21,A,CNY 2.00,CNY 2.00',
    ),
  );
  expect(summaryOf(statement)).toEqual(['2026-01-20 4985 CNY', '2026-01-21 200 CNY']);
});

it('a column of currencies may be called 币别, and name them in words', () => {
  const statement = statementOf(lines('记账日期,币别,金额,摘要', '2026-01-18,人民币,-5.00,A', '2026-01-19,人民币,6.00,B'));
  expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-01-18 -500 CNY', '2026-01-19 600 CNY']);
});

it('a line of totals in both columns is no transaction', () => {
  const statement = statementOf(
    lines(
      '交易日期,摘要,交易金额(收入),交易金额(支出),交易币种',
      '2026-01-18,A,,0.50,人民币',
      '2026-01-19,B,2.00,,人民币',
      '人民币合计,,2.00,0.50,',
    ),
  );
  expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-01-18 -50 CNY', '2026-01-19 200 CNY', 'total_rows']);
});

it('nor is one whose name is beside the date', () => {
  const statement = statementOf(
    lines('交易日期,记账日期,摘要,收入,支出', '2026-01-18,2026-01-18,A,,0.50', '2026-01-19,2026-01-19,B,2.00,', '合计金额,,,2.00,0.50'),
    { currency: 'CNY' },
  );
  expect([statement.lines.length, codesOf(statement)]).toEqual([2, ['total_rows']]);
});

it('a payment that failed or was closed was never booked', () => {
  const statement = statementOf(
    lines(
      '交易时间,收/支,金额,交易状态',
      '2026-03-01,支出,5.00,交易成功',
      '2026-03-02,支出,6.00,交易关闭',
      '2026-03-03,收入,7.00,支付失败',
    ),
    { currency: 'CNY' },
  );
  expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-03-01 -500 CNY'], ['not_booked', 'not_booked']]);
});
