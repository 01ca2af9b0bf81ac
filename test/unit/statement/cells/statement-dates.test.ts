import { describe, expect, it } from 'vitest';
import { decideOrder, type OrderEvidence } from '../../../../src-main/domain/statement/cells/date-order.ts';
import { dateShape, dayOfShape } from '../../../../src-main/domain/statement/cells/dates.ts';
import { dayFromIso, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { engineRecord, engineRule, matched } from '../../../support/inputs/matching-records.ts';

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
    '%s is not one',
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
  it('is decided by a single day above 12 anywhere in the file', () => {
    expect(orderOf(['01/02/2026', '03/04/2026', '13/05/2026'])).toEqual({ order: 'dmy', assumedBecause: null });
    expect(orderOf(['1/4/10', '1/29/10'])).toEqual({ order: 'mdy', assumedBecause: null });
  });

  it('reads years first when neither of the other two fits', () => {
    expect(orderOf(['98-12-30', '98-12-31'])).toEqual({ order: 'ymd', assumedBecause: null });
  });

  it('is decided by another date column', () => {
    const other = { ...noEvidence, otherShapes: [dateShape('14/02/2026')].filter((shape) => shape !== null) };
    expect(orderOf(['01/02/2026'], other)).toEqual({ order: 'dmy', assumedBecause: null });
  });

  it('is decided by the order of the rows', () => {
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

  it('has a note that names the assumption', () => {
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

  it('rejects an impossible date and a text that is no date, with row and column', () => {
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

describe('found once: dates of one month not told apart', () => {
  /**
   * Two records whose due dates fall in one month (or on one weekend) are equal for the condition, yet not equally far from a partner.
   * They were taken for one kind of record, with the distance of the first of them.
   */
  it.each([
    ['month', '2026-06-02', '2026-06-20'],
    ['business_day', '2026-06-20', '2026-06-21'],
  ] as const)('of two dates that count as one %s the nearer is taken', (unit, far, near) => {
    const condition = { key: 'metadata.due', value: 'date', tolerance_amount: 0, tolerance_unit: unit };
    const sideA = [engineRecord(1, { metadata: { due: far } }), engineRecord(2, { metadata: { due: near } })];
    const { matches } = matched({ sideA, sideB: [engineRecord(101, { on: '2026-06-22' })], rules: [engineRule(1, [condition])] });
    expect(matches).toMatchObject([{ aIds: [2], certainty: 'best', status: 'matched' }]);
  });
});

describe('found once: years in front read as days', () => {
  const read = (...dates: readonly string[]) =>
    statementOf(['Date,Text,Amount', ...dates.map((date) => `${date},a,1.00`)].join('\n'), { currency: 'CAD' });

  describe('years of two digits', () => {
    /** 26/06/05 was read as 26 June 2005, of every row another year, and nothing said so. */
    it.each(['/', '-', '.'])('before %s are recognised by rows that are close together', (mark) => {
      const dates = [
        ['26', '06', '01'],
        ['26', '06', '05'],
        ['26', '06', '30'],
      ].map((parts) => parts.join(mark));
      expect(summaryOf(read(...dates))).toEqual(['2026-06-01 100 CAD', '2026-06-05 100 CAD', '2026-06-30 100 CAD']);
    });

    it('at the end stay there', () => {
      expect(summaryOf(read('01/06/26', '05/06/26', '30/06/26'))).toEqual([
        '2026-06-01 100 CAD',
        '2026-06-05 100 CAD',
        '2026-06-30 100 CAD',
      ]);
      expect(summaryOf(read('06/01/26', '06/05/26', '06/30/26'))).toEqual([
        '2026-06-01 100 CAD',
        '2026-06-05 100 CAD',
        '2026-06-30 100 CAD',
      ]);
    });
  });

  /** A spreadsheet of another country takes days up to 12 for months and leaves the others as texts: a statement with months swapped in half of its rows. */
  describe('dates of two notations', () => {
    it('are asked about where a spreadsheet may have swapped some', () => {
      expect(codesOf(read('2026-01-06', '2026-05-06', '13/06/2026', '30/06/2026'))).toEqual(['date_notations_mixed', 'signs_assumed']);
    });

    it('stay where one of them has a day that cannot be swapped', () => {
      expect(codesOf(read('2026-06-01', '2026-06-25', '13/06/2026', '30/06/2026'))).toEqual(['signs_assumed']);
      expect(codesOf(read('2026-06-01', '05/06/2026', '13/06/2026', '30/06/2026'))).toEqual(['signs_assumed']);
    });
  });
});
