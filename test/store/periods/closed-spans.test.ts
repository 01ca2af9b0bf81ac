import { expect, test } from 'vitest';
import {
  closedOver,
  closedSpansOfBankAccount,
  closedSpansOfReconciliation,
  closedSpansOfStream,
} from '../../../src-main/close/store/closed-spans.ts';
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
  expect(closedSpansOfReconciliation(book, 1)).toEqual([]);
});

test('a stream has the closed periods of every reconciliation that uses it, those that end first first', () => {
  const book = bookWith(SIDES + PERIODS);
  expect(closedSpansOfStream(book, 2)).toEqual([
    { reconciliationId: 1, reconciliationName: 'Bank', periodId: 2, firstDay: 0, lastDay: 30 },
    { reconciliationId: 2, reconciliationName: 'Cards', periodId: 4, firstDay: 10, lastDay: 40 },
    { reconciliationId: 1, reconciliationName: 'Bank', periodId: 1, firstDay: 31, lastDay: 58 },
  ]);
});

test('a reconciliation has its own, and a day belongs to the first that ends on or after it', () => {
  const book = bookWith(SIDES + PERIODS);
  const spans = closedSpansOfReconciliation(book, 1);
  expect(spans.map(({ periodId }) => periodId)).toEqual([2, 1]);
  expect([-5, 30, 31, 58, 59].map((day) => closedOver(spans, day)?.periodId)).toEqual([2, 2, 1, 1, undefined]);
});

test('a bank account has those of the reconciliations that its streams are in, each once', () => {
  const book = bookWith(`${SIDES}${PERIODS}
    INSERT INTO bank_accounts(environment_id, name, created_at, updated_at) VALUES (1, 'Current', 0, 0);
    UPDATE streams SET bank_account_id = 1 WHERE id IN (1, 2);`);
  expect(closedSpansOfBankAccount(book, 1).map(({ periodId }) => periodId)).toEqual([2, 4, 1]);
});
