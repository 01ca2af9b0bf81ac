import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';
import type { Statement } from '../../../../src-main/domain/statement/model/statement.ts';

const eur = { currency: 'EUR' };

const signedOf = (statement: Statement): readonly number[] =>
  statement.lines.map(({ amountMinor, direction }) => (direction === 'credit' ? amountMinor : -amountMinor));

/** What a table reads as, its questions and whether a note names what a minus was read as. */
const readOf = (text: string) => {
  const statement = statementOf(text, eur);
  return {
    amounts: signedOf(statement),
    asks: statement.questions.map(({ about }) => about),
    names: codesOf(statement).includes('signs_turned'),
  };
};

const REFUNDS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a refund',
    'Date,Details,Paid out,Paid in',
    ['2026-03-03,SHOP A,120.00,', '2026-03-04,SHOP A REFUND,-30.00,', '2026-03-05,PAYMENT,,90.00'],
  ],
  [
    'a reversal of books',
    'Date,Text,Debit,Credit',
    ['2026-03-03,Invoice 1,120.00,', '2026-03-04,Reversal of 1,-30.00,', '2026-03-05,Payment,,90.00'],
  ],
  ['a storno', 'Datum;Text;Soll;Haben', ['03.03.2026;Miete;120,00;', '04.03.2026;Storno Miete;-30,00;', '05.03.2026;Eingang;;90,00']],
  [
    'a Generalumkehr',
    'Datum;Text;Soll;Haben',
    ['03.03.2026;Miete;120,00;', '04.03.2026;Generalumkehr;-30,00;', '05.03.2026;Eingang;;90,00'],
  ],
  ['an extourne', 'Date;Libellé;Débit;Crédit', ['03/03/2026;Loyer;120,00;', '14/03/2026;Extourne;-30,00;', '15/03/2026;Virement;;90,00']],
  ['an estorno', 'Data;Descrição;Saídas;Entradas', ['03/03/2026;Renda;120,00;', '14/03/2026;Estorno;-30,00;', '15/03/2026;Venda;;90,00']],
  [
    'a rimborso',
    'Data;Descrizione;Dare;Avere',
    ['03/03/2026;Affitto;120,00;', '14/03/2026;Rimborso;-30,00;', '15/03/2026;Bonifico;;90,00'],
  ],
  [
    'a devolución',
    'Fecha;Concepto;Cargos;Abonos',
    ['03/03/2026;Alquiler;120,00;', '14/03/2026;Devolución;-30,00;', '15/03/2026;Cobro;;90,00'],
  ],
  ['a korekta', 'Data;Opis;Wydatki;Wpływy', ['03.03.2026;A;120,00;', '04.03.2026;Korekta A;-30,00;', '05.03.2026;C;;90,00']],
  [
    'an amount in brackets',
    'Date,Details,Withdrawals,Deposits',
    ['2026-03-03,A,120.00,', '2026-03-04,A refund,(30.00),', '2026-03-05,C,,90.00'],
  ],
  [
    'a minus behind the amount',
    'Datum;Text;Belastung;Gutschrift',
    ['03.03.2026;A;120,00;', '04.03.2026;Rückbuchung A;30,00-;', '05.03.2026;C;;90,00'],
  ],
  [
    'a true minus sign',
    'Date,Details,Money out,Money in',
    ['2026-03-03,A,120.00,', '2026-03-04,A chargeback,\u221230.00,', '2026-03-05,C,,90.00'],
  ],
];

