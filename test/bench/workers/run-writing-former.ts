import type { Database } from '../../../src-main/store/database/database.ts';

/**
 * The baseline, frozen since its first commit: how runs wrote up to book version 13, match by match, 500 pairs in a transaction, each with
 * its sentences, on that version's tables.
 */
const MATCHES_OF_TRANSACTION = 500;
const STALE = `SELECT 1 FROM json_each(?) j LEFT JOIN records r ON r.id = j.value
  LEFT JOIN run_exclusions x ON x.run_id = ? AND x.record_id = j.value
  LEFT JOIN match_records c ON c.record_id = j.value AND c.reconciliation_id = ? AND c.counted = 1
    AND c.match_id NOT IN (SELECT w.match_id FROM wipes k CROSS JOIN wiped_matches w ON w.wipe_id = k.id WHERE k.flipped_at IS NOT NULL)
  WHERE r.id IS NULL OR r.batch_id IN (SELECT id FROM import_batches WHERE writing = 1)
    OR x.record_id IS NOT NULL OR c.record_id IS NOT NULL LIMIT 1`;
const WIPED = 'SELECT 1 WHERE EXISTS (SELECT 1 FROM wipes WHERE flipped_at IS NOT NULL)';
const MATCH = `INSERT INTO matches(reconciliation_id, run_id, rule_id, status, origin, certainty, difference, group_key, explanation, record_count, created_at)
  VALUES (1, 1, 1, 'matched', 'rule', 'unique', 0, ?, ?, 2, ?)`;
const MEMBER = 'INSERT INTO match_records(match_id, record_id, reconciliation_id, side, counted) VALUES (?, ?, 1, ?, 1)';

export function writeAsFormerly(database: Database, pairs: readonly { readonly a: number; readonly b: number }[]): void {
  for (let start = 0; start < pairs.length; start += MATCHES_OF_TRANSACTION) {
    database.write((write) => {
      const stale = write.prepare<[string, number, number], unknown>(STALE);
      const wiped = write.prepare<[], unknown>(WIPED);
      const wipes = write.prepare<[], unknown>('SELECT 1 FROM wipes LIMIT 1');
      const match = write.prepare<[string, string, number], unknown>(MATCH);
      const member = write.prepare<[number, number, string], unknown>(MEMBER);
      for (const { a, b } of pairs.slice(start, start + MATCHES_OF_TRANSACTION)) {
        if (stale.get(JSON.stringify([a, b]), 1, 1) !== undefined) continue;
        const explanation = [
          `metadata.order_id "ORD-${a}" is equal to metadata.reference "ORD-${a}".`,
          'amount 512.00 GBP and 512.00 GBP differ by 0.00, within 0.50.',
        ];
        const id = Number(match.run(`ORD-${a}|512.00`, JSON.stringify(explanation), Date.now()).lastInsertRowid);
        wiped.get();
        member.run(id, a, 'a');
        member.run(id, b, 'b');
        wipes.get();
      }
    });
  }
}
