import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call, Line, MatchGroup, ReconciliationSummary, RuleBody } from '../../../src-shared/contract/index.ts';
import { DIFFERENCE_CODES } from '../../../src-shared/contract/matches/difference-reasons.ts';
import type { Client } from '../../../src-shared/client/client.ts';
import { COLUMNS, summaryTables } from '../../../src-renderer/format/summary-table.ts';
import { rescaled } from '../../../src-renderer/format/money.ts';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

type Convention = 'any' | 'same' | 'opposite';

const line: fc.Arbitrary<LineInput> = fc.record({
  amount: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 10_000_000_000 })),
  direction: fc.constantFrom('credit', 'debit'),
  currency: fc.constantFrom('GBP', 'GBP', 'GBP', 'EUR'),
  decimal_places: fc.constantFrom(0, 2, 2, 2, 3),
});
const near = (tolerance_amount: number) => ({
  filters: { rules: [{ key: 'amount', value: 'amount', tolerance_amount, tolerance_unit: 'minor' as const }] },
});
const RULES: readonly RuleBody[] = [
  { ...near(2), outcome: 'match' },
  { ...near(15), outcome: 'propose' },
];

/** What a person does, by chance: each takes numbers that choose among what there is. */
const step = fc.record({
  what: fc.constantFrom('match', 'match', 'match', 'confirm', 'remove', 'undo', 'restore', 'run'),
  choices: fc.array(fc.nat(), { minLength: 4, maxLength: 8 }),
  reason: fc.constantFrom(...DIFFERENCE_CODES, null),
  isAdjusted: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Scene {
  readonly client: Client;
  readonly id: number;
  readonly run: (id: number) => Promise<unknown>;
  readonly removed: number[];
}

const said = ({ reason, isAdjusted }: Step): Pick<Call<'matches.create'>, 'create_adjustment' | 'difference_reason'> => ({
  create_adjustment: isAdjusted && reason !== 'left_open',
  difference_reason: reason === null ? null : { code: reason, note: 'Why' },
});

/** Refusals are no fault: a match may be of two currencies, or without a difference. */
async function take({ client, id, run, removed }: Scene, given: Step): Promise<void> {
  const [first = 0, ...more] = given.choices;
  if (given.what === 'run') {
    await run(id);
    return;
  }
  if (given.what === 'match') {
    const sides = await Promise.all((['a', 'b'] as const).map((side) => client.get('lines.window', { reconciliation_id: id, side })));
    const open = sides.flatMap(({ data }) => data.map((row) => row.id));
    const ids = [...new Set(more.map((choice) => open[choice % Math.max(1, open.length)] ?? 0))];
    if (open.length > 1) await client.call('matches.create', { reconciliation_id: id, record_ids: ids, ...said(given) });
    return;
  }
  if (given.what === 'restore') {
    const match = removed.pop();
    if (match !== undefined) await client.call('matches.restore', { id: match });
    return;
  }
  const status = given.what === 'confirm' ? 'proposed' : 'matched';
  const { data } = await client.get('matches.list', { reconciliation_id: id, status });
  const match = data[first % Math.max(1, data.length)];
  if (match === undefined) return;
  if (given.what === 'confirm') await client.call('matches.confirm', { id: match.id, ...said(given) });
  else if (given.what === 'undo') await client.call('matches.undo_create', { id: match.id });
  else if ((await client.call('matches.remove', { id: match.id })).ok) removed.push(match.id);
}

const stateOf = (row: Line) => row.match_status ?? 'open';
const signed = (row: Pick<Line, 'amount' | 'direction'>) => (row.direction === 'credit' ? row.amount : -row.amount);

/** Counts and nets as the lines themselves say, one by one. */
function checkAgainstLines(side: ReconciliationSummary['side_a'], lines: readonly Line[]): void {
  expect(side.records).toBe(lines.length);
  for (const total of side.totals) {
    const own = lines.filter((row) => row.currency === total.currency);
    for (const state of ['matched', 'proposed', 'open'] as const) {
      const rows = own.filter((row) => (state === 'open' ? stateOf(row) !== 'matched' : stateOf(row) === state));
      expect([total.currency, state, total[state]]).toEqual([total.currency, state, rows.length]);
      const net = rows.reduce((sum, row) => sum + rescaled(signed(row), row.decimal_places, total.decimal_places), 0);
      expect([total.currency, state, total[`${state}_net`]]).toEqual([total.currency, state, net]);
    }
  }
}

function checkItAddsUp(side: ReconciliationSummary['side_a']): void {
  for (const part of [side, ...side.totals]) {
    expect(part.matched + part.open).toBe(part.records);
    expect(part.proposed).toBeLessThanOrEqual(part.open);
    expect(part.unmatched).toBe(part.open);
  }
  for (const total of side.totals) {
    expect(total.matched_net + total.open_net).toBe(total.net);
    expect(total.unmatched_net).toBe(total.open_net);
  }
}

/** What the window shows: each row adds up from left to right, each column from top to bottom. */
function checkTables(summary: ReconciliationSummary, convention: Convention, groups: readonly MatchGroup[]): void {
  for (const table of summaryTables(summary, convention)) {
    for (const row of [table.a, table.b, table.difference, table.adjusted, table.left].filter((some) => some !== null)) {
      expect(row.matched.net + row.open.net).toBe(row.total.net);
    }
    for (const column of COLUMNS) {
      const { a, b, difference, adjusted, left } = table;
      expect(difference[column].net).toBe(table.weights.a * a[column].net + table.weights.b * b[column].net + 0);
      if (adjusted !== null && left !== null) expect(left[column].net).toBe(difference[column].net + adjusted[column].net);
    }
    if (convention === 'any') continue;
    const own = groups.filter(({ records }) => records[0]?.currency === table.currency);
    const scaleOf = ({ records }: MatchGroup) => Math.max(...records.map((record) => record.decimal_places));
    const differences = own.reduce((sum, group) => sum + rescaled(group.match.difference, scaleOf(group), table.decimal_places), 0);
    expect((table.left ?? table.difference).matched.net).toBe(differences);
  }
}

/** Answers the reasons of matches in which nothing differs, which should be none. */
async function needlessReasons(client: Client, id: number, convention: Convention): Promise<unknown[]> {
  const summary = await client.get('reconciliations.summary', { id });
  const { data: groups } = await client.get('matches.window', { reconciliation_id: id, status: 'matched', limit: 100 });
  for (const [side, figures] of [
    ['a', summary.side_a],
    ['b', summary.side_b],
  ] as const) {
    const { data } = await client.get('lines.window', { reconciliation_id: id, side, status: 'all', limit: 100 });
    checkItAddsUp(figures);
    checkAgainstLines(figures, data);
  }
  expect(summary.differing_matches).toBe(groups.filter(({ match }) => match.difference !== 0).length);
  checkTables(summary, convention, groups);
  const even = groups.filter(({ match }) => match.difference === 0 && match.adjustment_record_id === null);
  return even.map(({ match }) => match.difference_reason).filter((reason) => reason !== null);
}

test('matched and open lines add up to all, and differences to those of the matches, whatever is done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 2, maxLength: 7 }),
      fc.array(line, { minLength: 1, maxLength: 7 }),
      fc.constantFrom<Convention>('any', 'same', 'opposite'),
      fc.array(step, { minLength: 1, maxLength: 7 }),
      async (a, b, convention, steps) => {
        const { client, run } = openQuietBook();
        const { reconciliation } = await setUpPair(client, { a, b }, RULES, convention);
        const scene: Scene = { client, id: reconciliation.id, run, removed: [] };
        await run(scene.id);
        expect(await needlessReasons(client, scene.id, convention)).toEqual([]);
        for (const given of steps) {
          await take(scene, given);
          expect(await needlessReasons(client, scene.id, convention)).toEqual([]);
        }
      },
    ),
    { numRuns: runs(40) },
  );
});
