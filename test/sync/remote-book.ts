import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { SyncResult } from '../../src-main/sync/work/sync-result.ts';
import { folderWithNewBook, openTestBook, type TestBook } from '../support/books/backend.ts';
import type { LiveRemote } from '../support/remotes/live-remote.ts';
import { contentOf } from '../support/remotes/reading.ts';
import type { Remote } from '../support/remotes/remote.ts';

export interface BookOfRemote {
  readonly book: TestBook;
  /** How long sync wanted to wait between tries, in milliseconds; nobody waits so long. */
  readonly waits: number[];
  readonly sync: (options?: { readonly preview?: boolean; readonly apiKey?: string; readonly signal?: AbortSignal }) => Promise<SyncResult>;
  readonly verify: () => ReturnType<TestBook['backend']['sync']['verify']>;
  readonly resolve: (id: number, choice: string) => Promise<void>;
}

/** A new book beside a remote, which is started until the test ends. */
export async function bookOf(remote: Remote): Promise<BookOfRemote> {
  await remote.start();
  onTestFinished(() => remote.stop());
  const waits: number[] = [];
  const book = await openTestBook(folderWithNewBook());
  const wait = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    return pause(Math.min(milliseconds, 2));
  };
  const options = () => ({ environment: 'live', baseUrl: remote.baseUrl, apiKey: remote.key, note: () => {}, wait }) as const;
  const never = new AbortController().signal;
  return {
    book,
    waits,
    sync: ({ preview = false, apiKey = remote.key, signal = never } = {}) =>
      book.backend.sync.run({ ...options(), apiKey, preview, signal }),
    verify: () => book.backend.sync.verify({ ...options(), signal: never }),
    resolve: async (id, choice) => void (await book.client.get('sync_conflicts.choose', { id, choice })),
  };
}

/** The counts that are not 0, such as `{ records: 3 }`. */
export function movedIn(counts: SyncResult['sent']): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** What a sync came to, without what differs from run to run. */
export function outcomeOf({ error, sent, received, conflicts, unsure, refused }: SyncResult) {
  return { error, sent: movedIn(sent), received: movedIn(received), conflicts, unsure, refused };
}

export const NOTHING = { error: null, sent: {}, received: {}, conflicts: [], unsure: [], refused: [] };

/** Records of the book as the doubles tell theirs. */
export async function recordsIn({ client }: TestBook) {
  const { data } = await client.get('records.list', { limit: 100 });
  return data
    .map(({ data_stream_key: stream, date, amount, direction, currency, description, external_id }) => ({
      stream,
      date,
      amount: direction === 'debit' ? 0 - amount : amount,
      currency,
      description,
      external_id,
    }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** The records of a remote as `recordsIn` tells those of a book. */
export function recordsAt(remote: LiveRemote) {
  return contentOf(remote)
    .records.map(({ stream, date, amount, currency, description, external_id }) => ({
      stream,
      date,
      amount,
      currency,
      description,
      external_id,
    }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
