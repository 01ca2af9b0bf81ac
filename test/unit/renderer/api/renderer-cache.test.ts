import { describe, expect, it } from 'vitest';
import { isTouched } from '../../../../src-renderer/api/areas.ts';
import { createEventHub, readEvent } from '../../../../src-renderer/api/events.ts';
import { followJob } from '../../../../src-renderer/api/follow-job.ts';
import { cacheKey, createQueryCache } from '../../../../src-renderer/api/query-cache.ts';
import { createClient } from '../../../../src-shared/client/client.ts';
import type { Job } from '../../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../../src-shared/contract/wire.ts';

/** A service whose answers are given by the test, one call at a time. */
function heldService() {
  const calls: { readonly operation: string; readonly answer: (outcome: Outcome<unknown>) => Promise<void> }[] = [];
  const cache = createQueryCache(
    (operation) =>
      new Promise((resolve) => {
        calls.push({
          operation,
          answer: async (outcome) => {
            resolve(outcome);
            await settled();
          },
        });
      }),
  );
  return { cache, calls };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
const silent = (): void => undefined;

describe('the cache of reads', () => {
  it('knows an input by its members, not by their order', () => {
    expect(cacheKey('lines.window', { side: 'a', offset: 0 })).toBe(cacheKey('lines.window', { offset: 0, side: 'a', search: undefined }));
    expect(cacheKey('lines.window', { side: 'a' })).not.toBe(cacheKey('lines.window', { side: 'b' }));
  });

  it('asks once for two that show the same', async () => {
    const { cache, calls } = heldService();
    let told = 0;
    cache.subscribe('streams.list', {}, () => (told += 1));
    cache.subscribe('streams.list', {}, silent);
    expect(calls).toHaveLength(1);
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    expect(cache.snapshot('streams.list', {})).toEqual({ value: ['bank'], failure: undefined, isFetching: false });
    expect(told).toBeGreaterThan(0);
  });

  it('keeps the old answer on show while a newer one is on its way, and when it fails', async () => {
    const { cache, calls } = heldService();
    cache.subscribe('streams.list', {}, silent);
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    cache.invalidate(['streams'], null);
    expect(cache.snapshot('streams.list', {})).toMatchObject({ value: ['bank'], isFetching: true });
    await calls[1]?.answer({ ok: false, error: { code: 'internal_error', message: 'Gone.' } });
    expect(cache.snapshot('streams.list', {})).toMatchObject({ value: ['bank'], failure: { message: 'Gone.' }, isFetching: false });
  });

  it('asks once more when a change overtakes the answer', async () => {
    const { cache, calls } = heldService();
    cache.subscribe('streams.list', {}, silent);
    cache.invalidate(['streams'], null);
    cache.invalidate(['streams'], null);
    await calls[0]?.answer({ ok: true, value: ['old'] });
    expect(calls).toHaveLength(2);
    await calls[1]?.answer({ ok: true, value: ['new'] });
    expect(calls).toHaveLength(2);
    expect(cache.snapshot('streams.list', {}).value).toEqual(['new']);
  });

  it('asks again for an old answer only when it is shown again', async () => {
    const { cache, calls } = heldService();
    const stop = cache.subscribe('streams.list', {}, silent);
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    stop();
    cache.invalidateAll();
    expect(calls).toHaveLength(1);
    cache.subscribe('streams.list', {}, silent);
    expect(calls).toHaveLength(2);
  });

  it('is deaf to changes of other areas', async () => {
    const { cache, calls } = heldService();
    cache.subscribe('streams.list', {}, silent);
    await calls[0]?.answer({ ok: true, value: [] });
    cache.invalidate(['matches'], 1);
    expect(calls).toHaveLength(1);
  });

  it('forgets what nobody shows when there is much of it', async () => {
    const { cache, calls } = heldService();
    for (let id = 1; id <= 80; id += 1) {
      const stop = cache.subscribe('rules.list', { reconciliation_id: id }, silent);
      await calls.at(-1)?.answer({ ok: true, value: [] });
      stop();
    }
    expect(cache.snapshot('rules.list', { reconciliation_id: 1 }).value).toBeUndefined();
    expect(cache.snapshot('rules.list', { reconciliation_id: 80 }).value).toEqual([]);
  });
});

describe('what a change touches', () => {
  it('is the reconciliation it names', () => {
    expect(isTouched('reconciliations.summary', { id: 1 }, ['matches'], 1)).toBe(true);
    expect(isTouched('reconciliations.summary', { id: 2 }, ['matches'], 1)).toBe(false);
    expect(isTouched('reconciliations.summary', { id: 2 }, ['matches'], null)).toBe(true);
    expect(isTouched('reconciliations.summary', { id: 2 }, ['records'], 1)).toBe(true);
  });

  it('is everything of an operation that names no area', () => {
    expect(isTouched('records.get', { id: 1 }, ['rules'], null)).toBe(true);
  });
});

describe('events', () => {
  it('reads what it knows and leaves the rest', () => {
    expect(readEvent({ kind: 'command', command: 'import' })).toEqual({ kind: 'command', command: 'import' });
    expect(readEvent({ kind: 'changed', revision: 1, areas: [], reconciliation_id: null })).toMatchObject({ kind: 'changed' });
    expect(readEvent({ kind: 'weather' })).toBeNull();
    expect(readEvent({ kind: 'command' })).toBeNull();
    expect(readEvent(null)).toBeNull();
    expect(readEvent('changed')).toBeNull();
  });

  it('reach every listener until it stops', () => {
    const hub = createEventHub();
    const heard: string[] = [];
    const stop = hub.subscribe(() => heard.push('first'));
    hub.subscribe(() => heard.push('second'));
    hub.publish({ kind: 'reconnected' });
    stop();
    hub.publish({ kind: 'reconnected' });
    expect(heard).toEqual(['first', 'second', 'second']);
  });
});

describe('following a job', () => {
  const started: Job = {
    id: 7,
    kind: 'import',
    status: 'running',
    progress: 0,
    processed: 0,
    total: 0,
    file: null,
    error_message: null,
    import_result: null,
    preview: null,
    run_id: null,
  };

  it('finds the end by asking when no event comes', async () => {
    let asked = 0;
    const client = createClient(async () => {
      asked += 1;
      return { ok: true, value: { ...started, status: asked < 3 ? 'running' : 'completed' } };
    });
    const answer = await followJob({ client, events: createEventHub() }, started, silent);
    expect(answer).toMatchObject({ ok: true, value: { status: 'completed' } });
    expect(asked).toBe(3);
  });

  it('tells the progress of its own job alone', async () => {
    const events = createEventHub();
    const client = createClient(async () => ({ ok: true, value: { ...started, status: 'completed' } }));
    const heard: number[] = [];
    const following = followJob({ client, events }, started, ({ progress }) => heard.push(progress));
    const event = {
      kind: 'job',
      revision: 1,
      job_kind: 'import',
      status: 'running',
      phase: 'reading',
      processed: 1,
      total: 2,
      file: null,
    } as const;
    events.publish({ ...event, job_id: 7, progress: 50, run_id: null, reconciliation_id: null });
    events.publish({ ...event, job_id: 8, progress: 90, run_id: null, reconciliation_id: null });
    await following;
    events.publish({ ...event, job_id: 7, progress: 99, run_id: null, reconciliation_id: null });
    expect(heard).toEqual([50]);
  });

  it('hands back the failure of asking', async () => {
    const client = createClient(async () => ({ ok: false, error: { code: 'not_found', message: 'No such job.' } }));
    const answer = await followJob({ client, events: createEventHub() }, started, silent);
    expect(answer).toMatchObject({ ok: false, error: { message: 'No such job.' } });
  });
});
