import { expect, test } from 'vitest';
import { openJobs, updateJob } from '../../../src-main/book/store/jobs.ts';
import { updateRun } from '../../../src-main/runs/store/runs.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { bulkItem, workOff } from '../../support/books/bulk.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { MEMBERS_OF_NEW_MATCHES } from '../../support/books/match-members.ts';

/** Does something once, when a run first reports a phase. */
function once(phase: string, work: () => void) {
  let done = false;
  return {
    onStep: (reported: string) => {
      if (reported !== phase || done) return;
      done = true;
      work();
    },
  };
}

const listed = async (book: QuietBook, status?: 'matched' | 'proposed') =>
  (await book.client.get('matches.list', { status, limit: 100 })).data;
/** Which records are tied, whatever the match is called. */
function ties(book: QuietBook): string[] {
  return book.database.connection
    .prepare(
      `SELECT m.status || ' ' || group_concat(mr.record_id, '+') FROM matches m JOIN match_records mr ON mr.match_id = m.id
       GROUP BY m.id ORDER BY 1`,
    )
    .pluck()
    .all() as string[];
}

test('a run matches by its rules and reports its figures, and a second one changes nothing', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(5), b: numbered(4) });
  const run = await book.run(reconciliation.id);
  expect(run).toMatchObject({
    status: 'completed',
    progress: 100,
    total_records: 9,
    processed_records: 9,
    matched_records: 8,
    matches: 4,
    matched_side_a: 4,
    matched_side_b: 4,
    proposed_matches: 0,
    error_message: null,
    mode: 'commit',
    kind: 'batch',
    trigger: 'manual',
  });
  const before = [ties(book), await listed(book)];
  const second = await book.run(reconciliation.id);
  expect(second).toMatchObject({ matches: 0, matched_records: 0, total_records: 1 });
  expect([ties(book), await listed(book)]).toEqual(before);
  const { current_run: current, last_run: last } = await book.client.get('reconciliations.get', { id: reconciliation.id });
  expect([current, last?.id]).toEqual([null, second.id]);
});

test('nothing of a run is seen before it is published', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const looks: Promise<unknown>[] = [];
  const look = () => {
    looks.push(
      book.client.get('matches.list', {}).then((page) => page.total_count),
      book.client.get('records.get', { id: aIds[0] ?? 0 }).then((record) => record.status),
      book.client.get('reconciliations.summary', { id: reconciliation.id }).then((summary) => summary.side_a.matched),
      book.client.get('lines.window', { reconciliation_id: reconciliation.id, side: 'a', status: 'open' }).then((page) => page.data.length),
      book.client.get('records.list', { reconciliation_id: reconciliation.id, status: 'matched' }).then((page) => page.data.length),
      book.client.get('matches.members', { reconciliation_id: reconciliation.id }).then((page) => page.data.length),
    );
  };
  await book.run(reconciliation.id, once('writing', look));
  expect(await Promise.all(looks)).toEqual([0, 'unreconciled', 0, 3, 0, 0]);
  looks.length = 0;
  look();
  expect(await Promise.all(looks)).toEqual([3, 'reconciled', 3, 0, 6, 6]);
});

test.each(['reading', 'matching', 'writing'])('a manual match made while a run is %s has precedence over it', async (phase) => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const ids = [aIds[0] ?? 0, bIds[1] ?? 0];
  await book.run(
    reconciliation.id,
    once(phase, () => void book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: ids })),
  );
  expect(ties(book)).toEqual([`matched ${aIds[0]}+${bIds[1]}`, `matched ${aIds[2]}+${bIds[2]}`]);
  // What it left free is for the next run.
  await book.run(reconciliation.id);
  expect((await listed(book)).map((match) => match.origin).toSorted()).toEqual(['manual', 'rule']);
});

test.each(['reading', 'matching', 'writing'])('a record edited while a run is %s is left out of it', async (phase) => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  await book.run(
    reconciliation.id,
    once(phase, () => void book.client.get('records.update', { id: aIds[0] ?? 0, external_id: 'elsewhere' })),
  );
  expect(ties(book)).toEqual([`matched ${aIds[1]}+${bIds[1]}`]);
});

test.each(['reading', 'matching', 'writing'])('a record deleted while a run is %s is left out of it', async (phase) => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  const run = await book.run(
    reconciliation.id,
    once(phase, () => void book.client.get('records.remove', { id: bIds[0] ?? 0 })),
  );
  expect(run.status).toBe('completed');
  expect(ties(book)).toEqual([`matched ${aIds[1]}+${bIds[1]}`]);
});

