import { utils, write } from '@e965/xlsx';
import { assert, constantFrom, integer, property, record, tuple, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import type { Statement } from '../../../src-main/domain/statement/model/statement.ts';
import { decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import { lines, readText } from '../../support/inputs/statements.ts';

interface Account {
  readonly opening: number;
  /** Signed amounts, one a day. */
  readonly amounts: readonly number[];
}

/** Ways in which what stands in a file is not what its balances say. */
const HARMS = ['none', 'reversed', 'missing', 'doubled', 'changed', 'without a day'] as const;
type Harm = (typeof HARMS)[number];

interface Row {
  readonly day: string;
  readonly amount: number;
  /** As the bank had it before the file was harmed. */
  readonly balance: number;
}

const iso = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;
const money = (minor: number): string => decimalText(minor, 2);
const comma = (minor: number): string => money(Math.abs(minor)).replace('.', ',');

function rowsOf({ opening, amounts }: Account, harm: Harm, at: number): readonly Row[] {
  let balance = opening;
  const rows = amounts.map((amount, index) => ({ day: iso(index + 1), amount, balance: (balance += amount) }));
  // A running balance that nothing opens or closes says nothing of its first row, nor of one that is missing at its end.
  const place = 1 + (at % (rows.length - 2));
  if (harm === 'reversed') return rows.map((row) => ({ ...row, amount: -row.amount }));
  if (harm === 'missing') return rows.filter((_, index) => index !== place);
  if (harm === 'doubled') return rows.flatMap((row, index) => (index === place ? [row, row] : [row]));
  if (harm === 'changed') return rows.map((row, index) => (index === place ? { ...row, amount: row.amount + 100 } : row));
  return rows.map((row, index) => (harm === 'without a day' && index === place ? { ...row, day: '2026-02-30' } : row));
}

type Writer = (rows: readonly Row[], opening: number, closing: number) => string | Uint8Array;

const table = (rows: readonly Row[]): readonly (readonly string[])[] => [
  ['Date', 'Text', 'Amount', 'Balance'],
  ...rows.map(({ day, amount, balance }, index) => [day, `Line ${index}`, money(amount), money(balance)]),
];

const pair =
  (out: string, paidIn: string, turned: 1 | -1): Writer =>
  (rows) =>
    lines(
      `Date,Text,${out},${paidIn},Balance`,
      ...rows.map(({ day, amount, balance }, index) => {
        const [debit, credit] = amount < 0 ? [money(-amount), ''] : ['', money(amount)];
        return [day, `Line ${index}`, debit, credit, money(turned * balance)].join(',');
      }),
    );

const short = (day: string): string => day.slice(2).replaceAll('-', '');
const mark = (minor: number): string => (minor < 0 ? 'D' : 'C');

const WRITERS: Readonly<Record<string, Writer>> = {
  'a table of signed amounts': (rows) => lines(...table(rows).map((cells) => cells.join(','))),
  'a table with its balances around': (rows, opening, closing) =>
    lines(
      `Opening balance,,${money(opening)}`,
      'Date,Text,Amount',
      ...table(rows)
        .slice(1)
        .map((cells) => cells.slice(0, 3).join(',')),
      `Closing balance,,${money(closing)}`,
    ),
  'columns of money out and in': pair('Paid out', 'Paid in', 1),
  'debit and credit of a bank': pair('Debit', 'Credit', 1),
  'debit and credit of books': pair('Debit', 'Credit', -1),
  'a column of directions': (rows) =>
    lines(
      'Date,Text,Amount,Direction,Balance',
      ...rows.map(({ day, amount, balance }) =>
        [day, 'x', money(Math.abs(amount)), amount < 0 ? 'debit' : 'credit', money(balance)].join(','),
      ),
    ),
  'a workbook': (rows) => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(table(rows).map((cells) => [...cells])), 'Sheet');
    return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  },
  MT940: (rows, opening, closing) =>
    lines(
      ':20:A',
      ':25:1',
      `:60F:${mark(opening)}260301EUR${comma(opening)}`,
      ...rows.flatMap(({ day, amount }) => [`:61:${short(day)}${mark(amount)}${comma(amount)}NMSCX`, ':86:text']),
      `:62F:${mark(closing)}260331EUR${comma(closing)}`,
      '-',
    ),
  CAMT: (rows, opening, closing) => {
    const amount = (minor: number): string =>
      `<Amt Ccy="EUR">${money(Math.abs(minor))}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
    const balance = (code: string, minor: number, day: string): string =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
    const entries = rows.map((row) => `<Ntry>${amount(row.amount)}<Sts>BOOK</Sts><BookgDt><Dt>${row.day}</Dt></BookgDt></Ntry>`);
    return lines(
      '<?xml version="1.0"?>',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>',
      `<Stmt><Id>1</Id><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', opening, iso(1))}${balance('CLBD', closing, iso(31))}`,
      ...entries,
      '</Stmt></BkToCstmrStmt></Document>',
    );
  },
  BAI2: (rows, opening, closing) => {
    const total = [opening, closing, ...rows.map(({ amount }) => Math.abs(amount))].reduce((sum, each) => sum + each, 0);
    return lines(
      '01,A,B,260331,1200,1,,,2/',
      '02,A,B,1,260331,,EUR,2/',
      `03,1,EUR,010,${opening},,,015,${closing},,/`,
      ...rows.map(({ amount }) => `16,${amount < 0 ? '475' : '195'},${Math.abs(amount)},Z,,,TEXT/`),
      `49,${total},${rows.length + 2}/`,
      `98,${total},1,${rows.length + 4}/`,
      `99,${total},1,${rows.length + 6}/`,
    );
  },
  'BAI2 without balances': (rows) => {
    const total = rows.reduce((sum, { amount }) => sum + Math.abs(amount), 0);
    return lines(
      '01,A,B,260331,1200,1,,,2/',
      '02,A,B,1,260331,,EUR,2/',
      '03,1,EUR,,,,/',
      ...rows.map(({ amount }) => `16,${amount < 0 ? '475' : '195'},${Math.abs(amount)},Z,,,TEXT/`),
      `49,${total},${rows.length + 2}/`,
      `98,${total},1,${rows.length + 4}/`,
      `99,${total},1,${rows.length + 6}/`,
    );
  },
  OFX: (rows, _opening, closing) =>
    lines(
      'OFXHEADER:100',
      'DATA:OFXSGML',
      '',
      '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>',
      ...rows.map(
        ({ day, amount }, index) =>
          `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day.replaceAll('-', '')}<TRNAMT>${money(amount)}<FITID>${index}</STMTTRN>`,
      ),
      `</BANKTRANLIST><LEDGERBAL><BALAMT>${money(closing)}<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    ),
  QIF: (rows, _opening, closing) =>
    lines(
      '!Account',
      'NBank',
      'TBank',
      `$${money(closing)}`,
      '^',
      '!Type:Bank',
      ...rows.flatMap(({ day, amount }) => [`D${day}`, `T${money(amount)}`, '^']),
    ),
};

const sumOf = ({ lines: all }: Statement): number =>
  all.reduce((sum, { amountMinor, direction }) => sum + signedMinor(amountMinor, direction), 0);

const accounts = record({
  opening: integer({ min: 100, max: 900_000 }),
  // Different amounts, none of which undoes another one.
  amounts: uniqueArray(tuple(integer({ min: 1, max: 40_000 }), constantFrom(1, -1)), {
    minLength: 3,
    maxLength: 12,
    selector: ([size]) => size,
  }).map((all) => all.map(([size, sign]) => size * sign)),
});

it.each(Object.entries(WRITERS))('%s is proved by nothing but what goes in', (_name, writer) => {
  assert(
    property(accounts, constantFrom(...HARMS), integer({ min: 0, max: 11 }), (account, harm, at) => {
      const closing = account.amounts.reduce((sum, amount) => sum + amount, account.opening);
      const read = readText(writer(rowsOf(account, harm, at), account.opening, closing), {
        currency: 'EUR',
        answers: { date_order: 'ymd' },
      });
      if (!read.ok || read.value.proof !== 'proved') return;
      const { openingBalanceMinor: opening, closingBalanceMinor: closed, lines: stored } = read.value;
      expect(opening === null || closed === null ? null : opening + sumOf(read.value)).toBe(opening === null ? null : closed);
      // What is stored moves as much as the account did, seen from one side or the other.
      const moved = closing - account.opening;
      expect([moved, -moved, closing]).toContain(sumOf(read.value));
      expect(stored.length).toBe(account.amounts.length);
    }),
    { numRuns: 150 },
  );
});

it('whole files with both balances are proved', () => {
  const account: Account = { opening: 1_000, amounts: [150_000, -2_500, -850, 3_350] };
  const closing = 151_000;
  const proofs = Object.entries(WRITERS).map(([name, writer]) => {
    const read = readText(writer(rowsOf(account, 'none', 0), account.opening, closing), { currency: 'EUR' });
    return [name, read.ok ? read.value.proof : read.error.code];
  });
  const without = new Set(['BAI2 without balances', 'OFX', 'QIF']);
  expect(proofs).toEqual(Object.keys(WRITERS).map((name) => [name, without.has(name) ? 'unproved' : 'proved']));
});

const BETWEEN_BALANCES = new Set(['a table with its balances around', 'MT940', 'CAMT', 'BAI2']);

it('a file of a single line is proved where it states both balances, and a running balance alone proves none', () => {
  const proofsOf = (amount: number, closing: number) =>
    Object.entries(WRITERS).map(([name, writer]) => {
      const read = readText(writer([{ day: iso(5), amount, balance: closing }], 14_987, closing), { currency: 'EUR' });
      return [name, read.ok ? read.value.proof : read.error.code];
    });
  const expected = (proof: string) => Object.keys(WRITERS).map((name) => [name, BETWEEN_BALANCES.has(name) ? proof : 'unproved']);
  for (const amount of [42_956, -4_295]) {
    expect(proofsOf(amount, 14_987 + amount)).toEqual(expected('proved'));
    expect(proofsOf(amount, 14_987 + amount + 1)).toEqual(expected('broken'));
  }
});

it.each([
  ['an amount without a sign is the payment that the balances say', '100.00', '49.87', 'proved', -10_000],
  ['an amount without a sign is the receipt that the balances say', '100.00', '249.87', 'proved', 10_000],
  ['an amount with a sign is not turned round by one balance', '-100.00', '249.87', 'broken', -10_000],
])('in a file of a single line between balances %s', (_what, amount, closing, proof, moved) => {
  const content = lines('Date,Text,Amount', ',Opening balance,149.87', `2026-03-05,A,${amount}`, `,Closing balance,${closing}`);
  const read = readText(content, { currency: 'EUR' });
  if (!read.ok) throw new Error(read.error.message);
  expect([read.value.proof, sumOf(read.value)]).toEqual([proof, moved]);
  expect(read.value.problems.map(({ code }) => code)).not.toContain('signs_assumed');
});

it('a ledger whose balance rises with debits keeps its balances with the sign of its lines', () => {
  const read = readText(pair('Debit', 'Credit', -1)(rowsOf({ opening: -1_000, amounts: [-153_350, 3_350, -1] }, 'none', 0), 0, 0), {
    currency: 'EUR',
  });
  if (!read.ok) throw new Error(read.error.message);
  const { openingBalanceMinor, closingBalanceMinor, balances, proof } = read.value;
  expect([proof, openingBalanceMinor, closingBalanceMinor]).toEqual(['proved', -1_000, -151_001]);
  expect(balances.map(({ minor }) => minor)).toEqual([-1_000, -151_001]);
});
