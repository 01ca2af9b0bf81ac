import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderWithNewBook, openTestBook, testFolder } from '../support/books/backend.ts';
import { canMount, mount, unmount } from '../support/faults/small-disk.ts';

/** More than fits. */
const LINES = 2_000;

test.each(canMount() ? ['1600k'] : [])(
  'a sync onto a full disk of %s stops with a sentence, and the next one goes on once there is room',
  async (size) => {
    const there = await openTestBook(folderWithNewBook());
    await there.client.get('streams.create', { key: 'bank', name: 'Bank' });
    for (let at = 0; at < LINES; at += 1_000) {
      const records = Array.from({ length: 1_000 }, (_, index) => ({
        data_stream_key: 'bank',
        date: '2026-06-10',
        amount: at + index + 1,
        currency: 'EUR',
        description: `Line ${at + index} ${'x'.repeat(300)}`,
      }));
      const { id } = await there.client.get('bulk_requests.create', { records, on_conflict: 'skip' });
      await expect
        .poll(async () => (await there.client.get('bulk_requests.get', { id: String(id) })).status, { timeout: 20_000 })
        .toBe('completed');
    }
    const server = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits: { requestsPerSecond: 100_000 } });
    const disk = testFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    const here = await openTestBook(path.join(disk, 'data'));
    const sync = () =>
      here.backend.sync.run({
        environment: 'live',
        baseUrl: server.baseUrl,
        apiKey: server.apiKey,
        preview: false,
        note: () => {},
        signal: new AbortController().signal,
      });
    const full = await sync();
    expect(full).toMatchObject({ ok: false, error: { code: 'storage_full' } });
    mount(disk, 'remount,size=64m');
    expect(await sync()).toMatchObject({ ok: true, error: null });
    const [stream] = await here.client.get('streams.list', {});
    expect(stream).toMatchObject({ key: 'bank', record_count: LINES });
    await here.close();
  },
);
