import type { SyncDeletions, SyncLine, SyncResource, SyncRun } from '../../../src-shared/contract/index.ts';
import { SYNC_RESOURCES } from '../../../src-shared/contract/sync/sync-words.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { answer, missing, refuse, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { countSyncLines, type SyncLineRow, syncLinesOf } from '../store/lines.ts';
import { placesOfMatches, placesOfRecords, placesOfRules } from '../store/links.ts';
import { remoteById } from '../store/remotes.ts';
import { countSyncRuns, findSyncRun, firstSyncRunId, type SyncRunRow, syncRunsOf } from '../store/runs.ts';
import { DELETIONS_WAIT } from '../work/deletions.ts';

interface NotMoved {
  readonly resource: string;
  readonly name: string;
  readonly reason: string;
}

/** The result of a sync as the book keeps it, in JSON. */
export interface KeptResult {
  readonly remote: { readonly cannot_move: readonly NotMoved[] };
  readonly sent: Readonly<Record<SyncResource, number>>;
  readonly received: Readonly<Record<SyncResource, number>>;
  readonly conflicts: readonly unknown[];
  readonly unsure: readonly NotMoved[];
  readonly refused: readonly { readonly resource: string; readonly name: string; readonly message: string }[];
  readonly deletions: SyncDeletions;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly duration_ms: number;
}

const NONE = Object.fromEntries(SYNC_RESOURCES.map((name) => [name, 0])) as Record<SyncResource, number>;
/** Error codes that mean that the remote does not answer. */
export const NO_NETWORK: ReadonlySet<string> = new Set(['unreachable', 'tls_failed', 'remote_busy']);

/** Error codes of a sync that stopped with a question before it changed anything. */
export const QUESTIONS = ['remote_is_another', 'remote_lost_history', 'book_was_put_back', 'sync_was_undone', 'accounts_differ'] as const;
const ASKED: ReadonlySet<string> = new Set(QUESTIONS);
export const isQuestion = (code: string): code is (typeof QUESTIONS)[number] => ASKED.has(code);
const NO_DELETIONS: SyncDeletions = { count: 0, here: 0, there: 0, wants_word: false, why: [], list: [] };

