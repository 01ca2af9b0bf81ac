import { describe, expect, test } from 'vitest';
import type { Call, RuleBody } from '../../../src-shared/contract/index.ts';
import { DIFFERENCE_CODES } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { countAdjustments } from '../../support/books/adjusted.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const LINES = { a: [{ amount: -40_850 }, { amount: 5 }], b: [{ amount: -1_250 }] };

async function scene(
  lines: { readonly a: readonly LineInput[]; readonly b: readonly LineInput[] } = LINES,
  rules: readonly RuleBody[] = [],
) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, lines, rules);
  const asked = { reconciliation_id: pair.reconciliation.id, record_ids: [pair.aIds[0] ?? 0, pair.bIds[0] ?? 0] };
  return { ...book, ...pair, asked, id: pair.reconciliation.id };
}

const LEFT_OPEN = { code: 'left_open', note: null } as const;
const CHARGE = { code: 'bank_charge', note: 'Fee of June' } as const;

describe('a match made by hand', () => {
  test('carries the reason of its difference wherever it is read', async () => {
    const { client, asked, id } = await scene();
    const made = await client.get('matches.create', { ...asked, difference_reason: { code: 'left_open', note: '  Ask Ann ' } });
    const said = { difference: -39_600, difference_reason: { code: 'left_open', note: 'Ask Ann' }, adjustment_record_id: null };
    expect(made).toMatchObject(said);
    expect(await client.get('matches.get', { id: made.id })).toMatchObject(said);
    expect((await client.get('matches.list', { reconciliation_id: id })).data).toMatchObject([said]);
    expect((await client.get('matches.window', { reconciliation_id: id })).data).toMatchObject([{ match: said }]);
    const line = { difference_code: 'left_open', difference_note: 'Ask Ann' };
    expect((await client.get('matches.members', { reconciliation_id: id })).data).toMatchObject([line, line]);
  });

  test('may say nothing, and then says null', async () => {
    const { client, asked, database } = await scene();
    const made = await client.get('matches.create', asked);
    expect(made).toMatchObject({ difference: -39_600, difference_reason: null });
    expect(Object.keys(auditEntries(database, 'match.created')[0]?.detail ?? {})).not.toContain('difference_reason');
  });

  test('accepts every code; its adjustment has the same one, except for left_open', async () => {
    const codes = DIFFERENCE_CODES.filter((code) => code !== 'left_open');
    for (const code of codes) {
      const { client, asked } = await scene();
      const input = { ...asked, create_adjustment: true, difference_reason: { code, note: 'Why' } };
      const made = await client.get('matches.create', input);
      expect(made).toMatchObject({ difference: 0, difference_reason: { code, note: 'Why' } });
      const adjustment = await client.get('records.get', { id: made.adjustment_record_id ?? 0 });
      expect(adjustment).toMatchObject({ description: 'Why', metadata: { difference_code: code }, amount: 39_600 });
    }
  });

  test('a single note applies to match and adjustment; two notes are kept apart', async () => {
    const said = async (more: Partial<Call<'matches.create'>>) => {
      const { client, asked } = await scene();
      const { difference_reason: reason, adjustment_record_id: id } = await client.get('matches.create', {
        ...asked,
        create_adjustment: true,
        ...more,
      });
      return [reason, (await client.get('records.get', { id: id ?? 0 })).description];
    };
    const fx = { code: 'fx' } as const;
    expect(await said({ adjustment_reason: 'Rate', difference_reason: fx })).toEqual([{ code: 'fx', note: 'Rate' }, 'Rate']);
    expect(await said({ difference_reason: { ...fx, note: 'Note' } })).toEqual([{ code: 'fx', note: 'Note' }, 'Note']);
    const both = { adjustment_reason: 'Rate', difference_reason: { ...fx, note: 'Note' } };
    expect(await said(both)).toEqual([{ code: 'fx', note: 'Note' }, 'Rate']);
    expect(await said({ adjustment_reason: 'Rate' })).toEqual([null, 'Rate']);
    expect(await said({ difference_reason: { ...fx, note: ' ' } })).toEqual([{ code: 'fx', note: null }, null]);
  });

  test('with lines of a single side differs by its whole net', async () => {
    const { client, id, aIds } = await scene();
    const made = await client.get('matches.create', { reconciliation_id: id, record_ids: [...aIds], difference_reason: LEFT_OPEN });
    expect(made).toMatchObject({ difference: -40_845, difference_reason: LEFT_OPEN });
  });

  test('refuses a reason that contradicts the match, and then makes none', async () => {
    const { client, asked, id, database } = await scene({ a: [{ amount: 7 }], b: [{ amount: 7 }, { amount: 8 }] });
    const open = { ...asked, create_adjustment: true, difference_reason: LEFT_OPEN };
    const message = 'An adjustment leaves nothing open: leave create_adjustment out, or give the code of what it is.';
    const errors = [{ path: 'difference_reason.code', code: 'left_open_with_adjustment', message }];
    expect(await client.refusal('matches.create', open)).toEqual({ code: 'validation_failed', message, errors });
    for (const create_adjustment of [true, false]) {
      expect(await client.refusal('matches.create', { ...asked, create_adjustment, difference_reason: CHARGE })).toMatchObject({
        code: 'validation_failed',
        message: 'The sides of this match do not differ: leave difference_reason out.',
        errors: [{ path: 'difference_reason', code: 'reason_without_difference' }],
      });
    }
    for (const [wrong, path] of [
      [{ code: 'theft' }, 'difference_reason.code'],
      [{}, 'difference_reason.code'],
      [{ code: 'fx', note: 'x'.repeat(2_001) }, 'difference_reason.note'],
      [{ code: 'fx', more: 1 }, 'difference_reason.more'],
    ] as const) {
      const refusal = await client.refusal('matches.create', { ...asked, difference_reason: wrong } as never);
      expect(refusal.errors?.map((error) => error.path)).toEqual([path]);
    }
    expect((await client.get('matches.list', { reconciliation_id: id })).total_count).toBe(0);
    expect(countAdjustments(database).all).toBe(0);
  });

  test('is logged with its reason, when it is made, taken apart, brought back and undone', async () => {
    const { client, asked, database } = await scene();
    const { id } = await client.get('matches.create', { ...asked, difference_reason: LEFT_OPEN });
    await client.get('matches.remove', { id });
    await client.get('matches.restore', { id });
    await client.get('matches.undo_create', { id });
    expect(auditEntries(database, 'match.').map(({ action, detail }) => [action, detail['difference_reason']])).toEqual(
      ['created', 'removed', 'restored', 'undone'].map((done) => [`match.${done}`, LEFT_OPEN]),
    );
  });
});

