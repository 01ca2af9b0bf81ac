import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../src-main/domain/statement/model/statement.ts';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';

const usd = { currency: 'USD' };
const signedOf = (statement: Statement): readonly number[] =>
  statement.lines.map(({ amountMinor, direction }) => (direction === 'credit' ? amountMinor : -amountMinor));
const asked = ({ questions }: Statement): readonly string[] => questions.map(({ about }) => about);

describe('a card whose purchases are positive', () => {
  it.each([
    ['Category', 'Merchandise', 'Payments and Credits'],
    ['Kategorie', 'Lebensmittel', 'Gutschrift'],
    ['Catégorie', 'Alimentation', 'Paiements et crédits'],
    ['Categoría', 'Restaurantes', 'Abonos'],
  ])('is recognised by its column %s', (header, spent, back) => {
    const statement = statementOf(
      lines(
        `Date,Text,Amount,${header}`,
        `2026-02-20,SHOP,8.01,${spent}`,
        `2026-02-21,STORE,-52.42,${back}`,
        `2026-02-22,CAFE,25.24,${spent}`,
      ),
      usd,
    );
    expect([signedOf(statement), codesOf(statement), asked(statement)]).toEqual([[-801, 5_242, -2_524], ['signs_assumed'], []]);
  });

  it.each([
    'Dziękujemy za płatność',
    'Płatność otrzymana - dziękujemy',
    'TAK - BETALING MODTAGET',
    'GRACIAS POR SU PAGO',
    'Kiitos maksustasi',
    'Ödemeniz alındı',
    'Děkujeme za platbu',
    'Спасибо за оплату',
    'Платеж получен',
  ])('is recognised by %s', (text) => {
    const statement = statementOf(
      lines('Date,Text,Amount', '2026-02-20,SHOP,8.01', `2026-02-21,${text},-52.42`, '2026-02-22,CAFE,25.24'),
      usd,
    );
    expect([signedOf(statement), codesOf(statement)]).toEqual([[-801, 5_242, -2_524], ['signs_assumed']]);
  });

  it('is asked about where only its headers or what stands above say that it is a card', () => {
    const rows = ['2026-02-20,2026-02-20,SHOP,8.01', '2026-02-21,2026-02-22,STORE,-52.42', '2026-02-22,2026-02-23,CAFE,25.24'];
    for (const head of [['Trans. Date,Post Date,Description,Amount'], ['Visa card statement', 'Date,Value date,Description,Amount']]) {
      const text = lines(...head, ...rows);
      const open = statementOf(text, usd);
      expect(asked(open)).toEqual(['sign_model']);
      expect(open.questions[0]?.choices.map(({ value }) => value)).toEqual(['signed_inverted', 'signed']);
      const said = statementOf(text, { ...usd, answers: { sign_model: 'signed_inverted' } });
      expect([signedOf(said), asked(said)]).toEqual([[-801, 5_242, -2_524], []]);
    }
  });

  it.each([
    'Titolare della carta',
    'Titular de la tarjeta',
    'Titulaire de la carte',
    'Karteninhaber',
    'Kaarthouder',
    'Kortmedlem',
    'Portador do cartão',
    'Numer karty',
  ])('raises a question where a column is called %s', (header) => {
    const file = lines(`Date;Text;${header};Amount`, '2026-02-20;SHOP;X;8.01', '2026-02-21;STORE;X;-52.42', '2026-02-22;CAFE;X;25.24');
    expect(asked(statementOf(file, usd))).toEqual(['sign_model']);
  });

  it('is recognised by the kinds of its rows and the two days of a card', () => {
    const header = 'Transaction Date,Post Date,Description,Type,Amount';
    const rows = [
      '2026-02-20,2026-02-20,SHOP,Sale,8.01',
      '2026-02-20,2026-02-21,CAFE,Sale,25.24',
      '2026-02-21,2026-02-22,X,Payment,-52.42',
      '2026-02-22,2026-02-23,SHOP,Return,-5.00',
    ];
    const statement = statementOf(lines(header, ...rows), usd);
    expect([signedOf(statement), codesOf(statement)]).toEqual([[-801, -2_524, 5_242, 500], ['signs_assumed']]);
    const turned = rows.map((row) =>
      row.replace(/(-?)(\d+\.\d\d)$/, (_all, minus: string, amount: string) => `${minus === '' ? '-' : ''}${amount}`),
    );
    expect(signedOf(statementOf(lines(header, ...turned), usd))).toEqual([-801, -2_524, 5_242, 500]);
  });

  it('gets a note where only the ratio of signs indicates it', () => {
    const rows = ['2026-02-20;AH;8,01', '2026-02-21;CAFE;89,70', '2026-02-22;INCASSO;-52,42', '2026-02-23;APOTHEEK;25,24'];
    const statement = statementOf(lines('Datum;Omschrijving;Bedrag', ...rows), usd);
    expect([signedOf(statement), codesOf(statement)]).toEqual([[801, 8_970, -5_242, 2_524], ['signs_assumed']]);
    expect(statement.problems[0]?.message).toContain('Most amounts are positive');
  });

  it('is not found in an account whose purchases are negative', () => {
    const account = lines('Date,Text,Amount,Category', '2026-02-20,SHOP,-8.01,Groceries', '2026-02-21,SALARY,520.42,Income');
    expect([signedOf(statementOf(account, usd)), codesOf(statementOf(account, usd)), asked(statementOf(account, usd))]).toEqual([
      [-801, 52_042],
      [],
      [],
    ]);
  });
});

