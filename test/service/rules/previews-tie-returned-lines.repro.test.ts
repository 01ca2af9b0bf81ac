import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { insertPreset } from '../../../src-main/reconciliations/operations/reconciliation-set-up.ts';
import { PRESETS, type Preset } from '../../../src-shared/contract/rules/rules.ts';
import { BY_AMOUNT, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

/** A payment that came back, and one that did not; the ledger has both. */
async function bookOf(preset: Preset) {
  const book = openQuietBook();
  const a = [
    { amount: -4_520, date: '2026-06-01', description: 'Gas company invoice GAS-1' },
    { amount: -1_234, date: '2026-06-02', description: 'Water company invoice WATER-7' },
  ];
  const { reconciliation } = await setUpPair(book.client, { a, b: [] }, []);
  const { id } = reconciliation;
  book.database.write((write) => insertPreset(write, id, 7, preset));
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(
    file,
    'Date,Description,Amount\n2026-06-01,Gas company GAS-1,-45.20\n2026-06-03,RETOURE Gas company,45.20\n2026-06-02,Water company WATER-7,-12.34\n',
  );
  importHere(book, { path: file, currency: 'USD', streamKey: 'bank', acceptTarget: true });
  const rules = await book.client.get('rules.list', { reconciliation_id: id });
  return { ...book, book, id, rules };
}

/** Which lines of the gas company a match holds: the invoice is 1, the payment 3 and its return 4. */
const ofGas = ({
  side_a_record_ids: a,
  side_b_record_ids: b,
}: {
  side_a_record_ids: readonly number[];
  side_b_record_ids: readonly number[];
}) => [...a, ...b].filter((id) => [1, 3, 4].includes(id)).toSorted();

test.each(PRESETS)('%s: a dry run, a preview and a back-test hold a line and its return back, as a run does', async (preset) => {
  const { book, client, id, rules } = await bookOf(preset);
  const { id: run } = await client.get('runs.start', { id, mode: 'dry_run' });
  expect(book.work()).toEqual({ end: 'completed' });
  const { data: dry } = await client.get('runs.would_be_matches', { id, run_id: run, limit: 100 });
  expect(dry.map(ofGas).filter((ids) => ids.length > 0)).toEqual([[3, 4]]);

  const found = await Promise.all(
    rules.map(async ({ id: replaces, filters, outcome, commit_certainty, cardinality, group_by, rollup, method, budget, description }) => {
      const plain = { filters, outcome, description, cardinality, group_by, rollup, commit_certainty };
      const body = method === 'evidence' ? { filters, description, method, budget } : plain;
      const preview = await client.get('rules.preview', { reconciliation_id: id, replaces, sample: 100, ...body } as never);
      const backtest = await client.get('rules.backtest', { id: replaces, examples: 100 });
      const [previewed, tested] = [preview.sample, backtest.examples].map((matches) => matches.map(ofGas).filter((ids) => ids.length > 0));
      return { previewed: previewed ?? [], tested: [...(tested ?? []), ...Array.from({ length: backtest.waiting }, () => 'waits')] };
    }),
  );
  // The pair is proposed in the end, by the last of them, or by the one that is looked at alone; examples show what would not wait.
  expect(found.flatMap(({ previewed }) => previewed)).toEqual([[3, 4]]);
  expect(found.map(({ tested }) => tested)).toEqual(rules.map(({ outcome }) => (outcome === 'propose' ? [[3, 4]] : ['waits'])));
});

test("a person's own rule is not hindered, and says what it takes", async () => {
  const { client, id, rules } = await bookOf('amount_and_date');
  for (const priority of [1, 99]) {
    const preview = await client.get('rules.preview', { ...BY_AMOUNT, reconciliation_id: id, priority, sample: 100 } as never);
    expect(preview.sample.map(ofGas).filter((ids) => ids.length > 0)).toEqual([[1, 3]]);
    expect(preview.taken_from.map(({ rule_id }) => rules.some((rule) => rule.id === rule_id))).toEqual(priority === 1 ? [true, true] : []);
  }
});
