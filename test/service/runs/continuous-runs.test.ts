import { describe, expect, test } from 'vitest';
import { recoverJob } from '../../../src-main/backend/recover.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { openJobs } from '../../../src-main/book/store/jobs.ts';
import { dueRuns } from '../../../src-main/runs/store/due-runs.ts';
import { LONGEST_WAIT_MS, QUIET_MS } from '../../../src-main/runs/work/continuous-runs.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { continuousBook, continuousOf } from '../../support/books/continuous-book.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, proposeRule } from '../../support/books/lines.ts';
import { withFailingStatement } from '../../support/faults/failing-statements.ts';

describe('a continuous reconciliation', () => {
  test('runs by itself after new lines, and says so', async () => {
    const { book, client, id, add, wait, work, started, current, list, matched } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait(QUIET_MS - 1);
    expect([started(), await current()]).toEqual([0, null]);
    wait(1);
    expect(await current()).toMatchObject({ kind: 'continuous', trigger: 'record_created', status: 'pending', mode: 'commit' });
    expect(work().end).toBe('completed');
    expect(await list()).toMatchObject([{ kind: 'continuous', trigger: 'record_created', status: 'completed', matches: 1, progress: 100 }]);
    expect(await matched()).toBe(1);
    const actors = book.database.connection.prepare("SELECT actor FROM audit_log WHERE action LIKE 'run.%'").pluck().all();
    expect(actors).toEqual(['tieout', 'tieout']);
    wait(LONGEST_WAIT_MS);
    expect(started()).toBe(1);
    expect((await client.get('reconciliations.get', { id })).last_run?.id).toBe((await list())[0]?.id);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
  });

  test('waits until a burst of changes is over, and no longer than the longest wait', async () => {
    const { add, wait, started, runs, alarm } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    for (let index = 2; index < 6; index += 1) {
      wait(QUIET_MS - 1);
      await add('ledger', `x${index}`);
    }
    expect(started()).toBe(0);
    wait(QUIET_MS - 1);
    expect(started()).toBe(0);
    runs.kick();
    alarm.advance(1);
    expect(started()).toBe(1);
  });

  test('does not wait for ever while changes come in one after another', async () => {
    const { add, wait, work, started } = await continuousBook();
    await add('bank', 'x0');
    const stepMs = QUIET_MS / 2;
    for (let step = 0; step < (3 * LONGEST_WAIT_MS) / stepMs; step += 1) {
      await add('ledger', `x${step}`);
      const before = started();
      wait(stepMs);
      if (started() > before) work();
      // Keeps both sides from being all matched.
      if (started() > before) await add('bank', `y${step}`);
    }
    expect(started()).toBe(3);
  });

  test('looks once more when something changes during its run', async () => {
    const { add, wait, work, started, matched } = await continuousBook();
    await add('ledger', 'x1', 'x2');
    await add('bank', 'x1');
    wait();
    let added: Promise<unknown> | null = null;
    work({
      onStep: (phase) => {
        if (phase === 'matching') added ??= add('bank', 'x2');
      },
    });
    await added;
    expect([started(), await matched()]).toEqual([1, 1]);
    wait(QUIET_MS - 1);
    expect(started()).toBe(1);
    wait(1);
    work();
    expect([started(), await matched()]).toEqual([2, 2]);
  });

  test('that runs on request does nothing by itself, and catches up when it is switched', async () => {
    const { client, id, add, wait, work, started, matched } = await continuousBook();
    await client.get('reconciliations.update', { id, run_type: 'batch' });
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait(LONGEST_WAIT_MS);
    expect(started()).toBe(0);
    await client.get('reconciliations.update', { id, run_type: 'continuous' });
    wait();
    work();
    expect([started(), await matched()]).toEqual([1, 1]);
    await add('ledger', 'x2');
    await add('bank', 'x2');
    await client.get('reconciliations.update', { id, run_type: 'batch' });
    wait(LONGEST_WAIT_MS);
    expect(started()).toBe(1);
  });

  test('does not run while a side has nothing free, or without an active rule', async () => {
    const { book, client, id, add, wait, work, started } = await continuousBook({ rules: [] });
    await add('ledger', 'x1');
    wait(LONGEST_WAIT_MS);
    proposeRule(book.database, id);
    await add('bank', 'x1');
    wait(LONGEST_WAIT_MS);
    expect([started(), dueRuns(book.database)]).toEqual([0, []]);
    await client.get('rules.create', { reconciliation_id: id, ...BY_EXTERNAL_ID });
    wait();
    work();
    expect(started()).toBe(1);
    // Everything is matched: a line on one side alone finds no partner.
    await add('ledger', 'x2');
    wait(LONGEST_WAIT_MS);
    expect([started(), dueRuns(book.database)]).toEqual([1, []]);
    await add('bank', 'x3');
    wait();
    expect(started()).toBe(2);
  });

  test('searches all of a long stream for a free line, in parts', async () => {
    const lines = 6_000;
    const { book, add, wait, work, started, alarm, runs } = await continuousBook();
    const insert = book.database.connection.prepare(
      `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, external_id, created_at)
       SELECT 1, ?, 20000 - n, 1, 1, 'USD', 2, '{}', 'n' || n, 1 FROM (
         WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?) SELECT n FROM count)`,
    );
    for (const stream of [1, 2]) insert.run(stream, lines);
    await add('ledger', 'x1');
    wait();
    work();
    expect(started()).toBe(1);
    await add('bank', 'y1');
    wait();
    // x1 is newest on one side, y1 on the other.
    expect(started()).toBe(2);
    work();
    const { id: x1 } = present((await book.client.get('records.list', { external_id: 'x1' })).data[0], 'x1');
    await book.client.get('records.remove', { id: x1 });
    runs.kick();
    alarm.advance(QUIET_MS);
    // The first part of the ledger has been looked at and holds nothing free.
    expect([started(), dueRuns(book.database).length, alarm.pending()]).toEqual([2, 1, 2]);
    alarm.advance(100);
    expect([started(), dueRuns(book.database).length, alarm.pending()]).toEqual([2, 0, 0]);
  });
});