describe('a minus in a column of money out, without a running balance, is money that came back', () => {
  it.each(REFUNDS)('%s', (_name, header, rows) => {
    expect(readOf(lines(header, ...rows))).toEqual({ amounts: [-12_000, 3_000, 9_000], asks: [], names: true });
  });

  it.each(REFUNDS)('%s, where there is no column of money in', (_name, header, rows) => {
    const separator = header.includes(';') ? ';' : ',';
    const [date, text, out] = header.split(separator);
    const two = rows.slice(0, 2).map((row) => row.split(separator).slice(0, 3).join(separator));
    expect(readOf(lines([date, text, out].join(separator), ...two))).toEqual({ amounts: [-12_000, 3_000], asks: [], names: true });
  });

  it('and in a column of money in it is money returned', () => {
    expect(
      readOf(lines('Date,Details,Paid out,Paid in', '2026-03-03,A,,120.00', '2026-03-04,A reversed,,-30.00', '2026-03-05,C,90.00,')),
    ).toEqual({
      amounts: [12_000, -3_000, -9_000],
      asks: [],
      names: true,
    });
    expect(readOf(lines('Date,Details,Deposits', '2026-03-03,A,120.00', '2026-03-04,B,-30.00', '2026-03-05,C,90.00')).amounts).toEqual([
      12_000, -3_000, 9_000,
    ]);
  });

  it('where another row has the amount that is taken back', () => {
    expect(
      readOf(
        lines('Date,Details,Debit,Credit', '2026-03-03,A,500.00,', '2026-03-04,B,-500.00,', '2026-03-05,C,200.00,', '2026-03-06,D,,90.00'),
      ),
    ).toEqual({ amounts: [-50_000, 50_000, -20_000, 9_000], asks: [], names: true });
  });

  it('where all of a column is money that came back by its words', () => {
    expect(readOf(lines('Date,Details,Paid out,Paid in', '2026-03-04,SHOP REFUND,-30.00,', '2026-03-05,C,,90.00'))).toEqual({
      amounts: [3_000, 9_000],
      asks: [],
      names: true,
    });
  });
});

describe('a column that writes money out with a minus', () => {
  it('is money out, as before', () => {
    const rows = ['2026-03-03,A,-120.00,', '2026-03-04,B,-30.00,', '2026-03-05,C,,90.00'];
    expect(readOf(lines('Date,Details,Debit,Credit', ...rows))).toEqual({ amounts: [-12_000, -3_000, 9_000], asks: [], names: false });
  });

  it('is money in where an amount without one says so, or one of money in has one', () => {
    const out = [1, 2, 3, 4].map((day) => `2026-03-0${day},SHOP,-${day}0.00,`);
    expect(readOf(lines('Date,Details,Paid out,Paid in', ...out, '2026-03-05,SHOP REFUND,7.00,', '2026-03-06,B,,90.00'))).toEqual({
      amounts: [-1_000, -2_000, -3_000, -4_000, 700, 9_000],
      asks: [],
      names: true,
    });
    const back = '2026-03-05,Payment returned,,-7.00';
    expect(readOf(lines('Date,Details,Paid out,Paid in', ...out, back, '2026-03-06,B,,90.00', '2026-03-07,C,,80.00')).amounts).toEqual([
      -1_000, -2_000, -3_000, -4_000, -700, 9_000, 8_000,
    ]);
  });

  it('is money out where one of them has a minus and is a cheque', () => {
    const rows = ['2026-03-03,Rent,2400.00,', '2026-03-04,Cheque 1043,"(1,275.00)",', '2026-03-05,C,,90.00'];
    expect(readOf(lines('Date,Details,Payments,Receipts', ...rows))).toEqual({
      amounts: [-240_000, -127_500, 9_000],
      asks: [],
      names: false,
    });
  });
});

