import { describe, expect, test } from 'vitest';
import { dismissedShapes } from '../../../src-main/rules/store/rules.ts';
import { ruleShape } from '../../../src-main/domain/matching/rules/rule-shape.ts';
import type { Rule } from '../../../src-shared/contract/index.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { BY_AMOUNT, BY_EXTERNAL_ID, numbered, proposeRule, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

/** One active rule (1) and one that is proposed (2). */
async function bookWithProposal() {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3, (index) => ({ external_id: `y${index}` })) }, [
    BY_EXTERNAL_ID,
  ]);
  const id = proposeRule(book.database, pair.reconciliation.id);
  const list = () => book.client.get('rules.list', { reconciliation_id: pair.reconciliation.id });
  const isDismissed = (rule: Rule) => dismissedShapes(book.database, pair.reconciliation.id).includes(ruleShape(rule));
  return { ...book, reconciliationId: pair.reconciliation.id, id, list, isDismissed };
}

describe('a proposed rule', () => {
  test('shows how sure its maker was; a rule made by a person does not', async () => {
    const { client, id, list } = await bookWithProposal();
    expect(await client.get('rules.get', { id })).toMatchObject({
      source: 'ai',
      status: 'proposed',
      confidence: 'high',
      sample_match_rate: '3/4',
    });
    const [own] = await list();
    expect(own).toMatchObject({ source: 'user', status: 'active' });
    expect(own).not.toHaveProperty('confidence');
    expect(own).not.toHaveProperty('sample_match_rate');
  });

  test('is used by a run only once it is active', async () => {
    const { client, id, run, reconciliationId } = await bookWithProposal();
    expect(await run(reconciliationId)).toMatchObject({ matches: 0, rule_summary: { 1: { matches: 0 } } });
    const activated = await client.get('rules.activate', { id });
    expect(activated).toMatchObject({ id, status: 'active', source: 'ai', confidence: 'high', sample_match_rate: '3/4' });
    expect(await client.get('rules.get', { id })).toEqual(activated);
    expect(await run(reconciliationId)).toMatchObject({ matches: 3, rule_summary: { [id]: { matches: 3 } } });
  });

  test('alone does not make a matching run possible', async () => {
    const { client, reconciliationId } = await bookWithProposal();
    await client.get('rules.remove', { id: 1 });
    expect(await client.refusal('runs.start', { id: reconciliationId, mode: 'dry_run' })).toMatchObject({ code: 'invalid_rule' });
    expect(await client.get('runs.start', { id: reconciliationId })).toMatchObject({ proposals: { rules: 0 } });
  });

  test('can be edited; the sample of its former conditions is dropped', async () => {
    const { client, id } = await bookWithProposal();
    const renamed = await client.get('rules.update', { id, description: 'By amount', priority: 5 });
    expect(renamed).toMatchObject({ status: 'proposed', description: 'By amount', priority: 5, confidence: 'high' });
    const same = await client.get('rules.update', { id, filters: { operand: 'and', rules: [...BY_AMOUNT.filters.rules] } });
    expect(same).toMatchObject({ confidence: 'high', sample_match_rate: '3/4' });
    const changed = await client.get('rules.update', { id, filters: { rules: [{ key: 'date', value: 'date' }] } });
    expect(changed).toMatchObject({ source: 'ai', status: 'proposed' });
    expect(changed).not.toHaveProperty('confidence');
    expect(changed).not.toHaveProperty('sample_match_rate');
  });

  test('can be deleted, which does not keep a similar rule from being proposed', async () => {
    const { client, id, list, isDismissed } = await bookWithProposal();
    const rule = await client.get('rules.get', { id });
    await client.get('rules.remove', { id });
    expect((await list()).map((each) => each.id)).toEqual([1]);
    expect(isDismissed(rule)).toBe(false);
  });
});

describe('dismiss', () => {
  test('deletes the rule, returns it and remembers its shape', async () => {
    const { client, id, list, isDismissed, database, reconciliationId } = await bookWithProposal();
    const rule = await client.get('rules.get', { id });
    expect(isDismissed(rule)).toBe(false);
    expect(await client.get('rules.dismiss', { id })).toEqual(rule);
    expect((await list()).map((each) => each.id)).toEqual([1]);
    expect(await client.refusal('rules.get', { id })).toMatchObject({ code: 'not_found' });
    expect(isDismissed({ ...rule, description: 'Another name', priority: 3 })).toBe(true);
    expect(isDismissed({ ...rule, filters: BY_EXTERNAL_ID.filters })).toBe(false);
    expect(dismissedShapes(database, reconciliationId + 1).includes(ruleShape(rule))).toBe(false);
    expect(auditEntries(database, 'rule.').at(-1)).toMatchObject({
      action: 'rule.dismissed',
      detail: { rule_id: id, reconciliation_id: reconciliationId },
    });
  });

  test('of the same shape twice is fine', async () => {
    const { client, id, database, reconciliationId } = await bookWithProposal();
    await client.get('rules.dismiss', { id });
    const again = proposeRule(database, reconciliationId);
    expect(again).not.toBe(id);
    expect(await client.get('rules.dismiss', { id: again })).toMatchObject({ id: again });
  });

  test('is not for an active rule', async () => {
    const { client, list, isDismissed } = await bookWithProposal();
    const before = await list();
    expect(await client.refusal('rules.dismiss', { id: 1 })).toEqual({
      code: 'rule_not_proposed',
      message: 'Rule 1 is active, and only a proposed rule can be dismissed. Delete it if it is not wanted.',
    });
    expect(await list()).toEqual(before);
    expect(before.map(isDismissed)).toEqual([false, false]);
  });
});

