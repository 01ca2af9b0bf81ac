import { describe, expect, test } from 'vitest';
import { addLines, BY_AMOUNT_PROPOSED, type LineInput, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

describe('manual matches', () => {
  test('a record of each side are matched, and shown as matched', async () => {
    const { client } = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a: [{ amount: 100 }], b: [{ amount: 90 }] });
    const match = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, String(bIds[0])] });
    expect(match).toEqual({
      id: 1,
      status: 'matched',
      group_key: null,
      reconciliation_id: reconciliation.id,
      reconciliation_rule_id: null,
      created_at: '2026-07-01T09:00:00.000Z',
      record_count: 2,
      origin: 'manual',
      difference: 10,
      certainty: null,
      margin: null,
      explanation: ['Matched by hand.'],
      likelihood: null,
      evidence: [],
      confirmed_by: null,
      confirmed_in_bulk: false,
      adjustment_record_id: null,
      difference_reason: null,
    });
    expect(await client.get('matches.get', { id: match.id })).toEqual(match);
    expect(await client.get('matches.list', { status: 'matched' })).toMatchObject({ data: [match], total_count: 1, has_more: false });
    expect(await client.get('matches.list', { status: 'proposed' })).toMatchObject({ data: [], total_count: 0 });
  });

  const scenes: readonly (readonly [string, 'any' | 'same' | 'opposite', readonly LineInput[], readonly LineInput[], number])[] = [
    ['same signs', 'same', [{ amount: 100 }], [{ amount: 100 }], 0],
    ['same, other signs', 'same', [{ amount: 100 }], [{ amount: -100 }], 200],
    ['same, many', 'same', [{ amount: 100 }, { amount: -30 }], [{ amount: 50 }, { amount: 25 }], -5],
    ['opposite signs', 'opposite', [{ amount: -100 }], [{ amount: 100 }], 0],
    ['opposite, same signs', 'opposite', [{ amount: 100 }], [{ amount: 100 }], 200],
    ['magnitudes', 'any', [{ amount: -100 }], [{ amount: 90 }], 10],
    ['magnitudes, the other way', 'any', [{ amount: 90 }], [{ amount: -100 }], -10],
    ['one side alone', 'same', [{ amount: 100 }, { amount: -100 }], [], 0],
    ['mixed scales', 'same', [{ amount: 1_255, decimal_places: 3 }], [{ amount: 125 }], 5],
    ['mixed scales, opposite', 'opposite', [{ amount: -2, decimal_places: 0 }], [{ amount: 2_000_001, decimal_places: 6 }], 1],
  ];
  test.each(scenes)('the difference: %s', async (_name, convention, a, b, difference) => {
    const { client } = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a, b }, [], convention);
    const match = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [...aIds, ...bIds] });
    expect(match.difference).toBe(difference);
  });

  test('refusals name each record', async () => {
    const { client } = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a: numbered(2), b: numbered(2) });
    await client.get('streams.create', { key: 'elsewhere', name: 'Elsewhere' });
    const [stranger] = await addLines(client, 'elsewhere', [{ amount: 1 }]);
    await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0] });
    const refused = await client.refusal('matches.create', {
      reconciliation_id: reconciliation.id,
      record_ids: [aIds[0], 999, stranger?.id, bIds[1]],
    });
    const messages = [
      '“x1” of 10/06/2026, 1.00 USD, is matched already: unmatch it first.',
      'There is no record 999.',
      '“no text” of 10/06/2026, 0.01 USD, is in the account elsewhere, which is on no side of this reconciliation.',
    ];
    expect(refused).toEqual({
      code: 'records_not_matchable',
      message: messages.join(' '),
      errors: [
        { path: 'record_ids.0', code: 'record_matched', message: messages[0] },
        { path: 'record_ids.1', code: 'record_not_found', message: messages[1] },
        { path: 'record_ids.2', code: 'record_of_other_stream', message: messages[2] },
      ],
    });
    expect((await client.get('matches.list', {})).total_count).toBe(1);
  });

  test('other refusals: one record twice, mixed currencies, sums out of range, an unknown reconciliation', async () => {
    const { client } = openQuietBook();
    const huge = { amount: Number.MAX_SAFE_INTEGER };
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a: [{ amount: 1 }, huge, huge], b: [{ amount: 1, currency: 'EUR' }] });
    const refusal = (ids: unknown[], id = reconciliation.id) =>
      client.refusal('matches.create', { reconciliation_id: id, record_ids: ids });
    expect(await refusal([aIds[0], String(aIds[0])])).toMatchObject({
      code: 'validation_failed',
      message: 'A match needs at least two different records.',
    });
    expect(await refusal([aIds[0], bIds[0]])).toMatchObject({
      code: 'mixed_currencies',
      message: 'The records are in EUR and USD: match records of one currency.',
      errors: [{ path: 'record_ids' }],
    });
    expect(await refusal([aIds[1], aIds[2]])).toMatchObject({
      message: 'The net of these records is beyond 2^53-1 minor units: match fewer of them at once.',
    });
    expect(await refusal([aIds[0], bIds[0]], 99)).toMatchObject({
      code: 'unknown_reference',
      message: 'There is no reconciliation 99 in this environment.',
    });
    expect((await client.refusal('matches.list', { reconciliation_id: 99 })).code).toBe('unknown_reference');
    for (const operation of ['matches.get', 'matches.confirm', 'matches.remove', 'matches.undo_create'] as const) {
      expect(await client.refusal(operation, { id: 99 })).toEqual({
        code: 'not_found',
        message: 'There is no reconciliation match 99 in this environment.',
      });
    }
    expect((await client.refusal('matches.restore', { id: 99 })).code).toBe('not_found');
  });
});

