import { describe, expect, test } from 'vitest';
import { appendAudit } from '../../../src-main/book/store/audit.ts';
import { type HistoryFilter, historySql, readHistory } from '../../../src-main/book/store/history-reads.ts';
import type { HistoryEntry } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import type { TestClient } from '../../support/books/backend.ts';

const ALL: HistoryFilter = { environmentId: 1, fromMs: null, untilMs: null, actions: null, actors: null, words: [], wanted: [] };

async function pairOfBook() {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(4), b: numbered(4) });
  return { ...book, pair, reconciliation: pair.reconciliation.id };
}

async function listed(client: TestClient, input: object): Promise<HistoryEntry[]> {
  return (await client.get('history.list', input)).data;
}

const wordsOf = (entries: readonly HistoryEntry[]): string[] => entries.map(({ words }) => words);

describe('history', () => {
  test('says an edit of a record with the values before and after, in the form that people know', async () => {
    const { client, pair } = await pairOfBook();
    const id = present(pair.aIds[0], 'record');
    await client.get('records.update', { id, amount: -1_250, date: '2026-06-02', description: 'Rent', metadata: { long: 'text' } });
    const [edit, ...others] = await listed(client, { record_id: id });
    expect(edit).toMatchObject({ words: 'Line edited', kind: 'records', by: 'Tieout window', actor: 'app', record_count: 1 });
    expect(present(edit, 'edit').things).toMatchObject([{ kind: 'record', id, name: 'Rent', exists: true }]);
    const changes = new Map(present(edit, 'edit').changes.map(({ field, before, after, known }) => [field, [before, after, known]]));
    expect(changes.get('amount')).toEqual(['1.00 USD', '-12.50 USD', 'both']);
    expect(changes.get('date')?.[1]).toBe('2026-06-02');
    expect(changes.get('description')?.[1]).toBe('Rent');
    expect(changes.get('metadata')).toEqual([null, null, 'after']);
    expect(wordsOf(others)).toEqual(['Line added by hand']);
  });

  test('shows a match from its making to its end to whoever asks for it or for one of its records, also when it is gone', async () => {
    const { client, pair, reconciliation } = await pairOfBook();
    const ids = [present(pair.aIds[0], 'a'), present(pair.bIds[0], 'b')];
    const match = await client.get('matches.create', { reconciliation_id: reconciliation, record_ids: ids });
    await client.get('matches.remove', { id: match.id });
    await client.get('matches.restore', { id: match.id });
    await client.get('matches.remove', { id: match.id });
    const made = ['Match taken apart', 'Match brought back', 'Match taken apart', 'Match made by hand'];
    const ofMatch = await listed(client, { match_id: match.id });
    expect(wordsOf(ofMatch)).toEqual(made);
    expect(ofMatch[0]?.things.find(({ kind }) => kind === 'match')).toMatchObject({ id: match.id, exists: false });
    expect(wordsOf(await listed(client, { record_id: ids[1] }))).toEqual([...made, 'Line added by hand']);
    expect(wordsOf(await listed(client, { record_id: pair.bIds[1] }))).toEqual(['Line added by hand']);
  });

  test('shows a note on many items to each record with its own change', async () => {
    const { client, pair, reconciliation } = await pairOfBook();
    const [first, second, third] = pair.aIds as [number, number, number];
    const changes = [
      { record_ids: [first, second], status: 'timing' as const, owner: 'Ana' },
      { record_ids: [third], comment: 'Asked the bank' },
    ];
    await client.get('open_items.put_many', { id: reconciliation, changes });
    const [note] = await listed(client, { record_id: third });
    expect(note).toMatchObject({ words: 'Note on many open items written', record_count: 3 });
    expect(note?.changes).toEqual([{ field: 'comment', before: null, after: 'Asked the bank', known: 'both' }]);
    expect((await listed(client, { record_id: first }))[0]?.changes.map(({ field }) => field)).toEqual(['status', 'owner']);
  });

  test('is found by words, kind, who and days, and says nothing of another environment', async () => {
    const { client, database, clock, pair, reconciliation } = await pairOfBook();
    clock.advance(3 * 86_400_000);
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    await client.get('records.mark_overdue', { id: present(pair.aIds[0], 'record'), reconciliation_id: reconciliation });
    const overdue = ['Line marked as overdue'];
    for (const input of [{ q: 'overdue' }, { q: 'LINE overdue' }, { kind: 'records', date_from: day }, { date_from: day, date_to: day }])
      expect({ input, words: wordsOf(await listed(client, input)) }).toEqual({ input, words: overdue });
    // The entry names its reconciliation by id only.
    expect(wordsOf(await listed(client, { q: 'June overdue' }))).toEqual(overdue);
    expect(await listed(client, { q: 'overdue nonsense' })).toEqual([]);
    expect(await listed(client, { by: 'sync' })).toEqual([]);
    database.write((write) =>
      appendAudit(write, { environmentId: 2, atMs: 1, actor: 'sync', action: 'record.updated', detail: { record_id: pair.aIds[0] } }),
    );
    expect(await listed(client, { by: 'sync' })).toEqual([]);
  });

  test('of a reconciliation includes what happened to its rules and periods', async () => {
    const { client, reconciliation } = await pairOfBook();
    const rule = present((await client.get('rules.list', { reconciliation_id: reconciliation }))[0], 'rule');
    await client.get('rules.update', { id: rule.id, description: 'By reference' });
    const entries = await listed(client, { reconciliation_id: reconciliation });
    expect(entries[0]).toMatchObject({ words: 'Rule edited' });
    expect(entries[0]?.things).toContainEqual(
      expect.objectContaining({ kind: 'rule', name: 'By reference', reconciliation_id: reconciliation }),
    );
    expect(await listed(client, { reconciliation_id: 999 })).toEqual([]);
  });

  test('comes in pages that hold each entry once, and refuses the cursor of another list', async () => {
    const { client } = await pairOfBook();
    const whole = await client.get('history.list', { limit: 100 });
    expect(whole).toMatchObject({ has_more: false, next_cursor: null, searched_back_to: null });
    const ids: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.get('history.list', { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(whole.data.map(({ id }) => id));
    expect(await client.call('history.list', { cursor: Buffer.from('records|1|1').toString('base64url') })).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
  });
});

describe('a page of a long log', () => {
  test('looks at no more than its stretch, and goes on from there', async () => {
    const { database } = await pairOfBook();
    const total = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM audit_log').get()?.n ?? 0;
    const seen: number[] = [];
    const page = readHistory(database, ALL, { before: null, limit: 100, stretch: 4 }, ({ id }) => seen.push(id) === 0);
    expect(seen).toEqual([total, total - 1, total - 2, total - 3]);
    expect(page).toEqual({ rows: [], lookedBackTo: total - 3 });
    const next = readHistory(database, ALL, { before: page.lookedBackTo, limit: 100, stretch: 4 }, () => true);
    expect(next.rows.map(({ id }) => id)).toEqual([total - 4, total - 5, total - 6, total - 7]);
    expect(readHistory(database, ALL, { before: 4, limit: 100, stretch: 4 }, () => true)).toMatchObject({ lookedBackTo: null });
  });

  test('reads the log by its ids only, with every filter', async () => {
    const { database } = await pairOfBook();
    const filter: HistoryFilter = {
      environmentId: 1,
      fromMs: 0,
      untilMs: 1,
      actions: ['match.created'],
      actors: ['key:*'],
      words: [{ actions: ['match.created'], texts: ['Acme'] }],
      wanted: [{ one: ['record_id'], many: ['record_ids'], ids: new Set([1]) }],
    };
    const { sql, values } = historySql(filter, { before: 10, after: 0 });
    const plan = database.prepare<(number | string)[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    const ofLog = plan.map(({ detail }) => detail).filter((detail) => detail.includes('audit_log'));
    expect(ofLog).toEqual(['SEARCH audit_log USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']);
    expect(plan.some(({ detail }) => detail.includes('TEMP B-TREE FOR ORDER'))).toBe(false);
  });
});
