import { expect, test } from 'vitest';
import { bookWith } from '../../support/books/book-with.ts';

const STREAMS =
  "INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5), (1, 'ledger', 'L', 'csv', 6);";
const RECONCILIATION =
  "INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, created_at) VALUES (1, 'June', 'batch', 'same', 5);";
const RUN =
  "INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (1, 'batch', 'dry_run', 'manual', 'completed', 6);";
const RULE = `INSERT INTO rules(reconciliation_id, priority, filters, source, status, outcome, commit_certainty, cardinality, group_by, created_at)
  VALUES (1, 10, '{}', 'user', 'active', 'match', '[]', 'one_to_one', '[]', 7);`;
const ACCOUNT = "INSERT INTO bank_accounts(environment_id, name, created_at, updated_at) VALUES (1, 'Current', 7, 7);";
const BALANCE = (account: number | null, type: string) =>
  `INSERT INTO bank_account_balances(bank_account_id, day, balance_type, amount, created_at, updated_at) VALUES (${account}, 1, '${type}', 0, 0, 0);`;
const STORIES = `${STREAMS} ${RECONCILIATION}
  INSERT INTO stories(environment_id, name, created_at) VALUES (1, 'Month end', 7), (1, 'Quarter end', 8);
  INSERT INTO story_links(story_id, position, reconciliation_id, shared_stream_id) VALUES (1, 1, 1, 1), (2, 1, 1, NULL);`;
const LINK = (position: number, reconciliation: number) =>
  `INSERT INTO story_links(story_id, position, reconciliation_id) VALUES (1, ${position}, ${reconciliation});`;
const PROPERTY = (stream: number, key: string, optional = 1) =>
  `INSERT INTO property_definitions(stream_id, key, name, type, optional, created_at) VALUES (${stream}, '${key}', 'Order', 'string', ${optional}, 0);`;
const PROPERTIES = STREAMS + PROPERTY(1, 'order_id') + PROPERTY(1, 'branch', 0) + PROPERTY(2, 'order_id');
const BULK = (environment: number, key: string | null) =>
  `INSERT INTO bulk_requests(environment_id, status, on_conflict, actor, idempotency_key, total, body_id, sha256, byte_length, created_at)
   VALUES (${environment}, 'pending', 'skip', 'app', ${key}, 3, (SELECT count(*) + 1 FROM bulk_requests), 'a', 2, 5);`;
const BULKS = BULK(1, "'k'") + BULK(2, "'k'") + BULK(1, null) + BULK(1, null);
const ANSWER = (environment: number, operation = 'streams.create') =>
  `INSERT INTO idempotent_answers(environment_id, operation, idempotency_key, input_sha256, answer, created_at)
   VALUES (${environment}, '${operation}', 'key', 'ab', '{}', 7);`;
const ANSWERS = ANSWER(1) + ANSWER(2) + ANSWER(1, 'records.create');
const REVIEWED = `${RECONCILIATION} ${RUN} ${RULE}
  INSERT INTO dismissed_shapes VALUES (1, '{}', 8);
  INSERT INTO removed_rules VALUES (4, 1, '{}', 8);
  INSERT INTO would_be_matches VALUES (1, 0, '{}');`;
const WIPE = (operation: number | null) =>
  `INSERT INTO wipes(environment_id, stream_id, stream_key, operation_id, actor) VALUES (1, 1, 'bank', ${operation}, 'app');`;
const WIPES = `${WIPE(1)} ${WIPE(null)} ${WIPE(null)} ${RECONCILIATION}
  INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at, members)
    VALUES (1, 'matched', 'manual', 0, '[]', 0, 0, '[]');
  INSERT INTO wiped_matches(match_id, wipe_id) VALUES (1, 1), (1, 2);`;
const MARK = (wipe: number) => `INSERT INTO wiped_matches(match_id, wipe_id) VALUES (1, ${wipe});`;

