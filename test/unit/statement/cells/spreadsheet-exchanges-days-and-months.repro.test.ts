import { expect, it } from 'vitest';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import type { Statement } from '../../../../src-main/domain/statement/model/statement.ts';
import type { ReadOptions } from '../../../../src-main/domain/statement/model/read-options.ts';

/** A spreadsheet of another country took days up to 12 for months: lines landed in other months, and nothing turned them. */

const eur = { currency: 'EUR' };
const read = (dates: readonly string[], options: Partial<ReadOptions> = {}): Statement =>
  statementOf(lines('Date;Details;Amount', ...dates.map((date, index) => `${date};P${index};-${index + 1}.00`)), { ...eur, ...options });
const days = (statement: Statement) => statement.lines.map(({ day }) => isoFromDay(day));

/** As a European statement comes out of an American spreadsheet, and the other way round. */
const EUROPEAN = ['28/05/2026', '2026-01-06', '2026-03-06', '2026-12-06', '13/06/2026', '25/06/2026'];
const AMERICAN = ['05/28/2026', '2026-01-06', '2026-03-06', '2026-12-06', '06/13/2026', '06/25/2026'];
const TURNED = ['2026-05-28', '2026-06-01', '2026-06-03', '2026-06-12', '2026-06-13', '2026-06-25'];

it.each([
  ['days first', EUROPEAN],
  ['months first', AMERICAN],
  [
    'days first, with dates in words as a CSV shows them',
    EUROPEAN.map((date) =>
      date.replace(/2026-(..)-06/, (_, month) => `6 ${['Jan', 'Mar', 'Dec'][[1, 3, 12].indexOf(Number(month))]} 2026`),
    ),
  ],
  ['newest first', EUROPEAN.toReversed()],
])('where one reading alone keeps order and range, it is taken with a note: %s', (_, dates) => {
  const statement = read(dates);
  expect(days(statement).toSorted()).toEqual(TURNED);
  expect([codesOf(statement), statement.questions]).toEqual([['date_notations_mixed'], []]);
  expect(statement.problems[0]?.message).toMatch(/: 2026-(?:01|12)-06 is 2026-06-(?:01|12)\./);
});

it('a year of rows is turned by its order alone', () => {
  const statement = read(['15/01/2026', '2026-03-02', '20/02/2026', '2026-05-04', '2026-09-07', '30/07/2026']);
  expect(days(statement)).toEqual(['2026-01-15', '2026-02-03', '2026-02-20', '2026-04-05', '2026-07-09', '2026-07-30']);
});

it('dates that are right as they stand stay', () => {
  const dates = ['28/05/2026', '2026-06-01', '2026-06-03', '2026-06-12', '13/06/2026'];
  const statement = read(dates);
  expect(days(statement)).toEqual(['2026-05-28', '2026-06-01', '2026-06-03', '2026-06-12', '2026-06-13']);
  expect(statement.questions).toEqual([]);
});

const OPEN = ['28/05/2026', '2026-06-05', '13/06/2026', '2026-05-06', '25/05/2026'];

it('what neither reading keeps is asked about, and a person turns it both ways', () => {
  const { questions } = read(OPEN);
  expect(questions).toMatchObject([{ about: 'date_order', column: 'Date', taken: 'ymd', choices: [{ value: 'dmy' }, { value: 'ymd' }] }]);
  expect(questions[0]?.choices[0]?.examples[0]).toEqual({ written: '2026-06-05', read: '2026-05-06' });
  const turned = read(OPEN, { answers: { date_order: 'dmy' } });
  expect([days(turned), turned.questions]).toEqual([['2026-05-28', '2026-05-06', '2026-06-13', '2026-06-05', '2026-05-25'], []]);
  const kept = ['2026-05-28', '2026-06-05', '2026-06-13', '2026-05-06', '2026-05-25'];
  for (const order of ['ymd', 'mdy'] as const) expect(days(read(OPEN, { answers: { date_order: order } }))).toEqual(kept);
  // Against what the file shows as well.
  expect(days(read(EUROPEAN, { answers: { date_order: 'ymd' } }))[1]).toBe('2026-01-06');
  expect(days(read(AMERICAN, { answers: { date_order: 'mdy' } }))).toEqual(TURNED);
});

it('a recipe reads the next file as it was said', () => {
  for (const order of ['dmy', 'ymd'] as const) {
    const said = read(OPEN, { answers: { date_order: order } });
    const recipe = said.table?.recipe ?? null;
    expect(recipe?.date_order).toBe(order);
    expect(days(read(OPEN, { recipe }))).toEqual(days(said));
  }
});

it('value dates are turned with the dates, and by themselves where only they were exchanged', () => {
  const table = (rows: readonly (readonly [string, string])[]) =>
    statementOf(
      lines('Date;Value date;Details;Amount', ...rows.map(([date, value], index) => `${date};${value};P${index};-${index + 1}.00`)),
      eur,
    );
  const values = (statement: Statement) => statement.lines.map(({ valueDay }) => (valueDay === null ? null : isoFromDay(valueDay)));
  const both = table([
    ['28/05/2026', '29/05/2026'],
    ['2026-01-06', '2026-02-06'],
    ['2026-12-06', '13/06/2026'],
    ['25/06/2026', '26/06/2026'],
  ]);
  expect([days(both), values(both)]).toEqual([
    ['2026-05-28', '2026-06-01', '2026-06-12', '2026-06-25'],
    ['2026-05-29', '2026-06-02', '2026-06-13', '2026-06-26'],
  ]);
  const alone = table([
    ['2026-05-28', '29/05/2026'],
    ['2026-06-01', '2026-02-06'],
    ['2026-06-12', '13/06/2026'],
  ]);
  expect(values(alone)).toEqual(['2026-05-29', '2026-06-02', '2026-06-13']);
});
