import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { bookInstance } from '../../book/store/settings.ts';
import type { WriteHandle } from '../../database/database.ts';
import { findRemote, insertRemote, remoteById, remotesOf, seedOfBook, type SyncRemoteRow, updateRemote } from '../store/remotes.ts';
import { isBookEmpty } from '../store/reads.ts';
import { backUpSyncRun, insertSyncRun } from '../store/runs.ts';
import { ConflictBook } from './conflict-book.ts';
import { linkBook, type SamePair, type SyncContext, SyncLog, type SyncScope } from './context.ts';
import { SyncStop } from './answers.ts';
import { type SyncResult, Tally } from './sync-result.ts';
import type { SyncAddress, SyncOrder, SyncPorts } from './ports.ts';
import { statusOf } from './pull-low-volume.ts';
import { baseUrlOf, Http } from './remote-http.ts';
import { identityOf, probe, Remote, type RemoteIdentity } from './remote.ts';
import { type Call, TIEOUT } from './dialect.ts';
import { Side } from './side.ts';
import { type Answering, whichRemote } from './which-remote.ts';

/** Error codes of the service that concern the whole book and no single object. */
const STOPS: ReadonlySet<string> = new Set(['storage_full', 'internal_error', 'book_read_only', 'book_damaged', 'book_unavailable']);

/** Calls operations of the contract on the local book, as any caller would. */
export function localCalls({ dispatch }: Pick<SyncPorts, 'dispatch'>): Call {
  return async (operation, input, key) => {
    const outcome: Outcome<unknown> = await dispatch(operation, input, key);
    if (outcome.ok) return { ok: true, value: outcome.value };
    const { code, message } = outcome.error;
    if (STOPS.has(code)) throw new SyncStop(code, message);
    return { ok: false, error: { status: statusOf(code), code, message } };
  };
}

export interface Opened extends Answering {
  /** Returns the current history of the remote, with the hash of its given entry. */
  readonly identityAt: (entry: number | null) => Promise<RemoteIdentity | null>;
}

export async function openRemote(ports: SyncPorts, address: SyncAddress): Promise<Opened> {
  const baseUrl = baseUrlOf(address.baseUrl);
  ports.progress.phase('connecting');
  const http = new Http(baseUrl, address.apiKey, { ...ports, waits: ports.progress.waits });
  const { dialect, identity } = await probe(http);
  return { remote: new Remote(http, dialect), dialect, baseUrl, identity, identityAt: (entry) => identityOf(http, entry) };
}

/** The remote as the book knows it, and the sync under way. */
export interface Known {
  /** Null if the book does not know the remote yet. */
  readonly id: number | null;
  readonly seed: string;
  /** The sync's id in the history; null for a preview or a comparison. */
  readonly run: number | null;
  readonly isFirst: boolean;
  /** The name of the backup that this sync made; null if it made none. */
  readonly backup: string | null;
  /** The remote's row before the sync; null if the book does not know it yet. */
  readonly row: SyncRemoteRow | null;
}

export const UNKNOWN: Known = { id: null, seed: '', run: null, isFirst: false, backup: null, row: null };

const SEED_BYTES = 8;

/** Finds the remote by its stated identity. Stops with a question if it is another one than expected. */
export async function knownRemote(ports: SyncPorts, opened: Opened, address: SyncAddress): Promise<Known> {
  const { database, random, note } = ports;
  const row = (await whichRemote(ports, opened, address)) ?? null;
  if (row !== null && row.base_url !== opened.baseUrl)
    note(phrase('sync.begin.thisIsWhichTheBook', { name: row.name, base_url: row.base_url }));
  const seed = row?.seed ?? seedOfBook(database) ?? Buffer.from(random.bytes(SEED_BYTES)).toString('hex');
  return { id: row?.id ?? null, seed, run: null, isFirst: (row?.last_synced_at ?? null) === null, backup: null, row };
}

interface ChangesHere {
  readonly deletesHere: boolean;
  /** Whether the sync creates or changes anything here; if so it is backed up, so that it can be undone. */
  readonly changesHere: boolean;
}

async function backedUp(
  { backUp, database, progress }: SyncPorts,
  { isFirst }: Known,
  { deletesHere, changesHere }: ChangesHere,
): Promise<string | null> {
  const isFirstOf = isFirst && !isBookEmpty(database);
  if (!deletesHere && !changesHere && !isFirstOf) return null;
  progress.phase('backing_up');
  const backup = await backUp(deletesHere || isFirstOf ? 'before_sync' : 'before_changes');
  const when = deletesHere
    ? phrase('sync.begin.aSyncThatDeletesSomething')
    : isFirstOf
      ? phrase('sync.begin.itsFirstSync')
      : phrase('sync.begin.aSyncThatChangesIt');
  if (!backup.ok) throw new SyncStop('backup_failed', phrase('sync.begin.theBookIsBackedUp', { when, error: backup.error }));
  return backup.value;
}

