import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

it('the sort code of an account is no date that decides the order of day and month', () => {
  const statement = statementOf(
    lines(
      'Transaction Date,Sort Code,Description,Debit Amount,Credit Amount,Balance',
      "03/01/2026,'11-22-33,SHOP,10.00,,140.00",
      "02/01/2026,'11-22-33,ANN,,50.00,150.00",
      "02/01/2026,'11-22-33,GAS,20.00,,100.00",
    ),
    { currency: 'GBP' },
  );
  expect([summaryOf(statement)[0], codesOf(statement)]).toEqual(['2026-01-03 -1000 GBP', ['date_order_assumed']]);
});

describe('statements of cards', () => {
  const card = (payment: string, purchases = ['25.99', '12.10', '320.00']): string =>
    lines(
      'Date,Description,Amount',
      ...purchases.map((amount, index) => `01/1${index + 5}/2026,SHOP ${index},${amount}`),
      `01/20/2026,${payment},-500.00`,
    );

  it.each([
    'AUTOPAY PAYMENT - THANK YOU',
    'PAYMENT RECEIVED',
    'Pagamento recebido',
    'ZAHLUNG ERHALTEN. BESTEN DANK.',
    'PAIEMENT - MERCI',
    'HARTELIJK BEDANKT VOOR UW BETALING',
  ])('purchases are money out where %s is negative', (payment) => {
    const statement = statementOf(card(payment), { currency: 'USD' });
    expect(summaryOf(statement)).toEqual(['2026-01-15 -2599 USD', '2026-01-16 -1210 USD', '2026-01-17 -32000 USD', '2026-01-20 50000 USD']);
    expect(statement.problems).toMatchObject([{ code: 'signs_assumed', column: 'Amount' }]);
  });

  it('a purchase is money out', () => {
    const statement = statementOf(
      lines('Date,Merchant,Type,Amount (USD)', '01/15/2026,Target,Purchase,25.99', '01/17/2026,Deposit,Payment,-200.00'),
    );
    expect(summaryOf(statement)).toEqual(['2026-01-15 -2599 USD', '2026-01-17 20000 USD']);
  });

  it('signs stay where payments received are positive, where purchases are negative, or where nothing decides', () => {
    const bank = card('TRANSFER', ['-25.99', '10.00']);
    const received = lines('Date,Description,Amount', '01/15/2026,Payment received from Ann,25.99', '01/16/2026,Rent,-5.00');
    const purchase = lines('Date,Type,Amount', '01/15/2026,Purchase,-25.99', '01/16/2026,Payment,5.00');
    for (const text of [bank, received, purchase]) {
      const statement = statementOf(text, { currency: 'USD' });
      expect([statement.lines.map((line) => line.direction), codesOf(statement)]).toEqual([
        statement.rows === 3 ? ['debit', 'credit', 'debit'] : text === received ? ['credit', 'debit'] : ['debit', 'credit'],
        [],
      ]);
    }
  });
});

describe('headers', () => {
  it.each([
    ['Gutschrift in CHF;Lastschrift in CHF', 'CHF'],
    ['Amount (Cr);Amount (Dr)', 'EUR'],
    ['交易金额(收入);交易金额(支出)', 'EUR'],
    ['Crédit euros;Débit euros', 'EUR'],
    ['Deposits (SGD);Withdrawals (SGD)', 'SGD'],
  ])('%s', (names, currency) => {
    const statement = statementOf(lines(`Datum;Text;${names}`, '16.01.2026;Ann;1050;', '17.01.2026;Shop;;12.5'), { currency: 'EUR' });
    expect(summaryOf(statement)).toEqual([`2026-01-16 105000 ${currency}`, `2026-01-17 -1250 ${currency}`]);
  });

  it.each([
    ['Montant(EUROS)', 'EUR'],
    ['Määrä EUROA', 'EUR'],
    ['Umsatz in Euro', 'EUR'],
    ['Amount CAD$', 'CAD'],
    ['Amount R$', 'BRL'],
    ['Amount $', 'USD'],
  ])('%s names the currency', (header, currency) => {
    expect(statementOf(lines(`Date;Text;${header}`, '16.01.2026;Ann;-10,50', '17.01.2026;Bob;1,00')).currency).toBe(currency);
  });

  it('a column of currencies in Chinese words', () => {
    expect(statementOf(lines('日期,金额,币种', '2026-01-15,-1.00,人民币', '2026-01-16,2.00,人民币')).currency).toBe('CNY');
  });
});

describe('a currency of three decimals', () => {
  const text = lines('Date,Text,Amount', '15/01/2026,SHOP,-12.500', '16/01/2026,ANN,50.000');

  it('has three digits behind the mark', () => {
    const statement = statementOf(text, { currency: 'KWD' });
    expect(summaryOf(statement)).toEqual(['2026-01-15 -12500 KWD', '2026-01-16 50000 KWD']);
    expect(statement.questions).toMatchObject([{ about: 'decimal_mark', taken: '.' }]);
  });

  it('has none in thousands of another', () => {
    expect(summaryOf(statementOf(text, { currency: 'CLP' }))).toEqual(['2026-01-15 -12500 CLP', '2026-01-16 50000 CLP']);
  });
});

it('a transfer between pockets has no direction; the other rows keep theirs', () => {
  const rows = ['支出,12.50', '收入,50.00', '支出,5.00', '/,1.00', '支出,2.00'].map((row, index) => `2026-01-1${index},x,${row}`);
  const statement = statementOf(lines('交易时间,商品,收/支,金额(元)', ...rows));
  expect(summaryOf(statement)).toEqual(['2026-01-10 -1250 CNY', '2026-01-11 5000 CNY', '2026-01-12 -500 CNY', '2026-01-14 -200 CNY']);
  expect(statement.problems).toMatchObject([{ row: 5, code: 'unknown_direction' }]);
});

it.each(['15 Dec', '15/12', "'15/12", '15.12.'])('%s is a date without a year', (date) => {
  const statement = statementOf(lines('Date,Text,Amount', '2026-01-15,a,1.00', '2026-01-16,a,-1.00', `${date},b,2.00`), {
    currency: 'IDR',
  });
  expect(statement.problems).toMatchObject([
    { row: 4, code: 'unreadable_date', message: expect.stringContaining('a date without a year') },
  ]);
});
