import { describe, expect, test } from 'vitest';
import { at, type Cell, codesOf, linesOf, row, statementOf } from '../../../support/inputs/pdf-statements.ts';
import type { DrawnText } from '../../../support/pdf-writer.ts';

const described = ({ lines }: Awaited<ReturnType<typeof statementOf>>): (string | null)[] => lines.map(({ description }) => description);

describe('a column that says debit or credit', () => {
  const line = (y: number, day: string, text: string, side: string, amount: string): DrawnText[] =>
    row(y, [40, day], [110, text], [400, side], [530, amount, true]);
  const dutch = (closing: string, second = 'Bij'): DrawnText[] => [
    at(40, 40, 'Rekeningafschrift 01-02-2024 t/m 29-02-2024  Valuta: EUR'),
    ...row(60, [40, 'Oud saldo'], [300, '100,00', true]),
    ...row(72, [40, 'Totaal bij'], [300, '50,00', true]),
    ...row(84, [40, 'Totaal af'], [300, '30,00', true]),
    ...row(96, [40, 'Nieuw saldo'], [300, closing, true]),
    ...row(120, [40, 'Datum'], [110, 'Omschrijving'], [400, 'Af/Bij'], [530, 'Bedrag', true]),
    ...line(135, '01-02-2024', 'Huur', 'Af', '30,00'),
    ...line(150, '03-02-2024', 'Factuur', second, '50,00'),
  ];

  test('gives each amount its side, and is no part of the description', async () => {
    const statement = await statementOf([dutch('120,00')]);
    expect(linesOf(statement)).toEqual(['2024-02-01 -30.00', '2024-02-03 50.00']);
    expect(statement).toMatchObject({ proof: 'proved', currency: 'EUR' });
    expect(described(statement)).toEqual(['Huur', 'Factuur']);
  });

  test('proves nothing where a side is changed', async () => {
    expect((await statementOf([dutch('120,00', 'Af')])).proof).not.toBe('proved');
  });

  test('is known by its place where a long word stands right before it, and tells the side of a balance', async () => {
    const statement = await statementOf([
      [
        at(40, 40, 'Account activity 1 August 2024 to 31 August 2024  Currency: GBP'),
        ...row(60, [40, 'Date'], [110, 'Details'], [300, 'D/C'], [340, 'Amount']),
        ...row(75, [110, 'Opening balance'], [300, 'C'], [340, '10.00']),
        ...row(90, [40, '01 Aug 2024'], [110, 'Water'], [272, 'Transfer'], [300, 'D'], [340, '1,030.00']),
        ...row(105, [40, '02 Aug 2024'], [110, 'Refund'], [300, 'C'], [340, '5.00']),
        ...row(120, [110, 'Closing balance'], [300, 'D'], [340, '1,015.00']),
      ],
    ]);
    expect(linesOf(statement)).toEqual(['2024-08-01 -1030.00', '2024-08-02 5.00']);
    expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: 1_000, closingBalanceMinor: -101_500 });
  });
});

