import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../src-main/domain/statement/model/statement.ts';
import { readLarge } from '../../../../src-main/domain/statement/read.ts';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** A file of which the bank had booked nothing was imported, or told to hold no transactions. */

const gbp = { currency: 'GBP' };
const control = { onProgress: () => undefined, isCancelled: () => false };

/** What is said where nothing of a file is taken; the lines of any other. */
function saidOf(statement: Statement): unknown {
  if (!codesOf(statement).includes('nothing_booked')) return summaryOf(statement);
  expect([statement.rows, statement.rejectedRows, statement.questions, statement.proof]).toEqual([0, 0, [], 'unproved']);
  return statement.problems.find(({ code }) => code === 'nothing_booked')?.message;
}

/** The same by the reader of large files. */
function large(text: string): Statement {
  const bytes = new TextEncoder().encode(text);
  const understood = readLarge({ byteLength: bytes.length, head: bytes, stretches: () => [bytes] }, { filename: 'x.csv', ...gbp }, control);
  if (!understood.ok) throw new Error(understood.error.message);
  if (understood.value === null) throw new Error('no table');
  const read = understood.value.read(control, () => undefined);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

/** What both readers say; they agree. */
function said(text: string): unknown {
  const [whole, streamed] = [statementOf(text, gbp), large(text)];
  expect(streamed.problems).toEqual(whole.problems);
  expect(saidOf(streamed)).toEqual(saidOf(whole));
  return saidOf(whole);
}

const BOTH = 'Nothing is booked yet: all 2 lines are pending. Import the file again when the bank has booked them.';
const ONE = 'Nothing is booked yet: its one line is pending. Import the file again when the bank has booked it.';

it.each(['Pending', 'PENDING', 'Vorgemerkt', 'uncleared', 'Reserverad', 'pending '])('a table whose status is %s in all rows', (status) => {
  expect(said(lines('Date,Details,Amount,Status', `2026-06-01,Shop,-1.00,${status}`, `2026-06-02,Bus,-2.00,${status}`))).toBe(BOTH);
});

it('a table with words in place of all dates, and of a single line', () => {
  expect(said(lines('Date,Details,Amount', 'Pending,Shop,-1.00', 'Pending,Bus,-2.00'))).toBe(BOTH);
  expect(said(lines('Date,Details,Amount,Status', '2026-06-01,Shop,-1.00,Pending'))).toBe(ONE);
});

it('a sum, an empty row and a row of text are no transactions', () => {
  const rows = ['Date,Details,Amount,Status', '2026-06-01,Shop,-1.00,Pending', '2026-06-02,Bus,-2.00,Pending'];
  expect(said(lines(...rows, ',Total,-3.00,'))).toBe(BOTH);
  expect(said(lines(...rows, ',Total,-3.00,Pending'))).toBe(BOTH);
  expect(said(lines(rows[0] ?? '', rows[1] ?? '', ',,,', rows[2] ?? '', '', ',,-3.00,'))).toBe(BOTH);
  expect(said(lines(...rows, 'These lines may change'))).toBe(BOTH);
});

it('a single booked row, or one without a status, is read without the pending ones', () => {
  expect(said(lines('Date,Amount,Status', '2026-06-01,-1.00,Pending', '2026-06-02,2.00,Completed'))).toHaveLength(1);
  expect(said(lines('Date,Amount,Status', '2026-06-01,-1.00,Pending', '2026-06-02,2.00,'))).toHaveLength(1);
});

it.each([
  ['Date,Customer,Amount,Status', 'Pending'],
  ['Invoice date,Details,Amount,Status', 'Pending'],
  ['Datum,Rechnungsnummer,Betrag,Status', 'offen'],
  ['Date,Details,Amount,Status', 'offen'],
  ['Date,Details,Amount,Status', 'pendiente'],
])('an open item of a ledger waits for its payment, not for a booking: %s, %s', (header, status) => {
  expect(said(lines(header, `2026-06-01,R-1,-1.00,${status}`, `2026-06-02,R-2,-2.00,${status}`))).toHaveLength(2);
});

describe('formats', () => {
  const entry = (status: string) =>
    `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry>`;
  const camt = (entries: string, message = 'BkToCstmrStmt', section = 'Stmt') =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><${message}><${section}><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct>${entries}</${section}></${message}></Document>`;
  const read = (text: string) => saidOf(statementOf(text, gbp));

  it('CAMT, except an intraday report, which lists pending entries', () => {
    expect(read(camt(entry('PDNG')))).toBe(ONE);
    expect(read(camt(entry('PDNG') + entry('PDNG')))).toBe(BOTH);
    expect(read(camt(entry('PDNG') + entry('PDNG'), 'BkToCstmrAcctRpt', 'Rpt'))).toHaveLength(2);
    expect(read(camt(entry('PDNG') + entry('BOOK')))).toHaveLength(1);
    expect(read(camt(entry('PDNG') + entry('BOOK'), 'BkToCstmrAcctRpt', 'Rpt'))).toHaveLength(1);
    // For information alone: the bank will not book it.
    expect(statementOf(camt(entry('INFO'))).problems).toMatchObject([{ code: 'pending_rows_left_out' }]);
  });

  it('MT942 leaves out expected lines beside booked ones', () => {
    const mt942 = (...marks: readonly string[]) =>
      lines(
        ':20:X',
        ':25:1',
        ':28C:1/1',
        ':34F:EUR0,',
        ':13D:2606021200+0100',
        ...marks.map((mark) => `:61:260602${mark}1,00NTRFREF1`),
        '-',
      );
    expect(read(mt942('EC', 'ED'))).toBe(BOTH);
    expect(read(mt942('EC', 'D'))).toHaveLength(1);
    expect(statementOf(mt942('EC', 'D')).problems).toMatchObject([
      { code: 'pending_rows_left_out', row: 6, message: expect.stringContaining('row 6') },
    ]);
  });

  it('OFX', () => {
    const ofx = (list: string, end = '</OFX>') =>
      `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${list}</STMTRS></STMTTRNRS></BANKMSGSRSV1>${end}`;
    const waits = '<BANKTRANLISTP><DTASOF>20260603<STMTTRNP><TRNTYPE>POS<DTTRAN>20260602<TRNAMT>-1.00<NAME>Shop</STMTTRNP></BANKTRANLISTP>';
    const booked = '<BANKTRANLIST><STMTTRN><TRNTYPE>POS<DTPOSTED>20260602<TRNAMT>-1.00<FITID>1<NAME>Shop</STMTTRN></BANKTRANLIST>';
    expect(read(ofx(waits))).toBe(ONE);
    expect(read(ofx(booked + waits))).toHaveLength(1);
    expect(read(ofx(waits, ''))).toEqual([]);
    expect(
      read(ofx(`${booked}<BANKTRANLIST><STMTTRN><TRNTYPE>HOLD<DTPOSTED>20260603<TRNAMT>-9.00<FITID>2</STMTTRN></BANKTRANLIST>`)),
    ).toHaveLength(1);
  });
});
