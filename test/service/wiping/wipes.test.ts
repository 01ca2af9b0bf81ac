import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';
import { addLines, BY_AMOUNT, BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, type Pair, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps, undoHere, undoSteps, type WipeStep } from '../../support/books/wipes.ts';
import { IS_LONG, quickTest, some } from '../../support/long.ts';
import { insertWipe } from '../../../src-main/records/store/wipes.ts';
import { abandonWipe, prepareWipe, toEnd } from '../../../src-main/records/work/wiping.ts';
import { continuousBook } from '../../support/books/continuous-book.ts';

const count = (book: QuietBook, table: string) => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

interface Scene {
  readonly book: QuietBook;
  readonly pair: Pair;
  /** The batch of the bank's imported lines. */
  readonly batchId: number;
}

const FILE_LINES = 4;

/** Ledger and bank, whose lines are matched, four of the bank's lines imported; and one more line of each, matched with an adjustment. */
let made: Omit<Scene, 'book'> | null = null;
const copy = copiesOf(async () => {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: [...numbered(8), { amount: 90 }], b: [...numbered(4), { amount: 95 }] }, [BY_EXTERNAL_ID]);
  const file = path.join(book.folder, 'june.csv');
  const lines = Array.from({ length: FILE_LINES }, (_, index) => `2026-06-10,Line,${index + 5}.00,x${index + 5}`);
  writeFileSync(file, `Date,Description,Amount,External ID\n${lines.join('\n')}\n`);
  const batchId = present(importHere(book, { path: file, currency: 'USD' }).result?.batch_id, 'batch');
  await book.run(pair.reconciliation.id);
  const record_ids = [present(pair.aIds[8], 'ledger line'), present(pair.bIds[4], 'bank line')];
  await book.client.get('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids, create_adjustment: true });
  made = { pair, batchId };
  return book;
});

async function scene(): Promise<Scene> {
  const book = await copy();
  return { book, ...present(made, 'scene') };
}

/** Everything that people can read, whatever is left to be cleared. */
async function seen({ book: { client }, pair }: Pick<Scene, 'book' | 'pair'>): Promise<string> {
  const id = pair.reconciliation.id;
  const { matches, proposed_matches, side_a, side_b } = await client.get('reconciliations.summary', { id });
  const window = { reconciliation_id: id, sort: 'date', offset: 0, limit: 100 } as const;
  const groups = await client.get('matches.window', { reconciliation_id: id, status: 'matched', offset: 0, limit: 100 });
  return JSON.stringify([
    (await client.get('records.list', { limit: 100 })).data,
    (await client.get('records.list', { limit: 100, status: 'reconciled' })).data.length,
    (await client.get('matches.list', { limit: 100 })).total_count,
    groups,
    { matches, proposed_matches, side_a, side_b },
    (await client.get('lines.window', { ...window, side: 'a', status: 'open' })).total_count,
    (await client.get('lines.window', { ...window, side: 'b', status: 'all' })).total_count,
    (await client.get('import_batches.list', { key: 'bank' })).data,
    (await client.get('streams.health', { key: 'bank' })).records_count,
    (await client.get('matches.members', { reconciliation_id: id, after_match_id: 0, matches: 100 })).data.length,
  ]);
}

const KINDS = {
  undo: ({ book, batchId }: Scene) => undoSteps(book, batchId),
  reset: ({ book }: Scene) => operationSteps(book, 'bank', 'reset'),
} as const;
type Kind = keyof typeof KINDS;
const EACH = Object.keys(KINDS) as Kind[];

quickTest.each(EACH)('between any two transactions of a %s either all or none of it is visible', async (kind) => {
  const stage = await scene();
  const before = await seen(stage);
  const states: [WipeStep, string][] = [];
  for (const step of KINDS[kind](stage)) states.push([step, await seen(stage)]);
  const after = present(states.at(-1), 'state')[1];
  expect(after).not.toBe(before);
  expect(states.map(([step]) => step)).toEqual(expect.arrayContaining(['preparing', 'published', 'clearing', 'cleared']));
  for (const [step, state] of states) expect([step, state]).toEqual([step, step === 'preparing' ? before : after]);
  expect(JSON.parse(after)[2]).toBe(kind === 'undo' ? 5 : 0);
  expect([count(stage.book, 'wipes'), count(stage.book, 'wiped_matches')]).toEqual([0, 0]);
  expect(count(stage.book, 'matches')).toBe(kind === 'undo' ? 5 : 0);
  expect(firstBrokenAuditEntry(stage.book.database)).toBeNull();
  const dissolved = auditEntries(stage.book.database, 'matches.dissolved').flatMap((entry) => entry.detail['match_ids']);
  expect(dissolved).toHaveLength(kind === 'undo' ? 4 : 9);
});

