import { useMemo } from 'react';
import type { SyncActivity, SyncPlan, SyncRemote } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-operation.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { sameChoices, sameOf } from '../../state/sync-places.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The commands of one remote. In a read-only book, and while one is starting, only `cancel` and `retry` do anything. */
export interface SyncControl {
  readonly remote: SyncRemote;
  readonly preview: () => void;
  /** Starts a sync with the plan's pairs that the user called the same, and with at most `acceptDeletions` deletions. */
  readonly sync: (plan: SyncPlan | null, acceptDeletions?: number) => void;
  readonly verify: () => void;
  readonly repair: () => void;
  readonly cancel: () => void;
  readonly retry: () => void;
  readonly isStarting: boolean;
  /** A read-only book cannot be synced. */
  readonly isReadOnly: boolean;
}

const NOT_STARTED: Readonly<Record<SyncActivity['what'], string>> = {
  preview: say('sync.notStarted.preview'),
  sync: say('sync.notStarted.sync'),
  verify: say('sync.notStarted.verify'),
  repair: say('sync.notStarted.repair'),
};

/** Starts and stops activities with a remote. `syncs.get` reports their progress and result. */
export function useSyncControl(remote: SyncRemote): SyncControl {
  const isReadOnly = useReadOnlyReason() !== null;
  const { run: preview, isRunning: isPreviewing } = useCommand('syncs.start', (failure) => notifyFailure(NOT_STARTED.preview, failure));
  const { run: sync, isRunning: isSyncing } = useCommand('syncs.start', (failure) => notifyFailure(NOT_STARTED.sync, failure));
  const { run: verify, isRunning: isVerifying } = useCommand('syncs.start', (failure) => notifyFailure(NOT_STARTED.verify, failure));
  const { run: repair, isRunning: isRepairing } = useCommand('syncs.start', (failure) => notifyFailure(NOT_STARTED.repair, failure));
  const { run: cancel } = useCommand('syncs.cancel', (failure) => notifyFailure(say('sync.useSyncControl.nothingWasCancelled'), failure));
  const { run: retry } = useCommand('syncs.retry', (failure) => notifyFailure(say('sync.useSyncControl.nothingWasTried'), failure));
  const isStarting = isPreviewing || isSyncing || isVerifying || isRepairing;
  return useMemo((): SyncControl => {
    const { id } = remote;
    const unlessBusy = (act: () => void) => () => {
      if (!isStarting && !isReadOnly) act();
    };
    return {
      remote,
      preview: unlessBusy(() => void preview({ id, what: 'preview' })),
      sync: (plan, acceptDeletions) =>
        unlessBusy(() => {
          const same = sameOf(plan?.uncertain ?? [], sameChoices.getState().same[id] ?? []);
          const allowed = acceptDeletions === undefined ? {} : { accept_deletions: acceptDeletions };
          void sync({ id, what: 'sync', ...allowed, ...(same.length === 0 ? {} : { same }) });
        })(),
      verify: unlessBusy(() => void verify({ id, what: 'verify' })),
      repair: unlessBusy(() => void repair({ id, what: 'repair' })),
      cancel: () => void cancel({ id }),
      retry: () => void retry({ id }),
      isStarting,
      isReadOnly,
    };
  }, [remote, isStarting, isReadOnly, preview, sync, verify, repair, cancel, retry]);
}
