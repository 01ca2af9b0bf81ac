import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const usd = { currency: 'USD' } as const;

it('a header may have one remark behind its names', () => {
  const remark = 'This export holds the transactions that the current page shows, and no others that the account has.';
  const statement = statementOf(lines(`Item,Posting date,Amount CZK,Details,${remark}`, 'A,2026/06/01,-1.00,b,', 'A,2026/06/02,-2.00,c,'));
  expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-06-01 -100 CZK', '2026-06-02 -200 CZK']);
});

describe('signs', () => {
  it('a single column called money in with both signs holds money out as well', () => {
    const statement = statementOf(lines('Date,Payee,Inflow', '2026-06-01,A,-33.87', '2026-06-02,B,12.00'), usd);
    expect(summaryOf(statement)).toEqual(['2026-06-01 -3387 USD', '2026-06-02 1200 USD']);
  });

  it.each(['"+ £1,100.00"', '"£1,100.00 CR"'])('a card that marks only money in, as %s, lists money out without a mark', (payment) => {
    const statement = statementOf(
      lines('Date,Description,Amount,', '12-Dec-2026,A,"£1,183.23",', '11-Dec-2026,B,£18.89,', `02-Dec-2026,PAYMENT,${payment},CR`),
    );
    expect(summaryOf(statement)).toEqual(['2026-12-12 -118323 GBP', '2026-12-11 -1889 GBP', '2026-12-02 110000 GBP']);
    expect(statement.dialect.signModel).toBe('one amount column, money in is marked with CR or a plus');
  });

  it('a direction beside amounts with signs is taken literally where the balances say so', () => {
    const statement = statementOf(
      lines(
        'Date,Label,Amount,D/C,Balance',
        '2026-06-15,A,33.50,D,-23.50',
        '2026-06-16,B,"-1,533.50",C,"1,510.00"',
        '2026-06-17,C,10.00,D,"1,500.00"',
      ),
      usd,
    );
    expect([statement.proof, ...summaryOf(statement)]).toEqual([
      'proved',
      '2026-06-15 -3350 USD',
      '2026-06-16 153350 USD',
      '2026-06-17 -1000 USD',
    ]);
  });
});

describe('a table without a header', () => {
  it.each([
    ['with nothing where no money went', '', 'proved'],
    ['with nil there', '0', 'proved'],
  ])('has two columns of amounts where a balance fits both, %s', (_, nil, proof) => {
    const statement = statementOf(
      lines(
        `07 Nov 2026,Credit,${nil},500.00,500.00`,
        `08 Nov 2026,Cash,20.00,${nil},480.00`,
        `09 Nov 2026,Shop,19.77,${nil},460.23`,
        `10 Nov 2026,Cash,100.00,${nil},360.23`,
      ),
      { currency: 'GBP' },
    );
    expect([statement.proof, statement.rejectedRows, ...summaryOf(statement)]).toEqual([
      proof,
      0,
      '2026-11-07 50000 GBP',
      '2026-11-08 -2000 GBP',
      '2026-11-09 -1977 GBP',
      '2026-11-10 -10000 GBP',
    ]);
  });
});

describe('a name over two columns', () => {
  it('is that of the currency and of the amount behind it', () => {
    const statement = statementOf(
      lines(
        'Datum,Omschrijving,Mutatie,,Saldo,',
        '27-12-2026,Dividend,EUR,"0,19",EUR,"13,88"',
        '26-12-2026,Belasting,EUR,"-0,03",EUR,"13,69"',
        '25-12-2026,Dividend,EUR,"0,46",EUR,"13,72"',
      ),
    );
    expect([statement.proof, ...summaryOf(statement)]).toEqual(['proved', '2026-12-27 19 EUR', '2026-12-26 -3 EUR', '2026-12-25 46 EUR']);
  });
});