describe('where nothing decides what a minus means', () => {
  const open = lines(
    'Date,Details,Paid out,Paid in',
    '2026-03-03,A,-120.00,',
    '2026-03-04,B,-30.00,',
    '2026-03-05,C,40.00,',
    '2026-03-06,D,,90.00',
  );

  it('a person is asked, with rows as examples, and every answer is followed', () => {
    const statement = statementOf(open, eur);
    expect(statement.questions).toMatchObject([{ about: 'sign_model', message: expect.stringContaining('rows 2, 3') }]);
    const [question] = statement.questions;
    const values = question?.choices.map(({ value }) => value) ?? [];
    expect(values).toEqual(expect.arrayContaining(['signed', 'columns_with_signs']));
    const answered = (model: 'signed' | 'columns_with_signs') => statementOf(open, { ...eur, answers: { sign_model: model } });
    expect([signedOf(answered('signed')), answered('signed').questions]).toEqual([[-12_000, -3_000, 4_000, 9_000], []]);
    expect([signedOf(answered('columns_with_signs')), answered('columns_with_signs').questions]).toEqual([
      [12_000, 3_000, -4_000, 9_000],
      [],
    ]);
  });

  it.each(['-30.00', '"(30.00)"', '30.00-', '\u221230.00'])('as with %s beside an amount without a minus', (amount) => {
    const rows = ['2026-03-03,A,120.00,', `2026-03-04,B,${amount},`, '2026-03-05,C,,90.00'];
    expect(readOf(lines('Date,Details,Paid out,Paid in', ...rows)).asks).toEqual(['sign_model']);
  });

  it('a single amount of money in with a minus raises the same question', () => {
    expect(readOf(lines('Date,Details,Debit,Credit', '2026-03-03,A,120.00,', '2026-03-04,B,,-30.00')).asks).toEqual(['sign_model']);
  });

  it('no question is asked where the balances decide', () => {
    const proved = statementOf(
      lines(
        'Date,Details,Paid out,Paid in,Balance',
        '2026-03-03,A,-120.00,,80.00',
        '2026-03-04,B,-30.00,,50.00',
        '2026-03-05,C,40.00,,90.00',
      ),
      eur,
    );
    expect([proved.proof, signedOf(proved), proved.questions]).toEqual(['proved', [-12_000, -3_000, 4_000], []]);
  });
});

it('a recipe from a file without a minus keeps each minus of a later file', () => {
  const header = 'Date,Details,Paid out,Paid in';
  const kept = statementOf(lines(header, '2026-02-03,A,120.00,', '2026-02-05,C,,90.00'), eur).table?.recipe;
  const later = statementOf(lines(header, '2026-03-03,A,120.00,', '2026-03-04,A refund,-30.00,', '2026-03-05,C,,90.00'), {
    ...eur,
    recipe: kept ?? null,
  });
  expect([kept?.sign_model, signedOf(later)]).toEqual(['columns', [-12_000, 3_000, 9_000]]);
  const words = 'Date,Details,Amount,Direction';
  const ofWords = statementOf(lines(words, '2026-02-03,A,120.00,debit', '2026-02-05,C,90.00,credit'), eur).table?.recipe;
  const turned = statementOf(lines(words, '2026-03-03,A,120.00,debit', '2026-03-04,B,-30.00,debit', '2026-03-05,C,90.00,credit'), {
    ...eur,
    recipe: ofWords ?? null,
  });
  expect(signedOf(turned)).toEqual([-12_000, 3_000, 9_000]);
});

describe('a mark beside an amount says the direction, whatever its column', () => {
  it.each([
    ['CR in Withdrawals', 'Date,Details,Withdrawals,Deposits', ['2026-06-02,A,120.00,', '2026-06-18,A,30.00 CR,', '2026-06-25,B,,90.00']],
    ['CR beside DR', 'Date,Details,Withdrawals,Deposits', ['2026-06-02,A,120.00 DR,', '2026-06-18,A,30.00 CR,', '2026-06-25,B,,90.00 CR']],
    ['H im Soll', 'Datum;Text;Soll;Haben', ['02.06.2026;A;120,00;', '18.06.2026;A;30,00 H;', '25.06.2026;B;;90,00']],
    ['Avere in Dare', 'Data;Descrizione;Dare;Avere', ['02/06/2026;A;120,00;', '18/06/2026;A;30,00 Avere;', '25/06/2026;B;;90,00']],
  ])('%s', (_what, header, rows) => {
    expect(readOf(lines(header, ...rows))).toEqual({ amounts: [-12_000, 3_000, 9_000], asks: [], names: true });
  });

  it('DR in a column of deposits is money out', () => {
    const read = readOf(
      lines('Date,Details,Withdrawals,Deposits', '2026-06-02,A,120.00,', '2026-06-18,B,,90.00', '2026-06-25,B,,90.00 DR'),
    );
    expect(read).toEqual({ amounts: [-12_000, 9_000, -9_000], asks: [], names: true });
  });
});
