import { expect, test } from 'vitest';
import { openTestBook } from '../../support/books/backend.ts';

interface Row {
  readonly day: number;
  readonly amount: number;
}

/** A June of the bank: two lines on every second day, and three on the 13th. Amounts in pounds. */
const JUNE: readonly Row[] = Array.from({ length: 15 }, (_, place) => place * 2 + 1).flatMap((day) => [
  { day, amount: 100 + day },
  { day, amount: -(30 + day) },
  ...(day === 13 ? [{ day, amount: 7 }] : []),
]);
const OPENING = 1_000;
const two = (value: number): string => String(value).padStart(2, '0');

/** The file of all lines with their running balance, without the lines of some places. */
function fileWithout(left: readonly number[], isNewestFirst: boolean): string {
  let balance = OPENING;
  const rows = JUNE.map(({ day, amount }, place) => {
    balance += amount;
    return `${two(day)}/06/2026,Line ${place},${amount}.00,${balance}.00`;
  }).filter((_, place) => !left.includes(place));
  const head = [
    `Opening balance,01/06/2026,,${OPENING}.00`,
    `Closing balance,30/06/2026,,${balance}.00`,
    'Date,Description,Amount,Balance',
  ];
  return `${[...head, ...(isNewestFirst ? rows.toReversed() : rows)].join('\n')}\n`;
}

/** The days of the two lines between which the running balance breaks. */
const between = (from: number, to: number, amount: number) => ({
  from: `2026-06-${two(from)}`,
  to: `2026-06-${two(to)}`,
  amount,
});

const CASES: readonly (readonly [string, readonly number[], readonly unknown[]])[] = [
  ['the last line of a day', [9], [between(9, 11, -3_900)]],
  ['the first line of a day', [8], [between(7, 9, 10_900)]],
  ['each line of a day', [8, 9], [between(7, 11, 7_000)]],
  ['a line between two of its day', [13], [between(13, 13, -4_300)]],
  ['a line of each of two days', [4, 22], [between(3, 5, 10_500), between(21, 23, -5_100)]],
  ['the first line of all', [0], [between(1, 1, 10_100)]],
];

test.each(CASES.flatMap(([what, left, breaks]) => [false, true].map((isNewestFirst) => ({ what, left, breaks, isNewestFirst }))))(
  'where $what of a file is missing the statement names the days, newest first: $isNewestFirst',
  async ({ left, breaks, isNewestFirst }) => {
    const book = await openTestBook();
    const done = await book.importText('bank', fileWithout(left, isNewestFirst), { currency: 'GBP', accept_broken: true });
    expect(done.status).toBe('completed');
    await book.importText('ledger', 'Date,Description,Amount\n01/06/2026,Booked,10.00\n', { currency: 'GBP' });
    await book.client.get('reconciliations.create', { name: 'June', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
    await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30', bank_side: 'b' });
    const { statement } = await book.client.get('periods.get', { id: 1 });
    expect(statement.bank.breaks).toEqual(breaks);
    const { from, to } = (await book.client.get('book.home', {})).rows[0]?.balance ?? {};
    expect(breaks[0]).toMatchObject({ from, to });
    const missing = left.reduce((sum, place) => sum + (JUNE[place]?.amount ?? 0) * 100, 0);
    expect(statement.bank.lines_missing).toBe(missing);
    expect(statement.doubts.map(({ code }) => code)).toContain('lines_missing');
    const report = await book.client.get('periods.report', { id: 1, format: 'csv' });
    expect(report.content).toMatch(/"Lines missing, or too many",-?[\d.]+,"?\d\d\/\d\d\/\d{4}/);
    // A corrected file that brings them ends the break.
    await book.importText('bank', fileWithout([], isNewestFirst), { currency: 'GBP' });
    const mended = (await book.client.get('periods.get', { id: 1 })).statement;
    expect([mended.bank.lines_missing, mended.bank.breaks]).toEqual([0, []]);
  },
);
