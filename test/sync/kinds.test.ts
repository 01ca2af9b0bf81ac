import { expect, onTestFinished, test } from 'vitest';
import type { SyncResult } from '../../src-main/sync/work/sync-result.ts';
import { openTestBook, type TestBook } from '../support/books/backend.ts';
import { LiveRemote } from '../support/remotes/live-remote.ts';
import { contentOf as contentOfRemote } from '../support/remotes/reading.ts';
import { seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { expectEmpty, recordsOf } from './two-books.ts';

type Remote = SpecificationRemote | LiveRemote;

async function started<T extends Remote>(remote: T): Promise<T> {
  await remote.start();
  onTestFinished(() => remote.stop());
  return remote;
}

const syncer =
  (book: TestBook, remote: Remote) =>
  (preview = false): Promise<SyncResult> =>
    book.backend.sync.run({
      environment: 'live',
      baseUrl: remote.baseUrl,
      apiKey: remote.key,
      note: () => {},
      signal: new AbortController().signal,
      preview,
    });

const make = { specification: () => new SpecificationRemote({ seed: 7 }), live: () => new LiveRemote({ seed: 7 }) };

for (const kind of ['specification', 'live'] as const) {
  test(`${kind}: what is there comes in, what is new here goes out, and then there is nothing left to do`, async () => {
    const book = await openTestBook();
    const remote = await started(make[kind]());
    seedMonth(remote);
    const sync = syncer(book, remote);

    const preview = await sync(true);
    expect(remote.log.writes()).toEqual([]);
    const first = await sync();
    expect(first).toMatchObject({ ok: true, error: null, remote: { kind } });
    expect(preview.received.records).toBe(first.received.records);
    const count = contentOfRemote(remote).records.length;
    // What is in no batch and in no match cannot be seen at a remote of the specification.
    expect(await recordsOf(book)).toHaveLength(kind === 'live' ? count : count - 1);
    expectEmpty(await sync());

    const stream = (await book.client.get('streams.list', {}))[0]?.key ?? '';
    for (const [external_id, amount] of [
      ['N1', -120],
      [null, 45],
    ] as const) {
      await book.client.get('records.create', {
        data_stream_key: stream,
        date: '2026-06-25',
        amount,
        description: 'New here',
        external_id,
      });
    }
    expect(await sync()).toMatchObject({ ok: true, error: null, sent: { records: 2 } });
    expectEmpty(await sync());
    expect(contentOfRemote(remote).records).toHaveLength(count + 2);
  });
}
