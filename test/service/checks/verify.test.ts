import { describe, expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { packBook } from '../../../src-main/records/work/pack-stream.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';
import { createHash } from 'node:crypto';

/** Lines that are matched, proposed, taken apart and packed, some changed since. */
async function usedBook(): Promise<QuietBook> {
  const book = openQuietBook();
  const metadata = { order: 'A', weight: 7 };
  const { reconciliation, aIds } = await setUpPair(
    book.client,
    { a: [...numbered(9, () => ({ metadata })), { amount: 77 }, { amount: 90 }], b: [...numbered(9), { amount: 77 }, { amount: 95 }] },
    [BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED],
  );
  await book.run(reconciliation.id);
  const { data } = await book.client.get('matches.list', {});
  await book.client.get('matches.remove', { id: present(data[0], 'match').id });
  const open = [present(aIds[10], 'line'), present(aIds[10], 'line') + 11];
  await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: open, create_adjustment: true });
  packBook(book.jobDatabase, { isStopped: () => false, onProgress: () => undefined }, { fewest: 3, most: 100 });
  const free = book.database.connection
    .prepare('SELECT id FROM records WHERE id NOT IN (SELECT record_id FROM match_records)')
    .pluck()
    .all() as number[];
  await book.client.get('records.update', { id: present(free[0], 'free line'), amount: 4 });
  return book;
}

const findings = (book: QuietBook) =>
  verifyBook(book.database, CHECKS, () => undefined).flatMap(({ check, findings: found }) =>
    found.map(({ message }) => [check.id, message]),
  );

test('a book that was used as it should be has no findings, nor has one between the transactions of a reset', async () => {
  const book = await usedBook();
  expect(findings(book)).toEqual([]);
  for (const step of operationSteps(book, 'bank', 'reset')) expect([step, findings(book)]).toEqual([step, []]);
});

test.each([
  [
    'matches',
    "UPDATE match_records SET side = iif(side = 'a', 'b', 'a') WHERE record_id = 2",
    /^Match \d+ holds the record 2, but the list .* take the match apart/,
  ],
  ['matches', 'UPDATE match_records SET slot = match_id WHERE record_id = 2', /^Match \d+ holds the record 2, but the list/],
  [
    'matches',
    'UPDATE matches SET difference = difference + 9 WHERE id = 1',
    /^Match 1 has a difference of \d+ minor units, and its lines add up to \d+/,
  ],
  [
    'matches',
    "INSERT INTO match_records VALUES (9, 1, 77, 77, 'a')",
    /^The record 9 is said to be in match 77, which does not hold it: restore/,
  ],
  [
    'packs',
    'DROP TRIGGER column_packs_edited; UPDATE records SET amount = amount + 1 WHERE id = 3',
    /of the account ledger says otherwise than the record 3 \(.*\)\. It has been dropped/,
  ],
  [
    'packs',
    'DROP TRIGGER column_packs_edited; UPDATE records SET metadata = \'{"order":"B","weight":7}\' WHERE id = 3',
    /record 3 \(metadata\.order\)/,
  ],
  ['packs', "UPDATE column_parts SET body = x'00' WHERE name = 'description'", /is damaged\. It has been dropped/],
  [
    'packs',
    "INSERT INTO records(id, environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at) VALUES (0, 1, 1, 1, 1, 1, 'USD', 2, '{}', 0)",
    /has other records than the account/,
  ],
  [
    'audit_log',
    "DROP TRIGGER audit_log_no_update; UPDATE audit_log SET actor = 'nobody' WHERE id = 4",
    /^Entry 4 of the audit log does not follow/,
  ],
  [
    'file',
    'PRAGMA foreign_keys = OFF; UPDATE records SET stream_id = 99 WHERE id = 1; PRAGMA foreign_keys = ON',
    /^Row 1 of records names a row of streams/,
  ],
] as const)('%s: %s', async (id, change, message) => {
  const book = await usedBook();
  book.database.connection.exec(change);
  const found = findings(book).filter(([check]) => check === id);
  expect(found.map(([, text]) => text)).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
});

test('a wrong column segment is dropped, so a second check finds nothing', async () => {
  const book = await usedBook();
  book.database.connection.exec("UPDATE column_parts SET body = x'00' WHERE name = 'description'");
  expect(new Set(findings(book).map(([check]) => check))).toEqual(new Set(['content', 'packs']));
  expect(findings(book)).toEqual([]);
});

describe('found once: entry without content', () => {
  test.each([
    ['no content', () => null],
    ['the content of the entry before it', (content: string) => content],
    ['any content', () => 'ab'.repeat(32)],
  ] as const)('an entry appended to the audit log with a correct chain hash and %s is found', async (_, contentOf) => {
    const book = openQuietBook();
    await setUpPair(book.client, { a: [{ amount: 1 }], b: [{ amount: 1 }] }, []);
    const found = () =>
      verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(found()).toEqual([]);
    const last = book.database.connection.prepare('SELECT id, hash, content FROM audit_log ORDER BY id DESC LIMIT 1').get() as {
      readonly id: number;
      readonly hash: string;
      readonly content: string;
    };
    expect(last.content).not.toBeNull();
    const content = contentOf(last.content);
    const detail = '{"period_id":1,"signed_by":"Tom Whitfield"}';
    const parts = [last.hash, 1, 1_782_900_000_000, 'app', 'period.reviewed', detail, ...(content === null ? [] : [content])];
    const hash = createHash('sha256').update(parts.join('\n')).digest('hex');
    book.database.connection
      .prepare(
        'INSERT INTO audit_log (id, environment_id, at, actor, action, detail, previous_hash, content, hash) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(last.id + 1, 1_782_900_000_000, 'app', 'period.reviewed', detail, last.hash, content, hash);
    expect(found().join(' ')).toContain(`Entry ${last.id + 1} of the audit log`);
  });
});