test('a match keeps its reason when it is taken apart and brought back, its adjustment the code', async () => {
  for (const create_adjustment of [true, false]) {
    const { client, asked } = await scene();
    const made = await client.get('matches.create', { ...asked, create_adjustment, difference_reason: CHARGE });
    await client.get('matches.remove', { id: made.id });
    expect(await client.get('matches.restore', { id: made.id })).toEqual(made);
    if (made.adjustment_record_id === null) continue;
    const adjustment = await client.get('records.get', { id: made.adjustment_record_id });
    expect(adjustment).toMatchObject({ description: 'Fee of June', metadata: { difference_code: 'bank_charge' } });
  }
});

test('a match and an adjustment that were separated before there were reasons return without one', async () => {
  const { client, asked, database } = await scene();
  const { id } = await client.get('matches.create', { ...asked, create_adjustment: true, adjustment_reason: 'Fee' });
  await client.get('matches.remove', { id });
  database.connection.exec(`UPDATE dissolved_matches
    SET body = json_remove(body, '$.match.difference_code', '$.match.difference_note', '$.adjustment.metadata')`);
  const back = await client.get('matches.restore', { id });
  expect(back).toMatchObject({ difference: 0, difference_reason: null });
  expect(await client.get('records.get', { id: back.adjustment_record_id ?? 0 })).toMatchObject({ description: 'Fee', metadata: {} });
});

test('runs leave a match of a person and its reason as they are', async () => {
  const { client, asked, id, run } = await scene(LINES, [{ filters: { rules: [{ key: 'signed_amount', value: 'signed_amount' }] } }]);
  const made = await client.get('matches.create', { ...asked, difference_reason: LEFT_OPEN });
  await run(id);
  await client.get('records.create', { data_stream_key: 'bank', date: '2026-06-10', amount: 5, metadata: {} });
  await run(id);
  expect(await client.get('matches.get', { id: made.id })).toEqual(made);
  expect((await client.get('matches.list', { reconciliation_id: id })).total_count).toBe(2);
});

test('a reason is hidden while the lines balance under another convention, and returns with the old one', async () => {
  const { client, asked, id } = await scene({ a: [{ amount: 7 }], b: [{ amount: -7 }] });
  const made = await client.get('matches.create', { ...asked, difference_reason: LEFT_OPEN });
  expect(made).toMatchObject({ difference: 14, difference_reason: LEFT_OPEN });
  await client.get('reconciliations.update', { id, sign_convention: 'opposite' });
  expect(await client.get('matches.get', { id: made.id })).toMatchObject({ difference: 0, difference_reason: null });
  expect((await client.get('matches.members', { reconciliation_id: id })).data[0]).toMatchObject({ difference_code: null });
  await client.get('reconciliations.update', { id, sign_convention: 'same' });
  expect(await client.get('matches.get', { id: made.id })).toEqual(made);
});