describe('balances', () => {
  it('with a date in a column of amounts are recognised by all their words', () => {
    const statement = statementOf(
      lines(
        'Data;Addebiti;Accrediti;Descrizione',
        '31/12/25;;10,00;SALDO INIZIALE',
        '03/01/26;2,90;;BOLLO',
        '23/01/26;;5,00;BONIFICO',
        '31/01/26;;12,10;|SALDO FINALE',
      ),
      { currency: 'EUR' },
    );
    expect([statement.proof, ...summaryOf(statement)]).toEqual(['proved', '2026-01-03 -290 EUR', '2026-01-23 500 EUR']);
    expect([statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([1000, 1210]);
  });
});

describe('pockets of an account', () => {
  it('have each a balance of its own, and a fee is known in other words', () => {
    const statement = statementOf(
      lines(
        'Tipo,Produto,Data de início,Data de Conclusão,Descrição,Montante,Comissão,Moeda,Saldo',
        'A,Atual,2026-02-02 10:00:00,2026-02-03 10:00:00,B,-11.65,0,EUR,72.11',
        'A,Atual,2026-02-03 13:57:18,2026-02-04 13:57:18,C,24.87,0,EUR,96.98',
        'A,Atual,2026-02-05 13:57:18,2026-02-06 13:57:18,D,-10.00,0.50,EUR,86.48',
        'A,Pocket,2026-02-01 10:30:58,2026-02-01 10:30:58,E,100,0,EUR,100',
        'A,Pocket,2026-02-05 10:30:58,2026-02-05 10:30:58,F,5,0,EUR,105',
      ),
    );
    expect(statement).toMatchObject({ proof: 'proved', accounts: [{ account: 'Atual' }, { account: 'Pocket' }] });
    expect(summaryOf(statement)[2]).toBe('2026-02-06 -1050 EUR');
  });
});

describe('two columns of amounts', () => {
  it('are recognised by one name and the balance that fits both', () => {
    const statement = statementOf(
      lines(
        'Date,Memo,Deposits,Withdrawls,Balance',
        '20-Aug-2026,A,237.00,00.00,337.00',
        '20-Aug-2026,B,00.00,37.00,300.00',
        '21-Aug-2026,C,5.00,00.00,305.00',
      ),
      usd,
    );
    expect([statement.proof, ...summaryOf(statement)]).toEqual([
      'proved',
      '2026-08-20 23700 USD',
      '2026-08-20 -3700 USD',
      '2026-08-21 500 USD',
    ]);
  });

  it('need no type behind the balance, which may be that of the row', () => {
    const statement = statementOf(
      lines(
        'Date,Description,Debit,Credit,Balance,Type',
        '2026-01-01,A,0.0,1000.0,1000.0,Income',
        '2026-01-02,B,50.0,0.0,950.0,Expense',
        '2026-01-03,C,500.0,0.0,450.0,Expense',
      ),
      usd,
    );
    expect([statement.proof, statement.closingBalanceMinor]).toEqual(['proved', 45_000]);
  });
});

it('a card marks purchases at the beginning of its texts, and a return is none', () => {
  const card = statementOf(
    lines('Date,Description,Amount', '2026-08-07,COMPRA 3161 Shop Lisbon,9.99', '2026-08-09,PAGAMENTO CARTAO,-9.99'),
    { currency: 'EUR' },
  );
  expect([...summaryOf(card), ...codesOf(card)]).toEqual(['2026-08-07 -999 EUR', '2026-08-09 999 EUR', 'signs_assumed']);
  const bank = statementOf(lines('Date,Description,Amount', '2026-08-07,Purchase return Shop,9.99', '2026-08-09,Rent,-9.99'), {
    currency: 'EUR',
  });
  expect(summaryOf(bank)).toEqual(['2026-08-07 999 EUR', '2026-08-09 -999 EUR']);
});

describe('dates', () => {
  it('may be digits alone with the time and a zone', () => {
    const statement = statementOf(lines('DEBIT,20091224120000[0:GMT],"HOST",-85.00', 'CREDIT,20091223120000[0:GMT],"Shop",20.00'), usd);
    expect(summaryOf(statement)).toEqual(['2009-12-24 -8500 USD', '2009-12-23 2000 USD']);
  });

  it('may have colons, or the day that a row takes effect behind them', () => {
    const statement = statementOf(lines('Date,Memo,Amount', '2026:03:01,A,-7.80', '2026:03:07,B,8.00'), usd);
    expect(summaryOf(statement)).toEqual(['2026-03-01 -780 USD', '2026-03-07 800 USD']);
    const broker = statementOf(lines('Date,Memo,Amount', '04/17/2026 as of 04/15/2026,A,$1.00', '04/18/2026,B,-$2.00'), usd);
    expect(summaryOf(broker)).toEqual(['2026-04-17 100 USD', '2026-04-18 -200 USD']);
  });
});

describe('totals', () => {
  it('are named in place of a date, or by their text', () => {
    const dated = statementOf(lines('Date,Memo,Amount', '06/01/2026,A,$1.00', '06/14/2026,B,-$3.00', 'Transactions Total,,-$2.00'), usd);
    expect([dated.lines.length, codesOf(dated)]).toEqual([2, ['total_rows']]);
    const named = statementOf(lines('Data,Tipo,Importo', '01/06/2026,A,-50', '14/06/2026,B,-50', ',Totale movimenti,100'), {
      currency: 'EUR',
    });
    expect([named.lines.length, codesOf(named)]).toEqual([2, ['total_rows']]);
  });

  it('of the statement in columns of money in and out are no transactions, where there is an amount beside them', () => {
    const statement = statementOf(
      lines(
        'initial_date,income,expenses,transaction_date,amount,text',
        '2026-06-01,15.00,5.00,2026-06-02,15.00,A',
        '2026-06-01,15.00,5.00,2026-06-10,-5.00,B',
      ),
      usd,
    );
    expect(statement.lines.map(({ amountMinor, direction }) => [amountMinor, direction])).toEqual([
      [1500, 'credit'],
      [500, 'debit'],
    ]);
  });
});

describe('currencies', () => {
  it('of all other rows applies to a row that names none', () => {
    const statement = statementOf(lines('Date,Memo,Amount,Currency', '2026-02-01,A,-1.00,EUR', '2026-02-03,B,2.00,'));
    expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-02-01 -100 EUR', '2026-02-03 200 EUR']);
  });

  it('may stand in brackets behind the account above the table, and columns have names of Ukraine', () => {
    const statement = statementOf(
      lines(
        'Рахунок UA111111 (UAH);;;',
        'Дата і час;Деталі;Сума списання;Сума зарахування',
        '05.01.26 15:55;A;;1600,00',
        '06.01.26 10:00;B;5,00;',
      ),
    );
    expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-01-05 160000 UAH', '2026-01-06 -500 UAH']);
  });

  it('behind an underscore name the amounts of a column', () => {
    const statement = statementOf(lines('date,payee,outflow_ils,inflow_ils', '2026-02-01,A,123.45,0', '2026-02-03,B,0,89.90'));
    expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-02-01 -12345 ILS', '2026-02-03 8990 ILS']);
  });

  it('include the old code of Russia, which its banks still use', () => {
    const statement = statementOf(
      lines(
        'Дата операции;Сумма операции;Валюта операции;Сумма в валюте счета;Валюта счета;Основание',
        '2026-07-06;-4,50;EUR;-336,15;RUR;A',
        '2026-07-07;-300,00;RUR;-300,00;RUR;B',
      ),
    );
    expect(summaryOf(statement)).toEqual(['2026-07-06 -33615 RUR', '2026-07-07 -30000 RUR']);
  });
});
