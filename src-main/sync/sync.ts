import { success, failed, type Result } from '../../src-shared/values/result.ts';
import type { OperationId } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import type { Clock, Log, Random } from '../platform/ports.ts';
import type { Database } from '../store/database/database.ts';
import { findRemote, insertRemote, seedOfBook, updateRemote } from '../store/sync/remotes.ts';
import { endSyncRun, insertSyncRun } from '../store/sync/runs.ts';
import { ConflictBook } from './conflicts/conflict-book.ts';
import { type KeepRule, linkBook, type SyncContext } from './context.ts';
import { SyncStop } from './model/answers.ts';
import { emptyResult, errorOf, type RemoteKind, type SyncResult } from './model/result.ts';
import { statusOf } from './pull/pull-few.ts';
import { Http } from './remote/http.ts';
import { baseUrlOf } from './remote/origin.ts';
import { probe } from './remote/probe.ts';
import { Remote } from './remote/remote.ts';
import { type Call, type Dialect, TIEOUT } from './sides/dialect.ts';
import { Side } from './sides/side.ts';
import { syncBook } from './sync-book.ts';
import { type Verified, verifyBook } from './verify/verify.ts';

/** What sync takes from the service and from outside. */
export interface SyncPorts {
  readonly database: Database;
  /** The service's own door, as the actor `sync`. */
  readonly dispatch: (operation: OperationId, input: unknown, idempotencyKey: string | undefined) => Promise<Outcome<unknown>>;
  readonly keepRule: KeepRule;
  readonly environmentId: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly note: (words: string) => void;
}

export interface SyncOrder {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly preview: boolean;
}

/** Failures of the service that no object is to blame for. */
const STOPS: ReadonlySet<string> = new Set(['storage_full', 'internal_error', 'book_read_only', 'book_damaged', 'book_unavailable']);

/** The book by the operations of the contract, as any caller reaches it. */
function localCalls({ dispatch }: SyncPorts): Call {
  return async (operation, input, key) => {
    const outcome = await dispatch(operation, input, key);
    if (outcome.ok) return { ok: true, value: outcome.value };
    const { code, message } = outcome.error;
    if (STOPS.has(code)) throw new SyncStop(code, message);
    return { ok: false, error: { status: statusOf(code), code, message } };
  };
}

interface Known {
  readonly id: number | null;
  readonly seed: string;
  readonly run: number;
}

function hex({ random }: SyncPorts): string {
  return Buffer.from(random.bytes(8)).toString('hex');
}

/** The remote as the book knows it; from the first sync that is no preview it is kept. */
function remoteOf(ports: SyncPorts, baseUrl: string, kind: RemoteKind, preview: boolean): Known {
  const { database, environmentId, clock } = ports;
  const known = findRemote(database, environmentId, baseUrl);
  const seed = known?.seed ?? seedOfBook(database) ?? hex(ports);
  if (preview) return { id: known?.id ?? null, seed, run: 0 };
  return database.write((write) => {
    const nowMs = clock.nowMs();
    const id =
      known?.id ??
      insertRemote(write, { environment_id: environmentId, base_url: baseUrl, kind, seed, created_at: nowMs, last_synced_at: null });
    updateRemote(write, id, { kind });
    return { id, seed, run: insertSyncRun(write, id, nowMs) };
  });
}

interface Opened {
  readonly remote: Remote;
  readonly dialect: Dialect;
  readonly baseUrl: string;
}

async function openRemote(ports: SyncPorts, order: SyncOrder): Promise<Opened> {
  const baseUrl = baseUrlOf(order.baseUrl);
  const http = new Http(baseUrl, order.apiKey, ports);
  const dialect = await probe(http);
  return { remote: new Remote(http, dialect), dialect, baseUrl };
}

function contextOf(ports: SyncPorts, { remote, dialect }: Opened, known: Known, result: SyncResult): SyncContext {
  const { database, clock, environmentId, keepRule, wait, note, signal } = ports;
  const writes = { id: known.id, writes: !result.preview };
  return {
    database,
    environmentId,
    remoteId: known.id,
    preview: result.preview,
    seed: known.seed,
    run: `${known.id ?? 0}-${known.run}`,
    local: new Side(localCalls(ports), { ...TIEOUT, gaps: TIEOUT.gaps }, dialect),
    remote,
    conflicts: new ConflictBook(database, writes, clock.nowMs),
    result,
    keepRule,
    clock,
    wait,
    note,
    signal,
    links: linkBook(database, writes),
    leaving: { here: new Set(), there: new Set() },
  };
}

function stopOf(error: unknown, { signal, log }: SyncPorts): SyncStop {
  if (error instanceof SyncStop) return error;
  if (signal.aborted) return new SyncStop('cancelled', 'The sync was stopped. The next one goes on from there.');
  log.error('a sync failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return new SyncStop('internal_error', `Tieout failed in the sync: ${error instanceof Error ? error.message : String(error)}`);
}

/** Brings the book and a remote together. Never throws: what breaks it stands in `error`, and the counts say what had moved. */
export async function syncWith(ports: SyncPorts, order: SyncOrder): Promise<SyncResult> {
  const { database, clock } = ports;
  const startedMs = clock.monotonicMs();
  const result = emptyResult(order.baseUrl, order.preview);
  let known: Known = { id: null, seed: '', run: 0 };
  let context: SyncContext | null = null;
  try {
    const opened = await openRemote(ports, order);
    result.remote.kind = opened.dialect.kind;
    known = remoteOf(ports, opened.baseUrl, opened.dialect.kind, order.preview);
    context = contextOf(ports, opened, known, result);
    await syncBook(context);
    context.conflicts.finish();
  } catch (error) {
    result.error = errorOf(stopOf(error, ports));
  }
  result.conflicts.push(...(context?.conflicts.shown() ?? []));
  const isClear = result.conflicts.length + result.unsure.length + result.refused.length === 0;
  result.ok = result.error === null && isClear;
  result.duration_ms = Math.round(clock.monotonicMs() - startedMs);
  const { id } = known;
  if (id !== null && !order.preview) {
    database.write((write) => {
      if (result.error === null) updateRemote(write, id, { last_synced_at: clock.nowMs() });
      endSyncRun(write, known.run, clock.nowMs(), JSON.stringify(result));
    });
  }
  return result;
}

/** Compares both sides and changes nothing. */
export async function verifyWith(ports: SyncPorts, order: Omit<SyncOrder, 'preview'>): Promise<Result<Verified, SyncStop>> {
  try {
    const opened = await openRemote(ports, { ...order, preview: true });
    const known = remoteOf(ports, opened.baseUrl, opened.dialect.kind, true);
    return success(await verifyBook(contextOf(ports, opened, known, emptyResult(opened.baseUrl, true))));
  } catch (error) {
    return failed(stopOf(error, ports));
  }
}
