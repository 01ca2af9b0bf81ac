import { expect, test } from 'vitest';
import { insertAdjustment } from '../../../src-main/matches/store/adjustments.ts';
import { bookWith } from '../../support/books/book-with.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
    VALUES (1, 1, 20000, 100, 1, 'GBP', 2, 'Rent', '{}', 7), (1, 1, 20000, 5, 1, 'GBP', 2, 'Tea', '{}', 7);`;

test('what happens to records that were indexed is remembered, and nothing of those that were not', () => {
  const { connection } = bookWith(BOOK);
  const changes = () => connection.prepare('SELECT gone, record_id FROM search_changes').raw().all();
  connection.exec(
    "UPDATE search_state SET through = 1; UPDATE records SET description = 'x', amount = 3; DELETE FROM records WHERE id = 2",
  );
  expect(changes()).toEqual([[0, 1]]);
  connection.exec('UPDATE records SET amount = 4; DELETE FROM records WHERE id = 1');
  expect(changes()).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test('a record that comes back under an id that the index of words is past is noted; others are not', () => {
  const database = bookWith(`${BOOK} UPDATE search_state SET through = 1;`);
  const changes = () => database.connection.prepare('SELECT gone, record_id FROM search_changes').raw().all();
  const adjustment = {
    environment_id: 1,
    stream_id: 1,
    day: 20_000,
    amount: 1,
    direction: 1,
    currency: 'GBP',
    decimal_places: 2,
    description: 'Difference',
    created_at: 8,
  };
  database.connection.exec('DELETE FROM records; DELETE FROM search_changes');
  database.write((write) => insertAdjustment(write, { ...adjustment, id: 2 }));
  database.write((write) => insertAdjustment(write, adjustment));
  expect(changes()).toEqual([]);
  database.write((write) => insertAdjustment(write, { ...adjustment, id: 1 }));
  expect(changes()).toEqual([[0, 1]]);
});
