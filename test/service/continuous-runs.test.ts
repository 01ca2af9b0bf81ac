import { onTestFinished, describe, expect, test } from 'vitest';
import { ContinuousRuns, LONGEST_WAIT_MS, QUIET_MS } from '../../src-main/jobs/continuous-runs.ts';
import { recoverJob } from '../../src-main/jobs/recover.ts';
import { firstBrokenAuditEntry } from '../../src-main/store/audit.ts';
import { dueRuns } from '../../src-main/store/due-runs.ts';
import { openJobs } from '../../src-main/store/jobs.ts';
import type { Run, RuleBody } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { testAlarm } from '../support/alarm.ts';
import { withFailingStatement } from '../support/failing-statements.ts';
import {
  addLines,
  BY_AMOUNT,
  BY_AMOUNT_PROPOSED,
  BY_EXTERNAL_ID,
  type LineInput,
  numbered,
  proposeRule,
  setUpPair,
} from '../support/lines.ts';
import { openQuietBook, type QuietBook, type Steps } from '../support/quiet-book.ts';

/** Continuous runs on a quiet book, with a time of their own. */
function continuousOf(book: QuietBook) {
  const alarm = testAlarm();
  let started = 0;
  const { database, clock, log } = book;
  const runs = new ContinuousRuns({ database, clock, alarm, log, onStarted: () => (started += 1) });
  onTestFinished(() => runs.close());
  return {
    alarm,
    runs,
    started: () => started,
    /** Looks what is due, as after every change, and lets time go on. */
    wait: (milliseconds = QUIET_MS) => {
      runs.kick();
      alarm.advance(milliseconds);
    },
    /** Does the work of the run that has started. */
    work: (steps?: Steps) => {
      const end = book.work(steps);
      runs.kick();
      return end;
    },
  };
}

interface Given {
  readonly a?: readonly LineInput[];
  readonly b?: readonly LineInput[];
  readonly rules?: readonly RuleBody[];
}

