import type { BuiltLine } from '../../../../src-main/domain/statement/model/statement.ts';
import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../../src-main/domain/statement/model/read-options.ts';
import { type FileSource, readLarge, readStatement } from '../../../../src-main/domain/statement/read.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { FileStager, roomOfStage } from '../../../../src-main/imports/work/stage.ts';

const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };
/** More than are looked at before the first line is taken. */
const ROWS = 4_400;
const OPTIONS: ReadOptions = { filename: 'statement.csv', currency: 'PLN' };

interface Row {
  readonly date: string;
  readonly amount: string;
  readonly id: string;
  readonly status: string;
}
const rowOf = (index: number): Row => ({
  date: `2026-0${(index % 9) + 1}-${String((index % 28) + 1).padStart(2, '0')}`,
  amount: `${index % 7 === 0 ? '-' : ''}${index % 900}.50`,
  id: `id-${index}`,
  status: 'Completed',
});

/** A file of which the last rows are as said. */
function fileOf(last: readonly Partial<Row>[] = [], header = 'Date,Amount,ID,Status', end = ''): Uint8Array {
  const rows = Array.from({ length: ROWS }, (_, index) => ({ ...rowOf(index), ...last[index - ROWS + last.length] }));
  const text = rows.map(({ date, amount, id, status }) => `${date},${amount},${id},${status}`).join('\n');
  return new TextEncoder().encode(`${header}\n${text}\n${end}`);
}

function sourceOf(bytes: Uint8Array, stretch: number): FileSource {
  return {
    byteLength: bytes.length,
    head: bytes.subarray(0, 20_000),
    *stretches() {
      for (let at = 0; at < bytes.length; at += stretch) yield bytes.subarray(at, at + stretch);
    },
  };
}

function readEarly(bytes: Uint8Array, options: ReadOptions = OPTIONS, stretch = 5_000) {
  let taken: BuiltLine[] = [];
  let drops = 0;
  const taker = {
    take: (built: readonly BuiltLine[]) => void taken.push(...built),
    drop: () => {
      drops += 1;
      taken = [];
    },
  };
  const large = readLarge(sourceOf(bytes, stretch), options, quiet, taker);
  return { table: large.ok ? large.value : null, taken, drops };
}

const linesOf = (built: readonly BuiltLine[]) => built.flatMap(({ line }) => (line === null ? [] : [line]));

test('lines taken early are the same as those of a file that is read whole, and so are the notes', () => {
  const bytes = fileOf([{ date: '2026-02-30' }, {}, { amount: 'much' }]);
  const { table, taken, drops } = readEarly(bytes);
  const whole = readStatement(bytes, OPTIONS, quiet);
  expect(drops).toBe(0);
  expect(whole.ok && linesOf(taken)).toEqual(whole.ok && whole.value.lines);
  expect(taken.filter(({ rejected }) => rejected !== null)).toHaveLength(2);
  const read = present(table, 'table').read(quiet, () => undefined);
  expect({ ok: true, value: present(table, 'table').taken }).toEqual(read);
});

const DAY = '06/13/2026';
test.each([
  ['an id stands there twice', fileOf([{ id: 'id-1' }])],
  ['an id is missing', fileOf([{ id: '' }, {}])],
  ['a day is written in another way', fileOf([{ date: DAY }])],
  ['amounts have decimal commas in the end', fileOf([{ amount: '"1.234,56"' }])],
  [
    'a pending row mirrors the one above it',
    fileOf([
      { amount: '-9.50', date: DAY },
      { amount: '9.50', date: DAY, status: 'Pending' },
    ]),
  ],
])('where %s, early lines are dropped or equal to those of the file', (_, bytes) => {
  const { table, taken, drops } = readEarly(bytes);
  const whole = readStatement(bytes, OPTIONS, quiet);
  const { taken: statement, read } = present(table, 'table');
  expect([drops, taken.length]).toEqual(statement === null ? [1, 0] : [0, ROWS]);
  const later: BuiltLine[] = [];
  read(quiet, (built) => void later.push(...built));
  expect(whole.ok && linesOf(statement === null ? later : taken)).toEqual(whole.ok && whole.value.lines);
});

