import { describe, expect, it, test } from 'vitest';
import { coverageOf, type CoveredPeriod } from '../../../../src-main/domain/statement/proof/coverage.ts';
import { dayFromIso, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { statementOf } from '../../../support/inputs/statements.ts';

const day = (iso: string) => present(dayFromIso(iso), iso);
const of = (batchId: number, from: string, to: string, openingMinor: number | null, closingMinor: number | null): CoveredPeriod => ({
  batchId,
  firstDay: day(from),
  lastDay: day(to),
  openingMinor,
  closingMinor,
});
const kinds = (periods: readonly CoveredPeriod[]) =>
  coverageOf(periods).gaps.map((gap) => [isoFromDay(gap.firstDay), isoFromDay(gap.lastDay), gap.kind, gap.differenceMinor]);

test('balances show whether a gap lacks lines', () => {
  const january = of(1, '2026-01-01', '2026-01-31', 0, 500);
  expect(kinds([january, of(2, '2026-02-10', '2026-02-28', 500, 700)])).toEqual([['2026-02-01', '2026-02-09', 'quiet', 0]]);
  expect(kinds([january, of(2, '2026-02-10', '2026-02-28', 450, 700)])).toEqual([['2026-02-01', '2026-02-09', 'missing', -50]]);
  expect(kinds([january, of(2, '2026-02-10', '2026-02-28', null, 700)])).toEqual([['2026-02-01', '2026-02-09', 'unknown', null]]);
  // Friday to Monday.
  expect(kinds([of(1, '2026-01-05', '2026-01-09', null, null), of(2, '2026-01-12', '2026-01-16', null, null)])).toEqual([
    ['2026-01-10', '2026-01-11', 'weekend', null],
  ]);
  expect(kinds([of(1, '2026-01-05', '2026-01-09', null, 1), of(2, '2026-01-12', '2026-01-16', 2, null)])).toEqual([
    ['2026-01-10', '2026-01-11', 'missing', 1],
  ]);
});

test('statements without a day between must agree; a short one inside a long one opens no gap', () => {
  const year = of(1, '2026-01-01', '2026-06-30', 0, 900);
  const inside = of(2, '2026-02-01', '2026-02-28', 100, 200);
  expect(coverageOf([year, inside, of(3, '2026-07-01', '2026-07-31', 900, 1_000)])).toMatchObject({ gaps: [], breaks: [] });
  expect(coverageOf([year, inside, of(3, '2026-07-01', '2026-07-31', 890, 1_000)]).breaks).toEqual([
    { day: day('2026-07-01'), earlierBatchId: 1, laterBatchId: 3, closingMinor: 900, openingMinor: 890 },
  ]);
  expect(coverageOf([])).toEqual({ covered: [], gaps: [], overlaps: [], breaks: [] });
});

const periodsOf = (text: string, filename: string) =>
  statementOf(text, { filename }).periods.map((each) => ({
    ...each,
    firstDay: isoFromDay(each.firstDay),
    lastDay: isoFromDay(each.lastDay),
  }));

test('a table covers its first to its last line', () => {
  const csv = 'Date,Description,Amount,Balance\n2026-06-03,Tea,-1.00,9.00\n2026-06-01,Rent,-5.00,4.00\n2026-06-09,Pay,6.00,10.00\n';
  expect(periodsOf(csv, 'june.csv')).toMatchObject([{ account: null, firstDay: '2026-06-01', lastDay: '2026-06-09' }]);
});

test('MT940 covers the days from its opening to its closing balance, statement by statement', () => {
  const statement = (number: number, opening: string, lines: string, closing: string) =>
    `:20:A${number}\n:25:GB29\n:28C:${number}/1\n:60F:${opening}\n${lines}:62F:${closing}\n-\n`;
  const text =
    statement(1, 'C260531EUR10,00', ':61:2606050605C5,00NTRFA\n:86:Pay\n', 'C260630EUR15,00') +
    statement(2, 'C260630EUR15,00', '', 'C260731EUR15,00');
  expect(periodsOf(text, 'a.sta')).toEqual([
    { account: null, firstDay: '2026-06-01', lastDay: '2026-06-30', openingMinor: 1_000, closingMinor: 1_500 },
    { account: null, firstDay: '2026-07-01', lastDay: '2026-07-31', openingMinor: 1_500, closingMinor: 1_500 },
  ]);
});

test('OFX covers the days that it was asked for, not those of its balance', () => {
  const text = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260601<DTEND>20260630
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260605<TRNAMT>5.00<FITID>1<NAME>Pay</STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>15.00<DTASOF>20260815</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
  expect(periodsOf(text, 'a.ofx')).toEqual([
    { account: null, firstDay: '2026-06-01', lastDay: '2026-06-30', openingMinor: null, closingMinor: 1_500 },
  ]);
});

test('CAMT covers the time that it names, else the days between its balances', () => {
  const balance = (code: string, date: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
  const camt = (time: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${time}
<Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', '2026-05-31', '10.00')}${balance('CLBD', '2026-06-30', '15.00')}
<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-05</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`;
  const balances = { account: null, openingMinor: 1_000, closingMinor: 1_500 };
  expect(periodsOf(camt(''), 'a.xml')).toEqual([{ ...balances, firstDay: '2026-06-01', lastDay: '2026-06-30' }]);
  const named = '<FrToDt><FrDtTm>2026-05-30T00:00:00</FrDtTm><ToDtTm>2026-07-01T00:00:00</ToDtTm></FrToDt>';
  expect(periodsOf(camt(named), 'a.xml')).toEqual([{ ...balances, firstDay: '2026-05-30', lastDay: '2026-07-01' }]);
  const backwards = '<FrToDt><FrDtTm>2026-07-30T00:00:00</FrDtTm><ToDtTm>2026-07-01T00:00:00</ToDtTm></FrToDt>';
  expect(periodsOf(camt(backwards), 'a.xml')).toEqual([{ ...balances, firstDay: '2026-06-01', lastDay: '2026-06-30' }]);
});

describe('found once: overlap told day by day', () => {
  it('files of a statement a day that speak of the same days overlap in one stretch', () => {
    const daily = (batchId: number, days: readonly number[]) =>
      days.map((day) => ({ batchId, firstDay: day, lastDay: day, openingMinor: null, closingMinor: null }));
    expect(coverageOf([...daily(1, [10, 11, 12, 13]), ...daily(2, [11, 12, 13, 14])]).overlaps).toEqual([
      { firstDay: 11, lastDay: 13, batchIds: [1, 2] },
    ]);
    const third = { batchId: 3, firstDay: 12, lastDay: 12, openingMinor: null, closingMinor: null };
    expect(coverageOf([...daily(1, [11, 12, 13]), ...daily(2, [11, 12, 13]), third]).overlaps).toEqual([
      { firstDay: 11, lastDay: 11, batchIds: [1, 2] },
      { firstDay: 12, lastDay: 12, batchIds: [1, 2, 3] },
      { firstDay: 13, lastDay: 13, batchIds: [1, 2] },
    ]);
  });
});
