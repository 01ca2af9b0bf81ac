import type { SyncUndoPlan } from '../../../src-shared/contract/index.ts';
import { changesSince } from '../../book/store/audit.ts';
import { listBackups, type StoredBackup } from '../../book/store/backup-files.ts';
import { CONTINUOUS_ACTOR } from '../../runs/work/continuous-runs.ts';
import { answer, missing, refuse, timestampOf } from '../../service/answers.ts';
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
  const changes = changesSince(database, audited).filter(({ actor, action }) => !OF_ITSELF.has(actor) && !NO_CHANGES.test(action));
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
  if (row.undone_at !== null) return 'It is undone already.';
  if (isUnderWay(sync.activity(row.remote_id)) || resultOf(row) === null)
    return 'It is under way, or was cut off: let the next sync come to its end.';
  if (countReceived(row) === 0) return 'It changed nothing here.';
  if (row.backup === null) return 'There is no backup of before it: the book was empty then.';
  if (backup === undefined) return `The backup of before it is gone: ${row.backup}.`;
  if (backup.facts === null) return `The backup of before it is not as it was when it was checked: ${row.backup}.`;
  const later = laterSyncRuns(database, row.id).find((one) => one.undone_at === null && countReceived(one) > 0);
  return later === undefined ? null : `A later sync changed something here: undo that of ${timestampOf(later.started_at)} first.`;
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
        return refuse('sync_in_progress', `A sync with ${remote.name} is under way: wait for its end, or cancel it first.`);
      if (plan.why_not !== null || backup === undefined)
        return refuse('conflict', `This sync cannot be undone. ${plan.why_not ?? ''}`.trim());
      if (plan.lost > alsoUndo) {
        const kinds = plan.list.map(({ words }) => words).join('; ');
        return refuse(
          'conflict',
          `${plan.lost} ${plan.lost === 1 ? 'change was' : 'changes were'} made here since that sync and would be undone with it (${kinds}): allow that number, or leave the sync as it is. Nothing was changed.`,
        );
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

type Wording = readonly [one: string, many: string, done: string];

/** Past-tense descriptions of the audited changes, by the action of the audit entry. They list what undoing a sync would also take back. */
export const CHANGE_WORDS: Readonly<Record<string, Wording>> = {
  'record.created': ['line', 'lines', 'added by hand'],
  'record.updated': ['line', 'lines', 'edited'],
  'record.deleted': ['line', 'lines', 'deleted'],
  'record.marked_overdue': ['line', 'lines', 'marked as overdue'],
  'bulk_request.accepted': ['batch of lines', 'batches of lines', 'sent by a program'],
  'bulk_request.cancelled': ['batch of lines from a program', 'batches of lines from a program', 'cancelled'],
  'bulk_request.failed': ['batch of lines from a program', 'batches of lines from a program', 'broken off'],
  'import_batch.created': ['file', 'files', 'imported'],
  'import_batch.undone': ['import', 'imports', 'undone'],
  'import_batch.restated': ['imported file', 'imported files', 'given other balances'],
  'import_batch.currency_corrected': ['imported file', 'imported files', 'given another currency'],
  'import_batch.lines_added': ['imported file', 'imported files', 'given further lines'],
  'import_batch.forgotten': ['imported file', 'imported files', 'forgotten'],
  'import_recipe.created': ['way to read a bank’s files', 'ways to read a bank’s files', 'kept'],
  'import_recipe.replaced': ['way to read a bank’s files', 'ways to read a bank’s files', 'replaced'],
  'import_recipe.renamed': ['way to read a bank’s files', 'ways to read a bank’s files', 'renamed'],
  'import_recipe.restored': ['way to read a bank’s files', 'ways to read a bank’s files', 'brought back'],
  'import_recipe.deleted': ['way to read a bank’s files', 'ways to read a bank’s files', 'deleted'],
  'stream.created': ['stream', 'streams', 'added'],
  'stream.updated': ['stream', 'streams', 'edited'],
  'stream.deleted': ['stream', 'streams', 'deleted with all lines'],
  'stream.reset': ['stream', 'streams', 'emptied'],
  'property_definition.created': ['property of lines', 'properties of lines', 'added'],
  'property_definition.updated': ['property of lines', 'properties of lines', 'edited'],
  'property_definition.deleted': ['property of lines', 'properties of lines', 'deleted'],
  'bank_account.created': ['bank account', 'bank accounts', 'added'],
  'bank_account.updated': ['bank account', 'bank accounts', 'edited'],
  'bank_account.deleted': ['bank account', 'bank accounts', 'deleted'],
  'bank_account.restored': ['bank account', 'bank accounts', 'brought back'],
  'bank_account_balances.put': ['balance of a bank account', 'balances of bank accounts', 'entered'],
  'reconciliation.created': ['reconciliation', 'reconciliations', 'added'],
  'reconciliation.updated': ['reconciliation', 'reconciliations', 'edited'],
  'reconciliation.deleted': ['reconciliation', 'reconciliations', 'deleted'],
  'rule.created': ['rule', 'rules', 'added'],
  'rule.updated': ['rule', 'rules', 'edited'],
  'rule.deleted': ['rule', 'rules', 'deleted'],
  'rule.restored': ['rule', 'rules', 'brought back'],
  'rule.activated': ['proposed rule', 'proposed rules', 'accepted'],
  'rule.dismissed': ['proposed rule', 'proposed rules', 'dismissed'],
  'rules.reordered': ['list of rules', 'lists of rules', 'put in another order'],
  'rules.replaced': ['list of rules', 'lists of rules', 'replaced'],
  'rules.preset_taken': ['list of rules', 'lists of rules', 'filled with ready-made rules'],
  'rules.proposed': ['search for rules', 'searches for rules', 'made'],
  'run.completed': ['run of the rules', 'runs of the rules', 'made'],
  'run.undone': ['run of the rules', 'runs of the rules', 'taken back'],
  'match.created': ['match', 'matches', 'made by hand'],
  'match.confirmed': ['match', 'matches', 'confirmed'],
  'match.removed': ['match', 'matches', 'taken apart'],
  'match.rejected': ['proposed match', 'proposed matches', 'rejected'],
  'match.restored': ['match', 'matches', 'brought back'],
  'match.undone': ['decision about a match', 'decisions about matches', 'undone'],
  'match.kept': ['match', 'matches', 'looked at and kept'],
  'matches.confirmed_in_bulk': ['group of matches', 'groups of matches', 'confirmed together'],
  'matches.unconfirmed_in_bulk': ['group of matches', 'groups of matches', 'no longer confirmed'],
  'matches.dissolved': ['group of matches', 'groups of matches', 'dissolved because their lines were deleted'],
  'separation.cleared': ['separation', 'separations', 'lifted, so that the lines may match again'],
  'separation.restored': ['separation', 'separations', 'put back, so that the lines do not match'],
  'exception.created': ['exception', 'exceptions', 'opened'],
  'exception.updated': ['exception', 'exceptions', 'edited'],
  'exception.deleted': ['exception', 'exceptions', 'deleted'],
  'open_items.noted': ['note on many open items', 'notes on many open items', 'written'],
  'open_item.noted': ['note on an open item', 'notes on open items', 'written'],
  'period.created': ['period', 'periods', 'added'],
  'period.updated': ['period', 'periods', 'edited'],
  'period.deleted': ['period', 'periods', 'deleted'],
  'period.prepared': ['period', 'periods', 'signed by the preparer'],
  'period.reviewed': ['period', 'periods', 'signed by the reviewer'],
  'period.closed': ['period', 'periods', 'closed'],
  'period.reopened': ['period', 'periods', 'reopened'],
  'story.created': ['story', 'stories', 'added'],
  'story.updated': ['story', 'stories', 'edited'],
  'story.deleted': ['story', 'stories', 'deleted'],
  'api_key.issued': ['key of the local address', 'keys of the local address', 'made'],
  'api_key.revoked': ['key of the local address', 'keys of the local address', 'revoked'],
  'local_port.updated': ['setting of the local address', 'settings of the local address', 'changed'],
  'book.updated': ['setting of the book', 'settings of the book', 'changed'],
  'book.accepted': ['state of the book', 'states of the book', 'accepted as it was found'],
  'book.started_anew': ['book', 'books', 'begun anew'],
  'book.restored': ['backup', 'backups', 'restored'],
};

/**
 * Audit actions that undoing a sync never takes from a person: the records of sync itself, and entries that accompany another entry of the same
 * change.
 */
export const NO_CHANGES =
  /^(?:sync_remote\..*|sync\.undone|book\.backed_up|run\.started|run\.taken_over|import_batch\.cleared|stream\.cleared)$/u;

/** Returns a sentence without its full stop, such as `3 lines were edited`. */
export function changeWords(action: string, count: number): string {
  const [one, many, done] = CHANGE_WORDS[action] ?? ['other change', 'other changes', 'made'];
  return count === 1 ? `1 ${one} was ${done}` : `${count} ${many} were ${done}`;
}