describe('proposals and undo', () => {
  async function proposed() {
    const book = openQuietBook();
    const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_AMOUNT_PROPOSED]);
    await book.run(pair.reconciliation.id);
    const list = async () => (await book.client.get('matches.list', {})).data;
    const proposals = (await list()).toReversed();
    return { ...book, ...pair, list, proposals };
  }

  test('a manual match displaces the proposals of its records; its undo brings them back', async () => {
    const { client, reconciliation, aIds, bIds, list, proposals } = await proposed();
    const before = await list();
    const manual = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[1] ?? 0] });
    expect((await list()).map((match) => match.id)).toEqual([manual.id, proposals[2]?.id]);
    expect(await client.get('matches.undo_create', { id: manual.id })).toEqual({
      match_id: manual.id,
      restored_match_ids: [proposals[0]?.id, proposals[1]?.id],
    });
    expect(await list()).toEqual(before);
  });

  test('an undo leaves out a displaced proposal whose record is matched by now', async () => {
    const { client, reconciliation, aIds, bIds, list, proposals } = await proposed();
    const manual = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[1] ?? 0] });
    const other = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [bIds[0] ?? 0, bIds[2] ?? 0] });
    expect(await client.get('matches.undo_create', { id: manual.id })).toEqual({
      match_id: manual.id,
      restored_match_ids: [proposals[1]?.id],
    });
    expect((await list()).map((match) => match.id)).toEqual([other.id, proposals[1]?.id]);
  });

  test('confirm counts a proposal; undo makes it one again', async () => {
    const { client, aIds, list, proposals } = await proposed();
    const before = await list();
    const id = proposals[0]?.id ?? 0;
    const confirmed = await client.get('matches.confirm', { id });
    expect(confirmed).toEqual({ ...proposals[0], status: 'matched', confirmed_by: 'app' });
    expect(await client.get('records.get', { id: aIds[0] ?? 0 })).toMatchObject({ status: 'reconciled' });
    expect(await client.refusal('matches.confirm', { id })).toEqual({
      code: 'conflict',
      message: 'This match is matched already, so there is nothing to confirm.',
    });
    expect(await client.get('matches.undo_create', { id })).toEqual({ match_id: id, restored_match_ids: [] });
    expect(await list()).toEqual(before);
    expect(await client.refusal('matches.undo_create', { id })).toEqual({
      code: 'conflict',
      message: 'This match was made by a rule, so there is nothing of yours to undo: unmatch it instead.',
    });
  });

  test('a confirmed proposal outlives later runs, and its undo shows it again', async () => {
    const { client, run, reconciliation, list, proposals } = await proposed();
    const id = proposals[0]?.id ?? 0;
    await client.get('matches.confirm', { id });
    await run(reconciliation.id);
    expect((await list()).filter((match) => match.status === 'matched').map((match) => match.id)).toEqual([id]);
    await client.get('matches.undo_create', { id });
    expect((await list()).map((match) => match.status)).toEqual(['proposed', 'proposed', 'proposed']);
  });

  test('a rejected proposal is restored as a proposal; a match only while its records are free', async () => {
    const { client, reconciliation, aIds, bIds, list, proposals } = await proposed();
    const before = await list();
    const id = proposals[0]?.id ?? 0;
    await client.get('matches.remove', { id });
    expect(await list()).toHaveLength(2);
    expect(await client.get('matches.restore', { id })).toEqual(proposals[0]);
    expect(await list()).toEqual(before);
    await client.get('matches.remove', { id });
    const taking = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[2] ?? 0] });
    expect(await client.refusal('matches.restore', { id })).toEqual({
      code: 'records_not_matchable',
      message: 'The match cannot be brought back: “x1” of 10/06/2026, 1.00 USD, is in another match now.',
    });
    await client.get('matches.undo_create', { id: taking.id });
    await client.get('records.remove', { id: bIds[0] ?? 0 });
    expect(await client.refusal('matches.restore', { id })).toEqual({
      code: 'conflict',
      message: 'The match cannot be brought back: some of its lines are gone.',
    });
  });

  test('every change is announced with its own number', async () => {
    const { client } = await proposed();
    const { revision: before } = await client.get('events.latest', {});
    await client.get('streams.update', { key: 'bank', name: 'B' });
    expect((await client.get('events.latest', {})).revision).toBe(before + 1);
  });
});

describe('found once: net out of range code', () => {
  test('a difference past 2^53-1 is refused with total_out_of_range, as every total is', async () => {
    const { client } = openQuietBook();
    const huge = { amount: Number.MAX_SAFE_INTEGER };
    const { reconciliation, aIds, bIds } = await setUpPair(client, { a: [huge, { amount: 1 }], b: [huge] }, []);
    const { id } = reconciliation;
    await client.get('matches.create', { reconciliation_id: id, record_ids: [...aIds, ...bIds] });
    expect(await client.refusal('reconciliations.update', { id, sign_convention: 'opposite' })).toMatchObject({
      code: 'total_out_of_range',
      errors: [{ path: 'sign_convention' }],
    });
    await client.get('matches.remove', { id: 1 });
    await client.get('reconciliations.update', { id, sign_convention: 'opposite' });
    expect(await client.refusal('matches.create', { reconciliation_id: id, record_ids: [...aIds, ...bIds] })).toMatchObject({
      code: 'total_out_of_range',
      errors: [{ path: 'record_ids' }],
    });
  });
});
