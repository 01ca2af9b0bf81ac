import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { dropIntent, intentsOf } from '../store/sync/intents.ts';
import { hasLinks } from '../store/sync/links.ts';
import { updateRemote } from '../store/sync/remotes.ts';
import { endSyncRun } from '../store/sync/runs.ts';
import { begin, contextOf, unanswered, type Known, knownRemote, type Opened, openRemote, UNKNOWN } from './begin.ts';
import { deletionsWait } from './brake.ts';
import type { SyncContext } from './context.ts';
import { SyncStop } from './model/answers.ts';
import { type Deletions, NO_DELETIONS } from './model/deletions.ts';
import { emptyResult, errorOf, type SyncResult } from './model/result.ts';
import type { SyncAddress, SyncOrder, SyncPorts } from './ports.ts';
import { Http, type HttpPorts } from './remote/http.ts';
import { baseUrlOf } from './remote/origin.ts';
import { probe, type Probed } from './remote/probe.ts';
import { openRequestsEnded, repairBook, syncBook } from './sync-book.ts';
import { differencesOf } from './verify/differences.ts';
import { type RowDifferences, scopeOf } from './verify/repair.ts';
import { type VerifiedRow, verifyRows } from './verify/verify.ts';

const NO_ANSWER: ReadonlySet<string> = new Set(['unreachable', 'remote_busy', 'tls_failed', 'not_a_service', 'wrong_key']);

/** `context` holds what was counted and noted; null where the remote was unusable. */
export interface SyncOutcome {
  readonly result: SyncResult;
  readonly context: Pick<SyncContext, 'log' | 'tally'> | null;
  readonly isFirst: boolean;
}

