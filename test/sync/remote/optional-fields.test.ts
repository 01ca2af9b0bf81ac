import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checked } from '../../../src-main/sync/work/remote.ts';
import { contract, type Operation, OPERATION_IDS, type OperationId } from '../../../src-shared/contract/index.ts';
import { folderWithNewBook, openTestBook } from '../../support/books/backend.ts';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import type { Remote } from '../../support/remotes/remote.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';

/** Fields that the specification requires, and what an object or a list is nothing without; all others may be absent. */
const REQUIRED = new Set(
  (
    'data id key name amount direction date data_stream_key filters reconciliation_id balance_type amount_cents bank_account_id ' +
    'status index type side_a_streams side_b_streams records_url'
  ).split(' '),
);
/** What people put into these is theirs. */
const OPAQUE = new Set(['metadata', 'filters']);

type Place = readonly string[];

/** The places of fields in an answer: names from the outside in; lists have none. */
function placesOf(value: unknown, at: Place = []): Place[] {
  if (Array.isArray(value)) return value.flatMap((each) => placesOf(each, at));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...at, name];
    return [place, ...(OPAQUE.has(name) ? [] : placesOf(member, place))];
  });
}

function without(value: unknown, isOut: (place: Place) => boolean, at: Place = []): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, isOut, at));
  if (typeof value !== 'object' || value === null || OPAQUE.has(at.at(-1) ?? '')) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const place = [...at, name];
      return isOut(place) ? [] : [[name, without(member, isOut, place)]];
    }),
  );
}

/** A stream is known by its key, so its id may be absent; everything else is known by its id. */
function isOptional(operation: OperationId | null, place: Place): boolean {
  const [name = '', parent = ''] = place.toReversed();
  const isOfStream = parent.startsWith('side_') || (operation?.startsWith('streams.') === true && place.length === 1);
  if (isOfStream) return name !== 'key' && name !== 'name';
  return !REQUIRED.has(name);
}

function operationOf(method: string, url: string): OperationId | null {
  const path = new URL(url).pathname.replace(/^\/v1/, '');
  const found = OPERATION_IDS.find((id) => {
    const { path: pattern, method: verb, surface }: Operation = contract[id];
    return surface === 'public' && verb === method && new RegExp(`^${pattern.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path);
  });
  return found ?? null;
}

function isRefused(operation: OperationId, value: unknown): boolean {
  try {
    checked(operation, { status: 200, value, message: '', code: '', location: null });
    return false;
  } catch {
    return true;
  }
}

interface Seen {
  readonly operation: OperationId;
  readonly value: unknown;
}

/** A whole sync with lines in both directions; `change` is what becomes of each answer. */
async function synced(remote: Remote, change: (operation: OperationId | null, value: unknown) => unknown) {
  seedMonth(remote);
  await remote.start();
  onTestFinished(() => remote.stop());
  const book = await openTestBook(folderWithNewBook());
  const changing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const text = await answer.text();
    if (!answer.ok || text === '') return new Response(text === '' ? null : text, { status: answer.status, headers: answer.headers });
    const value = change(operationOf(init?.method ?? 'GET', String(input)), JSON.parse(text));
    return new Response(JSON.stringify(value), { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  const sync = () =>
    book.backend.sync.run({
      environment: 'live',
      baseUrl: remote.baseUrl,
      apiKey: remote.key,
      note: () => {},
      wait: () => pause(1),
      signal: new AbortController().signal,
      preview: false,
      fetch: changing,
    });
  const first = await sync();
  const line = { data_stream_key: 'bank', date: '2026-06-20', amount: 5, description: 'New', currency: 'EUR' };
  for (let n = 0; n < 3; n += 1) await book.client.get('records.create', { ...line, description: `New ${n}` });
  return { first, second: await sync(), third: await sync() };
}

describe.each([
  ['live', () => new LiveRemote()],
  ['specification', () => new SpecificationRemote()],
] as const)('a %s remote that leaves out what it may', (_, remote) => {
  it('is read with each optional field left out in turn', async () => {
    const seen: Seen[] = [];
    await synced(remote(), (operation, value) => {
      if (operation !== null) seen.push({ operation, value });
      return value;
    });
    const tried = new Set<string>();
    const refused: string[] = [];
    for (const { operation, value } of seen) {
      for (const place of placesOf(value)) {
        const name = `${operation}: ${place.join('.')}`;
        if (!isOptional(operation, place) || tried.has(name)) continue;
        tried.add(name);
        const left = without(value, (one) => one.join('.') === place.join('.'));
        if (isRefused(operation, left)) refused.push(name);
      }
    }
    expect(refused).toEqual([]);
    expect(tried.size).toBeGreaterThan(30);
  });

  it('is synced with the words of failed and taken items left out', async () => {
    const out = new Set(['error', 'description', 'created_at', 'updated_at', 'source', 'filename', 'total_count', 'currency_name']);
    const { first, second, third } = await synced(remote(), (_operation, value) => without(value, (place) => out.has(place.at(-1) ?? '')));
    expect([first.error, second.error, third.error]).toEqual([null, null, null]);
    expect(second).toMatchObject({ sent: { records: 3 }, refused: [], unsure: [] });
    expect(third).toMatchObject({ sent: { records: 0 }, received: { records: 0 } });
  });
});
