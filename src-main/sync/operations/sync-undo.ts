import type { SyncUndoPlan } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { changesSince } from '../../book/store/audit.ts';
import { listBackups, type StoredBackup } from '../../book/store/backup-files.ts';
import { CONTINUOUS_ACTOR } from '../../runs/work/continuous-runs.ts';
import { answer, missing, refuse, timestampOf } from '../../service/answers.ts';
import { changeWords, isOwnChange } from '../../service/change-words.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { remoteById, type SyncRemoteRow } from '../store/remotes.ts';
import { findSyncRun, laterSyncRuns, type SyncRunRow } from '../store/runs.ts';
import { isUnderWay } from './remote-view.ts';
import { resultOf } from './sync-history.ts';

/** Actors whose changes undoing a sync need not list: the sync, and continuous runs, which start again by themselves. */
const OF_ITSELF: ReadonlySet<string> = new Set(['sync', CONTINUOUS_ACTOR]);

const countReceived = (row: SyncRunRow): number => Object.values(resultOf(row)?.received ?? {}).reduce((sum, count) => sum + count, 0);

/** Returns the changes made since a backup by anything but the sync, grouped by kind. */
function lostWith({ database }: ServiceContext, audited: number): Pick<SyncUndoPlan, 'lost' | 'list'> {
  const changes = changesSince(database, audited).filter(({ actor, action }) => !OF_ITSELF.has(actor) && isOwnChange(action));
  const list = [...Map.groupBy(changes, ({ action }) => action)]
    .map(([action, all]) => ({
      action,
      count: all.reduce((sum, { count }) => sum + count, 0),
      at: Math.max(...all.map(({ last_at: at }) => at)),
    }))
    .map(({ action, count, at }) => ({ words: changeWords(action, count), count, last_at: timestampOf(at) }))
    .toSorted((one, other) => other.count - one.count);
  return { lost: list.reduce((sum, { count }) => sum + count, 0), list };
}

function whyNot({ database, sync }: ServiceContext, row: SyncRunRow, backup: StoredBackup | undefined): string | null {
  if (row.undone_at !== null) return phrase('sync.syncUndo.itIsUndoneAlready');
  if (isUnderWay(sync.activity(row.remote_id)) || resultOf(row) === null) return phrase('sync.syncUndo.itIsUnderWay');
  if (countReceived(row) === 0) return phrase('sync.syncUndo.itChangedNothingHere');
  if (row.backup === null) return phrase('sync.syncUndo.thereIsNoBackupOf');
  if (backup === undefined) return phrase('sync.syncUndo.theBackupOfBeforeIt', { backup: row.backup });
  if (backup.facts === null) return phrase('sync.syncUndo.backupIsNotAsChecked', { backup: row.backup });
  const later = laterSyncRuns(database, row.id).find((one) => one.undone_at === null && countReceived(one) > 0);
  return later === undefined ? null : phrase('sync.syncUndo.aLaterSyncChangedSomething', { started_at: timestampOf(later.started_at) });
}

interface Looked {
  readonly plan: SyncUndoPlan;
  readonly row: SyncRunRow;
  readonly remote: SyncRemoteRow;
  readonly backup: StoredBackup | undefined;
}

function lookAt(context: ServiceContext, caller: Caller, id: number): Looked | null {
  const row = findSyncRun(context.database, caller.environmentId, id);
  const remote = row === undefined ? undefined : remoteById(context.database, caller.environmentId, row.remote_id);
  if (row === undefined || remote === undefined) return null;
  const backup = row.backup === null ? undefined : listBackups(context.keeper.dataFolder).find(({ name }) => name === row.backup);
  const why = whyNot(context, row, backup);
  const lost = why === null ? lostWith(context, backup?.facts?.audit_entries ?? 0) : { lost: 0, list: [] };
  return { plan: { run_id: id, can_undo: why === null, why_not: why, backup: row.backup, ...lost }, row, remote, backup };
}

const nameOf = (file: string): string => file.split(/[\\/]/u).at(-1) ?? file;

/** Returns the handlers that undo a sync. Undo restores the backup made before it; the remote keeps what was sent. */
export function syncUndoHandlers(context: ServiceContext): Pick<Handlers, 'sync_runs.undo_plan' | 'sync_runs.undo'> {
  return {
    'sync_runs.undo_plan': (caller, { id }) => {
      const looked = lookAt(context, caller, id);
      return looked === null ? missing('sync', id) : answer(looked.plan);
    },
    'sync_runs.undo': async (caller, { id, also_undo: alsoUndo = 0 }) => {
      const looked = lookAt(context, caller, id);
      if (looked === null) return missing('sync', id);
      const { plan, remote, backup } = looked;
      if (isUnderWay(context.sync.activity(remote.id)))
        return refuse('sync_in_progress', phrase('sync.syncRemotes.syncWithIsUnderWay', { name: remote.name }));
      if (plan.why_not !== null || backup === undefined)
        return refuse('conflict', phrase('sync.syncUndo.thisSyncCannotBeUndone', { why_not: plan.why_not ?? '' }).trim());
      if (plan.lost > alsoUndo) {
        const kinds = plan.list.map(({ words }) => words).join('; ');
        return refuse('conflict', phrase('sync.syncUndo.changesWereMadeHere', { lost: plan.lost, kinds }));
      }
      const undoes = { runId: id, remoteId: remote.id, atMs: context.clock.nowMs() };
      // The allowed changes include sign-offs made since then.
      const allowed = { anotherBook: false, loseSignOffs: Number.MAX_SAFE_INTEGER, undoes };
      const restored = await context.keeper.restore(backup.file, caller.actor, allowed);
      if (!restored.ok)
        return restored.error.code === 'not_found'
          ? refuse('conflict', restored.error.message)
          : refuse(restored.error.code, restored.error.message);
      const { replaced } = restored.value;
      return answer({ backup: backup.name, replaced: replaced === null ? null : nameOf(replaced) });
    },
  };
}