function stopOf(error: unknown, { signal, log }: SyncPorts): SyncStop {
  if (error instanceof SyncStop) return error;
  if (signal.aborted) return new SyncStop('cancelled', 'The sync was stopped. The next one goes on from there.');
  log.error('a sync failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return new SyncStop('internal_error', `Tieout failed in the sync: ${error instanceof Error ? error.message : String(error)}`);
}

/** Streams and reconciliations that differ, each with what of it does. */
async function differingOf(context: SyncContext, rows: readonly VerifiedRow[]): Promise<RowDifferences[]> {
  const differing: RowDifferences[] = [];
  for (const row of rows) if (!row.equal) differing.push({ row, lines: await differencesOf(context, row) });
  return differing;
}

function keepLog(context: SyncContext | null, { log }: SyncPorts): void {
  try {
    context?.log.save();
  } catch (error) {
    log.error('the last lines of a sync were not kept', { error: String(error) });
  }
}

/** At the end of a whole sync: an intent that it did not meet is of something that is here no more. */
function dropStaleIntents({ database, remoteId, preview, unsure }: SyncContext): void {
  if (remoteId === null || preview) return;
  const stale = intentsOf(database, remoteId).filter(({ resource, local_id: id }) => !unsure.has(`${resource} ${id}`));
  if (stale.length === 0) return;
  database.write((write) => {
    for (const { resource, local_id: id } of stale) dropIntent(write, remoteId, resource, id);
  });
}

/** Keeps what a sync came to. */
function end({ database, clock, log }: SyncPorts, { id, run }: Known, result: SyncResult): void {
  if (id === null || run === null) return;
  try {
    database.write((write) => {
      if (result.error === null) updateRemote(write, id, { last_synced_at: clock.nowMs() });
      endSyncRun(write, run, clock.nowMs(), JSON.stringify(result));
    });
  } catch (error) {
    // On a full disk the history lacks how it ended; what ended it is told all the same.
    log.error('the end of a sync was not kept', { error: String(error) });
  }
}

/**
 * What a sync would delete, found out before anything is written on either side. Without a link neither side can have deleted what the other has; what is read here
 * is not read again.
 */
async function lookAhead(ports: SyncPorts, opened: Opened, order: SyncOrder): Promise<Deletions> {
  const known = knownRemote(ports, opened.baseUrl);
  if (order.preview || known.id === null || !hasLinks(ports.database, known.id)) return NO_DELETIONS;
  const quiet = { ...ports, note: () => {}, progress: { ...ports.progress, at: () => {}, moved: () => {} } };
  const context = contextOf(quiet, opened, known, { result: emptyResult(opened.baseUrl, true), same: order.same });
  ports.progress.phase('comparing');
  await openRequestsEnded(context);
  await opened.remote.lookAhead(() => syncBook(context));
  return context.result.deletions;
}

/**
 * After a whole sync: what still differs, such as what somebody changed meanwhile, is compared and moved once more. What both sides agreed on last is not forgotten for
 * that, so what one side deleted is deleted and never sent again. What was refused or waits for a person would only be told a second time.
 */
async function repair(ports: SyncPorts, opened: Opened, known: Known, context: SyncContext): Promise<void> {
  ports.progress.phase('comparing');
  const reading = contextOf(ports, opened, known, { result: emptyResult(opened.baseUrl, true) });
  const scope = scopeOf(await verifyRows(reading));
  const { conflicts, result } = context;
  const isTold = conflicts.shown().length + result.refused.length + result.unsure.length > 0;
  if (isTold || scope.streams.size + scope.reconciliations.size === 0) return;
  ports.progress.phase('moving');
  await repairBook({ ...context, scope });
}

/** Brings the book and a remote together. Never throws: what breaks it stands in `error`, and the counts say what had moved. */
export async function syncWith(ports: SyncPorts, order: SyncOrder): Promise<SyncOutcome> {
  const { clock, progress } = ports;
  const startedMs = clock.monotonicMs();
  const result = emptyResult(order.baseUrl, order.preview);
  let known = UNKNOWN;
  let context: SyncContext | null = null;
  try {
    const opened = await openRemote(ports, order);
    result.remote.kind = opened.dialect.kind;
    result.deletions = await lookAhead(ports, opened, order);
    const { wants_word: wantsWord, count, here } = result.deletions;
    const waits = wantsWord && order.acceptDeletions < count;
    known = await begin(ports, opened, order, here > 0 && !waits);
    if (waits) throw deletionsWait(result.deletions);
    context = contextOf(ports, opened, known, { result, same: order.same, accepted: order.acceptDeletions });
    progress.phase(order.preview ? 'comparing' : 'moving');
    await syncBook(context);
    if (order.what === 'repair') await repair(ports, opened, known, context);
    context.conflicts.finish();
    dropStaleIntents(context);
  } catch (error) {
    result.error = errorOf(stopOf(error, ports));
    if (known.run === null && !order.preview && NO_ANSWER.has(result.error.code)) known = unanswered(ports, order);
  }
  keepLog(context, ports);
  result.conflicts.push(...(context?.conflicts.shown() ?? []));
  const isClear = result.conflicts.length + result.unsure.length + result.refused.length === 0;
  result.ok = result.error === null && isClear;
  result.duration_ms = Math.round(clock.monotonicMs() - startedMs);
  end(ports, known, result);
  return { result, context, isFirst: known.isFirst };
}

export interface Compared {
  readonly rows: readonly VerifiedRow[];
  /** Of the rows that differ, where they were asked for. */
  readonly differing: readonly RowDifferences[];
}

/** Compares both sides and changes nothing. */
export async function verifyWith(ports: SyncPorts, address: SyncAddress, withLines: boolean): Promise<Result<Compared, SyncStop>> {
  try {
    const opened = await openRemote(ports, address);
    const known = knownRemote(ports, opened.baseUrl);
    const context = contextOf(ports, opened, known, { result: emptyResult(opened.baseUrl, true) });
    ports.progress.phase('verifying');
    const rows = await verifyRows(context);
    return success({ rows, differing: withLines ? await differingOf(context, rows) : [] });
  } catch (error) {
    return failed(stopOf(error, ports));
  }
}

/** What a remote is, found out by reading alone. Somebody who just typed the address wants to hear at once that nothing answers. */
export async function probeWith(
  ports: Omit<HttpPorts, 'waits'>,
  address: SyncAddress,
): Promise<Result<Probed & { readonly baseUrl: string }, SyncStop>> {
  try {
    const baseUrl = baseUrlOf(address.baseUrl);
    const probed = await probe(new Http(baseUrl, address.apiKey, { ...ports, waits: () => {}, tries: 1 }));
    return success({ ...probed, baseUrl });
  } catch (error) {
    if (error instanceof SyncStop) return failed(error);
    throw error;
  }
}
