import { describe, expect, test } from 'vitest';
import type { RuleBody, Run } from '../../../src-shared/contract/index.ts';
import { startContinuous } from '../../support/books/continuous-book.ts';
import { addLines, BY_EXTERNAL_ID, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type Steps } from '../../support/books/quiet-book.ts';

const BY_AMOUNT_AND_DAY: RuleBody = {
  filters: {
    rules: [
      { key: 'amount', value: 'amount' },
      { key: 'date', value: 'date', tolerance_amount: 3 },
    ],
  },
};
const PROPOSED: RuleBody = { ...BY_AMOUNT_AND_DAY, outcome: 'propose' };

/** A continuous reconciliation whose first run has ended. */
async function bookWith(rules: readonly RuleBody[], a: readonly LineInput[], b: readonly LineInput[]) {
  const book = openQuietBook();
  const { client } = book;
  const pair = await setUpPair(client, { a, b }, rules);
  const { id } = pair.reconciliation;
  await client.get('reconciliations.update', { id, run_type: 'continuous' });
  const run = async (steps?: Steps): Promise<Run> => {
    const runId = startContinuous(book, id);
    book.work(steps);
    return client.get('runs.get', { id, run_id: runId });
  };
  const first = await run();
  const matches = async () => (await client.get('matches.list', { reconciliation_id: id, limit: 100 })).data;
  const bases = () => book.database.connection.prepare('SELECT count(*) FROM run_bases').pluck().get() as number;
  return { ...pair, book, client, id, run, first, matches, bases };
}

/** Lines with an amount of their own each, from `from` on. */
const lines = (from: number, count: number): LineInput[] =>
  Array.from({ length: count }, (_, index) => ({ amount: (from + index) * 100, external_id: `e${from + index}` }));

describe('a run that started by itself', () => {
  test('looks only at what a change can touch, and leaves other proposals as they are', async () => {
    const { client, run, first, matches } = await bookWith([PROPOSED], lines(1, 20), lines(1, 19));
    expect(first).toMatchObject({ total_records: 39, examined_records: 39, proposed_matches: 19 });
    const before = new Set((await matches()).map((match) => match.id));
    await addLines(client, 'bank', lines(20, 1));
    expect(await run()).toMatchObject({ total_records: 40, examined_records: 2, proposed_matches: 1, matches: 0 });
    const after = (await matches()).map((match) => match.id);
    expect(after).toHaveLength(20);
    expect(after.filter((id) => before.has(id))).toHaveLength(19);
  });

  test('recalculates the proposals that a change affects', async () => {
    const { client, id, run, matches, aIds } = await bookWith(
      [{ ...BY_AMOUNT_AND_DAY, commit_certainty: ['unique'], outcome: 'propose' }],
      [{ amount: 100, date: '2026-06-10' }],
      [{ amount: 100, date: '2026-06-12' }],
    );
    const [near] = await addLines(client, 'bank', [{ amount: 100, date: '2026-06-10' }]);
    await run();
    const [proposal, ...others] = await matches();
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({ status: 'proposed', certainty: 'best' });
    const members = await client.get('matches.members', { reconciliation_id: id });
    expect(members.data.map((line) => line.record_id).toSorted()).toEqual([aIds[0], near?.id]);
  });

  test('sees what its predecessor matched itself: what is left may be certain now', async () => {
    // Two ledger lines fit one bank line; the lower rule takes one of them, so the other is the only one left.
    const { run, first, matches } = await bookWith(
      [{ ...BY_AMOUNT_AND_DAY, commit_certainty: ['unique'] }, BY_EXTERNAL_ID],
      [
        { amount: 100, date: '2026-06-10', external_id: 'p', description: 'first' },
        { amount: 100, date: '2026-06-10', external_id: 'q', description: 'second' },
      ],
      [
        { amount: 100, date: '2026-06-10', external_id: 's' },
        { amount: 700, date: '2026-06-30', external_id: 'q' },
        { amount: 700, date: '2026-06-30', external_id: 'p' },
      ],
    );
    expect(first).toMatchObject({ matches: 1, proposed_matches: 1 });
    expect(await run()).toMatchObject({ matches: 1, proposed_matches: 0 });
    expect((await matches()).map((match) => match.status)).toEqual(['matched', 'matched']);
  });

  test('examines everything after a record was edited or deleted, and only changes after that', async () => {
    const { client, run, aIds, bases } = await bookWith([PROPOSED], lines(1, 6), lines(1, 5));
    await client.get('records.update', { id: aIds[0] ?? 0, description: 'edited' });
    expect(bases()).toBe(0);
    expect(await run()).toMatchObject({ total_records: 11, examined_records: 11, proposed_matches: 5 });
    await client.get('records.remove', { id: aIds[5] ?? 0 });
    expect(await run()).toMatchObject({ total_records: 10, examined_records: 10 });
    expect(await run()).toMatchObject({ total_records: 10, examined_records: 0, proposed_matches: 0 });
  });

  test('looks at everything after its rules, its streams or its types changed', async () => {
    const { client, id, run, matches } = await bookWith([PROPOSED], lines(1, 3), lines(1, 3));
    await client.get('rules.replace', { id, rules: [{ ...PROPOSED, outcome: 'match' }] });
    expect(await run()).toMatchObject({ examined_records: 6, matches: 3 });
    expect((await matches()).map((match) => match.status)).toEqual(['matched', 'matched', 'matched']);
    const other = await client.get('streams.create', { key: 'other', name: 'Other' });
    const { side_a_streams: sideA } = await client.get('reconciliations.get', { id });
    await addLines(client, 'bank', lines(9, 2));
    await client.get('reconciliations.update', { id, side_a_stream_ids: [...sideA.map((stream) => stream.id), other.id] });
    expect(await run()).toMatchObject({ total_records: 2, examined_records: 2 });
  });

  test('a run on request always looks at everything', async () => {
    const { book, id } = await bookWith([PROPOSED], lines(1, 6), lines(1, 5));
    expect(await book.run(id)).toMatchObject({ total_records: 11, examined_records: 11, proposed_matches: 5 });
  });

  test('a person who matches a record while a run works makes the next run look at everything', async () => {
    const { client, id, run, bases, aIds, bIds } = await bookWith([PROPOSED], lines(1, 6), lines(1, 5));
    await addLines(client, 'bank', lines(6, 1));
    let done = false;
    await run({
      onStep: (phase) => {
        if (phase !== 'matching' || done) return;
        done = true;
        void client.call('matches.create', { reconciliation_id: id, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0] });
      },
    });
    expect(done).toBe(true);
    expect(bases()).toBe(0);
    expect(await run()).toMatchObject({ total_records: 10, examined_records: 10, proposed_matches: 5 });
  });

  test('a cancelled run leaves the base of the one before', async () => {
    const { client, run, bases, matches } = await bookWith([PROPOSED], lines(1, 6), lines(1, 5));
    await addLines(client, 'bank', lines(6, 1));
    expect(await run({ isCancelled: () => true })).toMatchObject({ status: 'cancelled', examined_records: null });
    expect(bases()).toBe(1);
    expect(await run()).toMatchObject({ examined_records: 2, proposed_matches: 1 });
    expect(await matches()).toHaveLength(6);
  });

  test('a reconciliation that runs on request keeps no base', async () => {
    const { client, id, bases, book } = await bookWith([PROPOSED], lines(1, 3), lines(1, 3));
    expect(bases()).toBe(1);
    await client.get('reconciliations.update', { id, run_type: 'batch' });
    expect(bases()).toBe(0);
    await book.run(id);
    expect(bases()).toBe(0);
  });
});