test('a proposal rejected while a run recalculates it does not return with that run', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) }, [BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const [first] = await listed(book, 'proposed');
  book.clock.advance(1_000);
  const run = await book.run(
    reconciliation.id,
    once('writing', () => void book.client.get('matches.remove', { id: first?.id ?? 0 })),
  );
  expect(run.proposed_matches).toBe(1);
  expect(await listed(book)).toHaveLength(1);
});

test('a proposal confirmed while a run recalculates it exists once, as confirmed', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) }, [BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const [first] = await listed(book, 'proposed');
  await book.run(
    reconciliation.id,
    once('writing', () => void book.client.get('matches.confirm', { id: first?.id ?? 0 })),
  );
  expect((await listed(book)).map((match) => match.status).toSorted()).toEqual(['matched', 'proposed']);
  expect(ties(book)).toHaveLength(2);
});

test('a cancelled run leaves nothing, and can be started again', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [], b: [] });
  for (const key of ['ledger', 'bank']) {
    const records = numbered(600).map((line) => bulkItem({ ...line, data_stream_key: key }));
    await book.client.get('bulk_requests.create', { records });
  }
  workOff(book);
  let cancelled = false;
  const run = await book.run(reconciliation.id, {
    // After the first chunk of matches is written.
    onStep: (phase, processed) => {
      if (phase === 'writing' && processed >= 500) cancelled = true;
    },
    isCancelled: () => cancelled,
  });
  expect(run).toMatchObject({ status: 'cancelled', matches: 0 });
  expect(ties(book)).toEqual([]);
  const again = await book.run(reconciliation.id);
  expect(again).toMatchObject({ status: 'completed', matches: 600 });
});

test('a run that is cancelled before it began ends at once, and its job with it', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
  const run = await book.client.get('runs.start', { id: reconciliation.id });
  const ended = await book.client.get('runs.cancel', { id: reconciliation.id, run_id: run.id });
  expect(ended.status).toBe('cancelled');
  expect(openJobs(book.database)).toEqual([]);
  expect(await book.client.refusal('runs.cancel', { id: reconciliation.id, run_id: run.id })).toEqual({
    code: 'conflict',
    message: `Run ${run.id} is cancelled, so there is nothing to cancel.`,
  });
});

test('one run of a reconciliation at a time', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
  const run = await book.client.get('runs.start', { id: reconciliation.id });
  const refused = await book.client.refusal('runs.start', { id: reconciliation.id });
  expect(refused).toEqual({
    code: 'run_in_progress',
    message: `Run ${run.id} of this reconciliation is in progress: wait for it, or cancel it first.`,
  });
  const busy = 'A run of this reconciliation is in progress: wait for it, or cancel it first.';
  for (const [operation, input] of [
    ['rules.replace', { rules: [BY_EXTERNAL_ID] }],
    ['reconciliations.update', { sign_convention: 'opposite' }],
    ['reconciliations.remove', {}],
  ] as const) {
    expect(await book.client.refusal(operation, { id: reconciliation.id, ...input })).toEqual({ code: 'run_in_progress', message: busy });
  }
  expect((await book.client.refusal('runs.rehearse', { id: reconciliation.id, rules: [BY_EXTERNAL_ID] })).code).toBe('run_in_progress');
});

test('a run without rules is refused while a side is empty', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(1), b: [] }, []);
  expect(await book.client.refusal('runs.start', { id: reconciliation.id })).toEqual({
    code: 'invalid_rule',
    message: 'This reconciliation has no active rule, so a run could match nothing: add a rule first.',
  });
});

test('a rule with too many candidates fails the run with a message, and leaves nothing', async () => {
  const book = openQuietBook();
  const rule = { filters: { rules: [{ key: 'reference', value: 'reference', operand: 'eq_or_missing' as const }] } };
  const { reconciliation } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) }, [rule]);
  const many = book.database.connection.prepare(
    `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7200) SELECT 1, ?, 20000, i, 1, 'USD', 2, '{}', 0 FROM n`,
  );
  many.run(1);
  many.run(2);
  const run = await book.run(reconciliation.id);
  expect(run.status).toBe('failed');
  expect(run.error_message).toMatch(/.{20,}/);
  expect(ties(book)).toEqual([]);
  await book.client.get('rules.replace', { id: reconciliation.id, rules: [BY_EXTERNAL_ID] });
  expect(await book.run(reconciliation.id)).toMatchObject({ status: 'completed', matches: 1 });
});

test('proposals are recalculated, and those that no longer hold are removed', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const before = await listed(book, 'proposed');
  expect(before).toHaveLength(3);
  // An edit drops the proposal at once.
  await book.client.get('records.update', { id: aIds[0] ?? 0, amount: 77 });
  expect(await listed(book, 'proposed')).toHaveLength(2);
  await book.run(reconciliation.id);
  const after = await listed(book, 'proposed');
  expect(after).toHaveLength(2);
  expect(after.filter((match) => before.some((old) => old.id === match.id))).toEqual([]);
  await book.client.get('rules.replace', {
    id: reconciliation.id,
    rules: [{ filters: { rules: [{ key: 'description', value: 'description' }] } }],
  });
  await book.run(reconciliation.id);
  expect(await listed(book)).toEqual([]);
  expect(ties(book)).toEqual([]);
});