describe('activate', () => {
  test('is not for an active rule', async () => {
    const { client, id, database } = await bookWithProposal();
    await client.get('rules.activate', { id });
    expect(auditEntries(database, 'rule.').at(-1)).toMatchObject({ action: 'rule.activated', detail: { rule_id: id } });
    expect(await client.refusal('rules.activate', { id })).toEqual({
      code: 'rule_not_proposed',
      message: `Rule ${id} is active already, so there is nothing to activate.`,
    });
  });

  test.each(['rules.activate', 'rules.dismiss'] as const)('%s knows the rules of its own environment only', async (operation) => {
    const { client, testEnvironment, id, list } = await bookWithProposal();
    const before = await list();
    const missing = (number: number) => ({ code: 'not_found', message: `There is no rule ${number} in this environment.` });
    expect(await testEnvironment.refusal(operation, { id })).toEqual(missing(id));
    expect(await client.refusal(operation, { id: 99 })).toEqual(missing(99));
    expect(await list()).toEqual(before);
  });
});

describe('restore', () => {
  test.each(['rules.remove', 'rules.dismiss'] as const)('restores %s', async (operation) => {
    const { client, id, list, isDismissed } = await bookWithProposal();
    const before = await list();
    await client.get(operation, { id });
    expect(await client.get('rules.restore', { id })).toEqual(before[1]);
    expect(await list()).toEqual(before);
    expect(before.map(isDismissed)).toEqual([false, false]);
    expect(await client.refusal('rules.restore', { id })).toEqual({
      code: 'conflict',
      message: `Rule ${id} is there, so there is nothing to bring back.`,
    });
  });

  test('knows nothing of other rules', async () => {
    const { client, testEnvironment, id } = await bookWithProposal();
    await client.get('rules.remove', { id });
    const message = `There is no deleted rule ${id} in this environment.`;
    expect(await testEnvironment.refusal('rules.restore', { id })).toEqual({ code: 'not_found', message });
    expect(await client.refusal('rules.restore', { id: 77 })).toMatchObject({ code: 'not_found' });
  });
});

describe('reorder', () => {
  test('gives the rules the order in which they are named', async () => {
    const { client, id, list, reconciliationId } = await bookWithProposal();
    const answered = await client.get('rules.reorder', { id: reconciliationId, rule_ids: [id, 1] });
    expect(answered.map((rule) => [rule.id, rule.priority])).toEqual([
      [id, 10],
      [1, 20],
    ]);
    expect(await list()).toEqual(answered);
  });

  test.each([[[1]], [[1, 2, 2]], [[1, 9]], [[1, 2, 3]]])('refuses %j, which does not name each rule once', async (ids) => {
    const { client, list, reconciliationId } = await bookWithProposal();
    const before = await list();
    expect(await client.refusal('rules.reorder', { id: reconciliationId, rule_ids: ids })).toEqual({
      code: 'conflict',
      message: 'The rules of this reconciliation are 1, 2 now: name each of them once.',
    });
    expect(await list()).toEqual(before);
    expect(await client.refusal('rules.reorder', { id: 99, rule_ids: ids })).toMatchObject({ code: 'not_found' });
  });
});

describe('what is settled by the service alone', () => {
  test.each(['id', 'source', 'status', 'confidence', 'sample_match_rate', 'created_at'])('`%s` in a new rule is refused', async (name) => {
    const { client, list, reconciliationId } = await bookWithProposal();
    const before = await list();
    const refused = await client.refusal('rules.create', { reconciliation_id: reconciliationId, ...BY_AMOUNT, [name]: 'active' });
    expect(refused).toMatchObject({
      code: 'read_only_field',
      errors: [{ path: name, code: 'read_only_field', message: 'is read-only; leave it out' }],
    });
    expect(await list()).toEqual(before);
  });

  test.each(['source', 'status', 'confidence', 'sample_match_rate', 'created_at', 'reconciliation_id'])(
    '`%s` in a change is refused',
    async (name) => {
      const { client, id, list } = await bookWithProposal();
      const before = await list();
      expect(await client.refusal('rules.update', { id, description: 'New', [name]: 'active' })).toMatchObject({
        code: 'read_only_field',
        errors: [{ path: name }],
      });
      expect(await list()).toEqual(before);
    },
  );
});