test('early lines are dropped where an id is repeated', () => {
  const { table, taken, drops } = readEarly(fileOf([{ id: 'id-1' }]));
  expect([table?.taken, taken.length, drops]).toEqual([null, 0, 1]);
});

test('a table with balances gives no early lines, and one that states them at its end still proves them', () => {
  const rows = Array.from({ length: ROWS }, (_, index) => `2026-06-01,1.00,${index + 1}.00`);
  const shown = readEarly(new TextEncoder().encode(`Date,Amount,Balance\n${rows.join('\n')}\n`));
  expect([shown.table?.taken, shown.taken.length, shown.drops]).toEqual([null, 0, 0]);
  const stated = fileOf([], undefined, 'Opening balance,5.00,,\nClosing balance,7.00,,\n');
  const { table, taken } = readEarly(stated);
  const whole = readStatement(stated, OPTIONS, quiet);
  expect(whole.ok && [table?.proof, linesOf(taken).length]).toEqual(whole.ok && ['broken', table?.taken ? whole.value.lines.length : 0]);
  expect(whole.ok && whole.value.proof).toBe('broken');
});

test('no early lines are taken where the first rows can be read in two ways: a person or a later row decides', () => {
  const dates = Array.from({ length: ROWS }, (_, index) => ({ date: `0${(index % 9) + 1}/0${(index % 8) + 1}/2026` }));
  for (const last of [{}, { date: DAY }]) {
    const { table, taken, drops } = readEarly(fileOf([...dates.slice(1), { ...dates[0], ...last }]), { ...OPTIONS, currency: null });
    expect([table?.taken, taken.length, drops, table?.questions.length]).toEqual([null, 0, 0, 'date' in last ? 1 : 2]);
  }
});

test('a file with a recipe gives early lines too, and one that cannot be read leaves none', () => {
  const first = readStatement(fileOf(), OPTIONS, quiet);
  const recipe = present(first.ok ? first.value.table?.recipe : null, 'recipe');
  const { table, taken } = readEarly(fileOf(), { ...OPTIONS, recipe });
  expect(table?.taken).not.toBeNull();
  expect(first.ok && linesOf(taken)).toEqual(first.ok && first.value.lines);
  const unread = readEarly(fileOf([], undefined, `"${'x'.repeat(1_100_000)}`), OPTIONS, 100_000);
  expect(unread).toMatchObject({ table: null, taken: [], drops: 1 });
});

describe('found once: rejected rows held to the end', () => {
  const ROWS = 30_000;

  /** A row that cannot be read. */
  function rejected(row: number): BuiltLine {
    const content = { description: null, externalId: null, metadata: {}, currency: 'EUR', decimalPlaces: 2 };
    return {
      line: null,
      rejected: { ...content, row, day: null, valueDay: null, amountMinor: null, direction: null, problems: [] },
      problems: [],
    };
  }

  test('rejected rows of a large file are passed on at intervals, even without lines between them', () => {
    const handed: number[][] = [];
    const room = roomOfStage(Number.POSITIVE_INFINITY);
    const staging = new FileStager(
      () => room,
      (stretch) => {
        expect(stretch.lines.count).toBe(0);
        handed.push(stretch.rejected.map(({ row }) => row));
      },
      (line) => line,
    );
    for (let row = 0; row < ROWS; row += 100) staging.add(Array.from({ length: 100 }, (_, at) => rejected(row + at)));
    staging.end();
    staging.close();
    expect(handed.flat()).toEqual(Array.from({ length: ROWS }, (_, at) => at));
    expect(Math.max(...handed.map((rows) => rows.length))).toBeLessThan(ROWS / 5);
  });
});
