import { expect, test } from 'vitest';
import type { BuiltLine } from '../../../../src-main/domain/statement/rows/build-line.ts';
import { FileStager } from '../../../../src-main/imports/work/stage.ts';
import { roomOfStage } from '../../../../src-main/imports/work/stage.ts';

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

test('rejected rows of a large file are handed over now and then, also where no line is among them', () => {
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
