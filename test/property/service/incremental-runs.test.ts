import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VISIBLE_MATCH } from '../../../src-main/matches/store/matches.ts';
import type { RuleBody, Run } from '../../../src-shared/contract/index.ts';
import { startContinuous } from '../../support/books/continuous-book.ts';
import { BY_AMOUNT_PROPOSED, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { IS_LONG, runs } from '../../support/long.ts';

const DAYS = ['2026-06-10', '2026-06-11', '2026-06-13', '2026-06-20', '2026-07-03'] as const;

/** What happens to a book between two runs; a number picks one of what is there. */
type Change =
  | { readonly what: 'add'; readonly stream: 'ledger' | 'bank'; readonly amount: number; readonly day: number; readonly reference: string }
  | { readonly what: 'match'; readonly a: number; readonly b: number }
  | { readonly what: 'confirm' | 'delete' | 'undo' | 'edit' | 'remove' | 'clear' | 'restore'; readonly which: number };

const which = fc.nat({ max: 40 });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    arbitrary: fc.record({
      what: fc.constant('add' as const),
      stream: fc.constantFrom('ledger' as const, 'bank' as const),
      amount: fc.constantFrom(100, 100, 200, 300, 400, 500),
      day: fc.nat({ max: DAYS.length - 1 }),
      reference: fc.constantFrom('', '', 'R1', 'R2', 'R3'),
    }),
    weight: 10,
  },
  { arbitrary: fc.record({ what: fc.constant('match' as const), a: which, b: which }), weight: 2 },
  { arbitrary: fc.record({ what: fc.constantFrom('confirm' as const, 'delete' as const, 'undo' as const), which }), weight: 4 },
  { arbitrary: fc.record({ what: fc.constantFrom('clear' as const, 'restore' as const), which }), weight: 2 },
  { arbitrary: fc.record({ what: fc.constantFrom('edit' as const, 'remove' as const), which }), weight: 1 },
);

const RULES: readonly RuleBody[] = [
  {
    filters: {
      rules: [
        { key: 'metadata.ref', value: 'metadata.ref' },
        { key: 'amount', value: 'amount' },
      ],
    },
    commit_certainty: ['unique', 'best'],
  },
  {
    filters: {
      rules: [
        { key: 'metadata.ref', value: 'metadata.ref' },
        { key: 'amount', value: 'amount' },
      ],
    },
    cardinality: 'many_to_one',
    group_by: ['metadata.ref'],
    rollup: { group_by_kind: 'identifier' },
    outcome: 'propose',
  },
  {
    filters: {
      rules: [
        { key: 'amount', value: 'amount' },
        { key: 'date', value: 'date', tolerance_amount: 3 },
      ],
    },
    commit_certainty: ['unique'],
  },
  { ...BY_AMOUNT_PROPOSED },
];

const continuous = copiesOf(async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [], b: [] }, RULES);
  await book.client.get('reconciliations.update', { id: reconciliation.id, run_type: 'continuous' });
  return book;
});

/** A book whose runs start by themselves; `isWhole`: each looks at everything. */
async function bookOf(isWhole: boolean) {
  const book = await continuous();
  const id = 1;
  const { client, database } = book;
  const run = async (): Promise<Run> => {
    if (isWhole) database.connection.exec('DELETE FROM run_bases');
    const runId = startContinuous(book, id);
    expect(book.work().end).toBe('completed');
    return client.get('runs.get', { id, run_id: runId });
  };
  return { book, id, run, changes: changesOf(book, id) };
}

function picked<T>(items: readonly T[], place: number): T | undefined {
  return items[place % Math.max(1, items.length)];
}

function changesOf(book: QuietBook, id: number): (given: Change) => Promise<void> {
  const { client } = book;
  const undone: number[] = [];
  let added = 0;
  const open = async (key: string) => (await client.get('records.list', { data_stream_key: key, limit: 100, sort: 'created_at' })).data;
  const separations = async () => (await client.get('separations.list', { reconciliation_id: id })).data;
  return async (given) => {
    book.clock.advance(1_000);
    if (given.what === 'add') {
      added += 1;
      const metadata = given.reference === '' ? {} : { ref: given.reference };
      const { amount, stream } = given;
      await client.get('records.create', {
        data_stream_key: stream,
        date: DAYS[given.day] ?? DAYS[0],
        amount,
        external_id: `e${added}`,
        metadata,
      });
      return;
    }
    if (given.what === 'match') {
      const [a, b] = [picked(await open('ledger'), given.a), picked(await open('bank'), given.b)];
      if (a === undefined || b === undefined) return;
      await client.call('matches.create', { reconciliation_id: id, record_ids: [a.id, b.id] });
      return;
    }
    if (given.what === 'clear' || given.what === 'restore') {
      const found = picked(await separations(), given.which);
      if (given.what === 'clear' && found !== undefined) {
        undone.push(found.id);
        await client.call('separations.clear', { id: found.id });
      } else if (undone.length > 0) await client.call('separations.restore', { id: undone.pop() ?? 0 });
      return;
    }
    if (given.what === 'edit' || given.what === 'remove') {
      const record = picked([...(await open('ledger')), ...(await open('bank'))], given.which);
      if (record === undefined) return;
      if (given.what === 'edit') await client.call('records.update', { id: record.id, description: `edited ${given.which}` });
      else await client.call('records.remove', { id: record.id });
      return;
    }
    const found = picked(shown(book, id), given.which);
    if (found === undefined) return;
    if (given.what === 'confirm') await client.call('matches.confirm', { id: found.id });
    else await client.call('matches.remove', { id: found.id });
  };
}

interface Shown {
  readonly id: number;
  readonly text: string;
}

/** What people see of a reconciliation's matches, by the names of their records. */
function shown({ database }: QuietBook, reconciliationId: number): Shown[] {
  return database.connection
    .prepare<[number], Shown>(
      `SELECT m.id, (SELECT group_concat(external_id, '+' ORDER BY r.id) FROM match_records mr JOIN records r ON r.id = mr.record_id
           WHERE mr.match_id = m.id) || ' ' || m.status || ' ' || coalesce(m.certainty, 'manual') || ' ' || m.difference AS text
       FROM matches m WHERE m.reconciliation_id = ? AND ${VISIBLE_MATCH} ORDER BY text`,
    )
    .all(reconciliationId);
}

describe('a run that looks only at what changed', () => {
  it('finds what a run that looks at everything finds', async () => {
    const seen = { parts: 0, whole: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 6, size: 'max' }), { minLength: 4, maxLength: 16, size: 'max' }),
        async (rounds) => {
          const part = await bookOf(false);
          const whole = await bookOf(true);
          for (const round of rounds) {
            for (const each of round) {
              await part.changes(each);
              await whole.changes(each);
            }
            const run = await part.run();
            await whole.run();
            expect(shown(part.book, part.id).map(({ text }) => text)).toEqual(shown(whole.book, whole.id).map(({ text }) => text));
            if ((run.examined_records ?? 0) < run.total_records) seen.parts += 1;
            else seen.whole += 1;
          }
        },
      ),
      { numRuns: runs(8, 3), endOnFailure: true },
    );
    const fewest = IS_LONG ? 5 : 1;
    expect(seen.parts).toBeGreaterThan(fewest);
    expect(seen.whole).toBeGreaterThan(fewest);
  }, 120_000);
});
