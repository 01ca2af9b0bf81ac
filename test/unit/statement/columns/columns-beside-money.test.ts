import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** The account moves by the amount and the fee together: true balances were called broken, and a row of a fee alone was rejected. */
describe('fees in a column of their own', () => {
  const wallet = (balances: readonly string[]): string =>
    lines(
      'Completed Date,Description,Amount,Fee,Currency,Balance',
      `2026-01-03 11:00:00,Shop,-10.00,0.00,EUR,${balances[0] ?? ''}`,
      `2026-01-04 10:00:01,To X,-20.00,0.50,EUR,${balances[1] ?? ''}`,
      `2026-01-06 10:00:01,Top-up,100.00,1.00,EUR,${balances[2] ?? ''}`,
    );

  it('are deducted where the balances require it', () => {
    const statement = statementOf(wallet(['90.00', '69.50', '168.50']));
    expect(summaryOf(statement)).toEqual(['2026-01-03 -1000 EUR', '2026-01-04 -2050 EUR', '2026-01-06 9900 EUR']);
    expect([statement.proof, codesOf(statement)]).toEqual(['proved', ['fees_included']]);
    expect(statement).toMatchObject({ openingBalanceMinor: 10_000, closingBalanceMinor: 16_850 });
    expect(statement.lines[1]?.metadata['fee']).toBe('0.50');
  });

  it('stay within the amounts where the balances require it', () => {
    const statement = statementOf(wallet(['90.00', '70.00', '170.00']));
    expect(summaryOf(statement)).toEqual(['2026-01-03 -1000 EUR', '2026-01-04 -2000 EUR', '2026-01-06 10000 EUR']);
    expect([statement.proof, codesOf(statement)]).toEqual(['proved', []]);
  });

  it('get a note where nothing proves either, and broken balances stay broken', () => {
    expect(codesOf(statementOf(wallet([])))).toEqual(['fees_assumed']);
    expect(statementOf(wallet(['90.00', '69.00', '168.50'])).proof).toBe('broken');
  });

  it('may be negative, beside two columns, and alone in a row', () => {
    const statement = statementOf(
      lines(
        'Posting Date,Description,Money In,Money Out,Fee,Balance',
        '2026-01-15,Shop,,-12.50,,87.50',
        '2026-01-16,Ann,1050.00,,,1137.50',
        '2026-01-17,ATM,,-100.00,-9.00,1028.50',
        '2026-01-18,SMS,,,-0.50,1028.00',
      ),
      { currency: 'ZAR' },
    );
    expect([summaryOf(statement), statement.proof]).toEqual([
      ['2026-01-15 -1250 ZAR', '2026-01-16 105000 ZAR', '2026-01-17 -10900 ZAR', '2026-01-18 -50 ZAR'],
      'proved',
    ]);
  });

  it('are read the same way by the recipe of the file', () => {
    const text = wallet(['90.00', '69.50', '168.50']);
    const recipe = statementOf(text).table?.recipe;
    if (recipe === undefined) throw new Error('no recipe');
    expect(summaryOf(statementOf(text, { recipe }))).toEqual(summaryOf(statementOf(text)));
  });
});

describe('a balance with its side in a column of its own', () => {
  const header = 'Date,Description,Amount,Dr / Cr,Balance,Dr / Cr';

  it('is negative where the side is debit', () => {
    const statement = statementOf(
      lines(
        header,
        '15/01/2026,Shop,120.00,DR,20.00,DR',
        '16/01/2026,Ann,"1,23,456.00",CR,"1,23,436.00",CR',
        '17/01/2026,ATM,"2,000.00",DR,"1,21,436.00",CR',
      ),
      { currency: 'INR' },
    );
    expect([statement.proof, statement.openingBalanceMinor, statement.lines.map(({ direction }) => direction)]).toEqual([
      'proved',
      10_000,
      ['debit', 'credit', 'debit'],
    ]);
  });

  it('does not turn amounts that have signs of their own', () => {
    const statement = statementOf(
      lines('Date,Amount,Balance,Dr/Cr', '15/01/2026,-120.00,20.00,DR', '16/01/2026,-30.00,50.00,DR', '17/01/2026,60.00,10.00,CR'),
      { currency: 'INR' },
    );
    expect([statement.proof, statement.lines.map(({ direction }) => direction)]).toEqual(['proved', ['debit', 'debit', 'credit']]);
  });
});

it('of two amounts with currencies, the one in the currency of all rows moved the account', () => {
  const statement = statementOf(
    lines(
      'Дата операции;Сумма операции;Валюта операции;Сумма платежа;Валюта платежа;Описание',
      '17.01.2026;-11,50;USD;-1050,00;RUB;SHOP',
      '16.01.2026;50000,00;RUB;50000,00;RUB;ANN',
    ),
  );
  expect(summaryOf(statement)).toEqual(['2026-01-17 -105000 RUB', '2026-01-16 5000000 RUB']);
});

it('rows that split the amount above are no transactions', () => {
  const statement = statementOf(
    lines(
      'Buchungsdatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Beschreibung1',
      '2026-01-17;CHF;-12.50;;;1137.50;Shop',
      '2026-01-16;CHF;;1050.00;;1150.00;Sammelauftrag',
      '2026-01-16;CHF;;;1000.00;;Ann',
      '2026-01-16;CHF;;;50.00;;Bob',
      '2026-01-15;CHF;-5.00;;;100.00;Gas',
    ),
  );
  expect([statement.lines.length, statement.rejectedRows, statement.proof, codesOf(statement)]).toEqual([
    3,
    0,
    'proved',
    ['continued_rows'],
  ]);
  expect(statement.lines[1]?.description).toContain('Ann');
});

it('the balance of a day that is called available is no transaction', () => {
  const statement = statementOf(
    lines(
      'data;lançamento;valor (R$);saldos (R$)',
      '15/01/2026;SHOP;-12,50;',
      '15/01/2026;SALDO TOTAL DISPONÍVEL DIA;;87,50',
      '16/01/2026;PIX;5,00;',
    ),
  );
  expect([summaryOf(statement), statement.rejectedRows]).toEqual([['2026-01-15 -1250 BRL', '2026-01-16 500 BRL'], 0]);
});
