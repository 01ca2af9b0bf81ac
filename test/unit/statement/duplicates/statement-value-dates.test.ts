import { describe, expect, it } from 'vitest';
import { dedupeKeys } from '../../../../src-main/domain/statement/duplicates/duplicates.ts';
import type { Statement, StatementLine } from '../../../../src-main/domain/statement/model/statement.ts';
import { meaningsOf } from '../../../../src-main/domain/statement/vocabulary/header-words.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';

const inPounds = { currency: 'GBP' } as const;

/** `2026-06-01 / 2026-06-03` for each line: its day and its value day. */
function daysOf({ lines: all }: Statement): readonly string[] {
  return all.map(({ day, valueDay }) => `${isoFromDay(day)} / ${valueDay === null ? '-' : isoFromDay(valueDay)}`);
}

const firstOf = (statement: Statement): StatementLine => present(statement.lines[0], 'line');

describe('both days of a format', () => {
  const mt940 = (...entries: readonly string[]): Statement =>
    statementOf(lines(':20:X', ':25:DE1', ':60F:C260601EUR10,00', ...entries, ':62F:C260602EUR10,00', '-'));

  it('MT940: the entry date and the value date; without an entry date the value date is both', () => {
    const statement = mt940(':61:2606030602C5,00NTRFA', ':61:260602D5,00NTRFB', ':61:2512310102C1,00NTRFC', ':61:2601011231D1,00NTRFD');
    expect(daysOf(statement)).toEqual([
      '2026-06-02 / 2026-06-03',
      '2026-06-02 / 2026-06-02',
      '2026-01-02 / 2025-12-31',
      '2025-12-31 / 2026-01-01',
    ]);
    expect(statement.lines.map(({ metadata }) => metadata['booking_date'])).toEqual([undefined, undefined, undefined, undefined]);
  });

  const camt = (dates: string): Statement =>
    statementOf(
      `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>` +
        `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>${dates}</Ntry></Stmt></BkToCstmrStmt></Document>`,
    );
  const booked = '<BookgDt><Dt>2026-06-02</Dt></BookgDt>';
  const value = (day: string): string => `<ValDt><Dt>${day}</Dt></ValDt>`;

  it('CAMT: booking and value date, also where they are the same', () => {
    expect(daysOf(camt(booked + value('2026-06-03')))).toEqual(['2026-06-02 / 2026-06-03']);
    expect(daysOf(camt(booked + value('2026-06-02')))).toEqual(['2026-06-02 / 2026-06-02']);
    expect(daysOf(camt(booked))).toEqual(['2026-06-02 / -']);
    expect(daysOf(camt(value('2026-06-03')))).toEqual(['2026-06-03 / 2026-06-03']);
  });

  it('CAMT: a value day that is another day is part of the key', () => {
    const [other, same, none] = [booked + value('2026-06-03'), booked + value('2026-06-02'), booked].map((dates) => firstOf(camt(dates)));
    const keyOf = (line: StatementLine | undefined): readonly string[] => dedupeKeys([present(line, 'line')]);
    expect(keyOf(other)).not.toEqual(keyOf(same));
    expect(keyOf(same)).toEqual(keyOf(none));
  });

  it('OFX: when it was posted and when the money is there', () => {
    const ofx = (dates: string): Statement =>
      statementOf(
        `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT${dates}<TRNAMT>5.00<FITID>1<NAME>A</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
      );
    expect(daysOf(ofx('<DTPOSTED>20260602<DTUSER>20260601<DTAVAIL>20260603120000'))).toEqual(['2026-06-02 / 2026-06-03']);
    expect(daysOf(ofx('<DTPOSTED>20260602<DTUSER>20260601'))).toEqual(['2026-06-02 / -']);
  });

  it('QIF has one day', () => {
    expect(daysOf(statementOf('!Type:Bank\nD06/13/2026\nT5.00\nPA\n^\n', inPounds))).toEqual(['2026-06-13 / -']);
  });
});

describe('both days of a table', () => {
  it.each([
    ['Buchungstag', 'Valutadatum'],
    ['Buchung', 'Wertstellung'],
    ['Booking date', 'Value date'],
    ['Date comptable', 'Date de valeur'],
    ['Fecha operación', 'Fecha valor'],
    ['Data contabile', 'Data valuta'],
    ['Data operacji', 'Data waluty'],
    ['Boekdatum', 'Rentedatum'],
    ['Bokföringsdag', 'Valutadag'],
    ['Bogføringsdato', 'Rentedato'],
    ['Kirjauspäivä', 'Arvopäivä'],
    ['Könyvelés dátuma', 'Értéknap'],
    ['Kuupäev', 'Väärtuspäev'],
    ['Data lançamento', 'Data valor'],
    ['Tarih', 'Valör tarihi'],
    ['Дата операции', 'Дата валютирования'],
    ['交易日期', '起息日'],
    ['תאריך', 'תאריך ערך'],
    ['Ημερομηνία', 'Ημερομηνία αξίας'],
    ['التاريخ', 'تاريخ القيمة'],
    ['Posting Date', 'Document Date'],
    ['Buchungsdatum', 'Belegdatum'],
  ])('%s and %s', (booking, value) => {
    const columns = [
      [booking, '2026-06-02'],
      [value, '2026-06-03'],
    ] as const;
    for (const [[first, day], [second, other]] of [
      [columns[0], columns[1]],
      [columns[1], columns[0]],
    ] as const) {
      const statement = statementOf(`${first},${second},Text,Amount\n${day},${other},A,5.00\n`, inPounds);
      expect(daysOf(statement)).toEqual(['2026-06-02 / 2026-06-03']);
      expect(statement.columns.map(({ role, field }) => `${role} ${field ?? ''}`)).toContain('value_date value_date');
      expect(statement.lines[0]?.metadata).toEqual({});
    }
  });

  it('a document beside a value date stays a field, and a birthday is neither', () => {
    const statement = statementOf('Posting date,Document date,Value date,Amount\n2026-06-02,2026-05-30,2026-06-03,5.00\n', inPounds);
    expect(daysOf(statement)).toEqual(['2026-06-02 / 2026-06-03']);
    expect(statement.lines[0]?.metadata).toEqual({ document_date: '2026-05-30' });
    expect(meaningsOf('Date of birth').map(({ meaning }) => meaning)).toEqual([]);
  });

  it('a value date that stands alone is the date', () => {
    expect(daysOf(statementOf('Value date,Amount\n2026-06-02,5.00\n', inPounds))).toEqual(['2026-06-02 / -']);
  });

  it('a header that may mean the value is told by what its cells hold', () => {
    const statement = statementOf('Buchung;Valuta;Betrag\n02.06.2026;EUR;5,00\n', {});
    expect([statement.currency, ...daysOf(statement)]).toEqual(['EUR', '2026-06-02 / -']);
  });

  it('a value date that is no day is left open, with a note; the line and its text are kept', () => {
    const statement = statementOf(
      'Date,Value date,Amount\n2026-06-02,soon,5.00\n2026-06-02,,6.00\n2026-06-02,2026-06-04,7.00\n2026-06-02,2026-02-30,8.00\n',
      inPounds,
    );
    expect(daysOf(statement)).toEqual(['2026-06-02 / -', '2026-06-02 / -', '2026-06-02 / 2026-06-04', '2026-06-02 / -']);
    expect(statement.lines.map(({ metadata }) => metadata)).toEqual([{ value_date: 'soon' }, {}, {}, { value_date: '2026-02-30' }]);
    expect(statement.rejectedRows).toBe(0);
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { code: 'value_dates_unreadable', row: 2, column: 'Value date', severity: 'note' },
    ]);
  });

  it('a small share of such cells gets no note', () => {
    const rows = Array.from({ length: 30 }, (_, index) => `2026-06-02,${index === 7 ? 'soon' : '2026-06-03'},5.00`);
    expect(codesOf(statementOf(`Date,Value date,Amount\n${rows.join('\n')}\n`, inPounds))).not.toContain('value_dates_unreadable');
  });

  it('the order of day and month is that of the dates', () => {
    expect(daysOf(statementOf('Date,Value date,Amount\n13/06/2026,05/06/2026,5.00\n', inPounds))).toEqual(['2026-06-13 / 2026-06-05']);
    expect(daysOf(statementOf('Date,Value date,Amount\n06/13/2026,06/05/2026,5.00\n', inPounds))).toEqual(['2026-06-13 / 2026-06-05']);
  });

  it('where the dates have no open order, the value dates or the days beside them decide', () => {
    const read = (...rows: readonly string[]) => daysOf(statementOf(lines('Date,Value date,Amount', ...rows), inPounds));
    expect(read('2026-06-02,06/03/2026,5.00', '2026-06-20,06/20/2026,5.00')).toEqual([
      '2026-06-02 / 2026-06-03',
      '2026-06-20 / 2026-06-20',
    ]);
    expect(read('2026-06-02,06/03/2026,5.00')).toEqual(['2026-06-02 / 2026-06-03']);
    expect(read('2026-06-02,03/06/2026,5.00')).toEqual(['2026-06-02 / 2026-06-03']);
  });

  it('digits alone are read where the header says a date', () => {
    expect(daysOf(statementOf('Date,Value date,Amount\n2026-06-02,46176,5.00\n', inPounds))).toEqual(['2026-06-02 / 2026-06-03']);
  });

  it('lines that differ only in their value date stay two', () => {
    const read = statementOf(
      'Date,Value date,Text,Amount\n02/06/2026,13/06/2026,A,5.00\n02/06/2026,14/06/2026,A,5.00\n02/06/2026,14/06/2026,A,5.00\n',
      inPounds,
    );
    expect(new Set(dedupeKeys(read.lines)).size).toBe(3);
    expect(dedupeKeys(read.lines).map((key) => key.split(':').at(-1))).toEqual(['1', '1', '2']);
  });
});