const sumOf = (counts: Readonly<Record<SyncResource, number>>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Returns the result of a sync, or null if it is in progress or Tieout was stopped during it. */
export function resultOf({ id, result }: Pick<SyncRunRow, 'id' | 'result'>): KeptResult | null {
  return storedJson('sync_runs.result', result, id);
}

/** Returns how many decisions wait for a person. The next sync resolves everything unsure except accounts. */
function toDecideOf({ conflicts, unsure }: Pick<KeptResult, 'conflicts' | 'unsure'>): number {
  return conflicts.length + unsure.filter(({ resource }) => resource === 'accounts').length;
}

function stateOf(result: KeptResult | null, isUnderWay: boolean): SyncRun['state'] {
  if (result === null) return isUnderWay ? 'under_way' : 'broke_off';
  if (result.error !== null) {
    if (result.error.code === 'cancelled') return 'cancelled';
    if (result.error.code === DELETIONS_WAIT) return 'deletions_wait';
    if (isQuestion(result.error.code)) return 'asked';
    return NO_NETWORK.has(result.error.code) && sumOf(result.sent) + sumOf(result.received) === 0 ? 'no_network' : 'broke_off';
  }
  if (result.refused.length > 0) return 'refused';
  if (toDecideOf(result) > 0) return 'to_decide';
  return result.unsure.length > 0 ? 'refused' : 'agrees';
}

function runView(row: SyncRunRow, { firstId, underWay }: { readonly firstId: number; readonly underWay: number | null }): SyncRun {
  const result = resultOf(row);
  return {
    id: row.id,
    remote_id: row.remote_id,
    trigger: row.started_by,
    what: row.what,
    is_first: row.id === firstId,
    started_at: timestampOf(row.started_at),
    ended_at: timestampOrNull(row.ended_at),
    duration_ms: result?.duration_ms ?? null,
    sent: result?.sent ?? NONE,
    received: result?.received ?? NONE,
    sent_total: sumOf(result?.sent ?? NONE),
    received_total: sumOf(result?.received ?? NONE),
    to_decide: result === null ? 0 : toDecideOf(result),
    unsure: [...(result?.unsure ?? [])],
    refused: (result?.refused ?? []).map(({ resource, name, message }) => ({ resource, name, reason: message })),
    cannot_move: [...(result?.remote.cannot_move ?? [])],
    error: result?.error ?? null,
    state: stateOf(result, row.id === underWay),
    verified: storedJson('sync_runs.verified', row.verified, row.id),
    deletions: result?.deletions ?? NO_DELETIONS,
    backup: row.backup,
    undone_at: timestampOrNull(row.undone_at),
  };
}

function lineView({ counted, resource, name, act, reason, local_id: id }: SyncLineRow): SyncLine {
  const known = SYNC_RESOURCES.find((each) => each === resource) ?? SYNC_RESOURCES.find((each) => each === counted) ?? 'changes';
  return { resource: known, name, act, reason, local_id: id, reconciliation_id: null, data_stream_key: null };
}

export function syncHistoryHandlers({ database, sync }: ServiceContext): Pick<Handlers, 'sync_runs.list' | 'sync_runs.lines'> {
  return {
    'sync_runs.list': (caller, { id, limit, offset }) => {
      if (remoteById(database, caller.environmentId, id) === undefined) return missing('remote', id);
      const activity = sync.activity(id);
      const underWay = activity !== null && activity.ended_at === null ? activity.run_id : null;
      const about = { firstId: firstSyncRunId(database, id), underWay };
      const data = syncRunsOf(database, id, limit, offset).map((row) => runView(row, about));
      return answer({ total: countSyncRuns(database, id), data });
    },
    'sync_runs.lines': (caller, { id, way, resource, limit, offset }) => {
      if (findSyncRun(database, caller.environmentId, id) === undefined) return missing('sync', id);
      const counted = resource ?? null;
      const rows = syncLinesOf(database, id, way, { counted, limit, offset });
      return answer({ total: countSyncLines(database, id, way, counted), data: withPlaces(database, rows.map(lineView)) });
    },
  };
}

/** Adds the stream or reconciliation in which each line's object is shown. Lines of deleted objects keep their null places. */
function withPlaces(read: ReadHandle, lines: readonly SyncLine[]): SyncLine[] {
  const ids = (resource: SyncLine['resource']): number[] =>
    lines.flatMap((line) => (line.resource === resource && line.local_id !== null ? [line.local_id] : []));
  const records = placesOfRecords(read, [...ids('records'), ...ids('overdue')]);
  const matches = placesOfMatches(read, ids('matches'));
  const rules = placesOfRules(read, ids('rules'));
  return lines.map((line) => {
    const id = line.local_id ?? 0;
    if (line.resource === 'records' || line.resource === 'overdue')
      return { ...line, data_stream_key: records.get(id) ?? line.data_stream_key };
    if (line.resource === 'matches') return { ...line, reconciliation_id: matches.get(id) ?? line.reconciliation_id };
    if (line.resource === 'rules') return { ...line, reconciliation_id: rules.get(id) ?? line.reconciliation_id };
    if (line.resource === 'reconciliations') return { ...line, reconciliation_id: line.local_id };
    return line;
  });
}

type SyncOperation = 'syncs.start' | 'syncs.get' | 'syncs.cancel' | 'syncs.retry' | 'syncs.plan_lines';

export function syncHandlers(context: ServiceContext): Pick<Handlers, SyncOperation> {
  const { database, sync } = context;
  const remoteOf = (caller: Caller, id: number) => remoteById(database, caller.environmentId, id);
  return {
    'syncs.start': (caller, { id, what, same = [], accept_deletions: acceptDeletions = 0 }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      return sync.start({ remoteId: id, environment: caller.environment, what, trigger: 'by_hand', same, acceptDeletions });
    },
    'syncs.get': (caller, { id }) => {
      const remote = remoteOf(caller, id);
      if (remote === undefined) return missing('remote', id);
      const verified = storedJson('sync_remotes.verified', remote.verified, id);
      return answer({ activity: sync.activity(id), plan: sync.plan(id), verified });
    },
    'syncs.cancel': (caller, { id }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      return sync.cancel(id) ? answer(null) : refuse('conflict', phrase('sync.syncHistory.nothingIsUnderWayWithThisConnection'));
    },
    'syncs.retry': (caller, { id }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      return sync.retry(id) ? answer(null) : refuse('conflict', phrase('sync.syncHistory.nothingWaitsForThisConnection'));
    },
    'syncs.plan_lines': (caller, { id, resource, part, limit, offset }) => {
      if (remoteOf(caller, id) === undefined) return missing('remote', id);
      const found = sync.planLines(id, resource, part);
      if (found === null) return refuse('conflict', phrase('sync.syncHistory.thereIsNoPreviewOf'));
      const data = withPlaces(database, found.lines.slice(offset, offset + limit));
      return answer({ total: found.total, kept: found.lines.length, data });
    },
  };
}