/** Returns a function that backs the book up at most once, for a sync that only discovers on its way that it deletes something here. */
function backUpOnce(ports: SyncPorts, known: Known): () => Promise<void> {
  let isDone = known.backup !== null;
  return async () => {
    if (isDone) return;
    const backup = await backedUp(ports, known, { deletesHere: true, changesHere: true });
    isDone = true;
    const { run } = known;
    if (run === null || backup === null) return;
    ports.database.write((write) => backUpSyncRun(write, run, backup));
    ports.progress.begun(run, backup);
    ports.progress.phase('moving');
  };
}

/** The remote, and whether the sync was found to delete or change anything in the book. */
export interface Found extends ChangesHere {
  readonly met: Known;
}

/** Returns the columns that keep the stated identity and history of a remote. */
function identityColumns(identity: RemoteIdentity | null) {
  return {
    instance_id: identity?.instanceId ?? null,
    book_id: identity?.bookId ?? null,
    remote_environment: identity?.environment ?? null,
    agreed_entries: identity?.entries ?? null,
    agreed_head: identity?.head ?? null,
  };
}

function nameOf({ baseUrl, identity }: Opened, isBesideAnother: boolean): string {
  const { host } = new URL(baseUrl);
  return isBesideAnother ? `${host} (${identity?.environment ?? phrase('sync.begin.anotherOne')})` : host;
}

/** Inserts a remote that the book does not know, even at the address of a known one. */
function insertMet(write: WriteHandle, { environmentId }: SyncPorts, opened: Opened, fresh: { seed: string; created_at: number }): number {
  const { baseUrl, dialect, identity } = opened;
  const atSameAddress = remotesOf(write, environmentId).filter(({ base_url: url }) => url === baseUrl).length;
  return insertRemote(write, {
    ...fresh,
    environment_id: environmentId,
    name: nameOf(opened, atSameAddress > 0),
    base_url: baseUrl,
    kind: dialect.kind,
    key_suffix: atSameAddress === 0 ? '' : `#${identity?.instanceId ?? atSameAddress}/${identity?.environment ?? ''}`,
  });
}

/** Begins a sync in the history, and inserts a new remote. A preview writes nothing. */
export async function begin(ports: SyncPorts, opened: Opened, order: SyncOrder, { met, ...changes }: Found): Promise<Known> {
  const { row } = met;
  if (order.preview) return met;
  const backup = await backedUp(ports, met, changes);
  const { database, clock, progress } = ports;
  const { kind } = opened.dialect;
  const nowMs = clock.nowMs();
  const begun = database.write((write) => {
    const id = met.id ?? insertMet(write, ports, opened, { seed: met.seed, created_at: nowMs });
    const isMoved = row !== null && row.base_url !== opened.baseUrl && opened.identity === null;
    updateRemote(write, id, { kind, question: null, ...(isMoved ? { base_url: opened.baseUrl } : {}) });
    const { what, startedBy } = order;
    return {
      ...met,
      id,
      backup,
      run: insertSyncRun(write, { remote_id: id, what, started_by: startedBy, started_at: nowMs, backup }),
    };
  });
  progress.begun(begun.run, backup);
  return begun;
}

/**
 * Notes the remote's identity and history and this book's instance; call it once the remote is known to have what both agreed on. A restored book is
 * noted only after a complete sync: an interrupted one leaves lines that the question still concerns.
 */
export function noteMet({ database }: SyncPorts, { id, run }: Known, identity: RemoteIdentity | null, isPutBack: boolean): void {
  if (id === null || run === null) return;
  const own = isPutBack ? {} : { own_instance: bookInstance(database).instanceId };
  database.write((write) => updateRemote(write, id, { ...identityColumns(identity), ...own }));
}

/** Enters a sync that reached no remote or stopped with a question into the history, if the book knows the remote. */
export function unanswered({ database, environmentId, clock, progress }: SyncPorts, order: SyncOrder, remoteId: number | null): Known {
  const chosen = remoteId ?? order.remoteId;
  const known = chosen === undefined ? findRemote(database, environmentId, order.baseUrl) : remoteById(database, environmentId, chosen);
  if (known === undefined) return UNKNOWN;
  const { what, startedBy } = order;
  const run = database.write((write) =>
    insertSyncRun(write, { remote_id: known.id, what, started_by: startedBy, started_at: clock.nowMs(), backup: null }),
  );
  progress.begun(run, null);
  return { id: known.id, seed: known.seed, run, isFirst: known.last_synced_at === null, backup: null, row: known };
}

interface Work {
  readonly result: SyncResult;
  readonly scope?: SyncScope;
  readonly same?: readonly SamePair[];
  readonly accepted?: number;
  readonly putBack?: SyncContext['putBack'];
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
    // The time makes the id unique: a restored book numbers its syncs anew.
    run: `${known.id ?? 0}-${known.run ?? 0}-${clock.nowMs().toString(36)}`,
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
    putBack: work.putBack ?? null,
    unsure: new Set(),
    accepted,
    backUpFirst: backUpOnce(ports, known),
    leaving: { here: new Set(), there: new Set() },
    waiting: { here: new Set(), there: new Set() },
  };
}