test.each<[string, string, string, string]>([
  [
    'a balance twice for an account, day and type',
    ACCOUNT + BALANCE(1, 'other') + BALANCE(1, 'opening_ledger'),
    BALANCE(1, 'other'),
    'UNIQUE',
  ],
  ['a balance of an account that is not there', ACCOUNT, BALANCE(9, 'other'), 'FOREIGN KEY'],
  ['a balance of neither an account nor a batch', ACCOUNT, BALANCE(null, 'other'), 'CHECK'],
  ['a position twice in a story', STORIES, LINK(1, 1), 'UNIQUE'],
  ['a link to no reconciliation', STORIES, LINK(2, 9), 'FOREIGN KEY'],
  ['a position below 1', STORIES, LINK(0, 1), 'CHECK'],
  ['a property twice in a stream', PROPERTIES, PROPERTY(1, 'order_id'), 'UNIQUE'],
  ['a property that is neither optional nor not', PROPERTIES, PROPERTY(1, 'other', 2), 'CHECK'],
  ['a property of no stream', PROPERTIES, PROPERTY(9, 'order_id'), 'FOREIGN KEY'],
  ['counts of a bulk request that do not add up', BULKS, 'UPDATE bulk_requests SET processed = 1', 'CHECK'],
  ['more processed than there are', BULKS, 'UPDATE bulk_requests SET processed = 4, successful = 4', 'CHECK'],
  ['completed before the last item', BULKS, "UPDATE bulk_requests SET status = 'completed', processed = 2, skipped = 2", 'CHECK'],
  ['a state of another name', BULKS, "UPDATE bulk_requests SET status = 'done'", 'CHECK'],
  ['one result for several items that failed', BULKS, "INSERT INTO bulk_results VALUES (1, 0, 2, 'failed', NULL, '{}')", 'CHECK'],
  ['an idempotency key twice in an environment', BULKS, BULK(1, "'k'"), 'UNIQUE'],
  ['two answers to a key in an environment and operation', ANSWERS, ANSWER(1), 'UNIQUE'],
  ['an answer in no environment', ANSWERS, ANSWER(9), 'FOREIGN KEY'],
  ['a cold start that is sure by another name', REVIEWED, "UPDATE rules SET confidence = 'certain'", 'CHECK'],
  ['a rule that is edited twice', REVIEWED, 'UPDATE rules SET edited = 2', 'CHECK'],
  ['a shape that is dismissed twice', REVIEWED, "INSERT INTO dismissed_shapes VALUES (1, '{}', 9)", 'UNIQUE'],
  ['a removed rule of no reconciliation', REVIEWED, "INSERT INTO removed_rules VALUES (5, 2, '{}', 9)", 'FOREIGN KEY'],
  ['a due run of no reconciliation', '', "INSERT INTO due_runs VALUES (1, 'record_created', 1)", 'FOREIGN KEY'],
  ['two wipes of an operation', WIPES, WIPE(1), 'UNIQUE'],
  ['a match that a wipe marks twice', WIPES, MARK(1), 'UNIQUE'],
  ['a mark of no wipe', WIPES, MARK(9), 'FOREIGN KEY'],
])('the book itself refuses %s', (_what, given, sql, refusal) => {
  const { connection } = bookWith(given);
  expect(() => connection.exec(sql)).toThrow(`${refusal} constraint failed`);
});

test.each<[string, string, string, string, readonly unknown[]]>([
  ['definitions with their stream', PROPERTIES, 'DELETE FROM streams WHERE id = 1', 'SELECT stream_id FROM property_definitions', [2]],
  ['a link stays without the stream', STORIES, 'DELETE FROM streams', 'SELECT shared_stream_id FROM story_links', [null, null]],
  [
    'what was dismissed and removed with the reconciliation, and what would be matched with the run',
    REVIEWED,
    'DELETE FROM runs; DELETE FROM rules; DELETE FROM reconciliations',
    'SELECT shape FROM dismissed_shapes UNION ALL SELECT rule_id FROM removed_rules UNION ALL SELECT run_id FROM would_be_matches',
    [],
  ],
  ['marks of wipes with their match', WIPES, 'DELETE FROM matches', 'SELECT match_id FROM wiped_matches', []],
])('what goes with what: %s', (_what, given, sql, rest, left) => {
  const { connection } = bookWith(given);
  connection.exec(sql);
  expect(connection.prepare(rest).pluck().all()).toEqual(left);
});
