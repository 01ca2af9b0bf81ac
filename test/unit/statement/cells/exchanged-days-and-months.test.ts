import { expect, it } from 'vitest';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';
import { dated, workbook } from '../../../support/inputs/workbooks.ts';
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
])('the only reading that keeps order and range is used with a note: %s', (_, dates) => {
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

it('dates that fit neither reading raise a question, and a person can choose either', () => {
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

it('a recipe reads the next file as the person answered', () => {
  for (const order of ['dmy', 'ymd'] as const) {
    const said = read(OPEN, { answers: { date_order: order } });
    const recipe = said.table?.recipe ?? null;
    expect(recipe?.date_order).toBe(order);
    expect(days(read(OPEN, { recipe }))).toEqual(days(said));
  }
});

it('value dates are exchanged with the dates, or alone where only they were', () => {
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

/** A sheet of true dates, by their days, under a line of text where one is given. */
const sheet = (dates: readonly string[], answers?: ReadOptions['answers'], title?: string): Statement =>
  statementOf(
    workbook({
      S: [
        ...(title === undefined ? [] : [[title]]),
        ['Date', 'Details', 'Amount'],
        ...dates.map((date, index) => [dated(Date.parse(date) / 86_400_000 + 25_569), `P${index}`, index % 2 === 0 ? 1 : -1]),
      ],
    }),
    { ...eur, ...(answers && { answers }) },
  );
/** The first days of June, as a spreadsheet of another country writes them. */
const OF_JUNE = ['2026-01-06', '2026-03-06', '2026-05-06', '2026-07-06', '2026-12-06'];
const DAYS_OF_JUNE = ['2026-06-01', '2026-06-03', '2026-06-05', '2026-06-07', '2026-06-12'];

it.each([
  ['one month', OF_JUNE],
  ['one month, newest first', OF_JUNE.toReversed()],
  ['several months, in order when exchanged alone', ['2026-04-05', '2026-09-05', '2026-03-06', '2026-10-06', '2026-02-07']],
])('a sheet with only days below 13 raises a question, and a person can choose either: %s', (_, dates) => {
  const asked = sheet(dates);
  expect(asked.questions).toMatchObject([{ about: 'date_order', taken: 'ymd', choices: [{ value: 'dmy' }, { value: 'ymd' }] }]);
  const exchanged = dates.map((date) => date.replace(/-(..)-(..)$/, '-$2-$1'));
  const [turned, kept] = [sheet(dates, { date_order: 'dmy' }), sheet(dates, { date_order: 'ymd' })];
  expect([days(turned), turned.questions, days(kept), kept.questions]).toEqual([exchanged, [], dates, []]);
});

it('a period above the sheet decides', () => {
  const june = sheet(OF_JUNE, undefined, 'Kontoauszug 01.06.2026 - 30.06.2026');
  expect([days(june), june.questions, codesOf(june)]).toEqual([DAYS_OF_JUNE, [], ['date_notations_mixed']]);
  const year = sheet(OF_JUNE, undefined, 'Kontoauszug 01.01.2026 - 31.12.2026');
  expect(year.questions).toHaveLength(1);
});

it.each([
  ['days of several months in order', ['2026-01-06', '2026-02-03', '2026-03-11', '2026-04-02', '2026-05-07']],
  ['days of one month', ['2026-06-01', '2026-06-03', '2026-06-05', '2026-06-12']],
  ['two months', ['2026-05-06', '2026-06-06', '2026-06-06']],
  ['a day above 12 among them', [...OF_JUNE, '2026-12-31']],
])('a sheet of %s raises no question', (_, dates) => {
  expect([days(sheet(dates)), sheet(dates).questions]).toEqual([dates, []]);
});
