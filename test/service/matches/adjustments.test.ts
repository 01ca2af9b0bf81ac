import { describe, expect, test } from 'vitest';
import { adjusted } from '../../support/books/adjusted.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { addLines, BY_AMOUNT, type LineInput, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

describe('create_adjustment', () => {
  test('adds one record that makes the difference 0, in a stream made on first use', async () => {
    const { client, database } = openQuietBook();
    const lines = {
      a: [{ amount: 10_000, date: '2026-06-12', currency: 'GBP', description: 'Invoice 7' }],
      b: [{ amount: 9_875, date: '2026-06-14', currency: 'GBP' }],
    };
    const { reconciliation, aIds, bIds } = await setUpPair(client, lines);
    expect((await client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['ledger', 'bank']);
    const match = await client.get('matches.create', {
      reconciliation_id: reconciliation.id,
      record_ids: [...aIds, ...bIds],
      create_adjustment: true,
      adjustment_reason: '  Bank charge ',
    });
    expect(match).toMatchObject({
      difference: 0,
      record_count: 3,
      origin: 'manual',
      adjustment_record_id: 3,
      explanation: ['Matched by hand.', 'An adjustment of 1.25 GBP on side A makes up the difference.'],
    });
    expect(await client.get('streams.get', { key: 'adjustments' })).toMatchObject({
      key: 'adjustments',
      name: 'Adjustments',
      type: 'adjustment',
      record_count: 1,
    });
    const { data } = await client.get('records.list', { data_stream_key: 'adjustments' });
    expect(data).toMatchObject([
      {
        id: 3,
        amount: 125,
        direction: 'debit',
        date: '2026-06-14',
        currency: 'GBP',
        decimal_places: 2,
        description: 'Bank charge',
        external_id: null,
        metadata: {},
        status: 'reconciled',
        days_unreconciled: null,
        import_batch_id: null,
        matched_records_total: 2,
      },
    ]);
    expect(data[0]?.matched_records.map((record) => record.id)).toEqual([aIds[0], bIds[0]]);
    const ofMatch = await client.get('records.list', { reconciliation_match_id: match.id });
    expect(ofMatch.data.map((record) => record.id).toSorted()).toEqual([1, 2, 3]);
    const groups = await client.get('matches.window', { reconciliation_id: reconciliation.id });
    expect(groups.data[0]?.records.map((record) => [record.id, record.side])).toEqual([
      [1, 'a'],
      [3, 'a'],
      [2, 'b'],
    ]);
    expect(auditEntries(database, 'stream.created').at(-1)?.detail).toEqual({
      key: 'adjustments',
      name: 'Adjustments',
      type: 'adjustment',
    });
    expect(auditEntries(database, 'match.created')).toMatchObject([
      { detail: { adjustment: { record_id: 3, side: 'a', amount: 125, direction: 'debit', reason: 'Bank charge' } } },
    ]);
  });

  const all = ['any', 'same', 'opposite'] as const;
  type Made = readonly [side: 'a' | 'b', direction: 'credit' | 'debit', amount: number, decimalPlaces: number] | null;
  const scenes: readonly (readonly [string, readonly LineInput[], readonly LineInput[], Readonly<Record<(typeof all)[number], Made>>])[] = [
    [
      'A is larger',
      [{ amount: 100 }],
      [{ amount: 90 }],
      { any: ['a', 'debit', 10, 2], same: ['a', 'debit', 10, 2], opposite: ['a', 'debit', 190, 2] },
    ],
    [
      'A is smaller',
      [{ amount: 90 }],
      [{ amount: 100 }],
      { any: ['a', 'credit', 10, 2], same: ['a', 'credit', 10, 2], opposite: ['a', 'debit', 190, 2] },
    ],
    [
      'debits',
      [{ amount: -100 }],
      [{ amount: -90 }],
      { any: ['a', 'credit', 10, 2], same: ['a', 'credit', 10, 2], opposite: ['a', 'credit', 190, 2] },
    ],
    [
      'the nets cross, A larger',
      [{ amount: -100 }],
      [{ amount: 90 }],
      { any: ['a', 'credit', 10, 2], same: ['a', 'credit', 190, 2], opposite: ['a', 'credit', 10, 2] },
    ],
    [
      'the nets cross, A smaller',
      [{ amount: 90 }],
      [{ amount: -100 }],
      { any: ['a', 'credit', 10, 2], same: ['a', 'debit', 190, 2], opposite: ['a', 'credit', 10, 2] },
    ],
    [
      'A nets to nothing',
      [{ amount: 5 }, { amount: -5 }],
      [{ amount: -40 }],
      { any: ['a', 'debit', 40, 2], same: ['a', 'debit', 40, 2], opposite: ['a', 'credit', 40, 2] },
    ],
    [
      'mixed scales',
      [{ amount: 1_255, decimal_places: 3 }],
      [{ amount: 125 }],
      { any: ['a', 'debit', 5, 3], same: ['a', 'debit', 5, 3], opposite: ['a', 'debit', 2_505, 3] },
    ],
    [
      'side A alone',
      [{ amount: -70 }, { amount: -30 }],
      [],
      { any: ['b', 'debit', 100, 2], same: ['b', 'debit', 100, 2], opposite: ['b', 'credit', 100, 2] },
    ],
    [
      'side B alone',
      [],
      [{ amount: 70 }, { amount: 30 }],
      { any: ['a', 'credit', 100, 2], same: ['a', 'credit', 100, 2], opposite: ['a', 'debit', 100, 2] },
    ],
    ['one side alone that balances', [{ amount: 30 }, { amount: -30 }], [], { any: null, same: null, opposite: null }],
  ];
  test.each(scenes.flatMap(([name, a, b, made]) => all.map((convention) => [name, convention, a, b, made[convention]] as const)))(
    '%s, %s',
    async (_name, convention, a, b, made) => {
      const { client } = openQuietBook();
      const { match, adjustment } = await adjusted(client, { a, b, convention });
      expect(match.difference).toBe(0);
      expect(adjustment === null ? null : [adjustment.side, adjustment.direction, adjustment.amount, adjustment.decimal_places]).toEqual(
        made,
      );
    },
  );

  test('a difference of 0 creates no record, and not even the stream', async () => {
    const { client } = openQuietBook();
    const { match, adjustment } = await adjusted(client, { a: [{ amount: 5 }], b: [{ amount: 5 }], convention: 'same' });
    expect(adjustment).toBeNull();
    expect(match).toMatchObject({ adjustment_record_id: null, record_count: 2, explanation: ['Matched by hand.'] });
    expect((await client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['ledger', 'bank']);
  });

  test('without a reason the record has no description; a reason without an adjustment is refused', async () => {
    const { client } = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a: numbered(1), b: [{ amount: 1 }] });
    const asked = { reconciliation_id: reconciliation.id, record_ids: [...aIds, ...bIds] };
    const message = 'adjustment_reason goes with an adjustment: add create_adjustment true, or leave the reason out.';
    for (const create of [{}, { create_adjustment: false }]) {
      expect(await client.refusal('matches.create', { ...asked, ...create, adjustment_reason: 'Fee' })).toEqual({
        code: 'validation_failed',
        message,
        errors: [{ path: 'adjustment_reason', code: 'reason_without_adjustment', message }],
      });
    }
    expect(
      await client.refusal('matches.create', { ...asked, create_adjustment: true, adjustment_reason: 'x'.repeat(2_001) }),
    ).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'adjustment_reason' }],
    });
    await client.get('matches.create', { ...asked, create_adjustment: true, adjustment_reason: ' ' });
    expect((await client.get('records.list', { data_stream_key: 'adjustments' })).data[0]?.description).toBeNull();
  });

  test('several currencies, and a net out of range, stay refusals that change nothing', async () => {
    const { client } = openQuietBook();
    const huge = { amount: Number.MAX_SAFE_INTEGER };
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a: [{ amount: 1 }, huge, huge], b: [{ amount: 2, currency: 'EUR' }] });
    const refusal = (record_ids: unknown[]) =>
      client.refusal('matches.create', { reconciliation_id: reconciliation.id, record_ids, create_adjustment: true });
    expect((await refusal([aIds[0], bIds[0]])).code).toBe('mixed_currencies');
    expect((await refusal([aIds[1], aIds[2]])).code).toBe('total_out_of_range');
    expect((await client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['ledger', 'bank']);
  });

  test('each environment has a stream of its own', async () => {
    const book = openQuietBook();
    const sides = { a: [{ amount: 3 }], b: [{ amount: 5 }], convention: 'same' } as const;
    const live = await adjusted(book.client, sides);
    const other = await adjusted(book.testEnvironment, sides);
    expect(other.adjustment?.id).not.toBe(live.adjustment?.id);
    for (const client of [book.client, book.testEnvironment]) {
      expect((await client.get('records.list', { data_stream_key: 'adjustments' })).data).toHaveLength(1);
    }
  });
});

