import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { adjusted, countAdjustments, looseAfterEachWrite } from '../../support/books/adjusted.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { addLines, BY_AMOUNT, BY_EXTERNAL_ID, numbered } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const SIDES = { a: [{ amount: 100, external_id: 'x' }], b: [{ amount: 90, external_id: 'x' }], convention: 'same' } as const;
const NONE = { all: 0, loose: 0 };

async function open() {
  const book = openQuietBook();
  const loose = looseAfterEachWrite(book.database);
  const made = await adjusted(book.client, SIDES);
  const adjustment = present(made.adjustment ?? undefined, 'adjustment');
  return { ...book, ...made, adjustment, loose };
}

const shown = async ({ client }: Pick<QuietBook, 'client'>, matchId: number) => ({
  match: await client.get('matches.get', { id: matchId }),
  records: (await client.get('records.list', { reconciliation_match_id: matchId, sort: 'amount' })).data,
});

test('separating a match removes its adjustment; restoring brings both back with their ids', async () => {
  const book = await open();
  const { client, match, database, adjustment } = book;
  const before = await shown(book, match.id);
  await client.get('matches.remove', { id: match.id });
  expect(countAdjustments(database)).toEqual(NONE);
  expect((await client.refusal('records.get', { id: adjustment.id })).code).toBe('not_found');
  expect((await client.get('records.list', { data_stream_key: 'adjustments' })).data).toEqual([]);
  expect(await client.get('streams.get', { key: 'adjustments' })).toMatchObject({ record_count: 0 });
  // What was given another id meanwhile is left alone.
  await addLines(client, 'bank', [{ amount: 1 }]);
  await client.get('matches.restore', { id: match.id });
  expect(await shown(book, match.id)).toEqual(before);
  expect(book.loose.some((count) => count > 0)).toBe(false);
  expect(auditEntries(database, 'match.').map((entry) => [entry.action, entry.detail['adjustment_record_id']])).toEqual([
    ['match.created', undefined],
    ['match.removed', adjustment.id],
    ['match.restored', adjustment.id],
  ]);
});

test('a search finds an adjustment, except while its match is separated', async () => {
  const { client, match, adjustment, search } = await open();
  const found = async () => (await client.get('records.list', { q: adjustment.description ?? '' })).data.map((record) => record.id);
  expect(await found()).toEqual([adjustment.id]);
  await client.get('matches.remove', { id: match.id });
  while (search.step());
  expect(await found()).toEqual([]);
  await client.get('matches.restore', { id: match.id });
  while (search.step());
  expect(await found()).toEqual([adjustment.id]);
});

test('undoing a new match removes its adjustment and leaves the records as they were', async () => {
  const book = await open();
  const { client, match, database } = book;
  await client.get('matches.undo_create', { id: match.id });
  expect(countAdjustments(database)).toEqual(NONE);
  expect((await client.get('records.list', { status: 'unreconciled' })).data).toHaveLength(2);
  expect((await client.refusal('matches.restore', { id: match.id })).code).toBe('not_found');
});

test('a separated match with an adjustment keeps the engine from matching the same lines, until it is restored', async () => {
  const { client, match, reconciliation, run } = await open();
  await client.get('rules.replace', { id: reconciliation.id, rules: [BY_EXTERNAL_ID] });
  await client.get('matches.remove', { id: match.id });
  expect(await run(reconciliation.id)).toMatchObject({ matches: 0, proposed_matches: 0 });
  await client.get('matches.restore', { id: match.id });
  await client.get('matches.undo_create', { id: match.id });
  expect(await run(reconciliation.id)).toMatchObject({ matches: 1 });
});

test('lines that were edited meanwhile come back with the old adjustment and the current difference', async () => {
  const { client, match, aIds, bIds, database } = await open();
  await client.get('matches.remove', { id: match.id });
  await client.get('records.update', { id: aIds[0] ?? 0, amount: 103 });
  expect(await client.get('matches.restore', { id: match.id })).toMatchObject({ difference: 3, record_count: 3 });
  await client.get('matches.remove', { id: match.id });
  for (const id of [...aIds, ...bIds]) await client.get('records.update', { id, currency: 'EUR' });
  expect(await client.refusal('matches.restore', { id: match.id })).toEqual({
    code: 'conflict',
    message: `The match cannot be brought back: its records are in EUR and USD now. Match records of one currency.`,
  });
  expect(countAdjustments(database)).toEqual(NONE);
});

test('where its lines were matched otherwise or deleted meanwhile, neither adjustment nor match returns', async () => {
  const { client, match, aIds, bIds, reconciliation, database } = await open();
  await client.get('matches.remove', { id: match.id });
  const again = { reconciliation_id: reconciliation.id, record_ids: [...aIds, ...bIds], create_adjustment: true };
  const other = await client.get('matches.create', again);
  expect((await client.refusal('matches.restore', { id: match.id })).code).toBe('records_not_matchable');
  expect(countAdjustments(database)).toEqual({ all: 1, loose: 0 });
  await client.get('matches.undo_create', { id: other.id });
  await client.get('records.remove', { id: aIds[0] ?? 0 });
  expect((await client.refusal('matches.restore', { id: match.id })).code).toBe('conflict');
  expect(countAdjustments(database)).toEqual(NONE);
});

