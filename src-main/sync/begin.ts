import type { Outcome } from '../../src-shared/contract/wire.ts';
import { findRemote, insertRemote, seedOfBook, updateRemote } from '../store/sync/remotes.ts';
import { isBookEmpty } from '../store/sync/reads.ts';
import { backUpSyncRun, insertSyncRun } from '../store/sync/runs.ts';
import { ConflictBook } from './conflicts/conflict-book.ts';
import { linkBook, type SamePair, type SyncContext, type SyncScope } from './context.ts';
import { SyncLog } from './log/sync-log.ts';
import { Tally } from './log/tally.ts';
import { SyncStop } from './model/answers.ts';
import type { SyncResult } from './model/result.ts';
import type { SyncAddress, SyncOrder, SyncPorts } from './ports.ts';
import { statusOf } from './pull/pull-few.ts';
import { Http } from './remote/http.ts';
import { baseUrlOf } from './remote/origin.ts';
import { probe } from './remote/probe.ts';
import { Remote } from './remote/remote.ts';
import { type Call, type Dialect, TIEOUT } from './sides/dialect.ts';
import { Side } from './sides/side.ts';

/** Failures of the service that no object is to blame for. */
const STOPS: ReadonlySet<string> = new Set(['storage_full', 'internal_error', 'book_read_only', 'book_damaged', 'book_unavailable']);

/** The book by the operations of the contract, as any caller reaches it. */
export function localCalls({ dispatch }: Pick<SyncPorts, 'dispatch'>): Call {
  return async (operation, input, key) => {
    const outcome: Outcome<unknown> = await dispatch(operation, input, key);
    if (outcome.ok) return { ok: true, value: outcome.value };
    const { code, message } = outcome.error;
    if (STOPS.has(code)) throw new SyncStop(code, message);
    return { ok: false, error: { status: statusOf(code), code, message } };
  };
}

export interface Opened {
  readonly remote: Remote;
  readonly dialect: Dialect;
  readonly baseUrl: string;
}

export async function openRemote(ports: SyncPorts, address: SyncAddress): Promise<Opened> {
  const baseUrl = baseUrlOf(address.baseUrl);
  ports.progress.phase('connecting');
  const http = new Http(baseUrl, address.apiKey, { ...ports, waits: ports.progress.waits });
  const { dialect } = await probe(http);
  return { remote: new Remote(http, dialect), dialect, baseUrl };
}

/** The remote as the book knows it. */
export interface Known {
  /** Null where the book does not know it yet. */
  readonly id: number | null;
  readonly seed: string;
  /** Its entry in the history; null of what only reads. */
  readonly run: number | null;
  readonly isFirst: boolean;
  /** Name of the backup that this sync made. */
  readonly backup: string | null;
}

export const UNKNOWN: Known = { id: null, seed: '', run: null, isFirst: false, backup: null };

/** For what only reads. */
export function knownRemote({ database, environmentId, random }: SyncPorts, baseUrl: string): Known {
  const known = findRemote(database, environmentId, baseUrl);
  const seed = known?.seed ?? seedOfBook(database) ?? Buffer.from(random.bytes(8)).toString('hex');
  return { id: known?.id ?? null, seed, run: null, isFirst: (known?.last_synced_at ?? null) === null, backup: null };
}

async function backedUp({ backUp, database, progress }: SyncPorts, { isFirst }: Known, deletesHere: boolean): Promise<string | null> {
  if (!deletesHere && (!isFirst || isBookEmpty(database))) return null;
  progress.phase('backing_up');
  const backup = await backUp();
  const when = deletesHere ? 'a sync that deletes something in it' : 'its first sync';
  if (!backup.ok) throw new SyncStop('backup_failed', `The book is backed up before ${when}, and that failed: ${backup.error}`);
  return backup.value;
}

/** Backs the book up in a sync that found only on its way that it deletes something. */
function backUpOnce(ports: SyncPorts, known: Known): () => Promise<void> {
  let isDone = known.backup !== null;
  return async () => {
    if (isDone) return;
    const backup = await backedUp(ports, known, true);
    isDone = true;
    const { run } = known;
    if (run === null || backup === null) return;
    ports.database.write((write) => backUpSyncRun(write, run, backup));
    ports.progress.begun(run, backup);
    ports.progress.phase('moving');
  };
}

/** From the first sync that is no preview the remote is kept, and every sync has its entry in the history. */
export async function begin(ports: SyncPorts, { baseUrl, dialect }: Opened, order: SyncOrder, deletesHere: boolean): Promise<Known> {
  const known = knownRemote(ports, baseUrl);
  if (order.preview) return known;
  const backup = await backedUp(ports, known, deletesHere);
  const { database, environmentId, clock, progress } = ports;
  const { kind } = dialect;
  const nowMs = clock.nowMs();
  const begun = database.write((write) => {
    const name = new URL(baseUrl).host;
    const fresh = { environment_id: environmentId, name, base_url: baseUrl, kind, seed: known.seed, created_at: nowMs };
    const id = known.id ?? insertRemote(write, fresh);
    updateRemote(write, id, { kind });
    const { what, startedBy } = order;
    return { ...known, id, backup, run: insertSyncRun(write, { remote_id: id, what, started_by: startedBy, started_at: nowMs, backup }) };
  });
  progress.begun(begun.run, backup);
  return begun;
}

/** The history has an entry of a sync that found no remote too, where the book knows the remote. */
export function unanswered({ database, environmentId, clock, progress }: SyncPorts, order: SyncOrder): Known {
  const known = findRemote(database, environmentId, order.baseUrl);
  if (known === undefined) return UNKNOWN;
  const { what, startedBy } = order;
  const run = database.write((write) =>
    insertSyncRun(write, { remote_id: known.id, what, started_by: startedBy, started_at: clock.nowMs(), backup: null }),
  );
  progress.begun(run, null);
  return { id: known.id, seed: known.seed, run, isFirst: known.last_synced_at === null, backup: null };
}

interface Work {
  readonly result: SyncResult;
  readonly scope?: SyncScope;
  readonly same?: readonly SamePair[];
  readonly accepted?: number;
}

export function contextOf(ports: SyncPorts, { remote, dialect }: Opened, known: Known, work: Work): SyncContext {
  const { result, scope, same = [], accepted = 0 } = work;
  const { database, clock, environmentId, keepRule, sameInOtherWords, wait, note, signal, progress, trouble } = ports;
  const writes = { id: known.id, writes: !result.preview };
  return {
    database,
    environmentId,
    remoteId: known.id,
    preview: result.preview,
    seed: known.seed,
    run: `${known.id ?? 0}-${known.run ?? 0}`,
    local: new Side(localCalls(ports), { ...TIEOUT, gaps: TIEOUT.gaps }, dialect),
    remote,
    conflicts: new ConflictBook(database, writes, clock.nowMs),
    result,
    log: new SyncLog(database, known.run),
    tally: new Tally(),
    progress,
    scope: scope ?? null,
    same,
    keepRule,
    sameInOtherWords,
    trouble,
    clock,
    wait,
    note,
    signal,
    links: linkBook(database, writes),
    unsure: new Set(),
    accepted,
    backUpFirst: backUpOnce(ports, known),
    leaving: { here: new Set(), there: new Set() },
  };
}
