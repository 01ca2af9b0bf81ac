import { expect, test } from 'vitest';
import { countSyncLines, insertMoves, insertNotMoved, lastNotMoved, syncLinesOf } from '../../../src-main/sync/store/lines.ts';
import { insertRemote } from '../../../src-main/sync/store/remotes.ts';
import { insertSyncRun } from '../../../src-main/sync/store/runs.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const made = (counted: string, from: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    act: 'made' as const,
    resource: counted,
    local_id: from + place,
    name: `${counted} ${from + place}`,
  }));

async function bookWithLines() {
  const { database } = await openQuietBook();
  const run = database.write((write) => {
    const remote = { environment_id: 1, name: 'r', base_url: 'https://a/v1', kind: 'tieout', seed: 's', created_at: 0 } as const;
    const remoteId = insertRemote(write, remote);
    const runId = insertSyncRun(write, { remote_id: remoteId, what: 'sync', started_by: 'by_hand', started_at: 0, backup: null });
    const moves = { run_id: runId, way: 'sent' } as const;
    insertMoves(write, { ...moves, counted: 'streams', place: 0, lines: made('streams', 0, 2) });
    insertMoves(write, { ...moves, counted: 'records', place: 0, lines: made('records', 0, 3) });
    insertMoves(write, { ...moves, counted: 'records', place: 3, lines: made('records', 3, 1) });
    insertMoves(write, { ...moves, counted: 'records', place: 4, lines: made('records', 4, 3) });
    insertMoves(write, { ...moves, way: 'received', counted: 'records', place: 0, lines: made('records', 90, 1) });
    const left = {
      run_id: runId,
      counted: 'records',
      place: 0,
      act: 'refused',
      resource: 'records',
      local_id: 7,
      name: 'seven',
      reason: 'why',
    } as const;
    insertNotMoved(write, left);
    return runId;
  });
  return { database, run };
}

test('every page of what was moved has its lines, wherever rows of the book begin and end', async () => {
  const { database, run } = await bookWithLines();
  const names = (counted: string | null, offset: number, limit: number) =>
    syncLinesOf(database, run, 'sent', { counted, offset, limit }).map(({ name }) => name);
  const all = [...Array.from({ length: 7 }, (_, place) => `records ${place}`), 'streams 0', 'streams 1'];
  for (let offset = 0; offset <= all.length; offset += 1) {
    for (let limit = 1; limit <= all.length; limit += 1) {
      expect(names(null, offset, limit)).toEqual(all.slice(offset, offset + limit));
      expect(names('records', offset, limit)).toEqual(all.slice(0, 7).slice(offset, offset + limit));
    }
  }
  expect(countSyncLines(database, run, 'sent', null)).toBe(9);
  expect(countSyncLines(database, run, 'sent', 'records')).toBe(7);
  expect(countSyncLines(database, run, 'sent', 'rules')).toBe(0);
  expect(syncLinesOf(database, run, 'sent', { counted: 'streams', offset: 1, limit: 5 })).toEqual([
    { counted: 'streams', act: 'made', resource: 'streams', local_id: 1, name: 'streams 1', reason: null },
  ]);
});

test('ways are told apart, and what did not move is found by its object', async () => {
  const { database, run } = await bookWithLines();
  expect(syncLinesOf(database, run, 'received', { counted: null, offset: 0, limit: 9 }).map(({ name }) => name)).toEqual(['records 90']);
  expect(countSyncLines(database, run, 'not_moved', null)).toBe(1);
  expect(syncLinesOf(database, run, 'not_moved', { counted: 'records', offset: 0, limit: 9 })).toMatchObject([
    { name: 'seven', act: 'refused' },
  ]);
  expect(lastNotMoved(database, 1, 'records', 7)).toMatchObject({ reason: 'why' });
  expect(lastNotMoved(database, 1, 'records', 8)).toBeUndefined();
});
