import { expect, test } from 'vitest';
import { closedSpansOfEnvironment, closedSpansOfStream } from '../../../src-main/store/periods/closed-spans.ts';
import { bookWith } from '../../support/books/book-with.ts';

/** Streams 1 and 2 in reconciliation 1, 2 and 3 in reconciliation 2, 4 in reconciliation 3 of the test environment. */
const SIDES = `
  INSERT INTO streams(environment_id, key, name, type, created_at)
    VALUES (1, 'a', 'A', 'csv', 0), (1, 'b', 'B', 'csv', 0), (1, 'c', 'C', 'csv', 0), (2, 'd', 'D', 'csv', 0);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at)
    VALUES (1, 'Bank', 'batch', 'same', 0), (1, 'Cards', 'batch', 'same', 0), (2, 'Trial', 'batch', 'same', 0);
  INSERT INTO reconciliation_streams(reconciliation_id, stream_id, side)
    VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 2, 'a'), (2, 3, 'b'), (3, 4, 'a');`;
const PERIODS = `
  INSERT INTO reconciliation_periods(reconciliation_id, first_day, last_day, state, created_at)
    VALUES (1, 31, 58, 'closed', 0), (1, 0, 30, 'closed', 0), (1, 59, 89, 'reviewed', 0), (2, 10, 40, 'closed', 0), (3, 0, 30, 'closed', 0);`;

test('nothing is closed where no period is', () => {
  const book = bookWith(SIDES);
  expect(closedSpansOfStream(book, 1)).toEqual([]);
  expect(closedSpansOfEnvironment(book, 1)).toEqual([]);
});

test('a stream has the closed periods of every reconciliation that uses it, those that end first first', () => {
  const book = bookWith(SIDES + PERIODS);
  expect(closedSpansOfStream(book, 2)).toEqual([
    { streamId: 2, reconciliationId: 1, reconciliationName: 'Bank', periodId: 2, firstDay: 0, lastDay: 30 },
    { streamId: 2, reconciliationId: 2, reconciliationName: 'Cards', periodId: 4, firstDay: 10, lastDay: 40 },
    { streamId: 2, reconciliationId: 1, reconciliationName: 'Bank', periodId: 1, firstDay: 31, lastDay: 58 },
  ]);
});

test('an environment has those of its own streams', () => {
  const book = bookWith(SIDES + PERIODS);
  const spans = closedSpansOfEnvironment(book, 1);
  expect(spans.map(({ streamId, periodId }) => [streamId, periodId])).toEqual([
    [1, 2],
    [1, 1],
    [2, 2],
    [2, 4],
    [2, 1],
    [3, 4],
  ]);
  expect(spans.filter(({ streamId }) => streamId === 2)).toEqual(closedSpansOfStream(book, 2));
  expect(closedSpansOfEnvironment(book, 2).map(({ periodId }) => periodId)).toEqual([5]);
});