describe('a run that ends badly', () => {
  test.each(['cancelled', 'failed'] as const)('is %s once, and runs again only after another change', async (status) => {
    const { book, add, wait, started, runs, list } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait();
    const job = present(openJobs(book.database)[0], 'job');
    recoverJob(book.database, job, { status, message: null, atMs: book.clock.nowMs() });
    runs.kick();
    wait(LONGEST_WAIT_MS);
    wait(LONGEST_WAIT_MS);
    expect([started(), (await list()).map((run) => run.status)]).toEqual([1, [status]]);
    await add('bank', 'x2');
    wait();
    expect(started()).toBe(2);
  });

  test('that cannot be stored is tried again after another change, and not before', async () => {
    const { book, add, wait, work, started, matched } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    const { failed } = await withFailingStatement(1, () => wait(), 'forever');
    expect([failed, started(), openJobs(book.database)]).toEqual([true, 0, []]);
    expect(book.log.lines).toHaveLength(1);
    expect(book.log.lines[0]).toContain('a run could not start by itself');
    expect(dueRuns(book.database)).toHaveLength(1);
    expect((await withFailingStatement(999, () => wait(0))).statements).toBe(0);
    wait();
    work();
    expect([started(), await matched()]).toEqual([1, 1]);
  });
});

describe('people and continuous runs', () => {
  test('a run of a person takes what was due with it; a dry one does not', async () => {
    const { book, client, id, add, wait, started, matched } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait(1);
    const dry = await client.get('runs.start', { id, mode: 'dry_run' });
    expect(dry).toMatchObject({ kind: 'batch', trigger: 'manual', mode: 'dry_run' });
    book.work();
    expect(dueRuns(book.database)).toHaveLength(1);
    await book.run(id);
    expect([await matched(), dueRuns(book.database)]).toEqual([1, []]);
    wait(LONGEST_WAIT_MS);
    expect(started()).toBe(0);
  });

  test('a run that is about to start by itself becomes that of the person who asks for one', async () => {
    const { book, client, id, add, wait, work, current, started, matched } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait();
    const about = present(await current(), 'run');
    expect(about.kind).toBe('continuous');
    expect(await client.refusal('runs.start', { id, mode: 'dry_run' })).toEqual({
      code: 'run_in_progress',
      message: `Run ${about.id} of this reconciliation started by itself and is in progress: wait for it, or cancel it first.`,
    });
    expect(await client.get('runs.start', { id })).toMatchObject({ id: about.id, kind: 'batch', trigger: 'manual' });
    work();
    expect([started(), await matched()]).toEqual([1, 1]);
    const completed = book.database.connection.prepare("SELECT actor FROM audit_log WHERE action = 'run.completed'").pluck().all();
    expect(completed).toEqual(['app']);
  });

  test('one that is under way is not taken over', async () => {
    const { client, id, add, wait, work, current } = await continuousBook();
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait();
    const about = present(await current(), 'run');
    let refused: Promise<unknown> | null = null;
    work({
      onStep: (phase) => {
        if (phase === 'matching') refused ??= client.refusal('runs.start', { id });
      },
    });
    expect(await refused).toMatchObject({ code: 'run_in_progress', message: expect.stringContaining(`Run ${about.id} `) as string });
  });

  test('matches that a person makes during the run stay', async () => {
    const { client, id, add, wait, work, matched } = await continuousBook();
    const ledger = await add('ledger', 'x1', 'x2');
    const bank = await add('bank', 'x1', 'x2');
    wait();
    let made: Promise<unknown> | null = null;
    work({
      onStep: (phase) => {
        if (phase !== 'matching') return;
        made ??= client.get('matches.create', { reconciliation_id: id, record_ids: [ledger[0]?.id ?? 0, bank[1]?.id ?? 0] });
      },
    });
    await made;
    expect(await matched()).toBe(1);
    expect((await client.get('matches.list', { reconciliation_id: id })).data).toMatchObject([{ origin: 'manual' }]);
  });

  test('jobs of people go first: it waits for them, and starts after them', async () => {
    const { book, client, id, add, wait, runs, started, current } = await continuousBook();
    const other = await client.get('reconciliations.create', {
      name: 'Other',
      run_type: 'batch',
      side_a_stream_ids: [1],
      side_b_stream_ids: [2],
    });
    await client.get('rules.replace', { id: other.id, rules: [BY_AMOUNT_PROPOSED] });
    await add('ledger', 'x1');
    await add('bank', 'x1');
    await client.get('runs.start', { id: other.id });
    wait(LONGEST_WAIT_MS);
    expect([started(), await current()]).toEqual([0, null]);
    book.work();
    runs.kick();
    expect([started(), (await current())?.reconciliation_id]).toEqual([1, id]);
  });

  test('one at a time: of two that are due the second starts when the first has ended', async () => {
    const { client, add, wait, work, started, book } = await continuousBook();
    const other = await client.get('reconciliations.create', { name: 'Other', side_a_stream_ids: [1], side_b_stream_ids: [2] });
    await client.get('rules.replace', { id: other.id, rules: [BY_AMOUNT_PROPOSED] });
    await add('ledger', 'x1');
    await add('bank', 'x1');
    wait(LONGEST_WAIT_MS);
    expect([started(), openJobs(book.database).length]).toEqual([1, 1]);
    work();
    expect([started(), openJobs(book.database).length]).toEqual([2, 1]);
    work();
    expect([started(), openJobs(book.database).length]).toEqual([2, 0]);
  });
});

describe('a restart', () => {
  test('starts what was due before it', async () => {
    const before = await continuousBook();
    await before.add('ledger', 'x1');
    await before.add('bank', 'x1');
    before.wait(QUIET_MS - 1);
    before.runs.close();
    expect(before.alarm.pending()).toBe(0);
    const after = continuousOf(before.book);
    before.book.recover();
    after.wait();
    after.work();
    expect([before.started(), after.started(), await before.matched()]).toEqual([0, 1, 1]);
  });

  test('continues the run in progress, and starts no second one', async () => {
    const before = await continuousBook();
    await before.add('ledger', 'x1');
    await before.add('bank', 'x1');
    before.wait();
    before.book.work({ isCancelled: () => true });
    before.book.database.connection.exec("UPDATE jobs SET status = 'running'; UPDATE runs SET status = 'running'");
    before.runs.close();
    before.book.recover();
    const after = continuousOf(before.book);
    after.wait(LONGEST_WAIT_MS);
    expect(await before.current()).toMatchObject({ kind: 'continuous', status: 'pending' });
    after.work();
    expect([after.started(), await before.matched(), (await before.list()).length]).toEqual([0, 1, 1]);
  });
});