/** What people do meanwhile. Each answers nothing; it may be refused where what it speaks of has gone. */
const ACTIONS: Readonly<Record<string, (stage: Scene) => Promise<unknown>>> = {
  'take a match apart': async ({ book }) => book.client.call('matches.remove', { id: 5 }),
  'take a match apart and bring it back': async ({ book }) => {
    await book.client.call('matches.remove', { id: 5 });
    await book.client.call('matches.restore', { id: 5 });
  },
  'take a match apart and match by hand': async ({ book, pair }) => {
    const held = await book.client.get('matches.members', { reconciliation_id: pair.reconciliation.id, after_match_id: 4, matches: 1 });
    await book.client.call('matches.remove', { id: 5 });
    const record_ids = held.data.map((member) => member.record_id);
    if (record_ids.length > 1) await book.client.call('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids });
  },
  'add a line and match it': async ({ book, pair }) => {
    const [line] = await addLines(book.client, 'bank', [{ amount: 7 }]);
    const [other] = await addLines(book.client, 'ledger', [{ amount: 7 }]);
    await book.client.get('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids: [line?.id ?? 0, other?.id ?? 0] });
  },
  'add a line and match it with an adjustment': async ({ book, pair }) => {
    const [line] = await addLines(book.client, 'bank', [{ amount: 7 }]);
    const [other] = await addLines(book.client, 'ledger', [{ amount: 9 }]);
    const record_ids = [line?.id ?? 0, other?.id ?? 0];
    await book.client.get('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids, create_adjustment: true });
  },
  'run the rules': async ({ book, pair }) => book.run(pair.reconciliation.id),
  'delete the reconciliation': async ({ book, pair }) => book.client.call('reconciliations.remove', { id: pair.reconciliation.id }),
};

/** Laws of every book: matches hold only records that are there, and a record says that it is reconciled when a match has it. */
async function checkLaws({ book, pair }: Scene): Promise<void> {
  const { data: records } = await book.client.get('records.list', { limit: 100 });
  const ids = new Set(records.map((record) => record.id));
  const { data: matches } = await book.client.get('matches.list', { limit: 100 });
  const held = new Set<number>();
  for (const match of matches) {
    const { data } = await book.client.get('records.list', { reconciliation_match_id: match.id });
    expect(data).toHaveLength(match.record_count);
    for (const record of data) {
      expect(ids.has(record.id)).toBe(true);
      if (match.status === 'matched') held.add(record.id);
    }
  }
  expect(
    records
      .filter((record) => record.status === 'reconciled')
      .map((record) => record.id)
      .toSorted(),
  ).toEqual([...held].toSorted());
  const summary = await book.client.call('reconciliations.summary', { id: pair.reconciliation.id });
  expect(summary.ok ? summary.value.matches : 0).toBe(matches.filter((match) => match.status === 'matched').length);
}

describe.each(EACH)('while a %s is in progress', (kind) => {
  test.each(some(Object.entries(ACTIONS), 2))('people can %s, at any moment', async (_what, act) => {
    let moments = 1;
    for (let moment = 0; moment < moments; moment += IS_LONG ? 1 : 5) {
      const stage = await scene();
      let step = 0;
      for (const state of KINDS[kind](stage)) {
        if (step === moment) await act(stage);
        await checkLaws(stage);
        step += 1;
        if (state === 'cleared') moments = step;
      }
      expect(['wipes', 'wiped_matches', 'import_batches'].map((table) => count(stage.book, table))).toEqual([0, 0, 0]);
      expect(stage.book.database.connection.pragma('foreign_key_check')).toEqual([]);
    }
    expect(moments).toBeGreaterThan(5);
  });
});

/** Ends what was prepared: the operation by its job, the undo by a start after a crash. */
function giveUp(kind: Kind, { book }: Scene): void {
  if (kind === 'undo') book.recover();
  const jobs = book.database.connection.prepare("SELECT id FROM jobs WHERE kind = 'stream_operation'").pluck().all() as number[];
  for (const id of jobs) book.queue.cancel(id);
}

quickTest.each(EACH)('a %s that is given up leaves the book as it was', async (kind) => {
  const stage = await scene();
  const dump = () => JSON.stringify(dumpBook(stage.book.database, ['stream_operations', 'jobs']));
  const before = dump();
  const steps = KINDS[kind](stage);
  while (count(stage.book, 'wiped_matches') === 0) expect(steps.next().value).toBe('preparing');
  expect(dump()).not.toBe(before);
  giveUp(kind, stage);
  expect(dump()).toBe(before);
});

test('a batch that is removed while another undo of it is prepared is gone for that one', async () => {
  const { book, batchId } = await scene();
  const first = undoSteps(book, batchId);
  first.next();
  undoHere(book, batchId);
  expect(() => [...first]).toThrow('the batch is there');
});

test('proposals that lose a record go with the publish step', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const totals: number[] = [];
  for (const step of operationSteps(book, 'ledger', 'reset')) {
    if (step !== 'clearing') totals.push((await book.client.get('matches.list', { status: 'proposed' })).total_count);
  }
  expect(new Set(totals)).toEqual(new Set([3, 0]));
  expect(auditEntries(book.database, 'stream.cleared')).toMatchObject([{ detail: { matches_dissolved: 0, proposals_dropped: 3 } }]);
});

/** Ways to match the ledger's first lines again, with new lines of the bank, before a row of the wipe is cleared. */
const AGAIN: Readonly<Record<string, (stage: Scene, newIds: readonly number[]) => Promise<unknown>>> = {
  'by hand': async ({ book, pair }, newIds) => {
    for (const [index, id] of newIds.entries()) {
      const record_ids = [present(pair.aIds[index], 'ledger line'), id];
      await book.client.get('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids });
    }
  },
  'by a run': ({ book, pair }) => book.run(pair.reconciliation.id),
  'as proposals that are confirmed': async ({ book, pair }) => {
    await book.client.get('rules.replace', { id: pair.reconciliation.id, rules: [{ ...BY_EXTERNAL_ID, outcome: 'propose' }] });
    await book.run(pair.reconciliation.id);
    const { data } = await book.client.get('matches.list', { status: 'proposed' });
    for (const { id } of data) await book.client.get('matches.confirm', { id });
  },
};

test.each(some(Object.entries(AGAIN), 2))('from the publish step on, what lost its match is matched again %s', async (_how, again) => {
  const stage = await scene();
  const { client } = stage.book;
  for (const step of operationSteps(stage.book, 'bank', 'reset')) {
    if (step !== 'published') continue;
    const added = await addLines(client, 'bank', numbered(2));
    await again(
      stage,
      added.map((line) => line.id),
    );
    expect(count(stage.book, 'wiped_matches')).toBe(9);
    await checkLaws(stage);
  }
  await checkLaws(stage);
  const { data } = await client.get('records.list', { data_stream_key: 'ledger', status: 'reconciled' });
  expect(data.map((record) => record.external_id).toSorted()).toEqual(['x1', 'x2']);
  expect(auditEntries(stage.book.database, 'stream.cleared')).toMatchObject([{ detail: { records: 9, matches_dissolved: 9 } }]);
});

quickTest('where a transaction takes long, fewer rows go in one', async () => {
  const transactions: number[] = [];
  for (const tickMs of [1, 1_000]) {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    book.database.connection.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
       SELECT 1, 1, 20600, i, 1, 'USD', 2, '{}', 0 FROM n`,
    );
    let nowMs = 0;
    const clock = { ...book.clock, monotonicMs: () => (nowMs += tickMs) };
    transactions.push([...operationSteps({ ...book, clock }, 'bank', 'reset')].length);
    expect(count(book, 'records')).toBe(0);
  }
  const [quick = 0, slow = 0] = transactions;
  expect(quick).toBeLessThan(15);
  expect(slow).toBeGreaterThan(60);
});

describe('found once: abandoned wipe brings records back', () => {
  async function filled() {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await addLines(book.client, 'bank', numbered(5));
    return book;
  }
  const left = async ({ client }: Awaited<ReturnType<typeof filled>>) => (await client.get('records.list', {})).data.length;

  test('a preparation that is rolled back leaves rows that another wipe hid meanwhile', async () => {
    for (const kind of ['reset', 'delete'] as const) {
      const book = await filled();
      const { database, clock } = book;
      const first = database.write((write) =>
        insertWipe(write, { environment_id: 1, stream_id: 1, stream_key: 'bank', batch_id: null, operation_id: null, actor: 'app' }),
      );
      toEnd(prepareWipe(database, clock, first));
      for (const step of operationSteps(book, 'bank', kind)) {
        if (step !== 'published') continue;
        // A line that comes in after the publish step of a reset is nothing of it, nor does the other preparation make it that.
        if (kind === 'reset') await addLines(book.client, 'bank', numbered(1));
        toEnd(prepareWipe(database, clock, first));
        expect(await left(book)).toBe(kind === 'reset' ? 1 : 0);
        toEnd(abandonWipe(database, first));
        expect(await left(book)).toBe(kind === 'reset' ? 1 : 0);
      }
      const counts = ['records', 'import_batches', 'wipes'].map((table) =>
        database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
      );
      expect(counts).toEqual([kind === 'reset' ? 1 : 0, 0, 0]);
    }
  });

  test('deleted twice at the same time, a stream is deleted once', async () => {
    const book = await filled();
    const answers = await Promise.all([1, 2].map(() => book.client.call('streams.remove', { key: 'bank' })));
    const codes = answers.map((answer) => (answer.ok ? 'deleted' : answer.error.code)).toSorted();
    expect(codes[0]).toBe('deleted');
    expect(['conflict', 'not_found']).toContain(codes[1]);
    expect(await left(book)).toBe(0);
    for (const table of ['records', 'streams', 'import_batches', 'wipes']) {
      expect(book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
    }
  });
});

describe('found once: undo preview counts unpublished', () => {
  test('the preview of an undo counts the matches that people see, not those of a run under way', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 100 }], b: [] }, [BY_AMOUNT]);
    const file = path.join(book.folder, 'one.csv');
    writeFileSync(file, 'Date,Description,Amount\n2026-06-10,Takings,1.00\n');
    const id = importHere(book, { path: file }).result?.batch_id ?? 0;
    const told: Promise<number>[] = [];
    const preview = () => book.client.get('import_batches.remove', { id, preview: true }).then((undone) => undone.matches_dissolved);
    await book.run(reconciliation.id, {
      onStep: (phase) => {
        if (phase === 'writing') told.push(preview());
      },
    });
    expect(new Set(await Promise.all(told))).toEqual(new Set([0]));
    expect(await preview()).toBe(1);
  });
});

describe('found once: wiped match holds back', () => {
  /** One line of `ledger`, matched with one of `bank` that came in by a bulk request, import batch 1. */
  async function matchedByBulk() {
    const on = await continuousBook();
    await on.add('ledger', 'x1');
    const records = [{ data_stream_key: 'bank', date: '2026-06-10', amount: 100, external_id: 'x1' }];
    await on.client.get('bulk_requests.create', { records });
    on.book.bulk.step();
    on.wait();
    on.work();
    expect(await on.matched()).toBe(1);
    return on;
  }

  test('a line whose match lost a record to an undo counts as free before the match is cleared away', async () => {
    const on = await matchedByBulk();
    for (const step of undoSteps(on.book, 1)) {
      if (step !== 'published') continue;
      await on.add('bank', 'x1');
      on.wait();
      expect(await on.current()).toMatchObject({ kind: 'continuous', trigger: 'record_created' });
      on.work();
      expect(await on.matched()).toBe(1);
    }
    expect([on.started(), await on.matched()]).toEqual([2, 1]);
  });

  test('a stream whose matches an undo took apart may leave before they are cleared away', async () => {
    const { book, client, id, matched } = await matchedByBulk();
    const other = await client.get('streams.create', { key: 'till', name: 'Till' });
    const change = { id, side_b_stream_ids: [other.id] };
    expect((await client.refusal('reconciliations.update', change)).code).toBe('stream_has_matches');
    for (const step of undoSteps(book, 1)) {
      if (step !== 'published') continue;
      const changed = await client.get('reconciliations.update', change);
      expect(changed.side_b_streams.map((stream) => stream.key)).toEqual(['till']);
    }
    expect(await matched()).toBe(0);
  });
});
