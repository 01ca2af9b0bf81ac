import { describe, expect, test } from 'vitest';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { setUpPair } from '../../support/books/lines.ts';

const REFERENCES = { rules: [{ key: 'reference', value: 'reference' }] };

async function reconciliation() {
  const book = openQuietBook();
  const { reconciliation: made } = await setUpPair(book.client, { a: [], b: [] });
  return { ...book, id: made.id };
}

/** Path and code of each fault of a rule that is refused. */
async function faultsOf(rule: Record<string, unknown>): Promise<string[]> {
  const { client, id } = await reconciliation();
  const refused = await client.refusal('rules.create', { reconciliation_id: id, filters: REFERENCES, ...rule });
  expect(refused.code).toBe('invalid_rule');
  return (refused.errors ?? []).map((error) => `${error.path} ${error.code}`);
}

describe('the rule language on the wire', () => {
  test('a rule comes back as it was sent', async () => {
    const { client, id } = await reconciliation();
    const filters = {
      operand: 'or' as const,
      rules: [
        { key: 'amount', value: 'amount', tolerance_amount: 0.5, tolerance_unit: 'dollar' as const },
        {
          operand: 'and' as const,
          rules: [
            {
              key: 'description',
              value: 'external_id',
              operand: 'contains' as const,
              transforms: {
                key: [{ name: 'extract' as const, args: { pattern: 'ORD-(\\d+)' } }, 'strip_leading_zeros' as const],
                value: 'digits_only' as const,
              },
            },
            { key: 'date', value: 'date', tolerance_unit: 'month' as const },
          ],
        },
      ],
    };
    const made = await client.get('rules.create', { reconciliation_id: id, filters });
    expect(made).toMatchObject({ filters, cardinality: 'one_to_one', group_by: [], rollup: null });
    expect(await client.get('rules.get', { id: made.id })).toEqual(made);
  });

  test('the fields of the specification alone are enough', async () => {
    const { client, id } = await reconciliation();
    const leaf = {
      key: 'amount',
      value: 'amount',
      tolerance_amount: 100,
      transforms: { key: 'absolute' as const, value: 'absolute' as const },
    };
    const rollup = { lookback_days: 3, date_field: 'date', group_by_kind: 'date' as const };
    const made = await client.get('rules.create', {
      reconciliation_id: id,
      filters: { operand: 'and', rules: [leaf] },
      priority: 1,
      group_by: ['date'],
      cardinality: 'many_to_one',
      rollup,
      description: 'Card batches',
    });
    expect(made).toMatchObject({ cardinality: 'many_to_one', group_by: ['date'], rollup: { ...rollup, many_side: 'a' } });
    expect(await client.get('rules.update', { id: made.id, rollup: made.rollup, group_by: made.group_by })).toEqual(made);
  });

  test('many to one needs its parts', async () => {
    const many = { cardinality: 'many_to_one' };
    expect(await faultsOf(many)).toEqual(['rollup rollup_required', 'group_by group_by_required']);
    expect(await faultsOf({ ...many, group_by: ['date'] })).toEqual(['rollup rollup_required']);
    expect(await faultsOf({ ...many, rollup: {} })).toEqual(['group_by group_by_required']);
    const of = (rollup: object, groupBy: string[] = ['date']) => faultsOf({ ...many, group_by: groupBy, rollup });
    expect(await of({ lookback_days: 3 })).toEqual(['rollup.date_field date_field_required']);
    expect(await of({ date_field: 'date' })).toEqual(['rollup.lookback_days lookback_days_required']);
    expect(await of({ lookback_days: 3, date_field: 'metadata.paid' })).toEqual(['rollup.date_field date_field_differs']);
    expect(await of({ lookback_days: 3, date_field: 'amount', group_by_kind: 'identifier' })).toEqual(['rollup.date_field no_date_field']);
    expect(await of({ group_by_kind: 'date' }, ['description'])).toEqual(['group_by.0 no_date_field']);
    expect(await of({ group_by_kind: 'identifier' }, ['metadata.batch', 'batch'])).toEqual(['group_by.1 unknown_field']);
    expect(await of({ group_by_kind: 'identifier' }, ['metadata.batch', 'metadata.batch'])).toEqual(['group_by.1 duplicate_field']);
  });

  test('a PATCH to many to one looks at what is stored', async () => {
    const { client, id } = await reconciliation();
    const made = await client.get('rules.create', { reconciliation_id: id, filters: REFERENCES });
    const bare = await client.refusal('rules.update', { id: made.id, cardinality: 'many_to_one', group_by: ['date'] });
    expect(bare).toMatchObject({ code: 'invalid_rule', errors: [{ path: 'rollup', code: 'rollup_required' }] });
    expect(await client.get('rules.get', { id: made.id })).toEqual(made);
    await client.get('rules.update', { id: made.id, rollup: { group_by_kind: 'identifier' }, group_by: ['metadata.batch'] });
    const changed = await client.get('rules.update', { id: made.id, cardinality: 'many_to_one' });
    expect(changed).toMatchObject({ cardinality: 'many_to_one', rollup: { lookback_days: null, date_field: null } });
    const removed = await client.refusal('rules.update', { id: made.id, rollup: null });
    expect(removed).toMatchObject({ errors: [{ code: 'rollup_required' }] });
    expect(await client.get('rules.update', { id: made.id, cardinality: 'one_to_one', rollup: null })).toMatchObject({ rollup: null });
  });

  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ['an operand', { operand: 'like' }, 'filters.rules.0.operand', /must be one of eq, neq, gt/],
    ['a unit', { tolerance_unit: 'week' }, 'filters.rules.0.tolerance_unit', /must be one of dollar, percent, minor/],
    ['a transform', { transforms: { key: 'shout' } }, 'filters.rules.0.transforms.key', /must be one of lowercase/],
    [
      'a transform in a list',
      { transforms: { value: ['trim', { name: 'shout' }] } },
      'filters.rules.0.transforms.value.1.name',
      /must be one of lowercase/,
    ],
    ['a member', { tolerance: 3 }, 'filters.rules.0.tolerance', /is not known here/],
  ])('a missing %s is named at its place', async (_what, member, path, words) => {
    const { client, id } = await reconciliation();
    const filters = { rules: [{ key: 'reference', value: 'reference', ...member }] };
    const refused = await client.refusal('rules.create', { reconciliation_id: id, filters });
    expect(refused.errors).toMatchObject([{ path, message: expect.stringMatching(words) as string }]);
  });

  test('a run reads text by its transforms and dates by their definition', async () => {
    const book = openQuietBook();
    const lines = {
      a: [{ amount: 500, metadata: { order: 'ORD-0012', paid: '2026-06-29T09:00:00Z' } }],
      b: [{ amount: 520, date: '2026-06-27', description: 'Payment ord 12 thanks' }],
    };
    const order = {
      key: 'metadata.order',
      value: 'description',
      transforms: { key: ['digits_only', 'strip_leading_zeros'], value: { name: 'extract', args: { pattern: '(?i)ORD (\\d+)' } } },
    } as const;
    const paid = { key: 'metadata.paid', value: 'date', tolerance_amount: 0, tolerance_unit: 'business_day' } as const;
    const near = { key: 'amount', value: 'amount', tolerance_amount: 5, tolerance_unit: 'percent' } as const;
    const filters = JSON.parse(JSON.stringify({ rules: [order, paid, near] })) as RuleBody['filters'];
    const { reconciliation: made } = await setUpPair(book.client, lines, [{ filters }]);
    expect(await book.run(made.id)).toMatchObject({ matches: 1, error_message: null });
    const [match] = (await book.client.get('matches.list', { limit: 100 })).data;
    expect(match).toMatchObject({ group_key: '12', difference: -20 });
    expect(match?.explanation).toEqual([
      'Order ORD-0012 (read as 12) on side A equals description Payment ord 12 thanks (read as 12) on side B.',
      'Paid 2026-06-29T09:00:00Z (read as 2026-06-29) and date 2026-06-27 count as the same business day.',
      'Amount 5.00 USD and 5.20 USD are 0.20 apart (allowed: 5 percent of the larger).',
    ]);
  });

  test('property definitions give metadata fields their type', async () => {
    const { client, id } = await reconciliation();
    await client.get('property_definitions.create', { data_stream_key: 'ledger', key: 'due', name: 'Due', type: 'date' });
    const against = (field: string) => ({ rules: [{ key: 'metadata.due', value: field }] });
    const refused = await client.refusal('rules.create', { reconciliation_id: id, filters: against('amount') });
    expect(refused).toMatchObject({ errors: [{ path: 'filters.rules.0.value', code: 'incomparable_fields' }] });
    await client.get('rules.create', { reconciliation_id: id, filters: against('date') });
  });
});