it('takings of a shop by card raise no question', () => {
  const rows = [
    'ch_1,2026-06-01,40.00,1.50,Visa,4242',
    'ch_2,2026-06-02,25.00,1.03,Mastercard,4444',
    'ch_3,2026-06-03,9.00,0.56,Visa,4242',
  ];
  const statement = statementOf(lines('id,Created,Amount,Fee,Card Type,Card Last4', ...rows), usd);
  expect([signedOf(statement), asked(statement)]).toEqual([[4_000, 2_500, 900], []]);
});

const DAYS = ['2026-02-20', '2026-02-21', '2026-02-22', '2026-02-23', '2026-02-24'];

describe('amounts without a sign', () => {
  /** One got the note and five did; of two to four nothing was said. */
  it.each([1, 2, 3, 4, 5])('are read as money in with a note where the file has %i of them', (count) => {
    const rows = DAYS.slice(0, count).map((day, index) => `${day},Text ${index},${index + 8}.01`);
    const statement = statementOf(lines('Date,Text,Amount', ...rows), usd);
    expect([statement.lines.length, codesOf(statement)]).toEqual([count, ['signs_assumed']]);
    expect(statement.lines.every(({ direction }) => direction === 'credit')).toBe(true);
  });

  it.each([
    ['a sign of another row does', ['Date,Text,Amount', '2026-02-20,a,8.01', '2026-02-21,b,-2.00']],
    ['a plus does', ['Date,Text,Amount', '2026-02-20,a,+8.01', '2026-02-21,b,+2.00']],
    ['words of a column do', ['Date,Text,Amount,Type', '2026-02-20,a,8.01,Credit', '2026-02-21,b,2.00,Debit']],
    ['one word of a column does', ['Date,Text,Amount,Debit/Credit', '2026-02-20,a,8.01,D', '2026-02-21,b,2.00,D']],
    ['columns for in and out do', ['Date,Text,Paid in,Paid out', '2026-02-20,a,8.01,', '2026-02-21,b,,2.00']],
    ['a column for money out does', ['Date,Text,Paid out', '2026-02-20,a,8.01', '2026-02-21,b,2.00']],
    ['balances do', ['Date,Text,Amount,Balance', '2026-02-20,a,8.01,108.01', '2026-02-21,b,2.00,110.01', '2026-02-22,c,3.00,113.01']],
    ['no money moved', ['Date,Text,Amount', '2026-02-20,a,0.00', '2026-02-21,b,0.00']],
    ['no row is read', ['Date,Text,Amount', '2026-02-30,a,8.01', '2026-02-31,b,2.00']],
  ])('get no note where %s', (_what, file) => {
    expect(codesOf(statementOf(lines(...file), usd))).not.toContain('signs_assumed');
  });

  it('are turned without a note where a person says that they are payments', () => {
    const file = lines('Date,Text,Amount', '2026-02-20,a,8.01', '2026-02-21,b,2.00');
    const turned = statementOf(file, { ...usd, answers: { sign_model: 'signed_inverted' } });
    expect([signedOf(turned), codesOf(turned)]).toEqual([[-801, -200], []]);
  });
});
