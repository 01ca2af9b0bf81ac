import { openBook } from '../../../src-main/book/store/book.ts';
import { indexSlice } from '../../../src-main/records/store/record-search.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

/** How many records the book has that pages are asked of. */
export const RECORDS = 1_000_000;
/** Records of one import batch or bulk request. */
const BATCH = 10_000;
/** The oldest so many came from files, the others in bulk; every 97th was made by itself. */
const FROM_FILES = 300_000;
/** The oldest so many are matched. */
const MATCHED = 600_000;
/** The oldest so many are of a stream, a currency and words that nothing newer has. */
const ANCIENT = 50_000;
export const FIRST_DAY = 18_000;
export const RECORDS_PER_DAY = 500;
export const FIRST_MS = 1_700_000_000_000;
const MS_PER_RECORD = 10;

/**
 * A book of a million records whose values are as unkind to pages as they get: old records and new ones differ in stream, currency,
 * source, status and words, so that what a filter asks for often lies at the far end of the list. Made with SQL, then indexed.
 * Streams: bank and ledger (a reconciliation, matched up to a point), till and other (another, nothing matched), ancient.
 */
export function makePagesBook(folder: string): void {
  const book = openBook(folder, { synchronous: 'NORMAL' });
  if (!book.ok) throw new Error(book.error.message);
  const { connection } = book.value;
  connection.exec(`
    BEGIN;
    INSERT INTO streams(id, environment_id, key, name, type, created_at) VALUES
      (1, 1, 'bank', 'Bank', 'csv', 0), (2, 1, 'ledger', 'Ledger', 'csv', 0), (3, 1, 'till', 'Till', 'api', 0),
      (4, 1, 'other', 'Other', 'api', 0), (5, 1, 'ancient', 'Ancient', 'csv', 0), (6, 1, 'empty', 'Empty', 'csv', 0);
    INSERT INTO reconciliations(id, environment_id, name, run_type, sign_convention, created_at) VALUES
      (1, 1, 'Matched', 'batch', 'same', 0), (2, 1, 'Open', 'batch', 'same', 0);
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 3, 'a'), (2, 4, 'b');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS / BATCH})
    INSERT INTO import_batches(id, environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
      SELECT i, 1, 1, 0, iif(i * ${BATCH} <= ${FROM_FILES}, 'csv_upload', 'bulk_api'), 'csv', '', 0, ${BATCH}, 0, 0, '[]', 'unproved', '[]', ${FIRST_MS} FROM n;
    INSERT INTO bulk_requests(id, environment_id, status, on_conflict, actor, total, body_id, sha256, byte_length, created_at)
      SELECT id, 1, 'pending', 'skip', 'app', 0, id, '', 0, created_at FROM import_batches WHERE source = 'bulk_api';
    UPDATE bulk_requests SET status = 'completed';
    INSERT INTO bulk_request_streams(bulk_request_id, stream_id, batch_id) SELECT id, 1, id FROM bulk_requests;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
    INSERT INTO records(id, environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at)
      SELECT i, 1, iif(i <= ${ANCIENT}, 5, CASE i % 10 WHEN 0 THEN 3 WHEN 1 THEN 4 ELSE 1 + i % 2 END),
        iif(i % 97 = 0, NULL, 1 + (i - 1) / ${BATCH}), ${FIRST_DAY} + i / ${RECORDS_PER_DAY} + (i * 7919) % 5, (i * 2654435761) % 1000003, i % 7 > 0,
        CASE WHEN i <= ${ANCIENT} THEN 'USD' WHEN i % 8 = 0 THEN 'EUR' ELSE 'GBP' END, 2,
        CASE WHEN i <= ${ANCIENT} THEN 'Opening entry ' ELSE 'Card payment ' END || i || iif(i % 1000 = 0, ' refund', '') || iif(i % 100000 = 3, ' chargeback', ''),
        'E-' || i, '{"order_id":"ORD-' || i || '","channel":"' || iif(i % 2, 'web', 'shop') || '"}', 'x:E-' || i, ${FIRST_MS} + i * ${MS_PER_RECORD} FROM n;
    INSERT INTO matches(id, reconciliation_id, status, origin, difference, explanation, record_count, created_at, side_a_count, members)
      SELECT a.id, 1, 'matched', 'manual', 0, '[]', 1 + (b.id IS NOT NULL), 0, 1, iif(b.id IS NULL, json_array(a.id), json_array(a.id, -b.id))
      FROM records a LEFT JOIN records b ON b.id = a.id + 1 AND b.stream_id = 2 WHERE a.id <= ${MATCHED} AND a.id > ${ANCIENT} AND a.stream_id = 1;
    ${MEMBERS_OF_NEW_MATCHES}
    INSERT INTO overdue_records SELECT id, 1, 0 FROM records WHERE id % 5000 = 2 AND stream_id IN (1, 2);
    COMMIT;`);
  while (indexSlice(book.value, untilAfter(2_000)));
  book.value.close();
}

function untilAfter(ms: number): () => boolean {
  const untilMs = performance.now() + ms;
  return () => performance.now() >= untilMs;
}
