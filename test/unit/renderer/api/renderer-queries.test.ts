import { environmentManager, focusManager, MutationObserver, notifyManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { createEventHub, createQueries, isTouched, readEvent } from '../../../../src-renderer/api/use-operation.ts';
import { followJob } from '../../../../src-renderer/api/follow-job.ts';
import { createClient } from '../../../../src-shared/client/client.ts';
import type { BookEvent, Call, Job, OperationId } from '../../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../../src-shared/contract/wire.ts';

type Areas = Extract<BookEvent, { kind: 'changed' }>['areas'];

// The library behaves as in a window, and not as on a server.
environmentManager.setIsServer(() => false);

/** A service whose answers the test gives, one call at a time. */
function heldService(underWay: () => Promise<void> | null = () => null) {
  const calls: { readonly operation: string; readonly answer: (outcome: Outcome<unknown>) => Promise<void> }[] = [];
  const client = createClient(
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
  const events = createEventHub();
  const queries = createQueries(client, events, underWay);
  return {
    calls,
    events,
    queries,
    /** Shows an answer as a component does. Returns functions that read what is visible and that stop. */
    show<K extends OperationId>(operation: K, input: Call<K>, ...once: ['once'] | []) {
      const observer = new QueryObserver(queries, { queryKey: [operation, input, ...once], ...(once.length === 0 ? {} : { gcTime: 0 }) });
      const stop = observer.subscribe(silent);
      return { seen: () => observer.getCurrentResult(), stop };
    },
    changed: (areas: Areas, reconciliationId: number | null = null) =>
      events.publish({ kind: 'changed', revision: 1, areas, reconciliation_id: reconciliationId }),
  };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}
const silent = (): void => undefined;
const gone: Outcome<unknown> = { ok: false, error: { code: 'internal_error', message: 'Gone.' } };

describe('answers to reads', () => {
  it('share one request between equal reads, whatever the order of their members', async () => {
    const { calls, show } = heldService();
    const first = show('lines.window', { reconciliation_id: 1, side: 'a' });
    const second = show('lines.window', { side: 'a', reconciliation_id: 1, search: undefined } as never);
    show('lines.window', { reconciliation_id: 1, side: 'b' });
    expect(calls).toHaveLength(2);
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    expect([first.seen().data, second.seen().data]).toEqual([['bank'], ['bank']]);
    show('lines.window', { reconciliation_id: 1, side: 'a' });
    expect(calls).toHaveLength(2);
  });

  it('wait for the commands under way, and are then read once for all changes', async () => {
    let end = silent;
    let underWay: Promise<void> | null = new Promise((resolve) => {
      end = resolve;
    });
    const { calls, show, changed } = heldService(() => underWay);
    show('streams.list', {});
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    changed(['streams']);
    changed(['records']);
    await settled();
    expect(calls).toHaveLength(1);
    underWay = null;
    end();
    await settled();
    expect(calls).toHaveLength(2);
    await calls[1]?.answer({ ok: true, value: ['bank', 'books'] });
    changed(['streams']);
    expect(calls).toHaveLength(3);
  });

  it('wait a second at most', async () => {
    vi.useFakeTimers();
    const { calls, show, changed } = heldService(() => new Promise(silent));
    show('streams.list', {});
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    changed(['streams']);
    await vi.advanceTimersByTimeAsync(999);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(2);
    vi.useRealTimers();
  });

  it('stay visible while a newer one is on its way, and when that fails', async () => {
    const { calls, show, changed } = heldService();
    const { seen } = show('streams.list', {});
    expect(seen()).toMatchObject({ isPending: true, isFetching: true });
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    changed(['streams']);
    expect(seen()).toMatchObject({ data: ['bank'], isFetching: true });
    await calls[1]?.answer(gone);
    expect(seen()).toMatchObject({ data: ['bank'], error: { message: 'Gone.' }, isLoadingError: false, isFetching: false });
    changed(['streams']);
    await calls[2]?.answer({ ok: true, value: ['ledger'] });
    expect(seen()).toMatchObject({ data: ['ledger'], error: null });
  });

  it('are fetched once more when changes overtake them', async () => {
    const { calls, show, changed } = heldService();
    const { seen } = show('streams.list', {});
    changed(['streams']);
    changed(['streams']);
    expect(calls).toHaveLength(1);
    await calls[0]?.answer({ ok: true, value: ['old'] });
    expect(calls).toHaveLength(2);
    await calls[1]?.answer({ ok: true, value: ['new'] });
    expect(calls).toHaveLength(2);
    expect(seen()).toMatchObject({ data: ['new'], isFetching: false });
  });

  it('are fetched once more when a change overtakes one that fails', async () => {
    const { calls, show, changed } = heldService();
    const { seen } = show('streams.list', {});
    changed(['streams']);
    await calls[0]?.answer(gone);
    expect(calls).toHaveLength(2);
    await calls[1]?.answer({ ok: true, value: ['new'] });
    expect(seen()).toMatchObject({ data: ['new'], error: null });
  });

  it('arrive in a book that changes faster than it answers', async () => {
    const { calls, show, changed } = heldService();
    const { seen } = show('streams.list', {});
    for (let turn = 0; turn < 20; turn += 1) {
      changed(['streams']);
      changed(['records']);
      await calls[turn]?.answer({ ok: true, value: [turn] });
      expect(seen().data).toEqual([turn]);
      expect(calls).toHaveLength(turn + 2);
    }
    await calls[20]?.answer({ ok: true, value: ['last'] });
    expect(seen()).toMatchObject({ data: ['last'], isFetching: false });
    expect(calls).toHaveLength(21);
  });

  it('are fetched again only when they are shown again', async () => {
    const { calls, events, show } = heldService();
    const { stop } = show('streams.list', {});
    await calls[0]?.answer({ ok: true, value: ['bank'] });
    stop();
    events.publish({ kind: 'reconnected' });
    expect(calls).toHaveLength(1);
    const { seen } = show('streams.list', {});
    expect(seen()).toMatchObject({ data: ['bank'], isFetching: true });
    expect(calls).toHaveLength(2);
  });

  it('are not fetched once more when no component shows them any more', async () => {
    const { calls, show, changed } = heldService();
    const { stop } = show('streams.list', {});
    changed(['streams']);
    stop();
    await calls[0]?.answer({ ok: true, value: ['old'] });
    expect(calls).toHaveLength(1);
    show('streams.list', {});
    expect(calls).toHaveLength(2);
  });

  it('ignore changes of other areas and other reconciliations', async () => {
    const { calls, show, changed } = heldService();
    show('streams.list', {});
    show('rules.list', { reconciliation_id: 1 });
    await calls[0]?.answer({ ok: true, value: [] });
    await calls[1]?.answer({ ok: true, value: [] });
    changed(['matches'], 1);
    changed(['rules'], 2);
    expect(calls).toHaveLength(2);
    changed(['rules'], 1);
    expect(calls).toHaveLength(3);
  });

  it('leave a failure to “Try again” and to the next change, and stay visible meanwhile', async () => {
    const { calls, show, changed } = heldService();
    const { seen } = show('streams.list', {});
    await calls[0]?.answer(gone);
    expect(seen()).toMatchObject({ data: undefined, isFetching: false, isLoadingError: true, error: { message: 'Gone.' } });
    expect(calls).toHaveLength(1);
    void seen().refetch();
    expect(seen()).toMatchObject({ isLoadingError: true, error: { message: 'Gone.' }, isFetching: true });
    await calls[1]?.answer(gone);
    expect(seen()).toMatchObject({ isLoadingError: true, isFetching: false });
    changed(['streams']);
    expect(seen()).toMatchObject({ isLoadingError: true, isFetching: true });
    await calls[2]?.answer({ ok: true, value: ['bank'] });
    expect(seen()).toMatchObject({ data: ['bank'], error: null });
  });

  it('are removed five minutes after the last use, however many pages were visited', async () => {
    vi.useFakeTimers();
    try {
      const { calls, queries, show } = heldService();
      const { stop } = show('streams.list', {});
      await calls[0]?.answer({ ok: true, value: [] });
      for (let page = 0; page < 500; page += 1) {
        const shown = show('imports.rows', { id: 1, outcome: 'kept', limit: 200, offset: page * 200 } as never);
        await calls.at(-1)?.answer({ ok: true, value: [] });
        shown.stop();
        await vi.advanceTimersByTimeAsync(1_000);
      }
      expect(queries.getQueryCache().getAll().length).toBeLessThanOrEqual(302);
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      expect(
        queries
          .getQueryCache()
          .getAll()
          .map(({ queryKey: [operation] }) => operation),
      ).toEqual(['streams.list']);
      expect(calls).toHaveLength(501);
      stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('need no network, and are not repeated when the window or the network comes back', async () => {
    vi.useFakeTimers();
    const { calls, queries, show } = heldService();
    queries.mount();
    try {
      onlineManager.setOnline(false);
      focusManager.setFocused(false);
      const { seen } = show('streams.list', {});
      await calls[0]?.answer({ ok: true, value: ['bank'] });
      expect(seen()).toMatchObject({ data: ['bank'], isPaused: false });
      onlineManager.setOnline(true);
      focusManager.setFocused(true);
      await vi.advanceTimersByTimeAsync(60 * 60_000);
      expect(calls).toHaveLength(1);
    } finally {
      queries.unmount();
      focusManager.setFocused(undefined);
      vi.useRealTimers();
    }
  });

  it('of single reads do not change, and are read again the next time', async () => {
    const { calls, events, show, changed } = heldService();
    const { seen, stop } = show('streams.list', {}, 'once');
    await calls[0]?.answer({ ok: true, value: ['then'] });
    changed(['streams']);
    events.publish({ kind: 'reconnected' });
    expect(calls).toHaveLength(1);
    expect(seen()).toMatchObject({ data: ['then'], isFetching: false });
    stop();
    await new Promise((resolve) => setTimeout(resolve, 1));
    const next = show('streams.list', {}, 'once');
    expect(next.seen().data).toBeUndefined();
    expect(calls).toHaveLength(2);
  });
});

describe('a command', () => {
  it('is pending in all components before the next key press', async () => {
    const { queries } = heldService();
    const command = new MutationObserver(queries, { mutationFn: () => new Promise<never>(silent) });
    let isShown = false;
    // The hook subscribes in the same way.
    command.subscribe(notifyManager.batchCalls(({ isPending }) => (isShown = isPending)));
    void command.mutate();
    await settled();
    expect(isShown).toBe(true);
  });
});

describe('a change affects', () => {
  it('the reconciliation that it names', () => {
    expect(isTouched(['reconciliations.summary', { id: 1 }], ['matches'], 1)).toBe(true);
    expect(isTouched(['reconciliations.summary', { id: 2 }], ['matches'], 1)).toBe(false);
    expect(isTouched(['reconciliations.summary', { id: 2 }], ['matches'], null)).toBe(true);
    expect(isTouched(['reconciliations.summary', { id: 2 }], ['records'], 1)).toBe(true);
  });

  it('everything of an operation without areas', () => {
    expect(isTouched(['records.get', { id: 1 }], ['rules'], null)).toBe(true);
  });
});

describe('events', () => {
  it('are read when they are known and ignored otherwise', () => {
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

  it('notices the end by polling when no event comes', async () => {
    let asked = 0;
    const client = createClient(async () => {
      asked += 1;
      return { ok: true, value: { ...started, status: asked < 3 ? 'running' : 'completed' } };
    });
    const answer = await followJob({ client, events: createEventHub() }, started, silent);
    expect(answer).toMatchObject({ ok: true, value: { status: 'completed' } });
    expect(asked).toBe(3);
  });

  it('reports the progress of its own job only', async () => {
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

  it('returns the failure of a request', async () => {
    const client = createClient(async () => ({ ok: false, error: { code: 'not_found', message: 'No such job.' } }));
    const answer = await followJob({ client, events: createEventHub() }, started, silent);
    expect(answer).toMatchObject({ ok: false, error: { message: 'No such job.' } });
  });
});