describe('what an adjustment is not', () => {
  test('a line of a side: lists, counts, nets and runs leave it out', async () => {
    const { client, run } = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(
      client,
      { a: [{ amount: 100 }, { amount: 10 }], b: [{ amount: 90 }, { amount: -10 }] },
      [BY_AMOUNT],
    );
    const { id } = reconciliation;
    await client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0], create_adjustment: true });
    const totals = (net: number, unmatched_net: number, adjusted_net: number) => [
      { currency: 'USD', decimal_places: 2, net, unmatched_net, adjusted_net },
    ];
    const summary = {
      matches: 1,
      side_a: { records: 2, matched: 1, unmatched: 1, totals: totals(110, 10, -10) },
      side_b: { records: 2, matched: 1, unmatched: 1, totals: totals(80, -10, 0) },
    };
    expect(await client.get('reconciliations.summary', { id })).toMatchObject(summary);
    expect(await run(id)).toMatchObject({ status: 'completed', total_records: 2, matches: 0 });
    expect(await client.get('reconciliations.summary', { id })).toMatchObject(summary);
    for (const status of ['open', 'unmatched', 'all', 'matched'] as const) {
      for (const side of ['a', 'b'] as const) {
        const { data } = await client.get('lines.window', { reconciliation_id: id, side, status });
        expect(data.every((line) => line.data_stream_key !== 'adjustments')).toBe(true);
      }
    }
    expect((await client.get('records.list', { status: 'unreconciled' })).data.map((record) => record.id).toSorted()).toEqual([2, 4]);
    expect((await client.get('records.list', { reconciliation_id: id, status: 'matched' })).data).toHaveLength(2);
  });

  test('of the nets of a side that has no lines in its currency, its own total all the same', async () => {
    const { client } = openQuietBook();
    const { reconciliation, aIds } = await setUpPair(client, {
      a: [
        { amount: 7, currency: 'EUR' },
        { amount: 8, currency: 'EUR' },
      ],
      b: numbered(1),
    });
    await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: aIds.map(String), create_adjustment: true });
    const { side_a: a, side_b: b } = await client.get('reconciliations.summary', { id: reconciliation.id });
    expect(a.totals).toMatchObject([{ currency: 'EUR', decimal_places: 2, net: 15, unmatched_net: 0, adjusted_net: 0 }]);
    expect(b.totals).toMatchObject([
      { currency: 'USD', decimal_places: 2, net: 100, unmatched_net: 100, adjusted_net: 0 },
      { currency: 'EUR', decimal_places: 2, net: 0, unmatched_net: 0, adjusted_net: 15 },
    ]);
  });

  test('something to match, mark overdue, edit or delete', async () => {
    const { client } = openQuietBook();
    const { adjustment, reconciliation, a, b } = await adjusted(client, { a: [{ amount: 3 }], b: [{ amount: 5 }], convention: 'same' });
    const id = adjustment?.id ?? 0;
    await client.get('matches.remove', { id: 1 });
    await client.get('matches.restore', { id: 1 });
    expect(
      await client.refusal('matches.create', { reconciliation_id: reconciliation.id, record_ids: [id, a[0]?.id, b[0]?.id] }),
    ).toMatchObject({
      code: 'records_not_matchable',
      errors: [{ path: 'record_ids.0', code: 'record_of_other_stream' }, { code: 'record_matched' }, { code: 'record_matched' }],
    });
    expect((await client.refusal('records.mark_overdue', { id, reconciliation_id: reconciliation.id })).code).toBe(
      'stream_not_in_reconciliation',
    );
    const reconciled = { code: 'record_reconciled', message: expect.stringMatching(/^“.+” of .+ is reconciled: unmatch it first\.$/) };
    expect(await client.refusal('records.update', { id, description: 'Other' })).toEqual(reconciled);
    expect(await client.refusal('records.remove', { id })).toEqual(reconciled);
  });
});

