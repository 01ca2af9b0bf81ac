import { expect, test } from 'vitest';
import type { Match, RuleBody } from '../../../src-shared/contract/index.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const NEAR: RuleBody = {
  filters: {
    rules: [
      { key: 'amount', value: 'amount', tolerance_amount: 50, tolerance_unit: 'minor' },
      { key: 'date', value: 'date', tolerance_amount: 5 },
    ],
  },
};
const on = (day: number, amount: number) => ({ date: `2026-06-${String(day).padStart(2, '0')}`, amount });

/**
 * Groups that no other can touch: a line that has two to choose from by days, one by amount alone, two lines that both need the partner
 * they got, and a pair without a choice.
 */
const LINES = {
  a: [on(1, 1_000), on(1, 2_000), on(1, 3_000), on(3, 3_000), on(1, 9_000)],
  b: [on(1, 1_000), on(3, 1_010), on(1, 2_000), on(1, 2_025), on(1, 3_000), on(8, 3_000), on(2, 9_000)],
};

async function scene(rule: RuleBody = NEAR) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, LINES, [rule]);
  const preview = await book.client.get('rules.preview', { reconciliation_id: pair.reconciliation.id, ...rule, replaces: 1 });
  const dry = await book.client.get('runs.start', { id: pair.reconciliation.id, mode: 'dry_run' });
  book.work();
  const would = await book.client.get('runs.would_be_matches', { id: pair.reconciliation.id, run_id: dry.id });
  await book.run(pair.reconciliation.id);
  const { data } = await book.client.get('matches.list', { reconciliation_id: pair.reconciliation.id });
  return { book, ...pair, preview, would, matches: data.toReversed() };
}

const told = ({ certainty, margin, explanation }: Pick<Match, 'certainty' | 'margin' | 'explanation'>) => [
  certainty,
  margin === null ? null : [margin.pairs, margin.days, margin.minor_units, margin.edits],
  explanation.at(-1),
];

const EXPECTED = [
  ['best', [0, 2, 10, 0], 'The next best pairing is 2 days worse.'],
  ['best', [0, 0, 25, 0], 'The next best pairing is 0.25 USD worse.'],
  ['best', [1, -3, 0, 0], 'Without this match there would be 1 match fewer.'],
  ['best', [1, -5, 0, 0], 'Without this match there would be 1 match fewer.'],
  ['unique', null, 'Dates 2026-06-01 and 2026-06-02 are 1 day apart (allowed: 5).'],
];

test('a run keeps the margin of each match over the best pairing without it, and every list shows it', async () => {
  const { matches, preview, would, book, reconciliation } = await scene();
  const sorted = (list: readonly Parameters<typeof told>[0][]) =>
    list.map(told).toSorted((left, right) => (String(left) < String(right) ? -1 : 1));
  const expected = EXPECTED.toSorted((left, right) => (String(left) < String(right) ? -1 : 1));
  expect(sorted(matches)).toEqual(expected);
  expect(sorted(preview.sample)).toEqual(expected);
  expect(sorted(would.data)).toEqual(expected);
  const window = await book.client.get('matches.window', { reconciliation_id: reconciliation.id });
  expect(sorted(window.data.map(({ match }) => match))).toEqual(expected);
  const backtest = await book.client.get('rules.backtest', { id: 1 });
  expect(sorted(backtest.examples)).toEqual(expected);
});

test('it stays with a match that is separated and restored, confirmed, or made a proposal again', async () => {
  const { matches, book } = await scene({ ...NEAR, outcome: 'propose' });
  const before = matches[0];
  expect(before).toMatchObject({ status: 'proposed', certainty: 'best', margin: { pairs: 0, days: 2, minor_units: 10, edits: 0 } });
  const id = before?.id ?? 0;
  expect(told(await book.client.get('matches.confirm', { id }))).toEqual(EXPECTED[0]);
  await book.client.get('matches.undo_create', { id });
  expect(told(await book.client.get('matches.get', { id }))).toEqual(EXPECTED[0]);
  await book.client.get('matches.remove', { id });
  expect(told(await book.client.get('matches.restore', { id }))).toEqual(EXPECTED[0]);
});

test('a manual match has none, and one of an older book says that it was not calculated', async () => {
  const { book, reconciliation, aIds, bIds } = await scene();
  book.database.connection.exec('UPDATE matches SET margin = NULL');
  expect(told(await book.client.get('matches.get', { id: 1 }))).toEqual([
    'best',
    null,
    'Every other pairing is worse; by how much was not worked out.',
  ]);
  const { data } = await book.client.get('matches.list', {});
  for (const { id } of data) await book.client.get('matches.remove', { id });
  const record_ids = [aIds[0] ?? 0, bIds[0] ?? 0];
  const manual = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids });
  expect(told(manual)).toEqual([null, null, 'Matched by hand.']);
});
