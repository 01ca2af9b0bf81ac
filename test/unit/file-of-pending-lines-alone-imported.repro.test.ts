import { describe, expect, it } from 'vitest';
import { STATEMENT_LIMITS } from '../../src-main/domain/statement/limits.ts';
import { readLarge } from '../../src-main/domain/statement/large/read-large.ts';
import { lines, readText, statementOf, summaryOf } from '../support/statements.ts';

/** A file of which the bank had booked nothing was imported, or told to hold no transactions. */

const gbp = { currency: 'GBP' };
const refused = (text: string): unknown => {
  const read = readText(text, gbp);
  return read.ok ? summaryOf(read.value) : `${read.error.code}: ${read.error.message}`;
};
const BOTH =
  'no_rows: Nothing is booked yet: the file lists 2 transactions, and all of them are pending. Nothing was imported; download the file again when the bank has booked them.';
const ONE =
  'no_rows: Nothing is booked yet: the file lists 1 transaction, and it is pending. Nothing was imported; download the file again when the bank has booked it.';

it.each(['Pending', 'PENDING', 'Vorgemerkt', 'uncleared', 'Reserverad', 'pending '])('a table whose status is %s in all rows', (status) => {
  expect(refused(lines('Date,Details,Amount,Status', `2026-06-01,Shop,-1.00,${status}`, `2026-06-02,Bus,-2.00,${status}`))).toBe(BOTH);
});

it('a table with words in place of all dates', () => {
  expect(refused(lines('Date,Details,Amount', 'Pending,Shop,-1.00', 'Pending,Bus,-2.00'))).toBe(BOTH);
});

it('the same table read in stretches', () => {
  const text = lines('Date,Details,Amount,Status', '2026-06-01,Shop,-1.00,Pending', '2026-06-02,Bus,-2.00,Pending');
  const bytes = new TextEncoder().encode(text);
  expect(bytes.length).toBeLessThan(STATEMENT_LIMITS.wholeBytes);
  const read = readLarge(
    { byteLength: bytes.length, head: bytes, stretches: () => [bytes] },
    { filename: 'x.csv', ...gbp },
    { onProgress: () => undefined, isCancelled: () => false },
  );
  expect(read.ok ? null : `${read.error.code}: ${read.error.message}`).toBe(BOTH);
});

it('one booked row, or none that says so, and the file is read as ever', () => {
  expect(refused(lines('Date,Amount,Status', '2026-06-01,-1.00,Pending', '2026-06-02,2.00,Completed'))).toHaveLength(2);
  expect(refused(lines('Date,Amount,Status', '2026-06-01,-1.00,Pending', '2026-06-02,2.00,'))).toHaveLength(2);
});

it.each([
  ['Date,Customer,Amount,Status', 'Pending'],
  ['Invoice date,Details,Amount,Status', 'Pending'],
  ['Datum,Rechnungsnummer,Betrag,Status', 'offen'],
  ['Date,Details,Amount,Status', 'offen'],
  ['Date,Details,Amount,Status', 'pendiente'],
])('an open item of a ledger waits for its payment, and not for a bank: %s, %s', (header, status) => {
  expect(refused(lines(header, `2026-06-01,R-1,-1.00,${status}`, `2026-06-02,R-2,-2.00,${status}`))).toHaveLength(2);
});

describe('formats', () => {
  const entry = (status: string) =>
    `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry>`;
  const camt = (entries: string, message = 'BkToCstmrStmt', section = 'Stmt') =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><${message}><${section}><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct>${entries}</${section}></${message}></Document>`;

  it('CAMT, but for an intraday report, which is of what is on its way', () => {
    expect(refused(camt(entry('PDNG')))).toBe(ONE);
    expect(refused(camt(entry('PDNG') + entry('PDNG')))).toBe(BOTH);
    expect(refused(camt(entry('PDNG') + entry('PDNG'), 'BkToCstmrAcctRpt', 'Rpt'))).toHaveLength(2);
    expect(refused(camt(entry('PDNG') + entry('BOOK')))).toHaveLength(1);
    // For information alone: the bank will not book it.
    expect(statementOf(camt(entry('INFO'))).problems).toMatchObject([{ code: 'pending_rows_left_out' }]);
  });

  it('OFX', () => {
    const ofx = (list: string, end = '</OFX>') =>
      `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${list}</STMTRS></STMTTRNRS></BANKMSGSRSV1>${end}`;
    const waits = '<BANKTRANLISTP><DTASOF>20260603<STMTTRNP><TRNTYPE>POS<DTTRAN>20260602<TRNAMT>-1.00<NAME>Shop</STMTTRNP></BANKTRANLISTP>';
    const booked = '<BANKTRANLIST><STMTTRN><TRNTYPE>POS<DTPOSTED>20260602<TRNAMT>-1.00<FITID>1<NAME>Shop</STMTTRN></BANKTRANLIST>';
    expect(refused(ofx(waits))).toBe(ONE);
    expect(refused(ofx(booked + waits))).toHaveLength(1);
    expect(refused(ofx(waits, ''))).toEqual([]);
  });
});