test('the stream cannot be used for anything else', async () => {
  const { client } = openQuietBook();
  const { reconciliation } = await adjusted(client, { a: [{ amount: 3 }], b: [{ amount: 5 }], convention: 'same' });
  const { id } = await client.get('streams.get', { key: 'adjustments' });
  const refusals = [
    ['streams.create', { key: 'adjustments', name: 'Mine' }, 'key'],
    ['streams.remove', { key: 'adjustments' }, ''],
    ['streams.reset', { key: 'adjustments' }, ''],
    ['streams.update', { key: 'adjustments', reference_field: 'description' }, 'reference_field'],
    ['streams.update', { key: 'adjustments', bank_account_id: null }, 'bank_account_id'],
    ['records.create', { data_stream_key: 'adjustments', date: '2026-06-01', amount: 1 }, 'data_stream_key'],
    ['property_definitions.create', { data_stream_key: 'adjustments', key: 'k', name: 'K', type: 'string' }, 'data_stream_key'],
    ['reconciliations.create', { name: 'R', side_a_stream_ids: [1], side_b_stream_ids: [2, id] }, 'side_b_stream_ids.1'],
    ['reconciliations.create', { name: 'R', side_a_stream_ids: [id], side_b_stream_ids: [2] }, 'side_a_stream_ids.0'],
    ['reconciliations.update', { id: reconciliation.id, side_b_stream_ids: [2, id] }, 'side_b_stream_ids.1'],
    ['reconciliations.set_up', { name: 'R', side_a_keys: ['adjustments'], side_b_keys: ['bank'] }, 'side_a_keys.0'],
    ['reconciliations.set_up', { name: 'R', side_a_keys: ['bank'], side_b_keys: ['adjustments'] }, 'side_b_keys.0'],
  ] as const;
  for (const [operation, input, path] of refusals) {
    const refusal = await client.refusal(operation, input);
    expect([operation, refusal.code, refusal.errors?.[0]?.path ?? '']).toEqual([operation, 'reserved_key', path]);
    expect(refusal.message).toContain('adjustments');
  }
  const exception = await client.refusal('exceptions.create', { reconciliation_id: reconciliation.id, data_stream_id: id });
  expect(exception.code).toBe('stream_not_in_reconciliation');
  expect(await client.get('streams.update', { key: 'adjustments', name: 'Corrections' })).toMatchObject({ name: 'Corrections' });
});

