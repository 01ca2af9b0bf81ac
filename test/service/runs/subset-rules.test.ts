import { expect, test } from 'vitest';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { addLines, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const SUMS: RuleBody = {
  filters: { rules: [{ key: 'signed_amount', value: 'signed_amount' }] },
  cardinality: 'many_to_one',
  rollup: { group_by_kind: 'subset', lookback_days: 5, date_field: 'date', max_records: 4 },
};
const RECEIPTS = [50_000, 45_000, 30_000, 61_700, 20_000].map((amount, index) => ({ amount, description: `Receipt ${index}` }));

test('a run matches sums and reports how, with the number of abandoned searches; a preview shows the plan', async () => {
  const { client, run } = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(
    client,
    { a: RECEIPTS, b: [{ amount: 125_000 }, { amount: 81_700 }, { amount: 7 }] },
    [SUMS],
  );
  const preview = await client.get('rules.preview', { ...SUMS, reconciliation_id: reconciliation.id, replaces: 1 });
  expect(preview).toMatchObject({ matches: 2, matched_a: 5, matched_b: 2, contested: 0 });
  expect(preview.plan[0]).toBe('Look for 2 to 4 records of side A that add up, from the date on side B up to 5 days back.');
  const ran = await run(reconciliation.id);
  expect(ran.rule_summary).toMatchObject({ 1: { matches: 2, records: 7, proposed: 0, gave_up: 0 } });
  const { data } = await client.get('matches.list', { reconciliation_id: reconciliation.id });
  expect(data.map(({ certainty, record_count: count, difference }) => [certainty, count, difference])).toEqual([
    ['unique', 4, 0],
    ['unique', 3, 0],
  ]);
  expect(data[0]?.explanation[0]).toBe('3 records sum to 1,250.00 USD: 300.00 + 450.00 + 500.00.');
  expect(aIds).toHaveLength(5);
  expect(bIds).toHaveLength(3);
});

test('an ambiguous sum waits for a person; once separated, it is not repeated', async () => {
  const { client, run } = openQuietBook();
  const { reconciliation } = await setUpPair(client, { a: RECEIPTS.slice(0, 3), b: [{ amount: 125_000 }] }, [SUMS]);
  await addLines(client, 'ledger', [{ amount: 75_000, description: 'Late receipt' }]);
  expect((await run(reconciliation.id)).rule_summary).toMatchObject({ 1: { matches: 0, proposed: 1, gave_up: 0 } });
  const [proposal] = (await client.get('matches.list', { reconciliation_id: reconciliation.id })).data;
  expect(proposal).toMatchObject({ status: 'proposed', certainty: 'best', record_count: 3 });
  await client.get('matches.remove', { id: proposal?.id ?? 0 });
  expect((await run(reconciliation.id)).rule_summary).toMatchObject({ 1: { matches: 1, proposed: 0 } });
});

test('the rollup is answered whole, and a wrong one is refused at its place', async () => {
  const { client } = openQuietBook();
  const { reconciliation } = await setUpPair(client, { a: [], b: [] }, []);
  const body = { ...SUMS, reconciliation_id: reconciliation.id };
  const rollup = { group_by_kind: 'subset', lookback_days: 5, date_field: 'date' } as const;
  expect((await client.get('rules.create', { ...body, rollup })).rollup).toEqual({ ...rollup, many_side: 'a', max_records: 6 });
  expect((await client.get('rules.create', { ...body, group_by: ['metadata.shop'] })).rollup?.max_records).toBe(4);
  const refusals = [
    [{ group_by_kind: 'subset' }, 'rollup.lookback_days', 'lookback_days_required'],
    [{ ...rollup, date_field: null }, 'rollup.date_field', 'date_field_required'],
    [{ ...rollup, date_field: 'amount' }, 'rollup.date_field', 'no_date_field'],
    [{ group_by_kind: 'identifier', max_records: 3 }, 'rollup.max_records', 'max_records_unused'],
  ] as const;
  for (const [wrong, path, code] of refusals) {
    const refused = await client.refusal('rules.create', { ...body, group_by: ['external_id'], rollup: wrong });
    expect(refused).toMatchObject({ code: 'invalid_rule', errors: [{ path, code }] });
  }
  for (const wrong of [1, 13]) {
    expect(await client.refusal('rules.create', { ...body, rollup: { ...rollup, max_records: wrong } })).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'rollup.max_records' }],
    });
  }
});
