import { expect, test } from 'vitest';
import { bookWith } from '../../support/books/book-with.ts';

const BOOK = `
  INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'api', 1), (1, 'ledger', 'Ledger', 'api', 2);
  INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at)
    VALUES (1, 'By itself', 'continuous', 'same', 5), (1, 'On request', 'batch', 'same', 6);
  INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (2, 2, 'b');
  INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
    VALUES (1, 1, 1, 'csv_upload', 'csv', '', 0, 0, 0, 0, '[]', 'unproved', '[]', 7);
  INSERT INTO rules(reconciliation_id, priority, filters, source, status, outcome, commit_certainty, cardinality, group_by, created_at)
    VALUES (1, 10, '{}', 'user', 'active', 'match', '[]', 'one_to_one', '[]', 7), (2, 10, '{}', 'user', 'active', 'match', '[]', 'one_to_one', '[]', 7);`;

test('changes are noted as due, for reconciliations that run by themselves', () => {
  const { connection } = bookWith(BOOK);
  const due = () => connection.prepare('SELECT reconciliation_id, cause, changes FROM due_runs').raw().all();
  connection.exec('DELETE FROM due_runs');
  connection.exec('UPDATE import_batches SET writing = 0, kept = 3');
  expect(due()).toEqual([[1, 'record_created', 1]]);
  connection.exec('UPDATE import_batches SET kept = 5; UPDATE import_batches SET skipped = 1; UPDATE import_batches SET writing = 1');
  expect(due()).toEqual([[1, 'record_created', 3]]);
  connection.exec(
    "UPDATE rules SET outcome = 'propose'; UPDATE rules SET description = 'x'; UPDATE streams SET reference_field = 'description'",
  );
  expect(due()).toEqual([[1, 'rule_activated', 6]]);
  connection.exec("UPDATE reconciliations SET run_type = 'batch' WHERE id = 1");
  expect(due()).toEqual([]);
  connection.exec("UPDATE reconciliations SET run_type = 'continuous', sign_convention = 'any' WHERE id = 1");
  expect(due()).toEqual([[1, 'record_created', 1]]);
  connection.exec('DELETE FROM rules; DELETE FROM reconciliation_streams; DELETE FROM reconciliations');
  expect(due()).toEqual([]);
});
