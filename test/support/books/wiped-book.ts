import type { Database } from '../../../src-main/database/database.ts';
import { stateContent } from '../../../src-main/database/digests/whole-content.ts';
import { MEMBERS_OF_NEW_MATCHES } from './match-members.ts';

/** Sizes of the streams of `fillForWipes`, and the number of records of each that are matched with the ledger. */
export const SIZES = { bank: 6_000, cards: 3_000, unused: 12_000, ledger: 4_500, bankMatches: 3_000, cardsMatches: 1_500 } as const;
/** Id of the import batch of the stream `cards`. */
export const CARDS_BATCH = 2;

const counting = (to: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;

/**
 * Adds streams whose wipe takes many transactions: `bank` (half imported as batch 1, half loose), `cards` (batch 2), `unused` (loose), an empty
 * `fill`, and `ledger`. All records of the ledger are matched: two thirds with those of the bank, imported and loose, the rest with those of cards.
 */
export function fillForWipes(database: Database): void {
  const { connection } = database;
  const records = (streamId: number, batch: string, count: number) =>
    connection.exec(
      `${counting(count)} INSERT INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, metadata, created_at)
       SELECT 1, ${streamId}, ${batch}, 20600 + i % 30, i, 1, 'USD', 2, '{}', i FROM n`,
    );
  connection.exec('BEGIN');
  for (const key of ['ledger', 'bank', 'cards', 'unused', 'fill']) {
    connection.exec(`INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, '${key}', '${key}', 'csv', 0)`);
  }
  for (const [stream, kept] of [
    [2, SIZES.bank / 2],
    [3, SIZES.cards],
  ] as const) {
    connection.exec(
      `INSERT INTO import_batches(environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected, totals, proof, problems, created_at)
       VALUES (1, ${stream}, 0, 'csv_upload', 'csv', '', 0, ${kept}, 0, 0, '[]', 'unproved', '[]', 0)`,
    );
  }
  records(1, 'NULL', SIZES.ledger);
  records(2, '1', SIZES.bank / 2);
  records(2, 'NULL', SIZES.bank / 2);
  records(3, String(CARDS_BATCH), SIZES.cards);
  records(4, 'NULL', SIZES.unused);
  // Every second record of bank and cards, in their order, is matched with a line of the ledger.
  connection.exec(`
    INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 0);
    INSERT INTO reconciliation_streams VALUES (1, 1, 'a'), (1, 2, 'b'), (1, 3, 'b');
    ${counting(SIZES.ledger)} INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at,
        side_a_count, a_record_id, b_record_id)
      SELECT 1, 'matched', 'manual', 0, '[]', 2, 0, 1, i, ${SIZES.ledger} + i * 2 FROM n;
    UPDATE matches SET difference = (SELECT amount FROM records WHERE id = a_record_id) - (SELECT amount FROM records WHERE id = b_record_id);
    ${MEMBERS_OF_NEW_MATCHES}
    COMMIT`);
  // The rows were written without Tieout, so the digests are stated anew.
  database.write(() => stateContent(connection, true));
}