test('a separated pair stays separated until that is undone', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  await book.run(reconciliation.id);
  const [match] = await listed(book);
  const tied = ties(book);
  await book.client.get('matches.remove', { id: match?.id ?? 0 });
  await book.run(reconciliation.id);
  expect(ties(book)).toHaveLength(1);
  await book.client.get('matches.restore', { id: match?.id ?? 0 });
  expect(ties(book)).toEqual(tied);
  expect((await listed(book)).find((found) => found.id === match?.id)).toEqual(match);
});

test('manual matches are never touched by a run', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  const manual = await book.client.get('matches.create', {
    reconciliation_id: reconciliation.id,
    record_ids: [aIds[0] ?? 0, bIds[1] ?? 0],
  });
  await book.run(reconciliation.id);
  await book.run(reconciliation.id);
  expect(await book.client.get('matches.get', { id: manual.id })).toEqual(manual);
  expect(ties(book)).toEqual([`matched ${aIds[0]}+${bIds[1]}`]);
});

test('a dry run and a rehearsal count without storing', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const dry = await book.client.get('runs.start', { id: reconciliation.id, mode: 'dry_run' });
  book.work();
  const counted = await book.client.get('runs.get', { id: reconciliation.id, run_id: dry.id });
  expect(counted).toMatchObject({ mode: 'dry_run', status: 'completed', matches: 3, matched_side_a: 3 });
  const rehearsal = await book.client.get('runs.rehearse', { id: reconciliation.id, rules: [BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED] });
  book.work();
  const rehearsed = await book.client.get('runs.get', { id: reconciliation.id, run_id: rehearsal.id });
  expect(rehearsed).toMatchObject({ mode: 'dry_run', matches: 3 });
  expect(Object.keys(rehearsed.rule_summary)).toEqual(['1', '2']);
  expect(ties(book)).toEqual([]);
  expect(await book.client.get('rules.list', { reconciliation_id: reconciliation.id })).toHaveLength(1);
  expect((await book.client.get('runs.list', { id: reconciliation.id })).data.map((run) => run.id)).toEqual([rehearsal.id, dry.id]);
});

test('a run left half-written by a dead process is invisible, is cleared, and runs again at the next start', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const run = await book.client.get('runs.start', { id: reconciliation.id });
  const job = openJobs(book.database)[0];
  book.database.write((write) => {
    updateJob(write, job?.id ?? 0, { status: 'running' });
    updateRun(write, run.id, { status: 'running', writing: 1, started_at: 1 });
  });
  const { connection } = book.database;
  connection
    .prepare(
      `INSERT INTO matches(reconciliation_id, run_id, status, origin, difference, explanation, record_count, created_at, side_a_count,
         a_record_id, b_record_id) VALUES (?, ?, 'matched', 'rule', 0, '[]', 2, 0, 1, ?, ?)`,
    )
    .run(reconciliation.id, run.id, aIds[0], bIds[1]);
  connection.exec(`${MEMBERS_OF_NEW_MATCHES} UPDATE runs SET first_match_id = 1, last_match_id = 1`);
  expect(await listed(book)).toEqual([]);
  book.database.close();
  book.jobDatabase.close();

  const again = await openTestBook(book.folder);
  await again.ended({ id: job?.id ?? 0 });
  expect(await again.client.get('runs.get', { id: reconciliation.id, run_id: run.id })).toMatchObject({ status: 'completed', matches: 3 });
  expect((await again.client.get('matches.list', {})).data.map((match) => match.record_count)).toEqual([2, 2, 2]);
});

test('a real worker runs and reports its steps, and two reconciliations take turns', async () => {
  const book = await openTestBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const other = await book.client.get('reconciliations.set_up', { name: 'Other', side_a_keys: ['ledger'], side_b_keys: ['bank'] });
  const [first, second] = await Promise.all([book.run(reconciliation.id), book.run(other.reconciliation.id)]);
  expect([first, second]).toMatchObject([
    { status: 'completed', matches: 3 },
    { status: 'completed', matches: 3 },
  ]);
  const steps = book.events.filter((event) => event.kind === 'job' && event.run_id === first.id);
  expect(steps[0]).toMatchObject({ status: 'running', reconciliation_id: reconciliation.id });
  expect(steps.at(-1)).toMatchObject({ status: 'completed', progress: 100 });
  expect(book.events.map((event) => event.revision)).toEqual(book.events.map((_, position) => position + 1));
  expect(book.log.lines).toEqual([]);
});
