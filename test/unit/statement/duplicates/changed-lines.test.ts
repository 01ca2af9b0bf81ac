import { expect, test } from 'vitest';
import { changedLines, isFilledIn } from '../../../../src-main/domain/statement/duplicates/changed-lines.ts';
import type { StatementLine } from '../../../../src-main/domain/statement/model/statement.ts';

function lineOf(day: number, amount: number, text: string, reference = '', id: string | null = null): StatementLine {
  return {
    row: 1,
    day,
    valueDay: null,
    amountMinor: Math.abs(amount),
    direction: amount < 0 ? 'debit' : 'credit',
    currency: 'EUR',
    decimalPlaces: 2,
    description: text,
    externalId: id,
    metadata: reference === '' ? {} : { reference },
  };
}

/** A file of the days 10 to 30 in an account that ends on day 20. */
const FILE = { firstDay: 10, lastDay: 30, lastDayOfAccount: 20, referenceField: 'metadata.reference' };

function changesOf(stored: readonly StatementLine[], lines: readonly StatementLine[]) {
  const missing = stored.map((line, at) => ({ ...line, recordId: at + 1, file: null }));
  const { pairs, contested } = changedLines(lines, [...lines.keys()], missing, FILE);
  return { pairs: pairs.map(({ place, missing: { recordId }, change }) => [place, recordId, change]), contested };
}

test.each([
  ['moved by two days', lineOf(15, -210, 'Hotel'), lineOf(17, -210, 'Hotel'), 'day'],
  ['moved back', lineOf(15, -210, 'Hotel'), lineOf(12, -210, 'HOTEL '), 'day'],
  ['moved, known by its reference', lineOf(15, -210, 'Hotel', 'R1'), lineOf(16, -210, 'Card Hotel', 'r1'), 'day'],
  ['with a reference that came later', lineOf(20, 100, 'Sale'), lineOf(20, 100, 'Sale', 'R1'), 'reference'],
  ['with another reference', lineOf(20, 100, 'Sale', 'R2'), lineOf(20, 100, 'Sale', 'R1'), 'reference'],
  ['with another id', lineOf(20, 100, 'Sale', '', 'i1'), lineOf(20, 100, 'Sale', '', 'i2'), 'reference'],
  ['with another amount under its reference', lineOf(15, -900, 'Rent', 'R1'), lineOf(15, -905, 'Rent', 'R1'), 'amount'],
  ['of the first day, moved within the account', lineOf(10, -3, 'Coffee'), lineOf(11, -3, 'Coffee'), 'day'],
  ['of another text and no reference', lineOf(15, -210, 'Hotel'), lineOf(15, -210, 'Taxi'), null],
  ['of another amount and no reference', lineOf(15, -210, 'Hotel'), lineOf(15, -211, 'Hotel'), null],
  ['of the other sign', lineOf(15, -210, 'Hotel', 'R1'), lineOf(15, 210, 'Hotel', 'R1'), null],
  ['of another week', lineOf(13, -210, 'Hotel'), lineOf(19, -210, 'Hotel'), null],
  ['without any text', lineOf(15, -210, ''), lineOf(16, -210, ''), null],
  ['of the days before the file', lineOf(9, -210, 'Hotel'), lineOf(11, -210, 'Hotel'), null],
  ['that comes again after the account, while the file begins within a day', lineOf(10, -3, 'Coffee'), lineOf(21, -3, 'Coffee'), null],
] as const)('a line %s', (_, stored, line, change) => {
  expect(changesOf([stored], [line])).toEqual({ pairs: change === null ? [] : [[0, 1, change]], contested: [] });
});

test('a missing line is one line at most, the nearest', () => {
  const days = (...all: number[]) => all.map((day) => lineOf(day, -3, 'Coffee'));
  expect(changesOf(days(15), days(18, 16))).toEqual({ pairs: [[1, 1, 'day']], contested: [] });
  expect(changesOf(days(15, 15), days(16, 16, 19)).pairs).toHaveLength(2);
  expect(changesOf(days(15), days(14, 16))).toEqual({ pairs: [[0, 1, 'day']], contested: [1] });
});

test.each([
  [lineOf(1, 1, 'Sale', 'R1'), lineOf(1, 1, 'sale'), true],
  [lineOf(1, 1, 'Sale', 'R1'), lineOf(1, 1, 'Sale', 'R2'), false],
  [lineOf(1, 1, 'Sale', 'R1'), lineOf(1, 1, 'Salt'), false],
  [lineOf(1, 1, '', 'R1'), lineOf(1, 1, ''), false],
])('a reference is filled in only where nothing else differs (%#)', (line, stored, is) => {
  expect(isFilledIn(line, stored)).toBe(is);
});
