import { expect, it, test } from 'vitest';
import { bankLikeness, bySide, nameLikeness } from '../../../../src-renderer/state/first-hour.ts';
import type { ImportPreview } from '../../../../src-shared/contract/index.ts';

interface Told {
  readonly name: string;
  readonly isFixed?: boolean;
  readonly stated?: number;
  readonly headers?: readonly string[];
  readonly roles?: readonly string[];
  readonly account?: string;
}

/** Returns as much of a preview as the choice of sides reads. */
function previewOf({ name, isFixed = false, stated = 0, headers = [], roles = [], account }: Told): ImportPreview {
  const columns = headers.map((header, index) => ({ header, role: roles[index] ?? 'metadata' }));
  return {
    file: { name },
    result: { recipe: isFixed ? null : { state: 'guessed' }, balances: { stated }, opening_balance: null },
    columns,
    suggestion: { bank_account_name: account ?? null },
  } as unknown as ImportPreview;
}

const TABLE = ['Date', 'Description', 'Amount'];

test.each<[string, Told, Told]>([
  ['a statement in a format of banks', { name: 'a.sta', isFixed: true, stated: 2 }, { name: 'b.csv', headers: TABLE }],
  [
    'a table with balances',
    { name: 'june.csv', headers: [...TABLE, 'Balance'], roles: ['', '', '', 'balance'] },
    { name: 'l.csv', headers: TABLE },
  ],
  ['a file that names its account', { name: 'x.csv', stated: 2, account: 'GB29' }, { name: 'y.csv', stated: 2 }],
  ['the file called statement', { name: 'bank-statement.csv', headers: TABLE }, { name: 'ledger.csv', headers: TABLE }],
  ['a German statement', { name: 'Kontoauszug.csv', headers: TABLE }, { name: 'Kassenbuch.csv', headers: TABLE }],
  ['the table without vouchers', { name: 'one.csv', headers: TABLE }, { name: 'two.csv', headers: ['Date', 'Voucher', 'Amount'] }],
  ['a bank account in the books of a cash book', { name: 'a.csv', stated: 2 }, { name: 'cash book.csv', stated: 2 }],
])('the bank’s side is %s, whichever file came first', (_, bank, books) => {
  const things = [bank, books].map((told) => ({ thing: told.name, likeness: bankLikeness(previewOf(told)) }));
  const sides = { bank: bank.name, books: books.name };
  expect(bySide(things, false)).toEqual(sides);
  expect(bySide(things.toReversed(), false)).toEqual(sides);
  expect(bySide(things, true)).toEqual({ bank: books.name, books: bank.name });
});

test.each([
  ['nothing', [], null, null],
  ['a bank’s file alone', [{ thing: 'bank', likeness: 3 }], 'bank', null],
  ['a file of the books alone', [{ thing: 'books', likeness: -3 }], null, 'books'],
])('the side of %s', (_, things, bank, books) => {
  expect(bySide(things, false)).toEqual({ bank, books });
});

it('a name of both kinds is that of the books', () => {
  expect([nameLikeness('bank ledger.csv'), nameLikeness('bank.csv'), nameLikeness('june.csv')]).toEqual([-2, 2, 0]);
});
