import { describe, expect, test } from 'vitest';
import { QUIET_MS } from '../../../src-main/runs/work/continuous-runs.ts';
import { continuousOf } from '../../support/books/continuous-book.ts';
import { addLines, BY_AMOUNT, BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { openJobs } from '../../../src-main/book/store/jobs.ts';

/** A continuous reconciliation without a rule. */
async function bookWithoutRules(a: number, b: number, sameReference = true) {
  const book = openQuietBook();
  const continuous = continuousOf(book);
  const reference = (side: string) => (index: number) => ({
    external_id: `${side}${index}`,
    metadata: sameReference ? { order: `N${900 + index * 3}` } : {},
    amount: sameReference ? 100 + index * 37 : 100,
  });
  const pair = await setUpPair(book.client, { a: numbered(a, reference('a')), b: numbered(b, reference('b')) }, []);
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  continuous.wait();
  const runs = async () => (await book.client.get('runs.list', { id })).data;
  const rules = () => book.client.get('rules.list', { reconciliation_id: id });
  let added = 0;
  const add = async (count: number) => {
    added += 1;
    await addLines(
      book.client,
      'ledger',
      numbered(count, (index) => ({ external_id: `n${added}-${index}`, amount: 100 })),
    );
    continuous.wait();
  };
  return { book, id, ...continuous, runs, rules, add };
}

test('a continuous reconciliation without rules proposes some once, not again for each record', async () => {
  const { work, started, runs, rules, add } = await bookWithoutRules(6, 6);
  expect(started()).toBe(1);
  work();
  expect(await runs()).toMatchObject([{ kind: 'continuous', trigger: 'record_created', status: 'completed', proposals: { rules: 2 } }]);
  expect(await rules()).toMatchObject([
    { status: 'proposed', source: 'ai', method: 'evidence' },
    { status: 'proposed', source: 'ai' },
  ]);
  for (let turn = 0; turn < 3; turn += 1) await add(8);
  expect(started()).toBe(1);
});

test('it proposes no rules after a person dismissed the proposed ones', async () => {
  const { book, work, started, rules, add } = await bookWithoutRules(6, 6);
  work();
  await book.client.get('rules.dismiss', { id: (await rules())[0]?.id ?? 0 });
  await add(40);
  expect(started()).toBe(1);
});

test('where nothing was found it searches again once there are twice as many records', async () => {
  const { work, started, runs, add } = await bookWithoutRules(5, 5, false);
  work();
  expect(await runs()).toMatchObject([{ proposals: { rules: 0 } }]);
  await add(9);
  expect(started()).toBe(1);
  await add(1);
  expect(started()).toBe(2);
});

test('waits until both sides have records', async () => {
  const { book, wait, started } = await bookWithoutRules(6, 0);
  expect(started()).toBe(0);
  await addLines(book.client, 'bank', numbered(1));
  wait();
  expect(started()).toBe(1);
});

test('a rule activated meanwhile starts a run that matches', async () => {
  const { book, work, wait, started, runs, rules } = await bookWithoutRules(6, 6);
  work();
  await book.client.get('rules.activate', { id: (await rules())[0]?.id ?? 0 });
  wait();
  expect(started()).toBe(2);
  work();
  expect(await runs()).toMatchObject([{ trigger: 'rule_activated', matches: 6, proposals: null }, {}]);
});

test('a person who starts a run takes over the waiting one, and its kind is decided then', async () => {
  const { book, id, started } = await bookWithoutRules(6, 6);
  expect(started()).toBe(1);
  await book.client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT });
  const taken = await book.client.get('runs.start', { id });
  expect(taken).toMatchObject({ kind: 'batch', proposals: null });
  book.work();
  expect(await book.client.get('runs.get', { id, run_id: taken.id })).toMatchObject({ matches: 6 });
});

test('requested proposals do not delay a matching run that is due', async () => {
  const book = openQuietBook();
  const continuous = continuousOf(book);
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  await book.client.get('proposals.create', { id });
  continuous.wait(QUIET_MS);
  expect(continuous.started()).toBe(0);
  book.work();
  continuous.wait(QUIET_MS);
  expect(continuous.started()).toBe(1);
  // One that waits is not turned into something else.
  expect((await book.client.refusal('proposals.create', { id })).code).toBe('run_in_progress');
});

describe('found once: delete record of superseded proposal', () => {
  /** Between the publish step of a run and the clearing of older proposals (or for good, when Tieout dies there) those rows are left. */
  async function bookWithSupersededProposal() {
    const book = openQuietBook();
    const { reconciliation, aIds } = await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] }, [BY_AMOUNT_PROPOSED]);
    const run = await book.run(reconciliation.id);
    const newer = book.database.connection
      .prepare(
        "INSERT INTO runs(reconciliation_id, kind, mode, cause, status, created_at) VALUES (?, 'batch', 'commit', 'manual', 'completed', 0)",
      )
      .run(reconciliation.id).lastInsertRowid;
    book.database.connection
      .prepare('UPDATE reconciliations SET published_run_id = ?, proposals_since = ? WHERE id = ?')
      .run(newer, newer, reconciliation.id);
    const rows = () => book.database.connection.prepare('SELECT count(*) FROM matches WHERE run_id = ?').pluck().get(run.id);
    expect(rows()).toBe(1);
    expect((await book.client.get('matches.list', {})).total_count).toBe(0);
    return { book, recordId: aIds[0] ?? 0, rows };
  }

  test('a record that stands in a superseded proposal can be deleted', async () => {
    const { book, recordId } = await bookWithSupersededProposal();
    await book.client.get('records.remove', { id: recordId });
    expect((await book.client.refusal('records.get', { id: recordId })).code).toBe('not_found');
  });

  test('superseded proposals that were left behind are cleared at the next start', async () => {
    const { book, rows } = await bookWithSupersededProposal();
    book.recover();
    expect(openJobs(book.database)).toEqual([]);
    expect(rows()).toBe(0);
  });
});

describe('found once: dry run drops proposals', () => {
  test('a dry run and a rehearsal leave the proposals of the last run as they are', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] }, [BY_AMOUNT_PROPOSED]);
    await book.run(reconciliation.id);
    const before = await book.client.get('matches.list', { reconciliation_id: reconciliation.id });
    expect(before.total_count).toBe(1);

    await book.client.get('runs.start', { id: reconciliation.id, mode: 'dry_run' });
    book.work();
    expect(await book.client.get('matches.list', { reconciliation_id: reconciliation.id })).toEqual(before);

    await book.client.get('runs.rehearse', { id: reconciliation.id, rules: [BY_AMOUNT_PROPOSED] });
    book.work();
    expect(await book.client.get('matches.list', { reconciliation_id: reconciliation.id })).toEqual(before);
  });
});