describe('the balance of each day in a row of its own', () => {
  const finnish = (second: string): DrawnText[] => [
    at(40, 40, 'TILIOTE 01.01.2024 - 31.01.2024  Tilinumero FI21 1234 5600 0007 85'),
    ...row(60, [40, 'Kirjauspv'], [110, 'Arvopv'], [170, 'Selite'], [540, 'Määrä', true]),
    ...row(75, [170, 'Alkusaldo 01.01.2024'], [540, '100,00+', true]),
    ...row(90, [40, '02.01.'], [110, '02.01.'], [170, 'Vuokra'], [540, '30,00-', true]),
    ...row(105, [110, '02.01.'], [170, 'Palkka'], [540, '50,00+', true]),
    ...row(120, [170, 'Saldo'], [540, '120,00+', true]),
    ...row(135, [40, second], [110, '03.01.'], [170, 'Vesi'], [540, '20,00-', true]),
    ...row(150, [170, 'Saldo'], [540, '100,00+', true]),
    ...row(165, [40, '04.01.'], [110, '04.01.'], [170, 'Vesi'], [540, '10,00-', true]),
    ...row(180, [170, 'Saldo'], [540, '90,00+', true]),
    ...row(195, [40, '05.01.'], [110, '05.01.'], [170, 'Palkka'], [540, '10,00+', true]),
    ...row(210, [170, 'Saldo'], [540, '100,00+', true]),
    ...row(225, [170, 'Loppusaldo 31.01.2024'], [540, '100,00+', true]),
  ];

  test('is no transaction, and proves those of its day', async () => {
    const statement = await statementOf([finnish('03.01.')]);
    expect(linesOf(statement)).toEqual([
      '2024-01-02 -30.00',
      '2024-01-02 50.00',
      '2024-01-03 -20.00',
      '2024-01-04 -10.00',
      '2024-01-05 10.00',
    ]);
    expect(statement).toMatchObject({ proof: 'proved', currency: 'EUR' });
  });

  test('is followed by a day: a transaction below it without one is not given the day before', async () => {
    expect((await statementOf([finnish('')])).proof).not.toBe('proved');
  });
});

test('a second date and text below a transaction are its own, not those of the next one', async () => {
  const line = (y: number, day: string, text: string, amount: string, more: string): DrawnText[] => [
    ...row(y, [40, day], [120, text], [550, amount, true]),
    ...row(y + 10, [40, day], [120, more]),
  ];
  const paper = (second: string): DrawnText[] => [
    at(40, 40, 'Account statement 1.9.2024 - 30.9.2024  Currency: CZK'),
    ...row(60, [40, 'Opening balance'], [280, '100,00', true]),
    ...row(72, [40, 'Closing balance'], [280, '120,00', true]),
    ...row(100, [40, 'Date'], [120, 'Details'], [550, 'Amount', true]),
    ...line(115, '1.9.2024', 'Standing order', '-30,00', 'Rent'),
    ...line(140, second, 'Incoming payment', '60,00', 'Novak'),
    ...line(165, '4.9.2024', 'Card payment', '-10,00', 'Albert'),
  ];
  const statement = await statementOf([paper('2.9.2024')]);
  expect(linesOf(statement)).toEqual(['2024-09-01 -30.00', '2024-09-02 60.00', '2024-09-04 -10.00']);
  expect(described(statement)).toEqual(['Standing order Rent', 'Incoming payment Novak', 'Card payment Albert']);
  expect(statement.proof).toBe('proved');
});

test('tables of interest and of fees below a savings account are no transactions', async () => {
  const line = (y: number, ...cells: readonly Cell[]): DrawnText[] => row(y, ...cells);
  const statement = await statementOf([
    [
      at(60, 40, 'Kontoudskrift 01.01.2024 - 31.03.2024  Valuta: DKK'),
      ...line(60, [60, 'Dato'], [120, 'Tekst'], [360, 'Ud', true], [440, 'Ind', true], [530, 'Saldo', true]),
      ...line(75, [60, '01.01.2024'], [120, 'Primosaldo'], [530, '1.000,00', true]),
      ...line(90, [60, '03.01.2024'], [120, 'Gebyr'], [360, '45,00', true], [530, '955,00', true]),
      ...line(105, [60, '15.02.2024'], [120, 'Indbetaling'], [440, '500,00', true], [530, '1.455,00', true]),
      ...line(120, [60, '31.03.2024'], [120, 'Ultimosaldo'], [530, '1.455,00', true]),
      at(60, 150, 'Renteberegning'),
      ...line(165, [60, '01.01.2024'], [120, '15.02.2024'], [440, '5,76', true]),
      at(60, 190, 'Gebyroversigt'),
      ...line(205, [60, '03.01.2024'], [120, 'Gebyr'], [440, '45,00', true]),
    ],
  ]);
  expect(linesOf(statement)).toEqual(['2024-01-03 -45.00', '2024-02-15 500.00']);
  expect(statement.proof).toBe('proved');
});

