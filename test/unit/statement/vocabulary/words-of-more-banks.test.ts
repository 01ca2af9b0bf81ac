import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

it('the day of the booking has precedence over that of the operation', () => {
  const statement = statementOf(
    lines('Data operacji;Data księgowania;Opis;Kwota', '11.02.2026;12.02.2026;a;-100,00', '13.02.2026;14.02.2026;b;50,00'),
    {
      currency: 'PLN',
    },
  );
  expect(summaryOf(statement)).toEqual(['2026-02-12 -10000 PLN', '2026-02-14 5000 PLN']);
});

describe('currencies', () => {
  it('may stand in wide brackets, or have two letters there', () => {
    const wide = statementOf(lines('日付,内容,金額（円）', '2026/05/01,A,-1200', '2026/05/02,B,250000'));
    expect([...summaryOf(wide), ...codesOf(wide)]).toEqual(['2026-05-01 -1200 JPY', '2026-05-02 250000 JPY']);
    const short = statementOf(lines('Tarih;Açıklama;Tutar (TL)', '21.05.2026;A;-12,00', '22.05.2026;B;2,50'));
    expect(summaryOf(short)).toEqual(['2026-05-21 -1200 TRY', '2026-05-22 250 TRY']);
  });

  it('may stand beside an amount above the table', () => {
    const statement = statementOf(
      lines(
        'Available Balance:,SGD 2954.80',
        '',
        'Transaction Date,Reference,Debit Amount,Credit Amount',
        '13 Sep 2026,POS,45.20,',
        '14 Sep 2026,SAL,,2000.00',
      ),
    );
    expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-09-13 -4520 SGD', '2026-09-14 200000 SGD']);
  });
});

it('a minus in brackets behind an amount is its sign', () => {
  const statement = statementOf(lines('İşlem Tarihi;İşlemler;Borç Tutarı (TL)', '20/06/2026;A;514,99', '20/06/2026;A - iade;204,17(-)'));
  expect(summaryOf(statement)).toEqual(['2026-06-20 -51499 TRY', '2026-06-20 20417 TRY']);
});

describe('two columns of amounts', () => {
  it.each([
    ['Açıklama;Giriş;Çıkış', '5.000,00;', ';2.500,00'],
    ['Keterangan;Mutasi Kredit;Mutasi Debet', '5.000,00;0', '0;2.500,00'],
    ['Mô tả;Số tiền ghi có;Số tiền ghi nợ', '5.000,00;', ';2.500,00'],
  ])('are called %s', (names, paidIn, paidOut) => {
    const statement = statementOf(lines(`Date;${names}`, `2026-04-21;A;${paidIn}`, `2026-04-22;B;${paidOut}`), { currency: 'EUR' });
    expect([...summaryOf(statement), statement.questions.length]).toEqual(['2026-04-21 500000 EUR', '2026-04-22 -250000 EUR', 0]);
  });
});

it('balances and turnovers below the rows are known in words of Indonesia', () => {
  const statement = statementOf(
    lines(
      'Tanggal,Keterangan,Jumlah,,Saldo',
      '23/09/2026,A,"1,500,000.00",CR,"2,500,000.00"',
      '24/09/2026,B,"15,000.00",DB,"2,485,000.00"',
      'Saldo Awal,:,"1,000,000.00"',
      'Mutasi Kredit,:,"1,500,000.00",1',
      'Mutasi Debet,:,"15,000.00",1',
      'Saldo Akhir,:,"2,485,000.00"',
    ),
    { currency: 'IDR' },
  );
  expect(statement).toMatchObject({ proof: 'proved', rejectedRows: 0, openingBalanceMinor: 100_000_000, closingBalanceMinor: 248_500_000 });
  expect(summaryOf(statement)).toEqual(['2026-09-23 150000000 IDR', '2026-09-24 -1500000 IDR']);
});

it('an original amount in words of Czechia is not the booked one', () => {
  const statement = statementOf(
    lines(
      'Datum transakce;Datum zúčtování;Původní částka;Původní měna;Zaúčtovaná částka;Měna zaúčtování;Popis',
      '19.06.2019;20.06.2019;;;-1 090,00;CZK;A',
      '21.06.2019;22.06.2019;-10,00;EUR;-260,00;CZK;B',
    ),
  );
  expect(summaryOf(statement)).toEqual(['2019-06-20 -109000 CZK', '2019-06-22 -26000 CZK']);
});

describe('a column that says CR beside payments of a card', () => {
  const rows = ['13/09/2026,A,388.00,', '14/09/2026,B,5000.00,CR', '15/09/2026,C,1200.00,'];

  it('does not say what was spent', () => {
    const statement = statementOf(lines('Date,Transaction Details,Amount(in Rs),BillingAmountSign', ...rows), { currency: 'INR' });
    expect(summaryOf(statement)).toEqual(['2026-09-13 -38800 INR', '2026-09-14 500000 INR', '2026-09-15 -120000 INR']);
  });

  it('lacks the word where hardly a row is without it', () => {
    const said = Array.from({ length: 12 }, (_, index) => `${String(index + 10)}/09/2026,A,${String(index + 1)}.00,CR`);
    const statement = statementOf(lines('Date,Transaction Details,Amount,Sign', ...said, '23/09/2026,B,7.00,'), { currency: 'INR' });
    expect([summaryOf(statement).length, statement.rejectedRows, ...codesOf(statement)]).toEqual([12, 1, 'unknown_direction']);
  });

  it('is not the side of a balance', () => {
    const statement = statementOf(
      lines(
        'Date,Details,Amount,Balance,Cr Dr',
        '13/09/2026,A,388.00,388.00,CR',
        '14/09/2026,B,-488.00,-100.00,',
        '15/09/2026,C,-1.00,-101.00,',
      ),
      { currency: 'INR' },
    );
    expect(summaryOf(statement)).toEqual(['2026-09-13 38800 INR', '2026-09-14 -48800 INR', '2026-09-15 -100 INR']);
  });
});

describe('more words of banks', () => {
  it('say when a row was booked', () => {
    const statement = statementOf(
      lines(
        'IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date',
        'CH1;2018-01-01 20:49:45.0;A;-482.2;541.01;2018-01-03 00:00:00.0',
      ),
      { currency: 'CHF' },
    );
    expect(summaryOf(statement)).toEqual(['2018-01-01 -48220 CHF']);
  });

  it('mark money that leaves an account', () => {
    const statement = statementOf(lines('Dato;Forklaring;Ut av konto;Inn på konto', '15.03.2026;A;2 500,00;', '16.03.2026;B;;1 500,00'), {
      currency: 'NOK',
    });
    expect(summaryOf(statement)).toEqual(['2026-03-15 -250000 NOK', '2026-03-16 150000 NOK']);
  });

  it.each([
    'Sexta, 31 de julho de 2026',
    'Sex, 31/07/2026',
    'sexta-feira 31/07/2026',
    'viernes, 31 de julio de 2026',
    'vrijdag 31 juli 2026',
  ])('say the day of the week: %s', (date) => {
    expect(summaryOf(statementOf(lines('Date;Text;Amount', `${date};A;-1,50`), { currency: 'EUR' }))).toEqual(['2026-07-31 -150 EUR']);
  });
});
