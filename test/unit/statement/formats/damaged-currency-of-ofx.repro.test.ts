import { expect, test } from 'vitest';
import { NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { statementOf } from '../../../support/inputs/statements.ts';

const FILE = (currency: string) =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>1</BANKACCTFROM>\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-1.50<FITID>a<NAME>Rent</STMTTRN>\n</STMTRS></OFX>\n`;

test('a currency that is none rejects the transactions of its statement, and is not the currency of the file', () => {
  const statement = statementOf(FILE(':61:EUR'));
  expect(statement).toMatchObject({ rows: 1, lines: [], rejectedRows: 1, currency: NO_CURRENCY });
  const problem = statement.problems.find(({ severity }) => severity === 'rejected');
  expect(problem).toMatchObject({ code: 'unknown_currency', row: 4, column: 'currency' });
  expect(problem?.message).toMatch(/^":61:EUR", the currency of the transaction in row 4, is none\./);
});

test('three letters stay a currency, whatever list knows them', () => {
  expect(statementOf(FILE('xyz')).lines).toMatchObject([{ currency: 'XYZ', amountMinor: 150 }]);
});