test('an item of a bulk request cannot go into it either, be it there yet or not', async () => {
  const { client, bulk } = openQuietBook();
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  const message =
    'The account adjustments is Tieout’s own: records get into it by matches with create_adjustment alone. Choose another one.';
  const error = { code: 'reserved_key', message, errors: [{ path: 'data_stream_key', code: 'reserved_key', message }], differences: [] };
  const item = { date: '2026-06-01', amount: 1 };
  const records = [{ ...item, data_stream_key: 'adjustments' }, { ...item, data_stream_key: 'bank' }, { data_stream_key: 'adjustments' }];
  const send = async () => {
    const { id } = await client.get('bulk_requests.create', { records });
    while (bulk.step() !== 'idle');
    return client.get('bulk_requests.get', { id });
  };
  const before = await send();
  expect(before).toMatchObject({ successful_items: 1, failed_items: 2 });
  expect(before.results.data[0]).toMatchObject({ status: 'failed', error });
  expect(before.results.data[2]).toMatchObject({ status: 'failed', error: { code: 'validation_failed' } });
  const [first, second] = await addLines(client, 'bank', numbered(2));
  await client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  await client.get('reconciliations.create', { name: 'R', run_type: 'batch', side_a_stream_ids: [1], side_b_stream_ids: [2] });
  await client.get('matches.create', { reconciliation_id: 1, record_ids: [first?.id ?? 0, second?.id ?? 0], create_adjustment: true });
  expect((await send()).results.data[0]).toMatchObject({ status: 'failed', error });
  expect((await client.get('import_batches.list', { key: 'adjustments' })).data).toEqual([]);
});

describe('found once: adjustment hidden by reconciliation filter', () => {
  test('the adjustment is among the records of its match, also when the reconciliation or the side is named beside the match', async () => {
    const { client } = openQuietBook();
    const { match, reconciliation, adjustment, a, b } = await adjusted(client, {
      a: [{ amount: 3 }],
      b: [{ amount: 5 }],
      convention: 'same',
    });
    const other = await client.get('reconciliations.create', { name: 'Other', side_a_stream_ids: [1], side_b_stream_ids: [2] });
    const ids = async (filter: Readonly<Record<string, unknown>>) => {
      const { data } = await client.get('records.list', { reconciliation_match_id: match.id, ...filter });
      return data.map((record) => record.id).toReversed();
    };
    const within = { reconciliation_id: reconciliation.id };
    const [first, second, third] = [a[0]?.id, b[0]?.id, adjustment?.id];
    expect(await ids({})).toEqual([first, second, third]);
    expect(await ids(within)).toEqual([first, second, third]);
    expect(await ids({ ...within, status: 'matched' })).toEqual([first, second, third]);
    expect(await ids({ ...within, side: 'a' })).toEqual([first, third]);
    expect(await ids({ ...within, side: 'b' })).toEqual([second]);
    expect(await ids({ ...within, data_stream_key: 'adjustments' })).toEqual([third]);
    expect(await ids({ reconciliation_id: other.id })).toEqual([first, second]);
  });
});
