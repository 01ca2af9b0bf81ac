import { failed } from '../../src-shared/values/result.ts';
import type { Alarm } from '../platform/ports.ts';
import type { ServiceContext } from '../service/core/context.ts';
import type { Caller, Dispatch, EnvironmentName } from '../service/core/handler.ts';
import { keepRefusedRule } from '../service/rules/kept-rules.ts';
import { resolveConflict } from '../sync/conflicts/resolve.ts';
import { SyncStop } from '../sync/model/answers.ts';
import { emptyResult, errorOf, type SyncResult } from '../sync/model/result.ts';
import { type SyncPorts, syncWith, verifyWith } from '../sync/sync.ts';
import { ownCaller } from './http-servers.ts';
import type { BookSync, SyncOptions } from './types.ts';

interface SyncParts {
  readonly context: ServiceContext;
  readonly dispatch: Dispatch;
  readonly alarm: Alarm;
  /** Why the book can only be read; null where it is as ever. */
  readonly trouble: string | null;
}

function stopped(options: SyncOptions & { readonly preview: boolean }, stop: SyncStop): SyncResult {
  return { ...emptyResult(options.baseUrl, options.preview), ok: false, error: errorOf(stop) };
}

export function syncWithoutBook(options: SyncOptions & { readonly preview: boolean }): SyncResult {
  return stopped(options, new SyncStop('book_unavailable', 'The book is not open at the moment: try again.'));
}

/** Sync of an open book: in this process, since it waits for others nearly all the time. */
export function bookSync({ context, dispatch, alarm, trouble }: SyncParts): BookSync {
  let isBusy = false;
  const waitByAlarm = (milliseconds: number): Promise<void> => new Promise((resolve) => void alarm.after(milliseconds, resolve));
  const portsOf = ({ environment, note, signal, fetch = globalThis.fetch, wait = waitByAlarm }: SyncOptions): SyncPorts => {
    const caller: Caller = { ...ownCaller(environment, 'app'), actor: 'sync' };
    return {
      database: context.database,
      dispatch: (operation, input, idempotencyKey) => dispatch(operation, input, { ...caller, idempotencyKey }),
      keepRule: (rule) => keepRefusedRule(context, caller, rule),
      environmentId: caller.environmentId,
      clock: context.clock,
      random: context.random,
      log: context.log,
      fetch,
      wait,
      signal,
      note,
    };
  };
  return {
    run: async (options) => {
      if (trouble !== null) return stopped(options, new SyncStop('book_read_only', trouble));
      if (isBusy) return stopped(options, new SyncStop('sync_in_progress', 'A sync of this book is under way: wait for its end.'));
      isBusy = true;
      try {
        return await syncWith(portsOf(options), options);
      } finally {
        isBusy = false;
      }
    },
    verify: async (options) => {
      const verified = await verifyWith(portsOf(options), options);
      return verified.ok ? verified : failed({ code: verified.error.code, message: verified.error.message });
    },
    resolve: (environment: EnvironmentName, id, choice) =>
      resolveConflict(context.database, ownCaller(environment, 'app').environmentId, id, choice),
  };
}