/** A continuous reconciliation of `ledger` and `bank` whose first run has ended. */
async function continuousBook({ a = [], b = [], rules = [BY_EXTERNAL_ID] }: Given = {}) {
  const book = openQuietBook();
  const continuous = continuousOf(book);
  const pair = await setUpPair(book.client, { a, b }, [...rules]);
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  continuous.wait();
  if (continuous.started() > 0) continuous.work();
  const before = continuous.started();
  return {
    book,
    client: book.client,
    pair,
    id,
    ...continuous,
    /** Runs that started by themselves since. */
    started: () => continuous.started() - before,
    add: (stream: 'ledger' | 'bank', ...externalIds: string[]) =>
      addLines(
        book.client,
        stream,
        externalIds.map((external_id) => ({ amount: 100, external_id })),
      ),
    current: async () => (await book.client.get('reconciliations.get', { id })).current_run,
    list: async (): Promise<readonly Run[]> => (await book.client.get('runs.list', { id })).data,
    matched: async () => (await book.client.get('matches.list', { reconciliation_id: id, status: 'matched' })).total_count,
  };
}

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

  test('that is run on request does nothing by itself, and catches up when it is switched', async () => {
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
    await add('bank', 'x1');
    wait(LONGEST_WAIT_MS);
    proposeRule(book.database, id);
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

  test('looks for a free line through all of a long stream, in parts', async () => {
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

describe('what starts a run', () => {
  const MATCHED_LINES = { a: numbered(3), b: numbered(3) };
  /** Something is free on both sides, and a first run has been. */
  const ready = () =>
    continuousBook({ a: [...numbered(2), { amount: 7, external_id: 'a' }], b: [...numbered(2), { amount: 9, external_id: 'b' }] });
  type Ready = Awaited<ReturnType<typeof ready>>;

  const STARTS: Readonly<Record<string, readonly ['record_created' | 'rule_activated', (on: Ready) => Promise<unknown>]>> = {
    'a new record': ['record_created', ({ add }) => add('bank', 'c')],
    'a changed record': ['record_created', ({ client, pair }) => client.get('records.update', { id: pair.aIds[2] ?? 0, amount: 8 })],
    'a deleted record': [
      'record_created',
      async ({ client, add }) => {
        const [added] = await add('bank', 'c');
        await client.get('records.remove', { id: added?.id ?? 0 });
      },
    ],
    'a bulk request': [
      'record_created',
      async ({ book, client }) => {
        await client.get('bulk_requests.create', { records: [{ data_stream_key: 'bank', date: '2026-06-01', amount: 5 }] });
        expect(dueRuns(book.database)).toEqual([]);
        book.bulk.step();
      },
    ],
    'a bulk request that is undone': [
      'record_created',
      async ({ book, client }) => {
        await client.get('bulk_requests.create', { records: [{ data_stream_key: 'bank', date: '2026-06-01', amount: 5 }] });
        book.bulk.step();
        book.database.connection.exec('DELETE FROM due_runs');
        await client.get('import_batches.remove', { id: 1 });
      },
    ],
    'a stream that is reset': [
      'record_created',
      async ({ book, client, pair }) => {
        const other = await client.get('streams.create', { key: 'other', name: 'Other' });
        await addLines(client, 'other', numbered(1));
        await client.get('reconciliations.update', { id: pair.reconciliation.id, side_a_stream_ids: [1, other.id] });
        book.database.connection.exec('DELETE FROM due_runs');
        const operation = await client.get('streams.reset', { key: 'other' });
        book.workOperation(operation.id);
      },
    ],
    'a new rule': ['rule_activated', ({ client, id }) => client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT })],
    'a changed rule': ['rule_activated', ({ client }) => client.get('rules.update', { id: 1, outcome: 'propose' })],
    'a deleted rule': [
      'rule_activated',
      async ({ book, client, id }) => {
        const { id: ruleId } = await client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT });
        book.database.connection.exec('DELETE FROM due_runs');
        await client.get('rules.remove', { id: ruleId });
      },
    ],
    'a rule that comes back': [
      'rule_activated',
      async ({ book, client }) => {
        await client.get('rules.remove', { id: 1 });
        book.database.connection.exec('DELETE FROM due_runs');
        await client.get('rules.restore', { id: 1 });
      },
    ],
    'an activated rule': [
      'rule_activated',
      async ({ book, client, id }) => {
        const ruleId = proposeRule(book.database, id);
        expect(dueRuns(book.database)).toEqual([]);
        await client.get('rules.activate', { id: ruleId });
      },
    ],
    'rules replaced, after a new record': [
      'rule_activated',
      async ({ client, id, add }) => {
        await add('bank', 'c');
        await client.get('rules.replace', { id, rules: [BY_AMOUNT] });
      },
    ],
    'another sign convention': [
      'record_created',
      ({ client, id }) => client.get('reconciliations.update', { id, sign_convention: 'opposite' }),
    ],
    'another stream on a side': [
      'record_created',
      async ({ client, id }) => {
        const other = await client.get('streams.create', { key: 'other', name: 'Other' });
        await client.get('reconciliations.update', { id, side_a_stream_ids: [1, other.id] });
      },
    ],
    'another reference of a stream': [
      'record_created',
      ({ client }) => client.get('streams.update', { key: 'bank', reference_field: 'description' }),
    ],
    'a metadata field with a type': [
      'record_created',
      ({ client }) => client.get('property_definitions.create', { data_stream_key: 'bank', key: 'fee', name: 'Fee', type: 'number' }),
    ],
  };

  test.each(Object.entries(STARTS))('%s', async (_name, [trigger, act]) => {
    const on = await ready();
    expect(dueRuns(on.book.database)).toEqual([]);
    await act(on);
    expect(dueRuns(on.book.database)).toMatchObject([{ reconciliation_id: on.id, cause: trigger }]);
    on.wait();
    expect(await on.current()).toMatchObject({ kind: 'continuous', trigger });
  });

  const NOTHING: Readonly<Record<string, (on: Ready) => Promise<unknown>>> = {
    'a match by hand and its undo': async ({ client, pair, id }) => {
      const ids = [pair.aIds[2] ?? 0, pair.bIds[2] ?? 0];
      const made = await client.get('matches.create', { reconciliation_id: id, record_ids: ids });
      await client.get('matches.undo_create', { id: made.id });
    },
    'a match taken apart': async ({ client, id }) => {
      const [match] = (await client.get('matches.list', { reconciliation_id: id })).data;
      await client.get('matches.remove', { id: match?.id ?? 0 });
    },
    'another name': ({ client, id }) => client.get('reconciliations.update', { id, name: 'July' }),
    'another name of a stream': ({ client }) => client.get('streams.update', { key: 'bank', name: 'The bank' }),
    'another description of a rule': ({ client }) => client.get('rules.update', { id: 1, description: 'Numbers' }),
    'a dismissed rule': async ({ book, client, id }) => client.get('rules.dismiss', { id: proposeRule(book.database, id) }),
    'a bulk request of duplicates alone': async ({ book, client }) => {
      const records = [{ data_stream_key: 'bank', date: '2026-06-10', amount: 100, external_id: 'x1' }];
      await client.get('bulk_requests.create', { records });
      book.bulk.step();
    },
    'a record of another stream': async ({ client }) => {
      await client.get('streams.create', { key: 'other', name: 'Other' });
      await addLines(client, 'other', numbered(1));
    },
    'a dry run': async ({ book, client, id }) => {
      await client.get('runs.start', { id, mode: 'dry_run' });
      book.work();
    },
    'an overdue mark': ({ client, pair, id }) => client.get('records.mark_overdue', { id: pair.aIds[2] ?? 0, reconciliation_id: id }),
  };

  test.each(Object.entries(NOTHING))('not: %s', async (_name, act) => {
    const on = await ready();
    await act(on);
    expect(dueRuns(on.book.database)).toEqual([]);
    on.wait(LONGEST_WAIT_MS);
    expect(on.started()).toBe(0);
  });

  test('a deleted reconciliation leaves nothing due', async () => {
    const { book, client, id, add, wait, started } = await continuousBook(MATCHED_LINES);
    await add('ledger', 'x9');
    await add('bank', 'x9');
    wait(1);
    await client.get('reconciliations.remove', { id });
    expect(dueRuns(book.database)).toEqual([]);
    wait(LONGEST_WAIT_MS);
    expect(started()).toBe(0);
  });
});

describe('a run that ends badly', () => {
  test.each(['cancelled', 'failed'] as const)('is %s once, and comes again only after another change', async (status) => {
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

  test('what a person matches while it works stays', async () => {
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

  test('goes on with the run that was under way, and starts no second one', async () => {
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
