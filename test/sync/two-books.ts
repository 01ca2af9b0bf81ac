import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Alarm } from '../../src-main/platform/ports.ts';
import type { SyncResult } from '../../src-main/sync/work/sync-result.ts';
import { openTestBook, type TestBook } from '../support/books/backend.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly key: string | null;
}

export interface TwoBooks {
  readonly here: TestBook;
  readonly there: TestBook;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Requests that reached the remote since the start. */
  readonly asked: Asked[];
  readonly sync: (options?: {
    readonly preview?: boolean;
    readonly fetch?: typeof fetch;
    readonly signal?: AbortSignal;
    readonly acceptDeletions?: number;
  }) => Promise<SyncResult>;
  readonly repair: (options?: { readonly fetch?: typeof fetch; readonly acceptDeletions?: number }) => Promise<SyncResult>;
  readonly verify: () => ReturnType<TestBook['backend']['sync']['verify']>;
  readonly resolve: (id: number, choice: string) => Promise<void>;
  /** From now on nothing answers at the remote's address. */
  readonly stopServing: () => Promise<void>;
}

export const LIMITS = { requestsPerSecond: 100_000, requestBurst: 1_000_000 };

/** A book, and another one behind HTTP as its remote. */
export async function twoBooks(alarm?: Alarm): Promise<TwoBooks> {
  const here = await openTestBook(undefined, alarm);
  const there = await openTestBook();
  const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits: LIMITS });
  const asked: Asked[] = [];
  const watched: typeof fetch = (input, init) => {
    asked.push({ method: init?.method ?? 'GET', url: String(input), key: new Headers(init?.headers).get('x-api-key') });
    return fetch(input, init);
  };
  // Nobody waits in a test: what a request waits for before it is sent again is no part of what it comes to.
  const wait = () => pause(1);
  const options = { environment: 'live', baseUrl: server.baseUrl, apiKey: server.apiKey, note: () => {}, wait } as const;
  return {
    here,
    there,
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    asked,
    sync: ({ preview = false, fetch: own = watched, signal = new AbortController().signal, acceptDeletions = 0 } = {}) =>
      here.backend.sync.run({ ...options, preview, fetch: own, signal, acceptDeletions }),
    repair: ({ fetch: own = watched, acceptDeletions = 0 } = {}) =>
      here.backend.sync.repair({ ...options, fetch: own, signal: new AbortController().signal, acceptDeletions }),
    verify: () => here.backend.sync.verify({ ...options, signal: new AbortController().signal }),
    stopServing: server.close,
    resolve: async (id, choice) => void (await here.client.get('sync_conflicts.choose', { id, choice })),
  };
}

/** Nothing moved, and nothing is left to say. */
export function expectEmpty(result: SyncResult): void {
  const movedOf = (counts: SyncResult['sent']) => Object.entries(counts).filter(([, count]) => count > 0);
  const { error, sent, received, conflicts, refused, unsure } = result;
  expect({ error, sent: movedOf(sent), received: movedOf(received), conflicts, refused, unsure }).toEqual({
    error: null,
    sent: [],
    received: [],
    conflicts: [],
    refused: [],
    unsure: [],
  });
}

export async function expectEqual({ verify }: TwoBooks): Promise<void> {
  expect(await verify()).toEqual({ ok: true, value: { equal: true, differences: [] } });
}

type Line = readonly [externalId: string | null, date: string, amount: number, description: string];

/** Two streams with some lines, and their reconciliation; answers its id and the ids of the records by description. */
export async function fill(book: TestBook, lines: { readonly ledger: readonly Line[]; readonly bank: readonly Line[] }) {
  const { client } = book;
  const ids = new Map<string, number>();
  const streamIds: number[] = [];
  for (const key of ['ledger', 'bank'] as const) {
    const stream = await client.get('streams.create', { key, name: `The ${key}` });
    streamIds.push(stream.id);
    for (const [external_id, date, amount, description] of lines[key]) {
      const made = await client.get('records.create', { data_stream_key: key, date, amount, description, external_id, currency: 'EUR' });
      ids.set(description, made.id);
    }
  }
  const [a, b] = streamIds;
  const reconciliation = await client.get('reconciliations.create', {
    name: 'June',
    run_type: 'batch',
    side_a_stream_ids: [a ?? 0],
    side_b_stream_ids: [b ?? 0],
    sign_convention: 'same',
  });
  return { id: reconciliation.id, ids };
}

export async function recordsOf({ client }: TestBook, key?: string) {
  const all = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.get('records.list', {
      limit: 100,
      ...(key === undefined ? {} : { data_stream_key: key }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.data);
    if (page.next_cursor === null) return all;
    cursor = page.next_cursor;
  }
}

/** What a person sees of a book, without ids and times. */
export async function contentOf(book: TestBook) {
  const records = (await recordsOf(book)).map(({ data_stream_key: stream, date, amount, direction, description, status }) =>
    [stream, date, amount, direction, description, status].join(' '),
  );
  const streams = (await book.client.get('streams.list', {})).map(({ key, name }) => `${key} ${name}`);
  return { records: records.toSorted(), streams: streams.toSorted() };
}