describe('a proposal with a difference', () => {
  const NEAR: RuleBody = {
    filters: { rules: [{ key: 'signed_amount', value: 'signed_amount', tolerance_amount: 50, tolerance_unit: 'minor' }] },
    outcome: 'propose',
  };
  const near = async () => {
    const on = await scene({ a: [{ amount: 1_000 }], b: [{ amount: 970 }] }, [NEAR]);
    await on.run(on.id);
    const [proposal] = (await on.client.get('matches.list', { reconciliation_id: on.id })).data;
    expect(proposal).toMatchObject({ status: 'proposed', difference: 30, difference_reason: null });
    return { ...on, proposal: proposal ?? expect.unreachable() };
  };

  test('is confirmed with the reason that is given, or with none', async () => {
    const { client, proposal, database } = await near();
    expect(await client.get('matches.confirm', { id: proposal.id, difference_reason: LEFT_OPEN })).toEqual({
      ...proposal,
      status: 'matched',
      confirmed_by: 'app',
      difference_reason: LEFT_OPEN,
    });
    expect(auditEntries(database, 'match.confirmed')[0]?.detail).toMatchObject({ difference_reason: LEFT_OPEN });
    await client.get('matches.undo_create', { id: proposal.id });
    expect(await client.get('matches.get', { id: proposal.id })).toEqual(proposal);
    expect(await client.get('matches.confirm', { id: proposal.id })).toEqual({ ...proposal, status: 'matched', confirmed_by: 'app' });
  });

  test('is confirmed with an adjustment, which undo takes away again', async () => {
    const { client, proposal, database, id, run } = await near();
    const adjust = { create_adjustment: true, difference_reason: CHARGE };
    const confirmed = await client.get('matches.confirm', { id: proposal.id, ...adjust });
    expect(confirmed).toEqual({
      ...proposal,
      status: 'matched',
      confirmed_by: 'app',
      record_count: 3,
      difference: 0,
      difference_reason: CHARGE,
      adjustment_record_id: 3,
      explanation: [...proposal.explanation, 'An adjustment of 0.30 USD on side A makes up the difference.'],
    });
    expect(await client.get('records.get', { id: 3 })).toMatchObject({ amount: 30, direction: 'debit', description: 'Fee of June' });
    expect(auditEntries(database, 'match.confirmed')[0]?.detail).toMatchObject({ adjustment: { record_id: 3, amount: 30 } });
    await run(id);
    expect(await client.get('matches.get', { id: proposal.id })).toEqual(confirmed);
    await client.get('matches.remove', { id: proposal.id });
    expect(await client.get('matches.restore', { id: proposal.id })).toEqual(confirmed);
    await client.get('matches.undo_create', { id: proposal.id });
    expect(await client.get('matches.get', { id: proposal.id })).toEqual(proposal);
    expect(countAdjustments(database)).toEqual({ all: 0, loose: 0 });
  });

  test('is not confirmed with a reason that contradicts it', async () => {
    const { client, proposal } = await near();
    const open = { id: proposal.id, create_adjustment: true, difference_reason: LEFT_OPEN };
    expect(await client.refusal('matches.confirm', open)).toMatchObject({ errors: [{ code: 'left_open_with_adjustment' }] });
    expect(await client.get('matches.get', { id: proposal.id })).toEqual(proposal);
  });

  test('that does not differ takes no reason', async () => {
    const { client, run, id } = await scene({ a: [{ amount: 1 }], b: [{ amount: 1 }] }, [NEAR]);
    await run(id);
    const [proposal] = (await client.get('matches.list', { reconciliation_id: id })).data;
    const asked = { id: proposal?.id ?? 0, difference_reason: LEFT_OPEN };
    expect(await client.refusal('matches.confirm', asked)).toMatchObject({ errors: [{ code: 'reason_without_difference' }] });
    const adjusted = { id: proposal?.id ?? 0, create_adjustment: true };
    expect(await client.get('matches.confirm', adjusted)).toMatchObject({ status: 'matched', adjustment_record_id: null });
  });
});

describe('found once: restored match stale difference', () => {
  async function separated() {
    const book = openQuietBook();
    const pair = await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] });
    const match = await book.client.get('matches.create', {
      reconciliation_id: pair.reconciliation.id,
      record_ids: [...pair.aIds, ...pair.bIds],
    });
    await book.client.get('matches.remove', { id: match.id });
    return { book, match, recordId: pair.aIds[0] ?? 0 };
  }

  test('a match that is restored after an edit of its record has the current difference', async () => {
    const { book, match, recordId } = await separated();
    await book.client.get('records.update', { id: recordId, amount: 130 });
    const restored = await book.client.get('matches.restore', { id: match.id });
    expect(restored.difference).toBe(30);
  });

  test('a match whose records have come to be of two currencies stays apart', async () => {
    const { book, match, recordId } = await separated();
    await book.client.get('records.update', { id: recordId, currency: 'EUR' });
    const refused = await book.client.refusal('matches.restore', { id: match.id });
    expect(refused.code).toBe('conflict');
    expect(refused.message).toBe('The match cannot be brought back: its records are in EUR and USD now. Match records of one currency.');
  });
});
