import { expect, test } from 'vitest';
import { isAccountNumber, isSameAccount, isSameHolder, whoseTable } from '../../../../src-main/domain/statement/accounts/account-names.ts';
import { statementOf } from '../../../support/inputs/statements.ts';

test.each([
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['DE89370400440532013000', '37040044/0532013000'],
  ['DE89370400440532013000', '37040044/532013000'],
  ['GB29NWBK60161331926819', '60-16-13 31926819'],
  ['NL91ABNA0417164300', 'NL91ABNA0417164300EUR'],
  ['NL91ABNA0417164300', '0417164300'],
  ['12345678', '****5678'],
  ['XXXX-XXXX-1234', '4567 8901 2345 1234'],
  ['****1234', 'x1234'],
])('%s and %s are one account, in either order', (one, other) => {
  expect([isSameAccount(one, other), isSameAccount(other, one)]).toEqual([true, true]);
});

test.each([
  ['DE89370400440532013000', 'DE02120300000000202051'],
  ['12345678', '12345679'],
  ['****1234', '****1235'],
  ['11112222', '****1234'],
])('%s and %s are two', (one, other) => {
  expect([isSameAccount(one, other), isSameAccount(other, one)]).toEqual([false, false]);
});

test('a name is no number, and names of a holder are one where the words of the shorter are all in the longer', () => {
  expect(['Checking', '12', '****123', '40-50-60 1'].map(isAccountNumber)).toEqual([false, false, true, true]);
  expect(isSameHolder('ACME Ltd.', 'Acme Ltd, London')).toBe(true);
  expect(isSameHolder('Müller, Jana', 'JANA MULLER')).toBe(true);
  expect(isSameHolder('Acme Ltd', 'Beta Ltd')).toBe(false);
});

test('lines above a table and its filename name the account; other numbers there do not', () => {
  const rows = (...cells: readonly (readonly string[])[]) => cells.map((each, index) => ({ row: index + 1, cells: each }));
  expect(whoseTable(rows(['Account number: 12345678', ''], ['Account holder', 'Acme Ltd'], ['Balance', '99999999']), 'x.csv')).toEqual({
    accounts: ['12345678'],
    holders: ['Acme Ltd'],
  });
  expect(whoseTable(rows(['Konto;', 'DE89 3704 0044 0532 0130 00']), 'x.csv').accounts).toEqual(['DE89 3704 0044 0532 0130 00']);
  expect(whoseTable([], 'export_DE89370400440532013000_2026.csv').accounts).toEqual(['DE89370400440532013000']);
  expect(whoseTable(rows(['Account: Checking']), 'export_20260601.csv')).toEqual({ accounts: [], holders: [] });
});

test('files of bank formats name the account, and so does a table whose rows all name one', () => {
  const ofx =
    '<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>12345678</BANKACCTFROM>\n<STMTTRN><DTPOSTED>20260602<TRNAMT>-1.50<FITID>a</STMTTRN>\n</STMTRS></OFX>\n';
  expect(statementOf(`OFXHEADER:100\n\n${ofx}`).whose).toEqual({ accounts: ['12345678'], holders: [] });
  const table = 'Account,Date,Amount\n12345678,2026-06-01,1.00\n12345678,2026-06-02,2.00\n';
  expect(statementOf(table).whose.accounts).toEqual(['12345678']);
});
