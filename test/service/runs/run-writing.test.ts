import { describe, expect, test } from 'vitest';
import type { Database } from '../../../src-main/database/database.ts';
import { unheldMembers, unlistedMembers } from '../../../src-main/matches/store/member-faults.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';
import { IS_LONG, quickTest, some } from '../../support/long.ts';

/** So many pairs that a run writes their matches, and then their records, in several transactions each. */
const PAIRS = 900;
/** Every seventh is proposed, the others count; the bank has them in another order than the ledger. */
const sceneOf = (isProposed: string, order = `s.id, iif(s.key = 'bank', i * 37 % ${PAIRS}, i)`) => `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PAIRS})
  INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, external_id, metadata, dedupe_key, created_at)
    SELECT 1, s.id, 20000, i, 1, 'GBP', 2, iif(${isProposed}, NULL, 'x' || i), '{}', s.key || i, 0 FROM streams s CROSS JOIN n
    ORDER BY ${order}`;
const SCENE = sceneOf('i % 7 = 0');
/** Long stretches of records whose matches are alike, and which are written by another statement. */
const ALIKE_SCENE = sceneOf(`i > ${PAIRS / 2} AND s.key = 'ledger'`);
/** Records of the two sides came by turns, and are written by yet another statement. */
const BY_TURNS_SCENE = sceneOf('i % 7 = 0', 'i, s.id');

/** Of the moments of a run in `npm test` some, in the long tests each. */
const STRIDE = IS_LONG ? 1 : 5;

const paired = copiesOf(async () => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [], b: [] }, [BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED]);
  return book;
});
const filled = copiesOf(async () => {
  const book = await paired();
  book.database.connection.exec(SCENE);
  return book;
});

