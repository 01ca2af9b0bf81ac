import { expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const entry = (inside = ''): string => `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${inside}</Ntry>`;
const balance = (code: string, amount: string, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
const statement = (...inside: readonly string[]) =>
  statementOf(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>A</IBAN></Id><Ccy>EUR</Ccy></Acct>${inside.join('')}</Stmt></BkToCstmrStmt></Document>`,
  );

it('gives an entry without a date the one day of its statement, and says so', () => {
  const read = statement(balance('OPBD', '1.00', '2026-06-02'), balance('CLBD', '11.00', '2026-06-02'), entry(), entry());
  expect([read.proof, ...summaryOf(read), ...codesOf(read)]).toEqual([
    'proved',
    '2026-06-02 500 EUR',
    '2026-06-02 500 EUR',
    'date_assumed',
  ]);
});

it('prefers the date of its transactions', () => {
  const dated = entry('<NtryDtls><TxDtls><RltdDts><AccptncDtTm>2026-06-01T10:00:00</AccptncDtTm></RltdDts></TxDtls></NtryDtls>');
  const read = statement('<FrToDt><FrDtTm>2026-06-02T00:00:00</FrDtTm><ToDtTm>2026-06-02T23:59:59</ToDtTm></FrToDt>', dated);
  expect([...summaryOf(read), ...codesOf(read)]).toEqual(['2026-06-01 500 EUR']);
});

it('rejects it where the statement speaks of several days', () => {
  const read = statement(balance('OPBD', '1.00', '2026-06-01'), balance('CLBD', '6.00', '2026-06-02'), entry());
  expect([read.lines.length, read.rejectedRows, ...codesOf(read)]).toEqual([0, 1, 'unreadable_date']);
});

it('says of entries for information alone that the bank does not book them', () => {
  const dated = '<BookgDt><Dt>2026-06-02</Dt></BookgDt>';
  const info = `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>INFO</Sts>${dated}</Ntry>`;
  const read = statement(entry(dated), info);
  expect(read.problems).toMatchObject([{ code: 'pending_rows_left_out', message: expect.stringContaining('for information alone') }]);
  expect(summaryOf(read)).toEqual(['2026-06-02 500 EUR']);
});
