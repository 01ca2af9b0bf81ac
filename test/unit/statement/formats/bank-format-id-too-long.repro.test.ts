import { expect, it } from 'vitest';
import { statementOf } from '../../../support/inputs/statements.ts';

it('an id of a bank format that is longer than an id can be is a rejected row, as it is in a CSV file', () => {
  const id = 'x'.repeat(256);
  const text = `<OFX><STMTRS><CURDEF>EUR<STMTTRN><DTPOSTED>20260602<TRNAMT>-1.50<FITID>${id}<NAME>A</STMTTRN></STMTRS></OFX>`;
  const statement = statementOf(text);
  expect([statement.lines.length, statement.rejectedRows]).toEqual([0, 1]);
  expect(statement.problems).toMatchObject([{ code: 'external_id_too_long', row: 1, severity: 'rejected' }]);
});