test('another sign convention recalculates the difference with it', async () => {
  const { client, match, reconciliation } = await open();
  const under = async (sign_convention: 'any' | 'same' | 'opposite') => {
    await client.get('reconciliations.update', { id: reconciliation.id, sign_convention });
    return (await client.get('matches.get', { id: match.id })).difference;
  };
  expect([await under('opposite'), await under('any'), await under('same')]).toEqual([180, 0, 0]);
});

test('records of the match cannot be deleted or changed under it', async () => {
  const { client, aIds } = await open();
  expect((await client.refusal('records.remove', { id: aIds[0] ?? 0 })).code).toBe('record_reconciled');
  expect((await client.refusal('records.update', { id: aIds[0] ?? 0, amount: 1 })).code).toBe('record_reconciled');
});

test('a proposal that it displaced comes back when it is undone', async () => {
  const { client, match, reconciliation, run, database } = await open();
  await client.get('matches.undo_create', { id: match.id });
  await client.get('rules.replace', { id: reconciliation.id, rules: [{ ...BY_EXTERNAL_ID, outcome: 'propose' }] });
  await run(reconciliation.id);
  const [proposal] = (await client.get('matches.list', {})).data;
  const asked = { reconciliation_id: reconciliation.id, record_ids: ['1', '2'], create_adjustment: true };
  const manual = await client.get('matches.create', asked);
  expect(await client.get('matches.undo_create', { id: manual.id })).toMatchObject({ restored_match_ids: [proposal?.id] });
  expect(countAdjustments(database)).toEqual(NONE);
});

test('a reset of a stream removes it with the publish step, and says so', async () => {
  const book = await open();
  const { client, database, adjustment, match, reconciliation } = book;
  const operation = await client.get('streams.reset', { key: 'bank' });
  book.workOperation(operation.id);
  expect(countAdjustments(database)).toEqual(NONE);
  expect(book.loose.some((count) => count > 0)).toBe(false);
  expect(auditEntries(database, 'matches.dissolved').map((entry) => entry.detail)).toMatchObject([
    { matches: 1, records_unreconciled: 1, match_ids: [match.id], adjustment_ids: [adjustment.id] },
  ]);
  const { side_a: a } = await client.get('reconciliations.summary', { id: reconciliation.id });
  expect(a).toMatchObject({ matched: 0, unmatched: 1, totals: [{ adjusted_net: 0 }] });
});

test('the undo of an import removes it, and says so', async () => {
  const book = openQuietBook();
  const { client, database } = book;
  for (const key of ['ledger', 'bank']) await client.get('streams.create', { key, name: key });
  const file = path.join(book.folder, 'bank.csv');
  writeFileSync(file, 'Date,Description,Amount\n2026-06-01,Fee,-5.00\n2026-06-02,Sale,8.00\n');
  const { result } = importHere(book, { path: file });
  const [line] = await addLines(client, 'ledger', [{ amount: -450 }]);
  const { id } = await client.get('reconciliations.create', { name: 'R', side_a_stream_ids: [1], side_b_stream_ids: [2] });
  const record_ids = [1, line?.id ?? 0];
  const match = await client.get('matches.create', { reconciliation_id: id, record_ids, create_adjustment: true });
  expect(match.difference).toBe(0);
  const loose = looseAfterEachWrite(database);
  const undone = await client.get('import_batches.remove', { id: present(result?.batch_id ?? undefined, 'batch') });
  expect(undone).toMatchObject({ records: 2, matches_dissolved: 1 });
  expect(countAdjustments(database)).toEqual(NONE);
  expect(loose.some((count) => count > 0)).toBe(false);
  expect(auditEntries(database, 'matches.dissolved')[0]?.detail).toMatchObject({ adjustment_ids: [match.adjustment_record_id] });
  expect((await client.get('records.list', {})).data.map((record) => record.id)).toEqual([line?.id]);
});

test('deleting a reconciliation removes it, and says so; the stream may stay', async () => {
  const { client, database, reconciliation, adjustment } = await open();
  await client.get('reconciliations.remove', { id: reconciliation.id });
  expect(countAdjustments(database)).toEqual(NONE);
  expect(auditEntries(database, 'reconciliation.deleted')[0]?.detail).toMatchObject({ adjustments: 1, adjustment_ids: [adjustment.id] });
  expect((await client.get('records.list', {})).data).toHaveLength(2);
  expect((await client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['ledger', 'bank', 'adjustments']);
});

test('a run under way never takes the lines of a match with an adjustment, nor the adjustment', async () => {
  const book = openQuietBook();
  const { client } = book;
  const made = await adjusted(client, { a: [{ amount: 2 }], b: [{ amount: 1 }], convention: 'same' });
  const [a] = await addLines(client, 'ledger', numbered(1));
  const [b] = await addLines(client, 'bank', numbered(1));
  await client.get('rules.replace', { id: made.reconciliation.id, rules: [BY_AMOUNT] });
  await client.get('runs.start', { id: made.reconciliation.id });
  const asked = { reconciliation_id: made.reconciliation.id, record_ids: [a?.id ?? 0, b?.id ?? 0] };
  let created: Promise<unknown> | null = null;
  // A handler is synchronous until it answers, so the match is there when the run goes on.
  book.work({ onStep: () => (created ??= client.get('matches.create', asked)) });
  await created;
  const { data } = await client.get('matches.list', {});
  expect(data.map((match) => match.origin)).toEqual(['manual', 'manual']);
});