async function scene() {
  const book = await filled();
  const recordIds = (key: string, from: string) =>
    book.database.connection
      .prepare(`SELECT r.id FROM records r JOIN streams s ON s.id = r.stream_id WHERE s.key = ? AND amount IN (${from}) ORDER BY amount`)
      .pluck()
      .all(key) as number[];
  return { book, id: 1, recordIds };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const memberFaults = (database: Database) => [...unlistedMembers(database, 5), ...unheldMembers(database, 5)];

/** Runs, and does something after the n-th transaction of the run; answers the run, and whether that was before what it found was published. */
async function runWith({ book, id }: Scene, nth: number, act: () => void) {
  const write = book.jobDatabase.write.bind(book.jobDatabase);
  let transactions = 0;
  let hasHappened = false;
  book.jobDatabase.write = (work) => {
    const value = write(work);
    transactions += 1;
    if (transactions !== nth) return value;
    hasHappened = book.database.connection.prepare('SELECT published_run_id FROM reconciliations').pluck().get() === null;
    if (hasHappened) act();
    return value;
  };
  return { run: await book.run(id), hasHappened };
}

/** What the rows say of the matches of runs, by status. */
const stored = (book: QuietBook) =>
  Object.fromEntries(
    book.database.connection.prepare("SELECT status, count(*) FROM matches WHERE origin = 'rule' GROUP BY status").raw().all() as [
      string,
      number,
    ][],
  );

const ACTS: Readonly<Record<string, (scene: Scene) => void>> = {
  'matches by hand what the run ties otherwise': ({ book, id, recordIds }) =>
    void book.client.call('matches.create', {
      reconciliation_id: id,
      record_ids: [recordIds('ledger', '1')[0] ?? 0, recordIds('bank', '899')[0] ?? 0],
    }),
  'matches by hand what the run proposes': ({ book, id, recordIds }) =>
    void book.client.call('matches.create', {
      reconciliation_id: id,
      record_ids: [...recordIds('ledger', '7, 14'), ...recordIds('bank', '7, 896')],
    }),
  'edits a record': ({ book, recordIds }) =>
    void book.client.call('records.update', { id: recordIds('bank', '500')[0] ?? 0, external_id: 'elsewhere' }),
  'deletes records': ({ book, recordIds }) => {
    for (const record of [...recordIds('ledger', '2, 899'), ...recordIds('bank', '450')])
      void book.client.call('records.remove', { id: record });
  },
  'resets a side': ({ book }) => {
    for (const step of operationSteps(book, 'bank', 'reset')) if (step === 'cleared') break;
  },
};

test.each(some(Object.entries(ACTS), 2))(
  'a person who %s between any two transactions of a run sees consistent records and matches',
  async (_what, act) => {
    const ends = new Set<string>();
    for (let nth = 1; ; nth += STRIDE) {
      const started = await scene();
      const { book, id } = started;
      const { run, hasHappened } = await runWith(started, nth, () => act(started));
      expect(run.status).toBe('completed');
      expect(memberFaults(book.database)).toEqual([]);
      expect({ matched: run.matches, proposed: run.proposed_matches }).toEqual({ matched: 0, proposed: 0, ...stored(book) });
      const summary = await book.client.get('reconciliations.summary', { id });
      expect(summary.side_a.matched).toBe(
        book.database.connection.prepare("SELECT count(*) FROM match_records WHERE slot = 0 AND side = 'a'").pluck().get(),
      );
      ends.add(`${run.matches} ${run.proposed_matches}`);
      if (!hasHappened) break;
      // After the publish step it is no longer the run's, and its figures stay.
      if (nth > 30) throw new Error('a run of few transactions');
    }
    expect(ends.size).toBeGreaterThan(1);
  },
);

test('rows of a run that is cancelled at any moment are removed', async () => {
  for (let checks = 1; ; checks += STRIDE) {
    const { book, id } = await scene();
    let left = checks;
    const run = await book.run(id, { isCancelled: () => (left -= 1) < 0 });
    expect(memberFaults(book.database)).toEqual([]);
    if (run.status === 'completed') break;
    expect(run.status).toBe('cancelled');
    expect(stored(book)).toEqual({});
    expect(book.database.connection.prepare('SELECT count(*) FROM match_records').pluck().get()).toBe(0);
  }
});

interface FirstIds {
  readonly firstRecord: number;
  readonly firstMatch: number;
}

/** What a run holds of some records, by ids that count from the least ones. */
async function pairsFrom(ids: FirstIds | null, records: string) {
  const book = await paired();
  const { connection } = book.database;
  if (ids !== null) {
    const setNext = connection.prepare('INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)');
    connection.prepare("DELETE FROM sqlite_sequence WHERE name IN ('records', 'matches')").run();
    setNext.run('records', ids.firstRecord - 1);
    setNext.run('matches', ids.firstMatch - 1);
  }
  connection.exec(records);
  const run = await book.run(1);
  expect(run.status).toBe('completed');
  expect(memberFaults(book.database)).toEqual([]);
  const least = connection.prepare('SELECT (SELECT min(id) FROM records) AS record, (SELECT min(id) FROM matches) AS match').get();
  const held = connection
    .prepare(
      `SELECT m.id - (SELECT min(id) FROM matches), mr.record_id - (SELECT min(id) FROM records), mr.side, mr.slot = 0, m.status
       FROM match_records mr JOIN matches m ON m.id = mr.match_id ORDER BY 1, 2`,
    )
    .raw()
    .all();
  return { least, held };
}

const heldByLowIds = new Map<string, readonly unknown[]>();

async function heldPlainly(records: string): Promise<readonly unknown[]> {
  const held = heldByLowIds.get(records) ?? (await pairsFrom(null, records)).held;
  heldByLowIds.set(records, held);
  return held;
}

/** Two ids are bound as one number up to a size: just before it, right over it, and far beyond. */
quickTest.each([
  { firstRecord: 2 ** 26 - 2 * PAIRS - 10, firstMatch: 1 },
  { firstRecord: 2 ** 26 - PAIRS, firstMatch: 2 ** 27 - 300 },
  { firstRecord: 2 ** 26 + 7, firstMatch: 2 ** 27 + 9 },
  { firstRecord: 2 ** 40, firstMatch: 2 ** 31 - 500 },
])('records from id $firstRecord on are found in matches from id $firstMatch on', async (ids) => {
  for (const records of [SCENE, ALIKE_SCENE, BY_TURNS_SCENE]) {
    const large = await pairsFrom(ids, records);
    expect(large.least).toEqual({ record: ids.firstRecord, match: ids.firstMatch });
    expect(large.held).toHaveLength(2 * PAIRS);
    expect(large.held).toEqual(await heldPlainly(records));
  }
});

test.each(some([2 ** 25, 2 ** 26, 2 ** 30], 1))(
  'records of a side of which the latter are %i ids behind the former are found in their matches',
  async (gap) => {
    const heldWith = async (distance: number) => {
      const book = await filled();
      const { connection } = book.database;
      // From the last upwards, so that no id is taken by another meanwhile.
      const move = connection.prepare('UPDATE records SET id = id + ? WHERE id = ?');
      for (let id = 2 * PAIRS; id > PAIRS / 2; id -= 1) move.run(distance, id);
      connection.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'records'").run(distance);
      expect((await book.run(1)).status).toBe('completed');
      expect(memberFaults(book.database)).toEqual([]);
      return connection
        .prepare(
          `SELECT m.id, r.dedupe_key, mr.side, mr.slot = 0, m.status FROM match_records mr JOIN matches m ON m.id = mr.match_id
         JOIN records r ON r.id = mr.record_id ORDER BY 1, 2`,
        )
        .raw()
        .all();
    };
    const held = await heldWith(gap);
    expect(held).toHaveLength(2 * PAIRS);
    expect(held).toEqual(await heldWith(0));
  },
);

test('groups and pairs of one run are written together, each with the data of its reasons', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(
    book.client,
    {
      a: [...'aabbc'].map((key, index) => ({ amount: 100 + index, external_id: `${key}${index}`, metadata: { payout: key } })),
      b: [201, 205, 104, 9].map((amount, index) => ({ amount, external_id: `B${index}`, metadata: { payout: 'abcd'[index] ?? '' } })),
    },
    [
      {
        cardinality: 'many_to_one',
        group_by: ['metadata.payout'],
        rollup: { group_by_kind: 'identifier' },
        filters: {
          rules: [
            { key: 'metadata.payout', value: 'metadata.payout' },
            { key: 'signed_amount', value: 'signed_amount' },
          ],
        },
      },
    ],
  );
  const run = await book.run(reconciliation.id);
  expect(run.matches).toBe(3);
  expect(memberFaults(book.database)).toEqual([]);
  const shapes = book.database.connection
    .prepare('SELECT record_count, a_record_id IS NULL, explanation, cohort FROM matches ORDER BY id')
    .raw()
    .all();
  expect(shapes).toEqual([
    [2, 0, '', null],
    [3, 1, '', '[1,6,2,201,2,0,0]'],
    [3, 1, '', '[3,7,2,205,2,0,0]'],
  ]);
});

