import { describe, expect, it } from 'vitest';
import { dateShape, dayOfShape } from '../../../../src-main/domain/statement/cells/dates.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const eur = { currency: 'EUR' };

function isoOf(text: string): string | null {
  const shape = dateShape(text);
  const day = shape === null ? null : dayOfShape(shape, 'dmy');
  return day === null ? null : isoFromDay(day);
}

describe('dates with something beside them', () => {
  it.each([
    'Mo., 15.06.2026',
    '15/06/2026 (Mon)',
    '2026/06/15（月）',
    "'15.06.2026",
    '15 06 2026',
    '15.06.2026 10:15 Uhr',
    '2026-06-15 10:15:00 (UTC)',
    '2026-06-15 10:15:00 Europe/Berlin',
    'Mon Jun 15 2026 10:15:00 GMT+0200 (Central European Summer Time)',
    'Mon, 15 Jun 2026 10:15:00 +0000',
    '20260615T101500Z',
    '２０２６/０６/１５',
  ])('%s', (text) => {
    expect(isoOf(text)).toBe('2026-06-15');
  });
});

describe('months in other languages', () => {
  it.each([
    ['15 июня 2026', '2026-06-15'],
    ['15 червня 2026 р.', '2026-06-15'],
    ['3 мая 2026 г.', '2026-05-03'],
    ['15 Ιουνίου 2026', '2026-06-15'],
    ['2026년 6월 15일', '2026-06-15'],
    ['15 Agustus 2026', '2026-08-15'],
    ['15 Şub 2026', '2026-02-15'],
    ['15. jaanuar 2026', '2026-01-15'],
  ])('%s', (text, expected) => {
    expect(isoOf(text)).toBe(expected);
  });

  it('that mean two months in two languages are not guessed', () => {
    expect(isoOf('15. siječnja 2026')).toBeNull();
  });
});

describe('years of other calendars', () => {
  it.each([
    ['15/06/2569', '2026-06-15'],
    ['115/06/15', '2026-06-15'],
    ['R8.6.15', '2026-06-15'],
    ['令和8年6月15日', '2026-06-15'],
    ['令和元年6月15日', '2019-06-15'],
    ['H31.4.30', '2019-04-30'],
  ])('%s', (text, expected) => {
    expect(isoOf(text)).toBe(expected);
  });

  it('that are too far for a statement are rejected', () => {
    const statement = statementOf('Date,Amount\n15/06/0026,1.00\n15/06/2026,2.00\n15/06/3026,2.00\n', eur);
    expect([summaryOf(statement), statement.rejectedRows]).toEqual([['2026-06-15 200 EUR'], 2]);
    expect(statement.problems.find(({ row }) => row === 2)?.message).toContain('is not on the calendar of the years 1000 to 2199');
  });
});

describe('dates as digits alone, under a header that names a date', () => {
  const read = (...dates: readonly string[]) =>
    statementOf(['Date,Text,Amount', ...dates.map((date, index) => `${date},a,${index + 1}.00`)].join('\n'), eur);
  const DAYS = ['2026-06-01 100 EUR', '2026-06-05 200 EUR', '2026-06-22 300 EUR'];

  it.each([
    ['DDMMYYYY', ['01062026', '05062026', '22062026']],
    ['MMDDYYYY', ['06012026', '06052026', '06222026']],
    ['YYMMDD', ['260601', '260605', '260622']],
    ['DDMMYY', ['010626', '050626', '220626']],
    ['YYYYMMDDHHMM', ['202606010815', '202606050000', '202606222359']],
    ['YYYYMMDDHHMMSS', ['20260601081500', '20260605000000', '20260622235959']],
  ])('%s', (_form, dates) => {
    const statement = read(...dates);
    expect([summaryOf(statement), codesOf(statement)]).toEqual([DAYS, ['signs_assumed']]);
  });

  it.each([
    ['days of a spreadsheet', ['46174', '46178.5', '46195']],
    ['seconds', ['1780300000', '1780617600', '1782172799']],
    ['milliseconds', ['1780300000000', '1780617600000', '1782172799999']],
  ])('%s are read with a note', (_form, dates) => {
    const statement = read(...dates);
    expect([summaryOf(statement), codesOf(statement)]).toEqual([DAYS, ['date_numbers', 'signs_assumed']]);
  });

  it('is asked for where day and month cannot be told', () => {
    expect(codesOf(read('01062026', '02062026'))).toContain('date_order_assumed');
  });

  it('are numbers under any other header', () => {
    const statement = statementOf('Date,Number,Amount\n2026-06-01,46174,1.00\n2026-06-02,46175,1.00\n', eur);
    expect(statement.lines[0]?.metadata).toEqual({ number: '46174' });
  });

  it('are read so again by the recipe, and rejected where one is none', () => {
    const statement = read('46174', '46178', '46195', 'soon');
    expect([summaryOf(statement), statement.rejectedRows]).toEqual([DAYS, 1]);
    const again = statementOf('Date,Text,Amount\n46174,a,1.00\n', { ...eur, recipe: statement.table?.recipe });
    expect(summaryOf(again)).toEqual(['2026-06-01 100 EUR']);
  });
});

describe('what decides day and month', () => {
  it('a date in the lines above, also inside a text', () => {
    const rows = 'Date,Text,Amount\n03/04/2026,a,1.00\n05/04/2026,b,2.00\n';
    const above = statementOf(`Transactions from 01/04/2026 to 30/04/2026\n\n${rows}`, { currency: 'USD' });
    expect([above.dialect.dateOrder, codesOf(above)]).toEqual(['dmy', ['signs_assumed']]);
    expect(statementOf(rows, { currency: 'USD' }).questions).toMatchObject([{ about: 'date_order' }]);
  });
});