test('a card with a sign on each amount, and a list of what is left of instalments', async () => {
  const line = (y: number, day: string, text: string, amount: string): DrawnText[] => row(y, [40, day], [210, text], [560, amount, true]);
  const statement = await statementOf([
    [
      at(40, 40, 'Tarjeta de crédito  Periodo: 11-jul-2024 al 10-ago-2024  Moneda: MXN'),
      ...row(60, [40, 'Adeudo del periodo anterior'], [290, '$300.00', true]),
      ...row(72, [40, 'Saldo al corte'], [290, '$250.00', true]),
      ...row(84, [40, 'Pago mínimo'], [290, '$20.00', true]),
      ...row(96, [40, 'Límite de crédito'], [290, '$8,000.00', true]),
      at(40, 120, 'COMPRAS A MESES'),
      ...row(
        132,
        [40, 'Fecha'],
        [110, 'Descripción'],
        [400, 'Monto original', true],
        [480, 'Saldo pendiente', true],
        [560, 'Pago requerido', true],
      ),
      ...row(144, [40, '02-mar-2024'], [110, 'COPPEL'], [400, '$600.00', true], [480, '$200.00', true], [560, '$100.00', true]),
      at(40, 170, 'COMPRAS REGULARES'),
      ...row(182, [40, 'Fecha'], [210, 'Descripción'], [560, 'Monto', true]),
      ...line(197, '11-jul-2024', 'OXXO', '+$150.00'),
      ...line(212, '14-jul-2024', 'SU PAGO', '-$300.00'),
      ...line(227, '02-ago-2024', 'UBER', '+$100.00'),
    ],
  ]);
  expect(linesOf(statement)).toEqual(['2024-07-11 -150.00', '2024-07-14 300.00', '2024-08-02 -100.00']);
  expect(statement).toMatchObject({ proof: 'proved', closingBalanceMinor: -25_000 });
});

describe('several statements in one file', () => {
  const page = (account: string, money: string, amount: string, closing: string): DrawnText[] => [
    at(40, 40, `Account statement 1 March 2026 to 31 March 2026  ${account}`),
    ...row(60, [40, 'Date'], [110, 'Description'], [450, 'Amount', true], [550, 'Balance', true]),
    ...row(75, [110, 'Opening balance'], [550, `100.00${money}`, true]),
    ...row(90, [40, '02/03/2026'], [110, 'Water'], [450, amount, true], [550, closing, true]),
    ...row(105, [110, 'Closing balance'], [550, `${closing}${money}`, true]),
  ];

  test('are not proved where one of them is there twice', async () => {
    const once = page('Account number 11111111  Currency: GBP', '', '-30.00', '70.00');
    expect((await statementOf([once])).proof).toBe('proved');
    const twice = await statementOf([once, once]);
    expect(twice.proof).toBe('broken');
    expect(codesOf(twice)).toContain('page_doubled');
  });

  test('have each their own currency', async () => {
    const statement = await statementOf([
      page('Account number 11111111  Currency: GBP', '', '-30.00', '70.00'),
      page('IBAN FI21 1234 5600 0007 85', ' €', '-40.00', '60.00'),
    ]);
    expect(statement.accounts.map(({ currency }) => currency)).toEqual(['GBP', 'EUR']);
  });
});

test('a balance without its amount below a header does not hide the transactions of its account', async () => {
  const statement = await statementOf([
    [
      at(40, 40, 'Account statement 1 March 2026 to 31 March 2026  Currency: GBP'),
      ...row(60, [40, 'Date'], [110, 'Description'], [450, 'Amount', true], [550, 'Balance', true]),
      ...row(75, [110, 'Balance brought forward']),
      ...row(90, [40, '02/03/2026'], [110, 'Water'], [450, '-30.00', true], [550, '70.00', true]),
      ...row(105, [40, '04/03/2026'], [110, 'Rent'], [450, '-20.00', true], [550, '50.00', true]),
      ...row(120, [110, 'Closing balance'], [550, '50.00', true]),
    ],
  ]);
  expect(linesOf(statement)).toEqual(['2026-03-02 -30.00', '2026-03-04 -20.00']);
  expect(statement.proof).not.toBe('proved');
});
