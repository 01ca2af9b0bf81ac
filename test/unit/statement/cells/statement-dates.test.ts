import { describe, expect, it } from 'vitest';
import { decideOrder } from '../../../../src-main/domain/statement/cells/date-order.ts';
import type { OrderEvidence } from '../../../../src-main/domain/statement/cells/date-order.ts';
import { dateShape, dayOfShape } from '../../../../src-main/domain/statement/cells/dates.ts';
import { dayFromIso, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const noEvidence: OrderEvidence = { otherShapes: [], filename: 'a.csv', currency: null, decimalComma: false };

function isoOf(text: string, order: 'dmy' | 'mdy' = 'dmy'): string | null {
  const shape = dateShape(text);
  const day = shape === null ? null : dayOfShape(shape, order);
  return day === null ? null : isoFromDay(day);
}

function orderOf(texts: readonly string[], evidence = noEvidence) {
  return decideOrder(
    texts.map(dateShape).filter((shape) => shape !== null),
    evidence,
  );
}

describe('dates as banks write them', () => {
  it.each([
    ['2026-06-15', '2026-06-15'],
    ['2026/6/5', '2026-06-05'],
    ['2026.06.15.', '2026-06-15'],
    ['20260615', '2026-06-15'],
    ['15/06/2026', '2026-06-15'],
    ['15.06.26', '2026-06-15'],
    ['15-06-2026', '2026-06-15'],
    ["15/06'26", '2026-06-15'],
    ['15 Jun 2026', '2026-06-15'],
    ['15-Jun-26', '2026-06-15'],
    ['Jun 15, 2026', '2026-06-15'],
    ['June 15th 2026', '2026-06-15'],
    ['Mon 15 Jun 2026', '2026-06-15'],
    ['15. Juni 2026', '2026-06-15'],
    ['3. März 2026', '2026-03-03'],
    ['14 août 2026', '2026-08-14'],
    ['2 de enero de 2026', '2026-01-02'],
    ['12 grudnia 2026', '2026-12-12'],
    ['2026-06-15T23:59:01Z', '2026-06-15'],
    ['15/06/2026 10:15', '2026-06-15'],
    ['06/15/2026 1:05:09 PM', null],
    ['2021-02-03 13:12:00.123', '2021-02-03'],
    ['2019.04.19. 08:15:00', '2019-04-19'],
    ['31/12/69', '2069-12-31'],
    ['31/12/70', '1970-12-31'],
  ])('%s', (text, expected) => {
    expect(isoOf(text)).toBe(expected);
  });

  it.each(['', 'POS 17.09.', '12345678', 'Order 15', 'RCT-0601', '1.234,56', '01/02', '2026-30', 'Card takings 15 Jun', '99999999'])(
    '%s is none',
    (text) => {
      expect(dateShape(text)).toBeNull();
    },
  );

  it('keeps an impossible date apart from a text', () => {
    expect(dateShape('2026-02-30')).toMatchObject({ kind: 'settled', day: null });
    expect(isoOf('30/02/2026')).toBeNull();
    expect(dateShape('30/02/2026')).not.toBeNull();
  });
});

describe('the order of day and month', () => {
  it('is settled by one day above 12 anywhere in the file', () => {
    expect(orderOf(['01/02/2026', '03/04/2026', '13/05/2026'])).toEqual({ order: 'dmy', assumedBecause: null });
    expect(orderOf(['1/4/10', '1/29/10'])).toEqual({ order: 'mdy', assumedBecause: null });
  });

  it('reads years first when neither of the other two fits', () => {
    expect(orderOf(['98-12-30', '98-12-31'])).toEqual({ order: 'ymd', assumedBecause: null });
  });

  it('is settled by another date column', () => {
    const other = { ...noEvidence, otherShapes: [dateShape('14/02/2026')].filter((shape) => shape !== null) };
    expect(orderOf(['01/02/2026'], other)).toEqual({ order: 'dmy', assumedBecause: null });
  });

  it('is settled by the order of the rows', () => {
    expect(orderOf(['01/10/2026', '02/09/2026', '03/08/2026', '04/08/2026']).order).toBe('mdy');
    expect(orderOf(['01/10/2026', '02/10/2026', '03/10/2026', '01/11/2026', '02/11/2026'])).toEqual({ order: 'dmy', assumedBecause: null });
  });

  it('follows the day in the name of the file', () => {
    expect(orderOf(['05/03/2021', '05/03/2021'], { ...noEvidence, filename: 'export_20210401.csv' }).order).toBe('dmy');
  });

  it('is an assumption when two readings are equally good, by currency', () => {
    expect(orderOf(['05/03/2021'], { ...noEvidence, currency: 'USD' })).toMatchObject({
      order: 'mdy',
      choices: ['dmy', 'mdy'],
    });
    expect(orderOf(['05/03/2021'], { ...noEvidence, currency: 'GBP' })).toMatchObject({ order: 'dmy', assumedBecause: expect.any(String) });
  });

  it('says so in a note that names the assumption', () => {
    const statement = statementOf('Date,Amount\n05/03/2021,-10.00\n', { currency: 'GBP' });
    expect(statement.problems).toMatchObject([
      { code: 'date_order_assumed', column: 'Date', severity: 'note', message: expect.stringContaining('day first') },
    ]);
    expect(codesOf(statementOf('Date,Amount\n05.03.2021,-10.00\n', { currency: 'EUR' }))).toEqual([]);
    expect(codesOf(statementOf('Date,Amount\n05/05/2021,-10.00\n', { currency: 'EUR' }))).toEqual([]);
  });
});

describe('dates of a file', () => {
  it('takes the booking date, not the value date', () => {
    const statement = statementOf('Value Date,Posting Date,Amount\n01/06/2026,15/06/2026,1.00\n', { currency: 'GBP' });
    expect(summaryOf(statement)).toEqual(['2026-06-15 100 GBP']);
    expect(statement.lines[0]).toMatchObject({ valueDay: dayFromIso('2026-06-01'), metadata: {} });
  });

  it('reads a month by name among numbers', () => {
    const statement = statementOf('Date,Amount\n13/06/2026,1.00\n15 Jun 2026,2.00\n', { currency: 'GBP' });
    expect(statement.lines.map((line) => line.day)).toEqual([dayFromIso('2026-06-13'), dayFromIso('2026-06-15')]);
  });

  it('rejects a date that does not exist, and one that is none, with row and column', () => {
    const statement = statementOf('Booked on date,Text,Amount\n28/02/2026,a,1.00\n30/02/2026,b,2.00\nsoon,c,3.00\n,d,4.00\n', {
      currency: 'GBP',
    });
    expect(statement.lines).toHaveLength(1);
    expect(statement).toMatchObject({ rows: 4, rejectedRows: 3 });
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 3, column: 'Booked on date', code: 'impossible_date', severity: 'rejected', message: expect.stringContaining('"30/02/2026"') },
      { row: 4, column: 'Booked on date', code: 'unreadable_date', severity: 'rejected', message: expect.stringContaining('"soon"') },
      { row: 5, code: 'unreadable_date', message: expect.stringContaining('is empty') },
    ]);
  });

  it('rejects a row written in the other order', () => {
    const statement = statementOf('Date,Amount\n28/02/2026,1.00\n27/02/2026,1.00\n02/26/2026,2.00\n', { currency: 'GBP' });
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 4, code: 'impossible_date', message: expect.stringContaining('day first') },
    ]);
  });
});
