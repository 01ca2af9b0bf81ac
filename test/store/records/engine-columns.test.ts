import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, fieldOf } from '../../../src-main/domain/records/fields.ts';
import { inContentOrder } from '../../../src-main/domain/records/content.ts';
import { bareRecords, columnsOfRecords, type RecordColumns, recordsOf } from '../../../src-main/domain/records/record-columns.ts';
import { valueAt } from '../../../src-main/domain/records/value-column.ts';
import { freeColumns } from '../../../src-main/records/work/engine-columns.ts';
import { freeRecords } from '../../../src-main/records/work/engine-input.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

const folders: string[] = [];
const open: Database[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const METADATA = [
  '{}',
  '{"order":"A-1"}',
  '{"order":"A-1","note":"x"}',
  '{"order":"A \\"1\\""}',
  '{"order":17,"a.b":"direct"}',
  '{"order":null,"a":{"b":"deep"}}',
  '{"order":["A-1"],"a":{"b":12.50}}',
  '{"note":"{\\"order\\":\\"A-1\\"}","order":" "}',
  '{"order":true}',
  '{"order":"Ünïcode 😀"}',
];
const FIELDS = ['reference', 'description', 'external_id', 'value_date', 'metadata.order', 'metadata.a.b', 'metadata.note'];

/** Two streams a side, one more that is of no side, an import under way, and what a reconciliation already holds. */
function filledBook(): Database {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-columns-'));
  folders.push(folder);
  const opened = openBook(folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const { connection } = opened.value;
  open.push(opened.value);
  const references = ["'metadata.order'", "'description'", "'external_id'", "'metadata.a.b'", 'NULL'];
  for (const [index, reference] of references.entries()) {
    connection.exec(
      `INSERT INTO streams(environment_id, key, name, type, reference_field, created_at) VALUES (1, 's${index}', 's', 'csv', ${reference}, 0)`,
    );
  }
  for (const writing of [0, 1]) {
    connection.exec(
      `INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
       VALUES (1, 1, ${writing}, 'csv_upload', 'csv', '', 0, 3, 0, 0, '[]', 'unproved', '[]', 0)`,
    );
  }
  const add = connection.prepare(
    `INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, created_at,
       value_day)
     VALUES (1, ?, ?, ?, ?, ?, ?, 2, ?, ?, ?, 0, ?)`,
  );
  for (let index = 0; index < 600; index += 1) {
    add.run(
      (index % 5) + 1,
      index % 7 === 0 ? 2 : index % 3 === 0 ? 1 : null,
      20_000 + (index % 4),
      index % 11,
      index % 2,
      index % 9 === 0 ? 'EUR' : 'GBP',
      index % 6 === 0 ? null : ` text ${index % 8} `,
      index % 4 === 0 ? null : `id-${index % 13}`,
      METADATA[index % METADATA.length],
      index % 3 === 0 ? null : 20_000 + (index % 5),
    );
  }
  connection.exec(`
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 0);
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'a'), (1, 3, 'b'), (1, 4, 'b')`);
  return opened.value;
}

const NEVER = { onProgress: () => undefined, isCancelled: () => false, onDoubt: () => undefined };
const fields = FIELDS.map((name): Field => present(fieldOf(name), name));

function read(database: Database, wanted: readonly Field[]): { readonly a: RecordColumns; readonly b: RecordColumns } {
  const asked = { reconciliationId: 1, streams: { a: [1, 2], b: [3, 4] }, fields: { a: wanted, b: wanted } };
  return present(freeColumns(database, asked, NEVER), 'columns');
}

function expectSame(database: Database): void {
  for (const wanted of [fields, fields.slice(0, 1), []]) {
    const columns = read(database, wanted);
    for (const [side, streams] of [
      ['a', [1, 2]],
      ['b', [3, 4]],
    ] as const) {
      const records = inContentOrder(freeRecords(database, 1, streams));
      const found = columns[side];
      expect(records.length).toBeGreaterThan(100);
      expect(recordsOf(found)).toEqual(records);
      expect(bareRecords(found)).toEqual(bareRecords(columnsOfRecords(records)));
      for (const field of fields) {
        const own = columnsOfRecords(records).source.column(field);
        const values = Array.from(found.places, (place) => valueAt(found.source.column(field), place));
        expect(values).toEqual(records.map((_, row) => valueAt(own, row)));
      }
    }
  }
}

test('the free records of both sides are read as columns as they are read one by one, fields asked for or not', () => {
  const database = filledBook();
  expectSame(database);
  expect(read(database, []).b.count).toBeGreaterThan(100);
});

test('what is being imported and what the reconciliation holds is left out', () => {
  const database = filledBook();
  const before = read(database, []).a.count;
  database.connection.exec(`
    INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count,
      a_record_id, b_record_id) VALUES (1, 'matched', 'manual', 0, '[]', 2, 0, 1, 2, 3); ${MEMBERS_OF_NEW_MATCHES}`);
  expectSame(database);
  expect(read(database, []).a.count).toBe(before - 1);
  database.connection.exec('UPDATE import_batches SET writing = 0');
  expectSame(database);
  expect(read(database, []).a.count).toBeGreaterThan(before);
});

test('a small part of a large book is read by its streams, and reading can be cancelled', () => {
  const database = filledBook();
  const { a } = read(database, []);
  database.connection.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
     INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
     SELECT 1, 5, 20000, i, 1, 'USD', 2, '{}', 0 FROM n`,
  );
  expect(bareRecords(read(database, []).a)).toEqual(bareRecords(a));
  const asked = { reconciliationId: 1, streams: { a: [5], b: [3] }, fields: { a: [], b: [] } };
  const told: number[] = [];
  const control = { onProgress: (done: number) => told.push(done), isCancelled: () => told.length > 0, onDoubt: () => undefined };
  expect(freeColumns(database, asked, control)).toBeNull();
  expect(told).toHaveLength(1);
});