test('rows that a run in progress has not written are no fault of the book, but are one once it is published', async () => {
  const { book, id } = await scene();
  await book.run(id);
  const { connection } = book.database;
  connection.exec('DELETE FROM match_records WHERE record_id = 1; UPDATE runs SET writing = 1');
  expect(memberFaults(book.database)).toEqual([]);
  connection.exec('UPDATE runs SET writing = 0');
  expect(memberFaults(book.database)).toMatchObject([{ record_id: 1 }]);
});

describe('found once: clock set back during run', () => {
  // A run asked for the separations since its start by the wall clock, so a clock set back brought a rejected proposal back.
  test('a proposal rejected during a run stays away when the clock is set back meanwhile', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) }, [BY_AMOUNT_PROPOSED]);
    await book.run(reconciliation.id);
    const [first] = (await book.client.get('matches.list', { status: 'proposed' })).data;
    let rejected = false;
    const run = await book.run(reconciliation.id, {
      onStep: (phase) => {
        if (phase !== 'writing' || rejected) return;
        rejected = true;
        book.clock.advance(-60_000);
        void book.client.get('matches.remove', { id: first?.id ?? 0 });
      },
    });
    expect(run.proposed_matches).toBe(1);
    expect((await book.client.get('matches.list', {})).data).toHaveLength(1);
  });
});

describe('found once: run figures after interference', () => {
  test('a run counts what it published, not what a person took from it before', async () => {
    const book = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
    let interfered = false;
    const run = await book.run(reconciliation.id, {
      onStep: (phase) => {
        if (phase !== 'writing' || interfered) return;
        interfered = true;
        void book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[1] ?? 0] });
      },
    });
    expect(interfered).toBe(true);
    // Of x1, x2 and x3 only x3 is left to the run: the person tied the ledger's x1 to the bank's x2.
    expect(run).toMatchObject({ matches: 1, matched_records: 2, matched_side_a: 1, matched_side_b: 1, proposed_matches: 0 });
    expect(Object.values(run.rule_summary)).toMatchObject([{ matches: 1, records: 2, proposed: 0 }]);
    const listed = await book.client.get('matches.list', { reconciliation_id: reconciliation.id });
    expect(listed.data.filter((match) => match.origin === 'rule')).toHaveLength(1);
  });
});
