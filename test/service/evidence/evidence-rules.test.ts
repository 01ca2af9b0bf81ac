import { describe, expect, test } from 'vitest';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { BY_AMOUNT, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const EVIDENCE: RuleBody = { filters: { rules: [{ key: 'currency', value: 'currency' }] }, method: 'evidence' };

async function pairBook(rules: readonly RuleBody[] = [EVIDENCE]) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, rules);
  return { ...book, id: pair.reconciliation.id, list: () => book.client.get('rules.list', { reconciliation_id: pair.reconciliation.id }) };
}

describe('a rule of evidence', () => {
  test('has a budget and no difference unless it says otherwise; a rule of conditions has neither', async () => {
    const { list } = await pairBook([EVIDENCE, { ...EVIDENCE, budget: 100, max_difference: { percent: 15 } }, BY_AMOUNT]);
    expect(await list()).toMatchObject([
      { method: 'evidence', budget: 10, max_difference: null, paused: false, paused_reason: null },
      { method: 'evidence', budget: 100, max_difference: { percent: 15 } },
      { method: 'conditions', budget: null, max_difference: null },
    ]);
  });

  test('changes its budget, its difference, its filters and its place', async () => {
    const { client, list } = await pairBook();
    const filters = { rules: [{ key: 'currency', value: 'currency' }, ...BY_AMOUNT.filters.rules] };
    await client.get('rules.update', { id: 1, budget: 1, max_difference: { minor: 50 }, filters, priority: 5 });
    expect(await list()).toMatchObject([{ budget: 1, max_difference: { minor: 50 }, filters, priority: 5, method: 'evidence' }]);
    await client.get('rules.update', { id: 1, max_difference: null });
    expect(await list()).toMatchObject([{ max_difference: null, budget: 1 }]);
  });

  const refused: readonly [string, Partial<RuleBody>][] = [
    ['commit_certainty', { commit_certainty: ['unique'] }],
    ['group_by', { group_by: ['metadata.batch'] }],
    ['rollup', { rollup: { lookback_days: 3, date_field: 'date' } }],
    ['cardinality', { cardinality: 'many_to_one' }],
    ['budget', { budget: null }],
  ];
  test.each(refused)('is refused with %s, named by its path', async (path, extra) => {
    const { client, id } = await pairBook();
    const refusal = await client.refusal('rules.create', { reconciliation_id: id, ...EVIDENCE, ...extra });
    expect(refusal).toMatchObject({
      code: 'invalid_rule',
      errors: expect.arrayContaining([expect.objectContaining({ path, code: 'wrong_method' })]),
    });
  });

  test.each([{ budget: 10 }, { max_difference: { minor: 5 } }] as const)('alone has %j', async (extra) => {
    const { client, id } = await pairBook();
    const refusal = await client.refusal('rules.create', { reconciliation_id: id, ...BY_AMOUNT, ...extra });
    expect(refusal).toMatchObject({ code: 'invalid_rule', errors: [{ path: Object.keys(extra)[0] }] });
  });

  test('stays what it is', async () => {
    const { client } = await pairBook();
    expect(await client.refusal('rules.update', { id: 1, method: 'conditions' })).toMatchObject({
      code: 'invalid_rule',
      errors: [{ path: 'method' }],
    });
    expect(await client.refusal('rules.update', { id: 1, commit_certainty: ['unique'] })).toMatchObject({
      errors: [{ path: 'commit_certainty' }],
    });
  });
});

describe('a paused rule', () => {
  test('is kept and not used, and used again once it is resumed', async () => {
    const { client, run, id, database } = await pairBook([BY_EXTERNAL_ID]);
    expect(await client.get('rules.update', { id: 1, paused: true })).toMatchObject({
      paused: true,
      paused_reason: null,
      status: 'active',
    });
    expect(await client.refusal('runs.start', { id, mode: 'dry_run' })).toMatchObject({ code: 'invalid_rule' });
    expect(await client.get('rules.update', { id: 1, paused: false })).toMatchObject({ paused: false });
    expect(await run(id)).toMatchObject({ matches: 3 });
    expect(auditEntries(database, 'rule.updated')).toHaveLength(2);
  });
});

describe('a preset', () => {
  test('replaces the default rules, rules of people stay, and each former one can be restored', async () => {
    const { client, id, list, database } = await pairBook([]);
    const old = await client.get('rules.take_preset', { id, preset: 'amount_and_date' });
    expect(old.rules.map(({ source, method }) => [source, method])).toEqual(Array.from({ length: 3 }, () => ['default', 'conditions']));
    const own = await client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT });
    const taken = await client.get('rules.take_preset', { id, preset: 'evidence' });
    expect(taken.removed_rule_ids).toEqual(old.added_rule_ids);
    expect((await list()).map((rule) => [rule.source, rule.method])).toEqual([
      ['default', 'evidence'],
      ['user', 'conditions'],
    ]);
    expect(presetRules('evidence')).toHaveLength(1);
    for (const removed of taken.removed_rule_ids) await client.get('rules.restore', { id: removed });
    expect((await list()).map((rule) => rule.id)).toEqual(expect.arrayContaining([own.id, ...old.added_rule_ids]));
    expect(auditEntries(database, 'rules.preset_taken')).toHaveLength(2);
  });

  test('of a reconciliation that the window sets up is evidence', async () => {
    const { client } = await pairBook();
    const made = await client.get('reconciliations.set_up', {
      name: 'New',
      run_type: 'batch',
      side_a_keys: ['ledger'],
      side_b_keys: ['bank'],
      sign_convention: 'same',
    });
    const rules = await client.get('rules.list', { reconciliation_id: made.reconciliation.id });
    expect(rules).toMatchObject([{ source: 'default', method: 'evidence', budget: 10, max_difference: null, status: 'active' }]);
  });
});
