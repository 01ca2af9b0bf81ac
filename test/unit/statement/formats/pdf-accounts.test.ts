import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../../src-main/domain/statement/index.ts';
import { at, type Cell, codesOf, row, statementOf } from '../../../support/inputs/pdf-statements.ts';
import type { DrawnText } from '../../../support/pdf-writer.ts';

describe('two accounts in one file', () => {
  const header = (y: number, ...money: readonly string[]): DrawnText[] =>
    row(y, [40, 'Date'], [110, 'Description'], ...money.map((text, index): Cell => [400 + index * 75, text, true]));
  const summary = (y: number, opening: string, closing: string): DrawnText[] => [
    ...row(y, [40, 'Beginning balance'], [400, opening, true]),
    ...row(y + 15, [40, 'Ending balance'], [400, closing, true]),
  ];
  const ends = (text: Statement): unknown[] =>
    text.accounts.map(({ account, rows, openingBalanceMinor, closingBalanceMinor }) => [
      account,
      rows,
      openingBalanceMinor,
      closingBalanceMinor,
    ]);

  /** A summary above the transactions states both balances, and the last row repeats the closing one. */
  const withSummary = (y: number, number: string, amounts: readonly [string, string, string]): DrawnText[] => [
    at(40, y, `Account number ${number}`),
    ...summary(y + 15, amounts[0], amounts[2]),
    ...header(y + 60, 'Additions', 'Subtractions', 'Balance'),
    ...row(y + 75, [40, '03/05/2026'], [110, 'Water'], [475, amounts[1], true], [550, amounts[2], true]),
    ...row(y + 90, [40, 'Ending balance on 03/31'], [550, amounts[2], true]),
  ];

  test('whose last rows repeat the closing balance are each proved by their own', async () => {
    const statement = await statementOf([
      [
        at(40, 60, 'Statement 1 March 2026 to 31 March 2026  Currency: USD'),
        ...withSummary(80, '11111111', ['100.00', '10.00', '90.00']),
        ...withSummary(300, '22222222', ['500.00', '50.00', '450.00']),
      ],
    ]);
    expect(statement).toMatchObject({ proof: 'proved' });
    expect(ends(statement)).toEqual([
      ['11111111', 1, 10_000, 9_000],
      ['22222222', 1, 50_000, 45_000],
    ]);
  });

  /** Transactions in sections, without a balance among them. */
  const inSections = (y: number, number: string, [opening, into, out, closing]: readonly [string, string, string, string]): DrawnText[] => [
    at(40, y, `Account number ${number}`),
    ...summary(y + 15, opening, closing),
    at(40, y + 60, 'Deposits and additions'),
    ...header(y + 75, 'Amount'),
    ...row(y + 90, [40, '03/05/2026'], [110, 'Refund'], [400, into, true]),
    at(40, y + 120, 'Electronic withdrawals'),
    ...header(y + 135, 'Amount'),
    ...row(y + 150, [40, '03/06/2026'], [110, 'Water'], [400, out, true]),
  ];

  test('that have their balances only in summaries above their sections are told apart', async () => {
    const statement = await statementOf([
      [
        at(40, 60, 'Statement 1 March 2026 to 31 March 2026  Currency: USD'),
        ...inSections(80, '11111111', ['100.00', '30.00', '10.00', '120.00']),
        ...inSections(400, '22222222', ['500.00', '7.00', '50.00', '457.00']),
      ],
    ]);
    expect(statement).toMatchObject({ proof: 'proved' });
    expect(ends(statement)).toEqual([
      ['11111111', 2, 10_000, 12_000],
      ['22222222', 2, 50_000, 45_700],
    ]);
  });

  /** A balance beside each transaction, and neither an opening nor a closing one. */
  const running = (y: number, heading: string, rows: readonly (readonly [date: string, out: string, balance: string])[]): DrawnText[] => [
    at(40, y, heading),
    ...header(y + 15, 'Deposit', 'Withdrawal', 'Balance'),
    ...rows.flatMap(([date, out, balance], index) =>
      row(y + 30 + index * 15, [40, date], [110, 'Water 00998877 account 00998877'], [475, out, true], [550, balance, true]),
    ),
  ];

  test.each([
    ['another number', 'Savings account 817-890692-001', 2],
    ['the same number, shortened', 'Current account ***692-838 (continued)', 1],
  ])('with a running balance alone are told apart by their headings: %s', async (_name, heading, accounts) => {
    const second: readonly (readonly [string, string, string])[] =
      accounts === 2
        ? [
            ['2026-03-07', '1.00', '900.00'],
            ['2026-03-08', '2.00', '898.00'],
          ]
        : [['2026-03-08', '2.00', '86.00']];
    const statement = await statementOf([
      [
        at(40, 60, 'Statement 1 March 2026 to 31 March 2026  Currency: HKD'),
        ...running(80, 'Current account 817-890692-838', [
          ['2026-03-05', '10.00', '90.00'],
          ['2026-03-06', '2.00', '88.00'],
        ]),
        ...running(300, heading, second),
      ],
    ]);
    // The first transaction of each account follows no balance, so that nothing proves it.
    expect(statement.proof).toBe('unproved');
    expect(statement.accounts.length > 0 ? statement.accounts.length : 1).toBe(accounts);
    expect(codesOf(statement)).not.toContain('balance_broken');
  });

  test('of which a list gives the number and the last balance are not proved without one of them', async () => {
    const list = [
      at(40, 60, 'Accounts  Currency: GBP'),
      ...row(72, [40, 'Current'], [200, '120-445566-7'], [550, '90.00', true]),
      ...row(84, [40, 'Savings'], [200, '022-8-112233'], [550, '490.00', true]),
      ...row(96, [40, 'Dormant'], [200, '271-99-0001'], [550, '0.00', true]),
    ];
    const account = (y: number, name: string, first: string, last: string): DrawnText[] => [
      at(40, y, `Account number ${name}`),
      ...row(y + 15, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]),
      ...row(y + 30, [110, 'Opening balance'], [550, first, true]),
      ...row(y + 45, [40, '05/03/2026'], [110, 'Water'], [400, '10.00', true], [550, last, true]),
      ...row(y + 60, [110, 'Closing balance'], [550, last, true]),
    ];
    const [one, other] = [account(120, '120-445566-7', '100.00', '90.00'), account(250, '022-8-112233', '500.00', '490.00')];
    expect((await statementOf([[...list, ...one, ...other]])).proof).toBe('proved');
    const part = await statementOf([[...list, ...one]]);
    expect(part.proof).toBe('unproved');
    expect(part.problems[0]?.message).toContain('022-8-112233');
  });

  test.each([
    ['beside the rows of the card, which is then a debt', 'card', 'proved', [-4_000, 1_000]],
    ['on the first page alone, so that no balance proves the signs', 'head', 'unproved', [4_000, -1_000]],
  ] as const)('of which one is a card, by words that are %s', async (_name, where, proof, amounts) => {
    const words = [
      at(40, where === 'card' ? 255 : 65, 'Credit limit 2,000.00'),
      at(40, where === 'card' ? 267 : 77, 'Minimum payment due 5.00'),
    ];
    const statement = await statementOf([
      [
        at(40, 50, 'Statement 1 March 2026 to 31 March 2026  Currency: GBP'),
        at(40, 100, 'Account number 120-445566-7'),
        ...row(115, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]),
        ...row(130, [110, 'Opening balance'], [550, '100.00', true]),
        ...row(145, [40, '05/03/2026'], [110, 'Water'], [400, '10.00', true], [550, '90.00', true]),
        ...row(160, [110, 'Closing balance'], [550, '90.00', true]),
        at(40, 240, 'Card account 4929 0011 2233'),
        ...words,
        ...row(280, [40, 'Previous balance'], [400, '50.00', true]),
        ...row(292, [40, 'New balance'], [400, '80.00', true]),
        ...row(320, [40, 'Date'], [110, 'Details'], [400, 'Amount', true]),
        ...row(335, [40, '06/03/2026'], [110, 'Garden centre'], [400, '40.00', true]),
        ...row(350, [40, '07/03/2026'], [110, 'Thank you'], [400, '-10.00', true]),
      ],
    ]);
    expect(statement.accounts.length).toBe(2);
    expect(statement.proof).toBe(proof);
    const signed = statement.lines.map(({ amountMinor, direction }) => (direction === 'debit' ? -amountMinor : amountMinor));
    expect(signed).toEqual([-1_000, ...amounts]);
  });

  test('two accounts in one file, of which one is changed, are not proved by each other', async () => {
    const account = (y: number, name: string, balances: readonly string[], amount: string): DrawnText[] => [
      at(40, y, name),
      ...row(y + 15, [40, 'Date'], [110, 'Details'], [400, 'Withdrawals', true], [475, 'Deposits', true], [550, 'Balance', true]),
      ...row(y + 30, [110, 'Opening balance'], [550, balances[0] ?? '', true]),
      ...row(y + 45, [40, '03 Mar 2026'], [110, 'Transfer'], [400, amount, true], [550, balances[1] ?? '', true]),
      ...row(y + 60, [110, 'Closing balance'], [550, balances[1] ?? '', true]),
    ];
    const pages = (second: string): DrawnText[][] => [
      [
        at(40, 40, 'Statement 1 March 2026 to 31 March 2026 Currency: GBP'),
        ...account(80, 'Account number 11111111', ['100.00', '90.00'], '10.00'),
        ...account(200, 'Account number 22222222', ['500.00', '450.00'], second),
      ],
    ];
    const whole = await statementOf(pages('50.00'));
    expect(whole.accounts.map(({ account: name }) => name)).toEqual(['11111111', '22222222']);
    expect(whole.proof).toBe('proved');
    expect((await statementOf(pages('55.00'))).proof).toBe('broken');
  });
});
