import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { IS_LONG } from '../support/long.ts';
import type { TestBook } from '../support/books/backend.ts';
import { seededNumbers } from '../support/inputs/random-changes.ts';
import { contentOf, expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

/** Two hundred seeds take an hour: `TIEOUT_SEEDS=1-200 TIEOUT_STEPS=1000` asks for them. */
const [FIRST = 1, LAST = FIRST] = (process.env['TIEOUT_SEEDS'] ?? (IS_LONG ? '1-24' : '1-2')).split('-').map(Number);
const SEEDS = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
const STEPS = Number(process.env['TIEOUT_STEPS'] ?? (IS_LONG ? 100 : 60));
const LINES = {
  ledger: [['L1', '2026-06-01', 1250, 'ledger 1']],
  bank: [['B1', '2026-06-03', 1250, 'bank 1']],
} as const;

/** A connection that drops, delays, doubles and truncates by chance, while it is bad. */
function badConnection(random: () => number) {
  const state = { isBad: true };
  const own: typeof fetch = async (input, init) => {
    const roll = state.isBad ? random() : 1;
    if (roll < 0.03) throw new TypeError('fetch failed');
    if (roll < 0.06) await fetch(input, init);
    if (roll < 0.09) await pause(2);
    const answer = await fetch(input, init);
    if (roll >= 0.09 && roll < 0.12) throw new TypeError('fetch failed');
    if (roll < 0.12 || roll >= 0.15 || answer.status === 204) return answer;
    const text = await answer.text();
    return new Response(text.slice(0, Math.floor(text.length / 2)), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  };
  return { state, own };
}

interface Simulation {
  readonly random: () => number;
  /** Tags of records: those that were made, and those that somebody deleted. */
  readonly made: Set<string>;
  readonly deleted: Set<string>;
}

const pick = <T>(random: () => number, all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];

async function makeRecord({ client }: TestBook, { random, made }: Simulation): Promise<void> {
  const tag = `tag ${made.size + 1}`;
  const hasId = random() < 0.5;
  await client.get('records.create', {
    data_stream_key: random() < 0.5 ? 'ledger' : 'bank',
    date: '2026-06-10',
    amount: 100 + Math.floor(random() * 5),
    currency: 'EUR',
    description: tag,
    ...(hasId ? { external_id: tag } : {}),
  });
  made.add(tag);
}

async function changeRecord(
  { client }: TestBook,
  { random, deleted }: Simulation,
  all: Awaited<ReturnType<typeof recordsOf>>,
): Promise<void> {
  const record = pick(
    random,
    all.filter(({ status }) => status === 'unreconciled'),
  );
  if (record === undefined) return;
  if (random() < 0.3) {
    deleted.add(record.description ?? '');
    await client.get('records.remove', { id: record.id });
    return;
  }
  const value = Math.floor(random() * 50);
  const field = pick(random, [
    { amount: 100 + value },
    { metadata: { cost_centre: value } },
    { value_date: `2026-06-${10 + (value % 20)}` },
  ]);
  await client.get('records.update', { id: record.id, ...field });
}

async function changeMatch({ client }: TestBook, { random }: Simulation, all: Awaited<ReturnType<typeof recordsOf>>): Promise<void> {
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  if (reconciliation === undefined) return;
  const { data } = await client.get('matches.list', { reconciliation_id: reconciliation.id, limit: 100 });
  const match = pick(random, data);
  if (match !== undefined && random() < 0.3) {
    await client.get('matches.remove', { id: match.id });
    return;
  }
  const open = all.filter(({ status }) => status === 'unreconciled');
  const [a, b] = ['ledger', 'bank'].map((key) =>
    pick(
      random,
      open.filter((record) => record.data_stream_key === key),
    ),
  );
  if (a !== undefined && b !== undefined)
    await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [a.id, b.id] });
}

async function step(book: TestBook, simulation: Simulation): Promise<void> {
  const roll = simulation.random();
  const all = await recordsOf(book);
  if (roll < 0.4) await makeRecord(book, simulation);
  else if (roll < 0.65) await changeRecord(book, simulation, all);
  else if (roll < 0.95) await changeMatch(book, simulation, all);
  else await book.client.get('streams.update', { key: 'bank', name: `Bank ${Math.floor(simulation.random() * 5)}` });
}

for (const seed of SEEDS) {
  test(`two books that edit at random over a bad connection are equal in the end, seed ${seed}`, async () => {
    const random = seededNumbers(seed);
    const books = await twoBooks();
    const simulation: Simulation = { random, made: new Set(), deleted: new Set() };
    await fill(books.here, LINES);
    const errors = new Set<string>();
    const { state, own } = badConnection(random);
    // A third of the time a repair is asked for, and whoever syncs has looked at what would go.
    const told = new Set<string>();
    const sync = async () => {
      const result = await books[random() < 0.33 ? 'repair' : 'sync']({ fetch: own, acceptDeletions: 1_000 });
      for (const { what, local, remote } of result.conflicts) told.add(`${what} ${local} ${remote}`);
      return result;
    };
    const decide = async (conflicts: Awaited<ReturnType<typeof sync>>['conflicts']) => {
      // Every line of the simulation is one of its own, whatever others look like it.
      for (const { id, kind, choices } of conflicts) await books.resolve(id, kind === 'overlap' ? 'both' : (pick(random, choices) ?? ''));
    };
    for (let count = 0; count < STEPS; count += 1) {
      await step(random() < 0.5 ? books.here : books.there, simulation).catch((error: unknown) => {
        // The other book has no stream before the first sync.
        if (!String(error).includes('There is no account')) throw error;
      });
      if (random() < 0.12) {
        const { error, conflicts } = await sync();
        errors.add(error?.code ?? 'unreachable');
        if (random() < 0.5) await decide(conflicts);
      }
    }
    expect([...errors].filter((code) => code !== 'unreachable')).toEqual([]);
    state.isBad = false;
    let last = await sync();
    for (let rounds = 0; rounds < 8 && !last.ok; rounds += 1) {
      await decide(last.conflicts);
      last = await sync();
    }
    expect(last).toMatchObject({ ok: true, error: null, conflicts: [], refused: [], unsure: [], remote: { cannot_move: [] } });
    await expectEqual(books);
    expect(await contentOf(books.here)).toEqual(await contentOf(books.there));
    const tags = (await recordsOf(books.here)).map(({ description }) => description ?? '');
    expect(new Set(tags).size).toBe(tags.length);
    const there = new Set(tags);
    // What was deleted comes back only where a person was asked.
    const asked = [...told].join('\n');
    expect([...simulation.deleted].filter((tag) => there.has(tag) && !asked.includes(tag))).toEqual([]);
    expect([...simulation.made].filter((tag) => !simulation.deleted.has(tag) && !there.has(tag))).toEqual([]);
  });
}
