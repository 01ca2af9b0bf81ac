import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { dropIntent, intentsOf } from '../store/intents.ts';
import { hasLinks } from '../store/links.ts';
import type { KeptQuestion } from '../store/questions.ts';
import { type SyncRemoteRow, updateRemote } from '../store/remotes.ts';
import { endSyncRun } from '../store/runs.ts';
import { undoneOf } from '../store/undone.ts';
import { checkHistory, type Said, sendAgain } from './agreed-history.ts';
import { begin, contextOf, type Known, knownRemote, noteMet, type Opened, openRemote, unanswered, UNKNOWN } from './begin.ts';
import { deletionsWait } from './brake.ts';
import type { SyncContext } from './context.ts';
import { SyncQuestion, SyncStop } from './answers.ts';
import { type Deletions, NO_DELETIONS } from './deletions.ts';
import { emptyResult, errorOf, type SyncResult } from './sync-result.ts';
import type { SyncAddress, SyncOrder, SyncPorts } from './ports.ts';
import { Http, type HttpPorts } from './remote-http.ts';
import { baseUrlOf } from './remote-origin.ts';
import { probe, type Probed, type RemoteIdentity } from './probe-remote.ts';
import { Remote } from './remote.ts';
import { openRequestsEnded, repairBook, syncBook } from './sync-book.ts';
import { differencesOf } from './differences.ts';
import { type RowDifferences, scopeOf } from './repair.ts';
import { type VerifiedRow, verifyRows } from './verify.ts';
import { type AboutUndone, checkUndone, settleUndone } from './undone-sync.ts';
import { checkOwnBook, recognised } from './which-remote.ts';

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
      if (result.error === null) updateRemote(write, id, { last_synced_at: clock.nowMs(), answer: null });
      endSyncRun(write, run, clock.nowMs(), JSON.stringify(result));
    });
  } catch (error) {
    // On a full disk the history lacks how it ended; what ended it is told all the same.
    log.error('the end of a sync was not kept', { error: String(error) });
  }
}

interface Ahead {
  readonly met: Known;
  /** What a person said of a remote that lost what both agreed on. */
  readonly said: Said;
  /** What a person said of a sync that was undone. */
  readonly undone: AboutUndone;
  readonly identity: RemoteIdentity | null;
  readonly deletions: Deletions;
  /** Whether the sync would change something here. */
  readonly isReceiving: boolean;
}

const NOTHING_AHEAD = { said: null, undone: null, deletions: NO_DELETIONS, isReceiving: false } as const;

const hasUndone = ({ database }: SyncPorts, { id }: SyncRemoteRow): boolean => undoneOf(database, id).length > 0;

/**
 * What is found out before anything is written on either side: which remote answers, whether it and this book still have what both agreed on, and what a sync would
 * delete. In a first sync neither side can have deleted what the other has; what is read here is not read again.
 */
async function lookAhead(ports: SyncPorts, opened: Opened, order: SyncOrder): Promise<Ahead> {
  const met = await knownRemote(ports, opened, order);
  const { row } = met;
  if (row !== null) checkOwnBook(ports, row, order.answers);
  const entry = row?.agreed_entries ?? 0;
  const identity = opened.identity === null || entry === 0 ? opened.identity : await opened.identityAt(entry);
  const quiet = { ...ports, note: () => {}, progress: { ...ports.progress, at: () => {}, moved: () => {} } };
  const context = contextOf(quiet, opened, met, { result: emptyResult(opened.baseUrl, true), same: order.same });
  const hasAgreed = met.id !== null && hasLinks(ports.database, met.id);
  if (row === null || (!hasAgreed && !hasUndone(ports, row) && row.last_synced_at === null)) return { ...NOTHING_AHEAD, met, identity };
  ports.progress.phase('comparing');
  return opened.remote.lookAhead(async () => {
    const said = hasAgreed ? await checkHistory(context, row, { identity, answers: order.answers }) : null;
    const undone = checkUndone(context, row, order.answers);
    if (order.preview) return { ...NOTHING_AHEAD, met, said, undone, identity };
    await openRequestsEnded(context);
    if (said === 'send_again') await sendAgain(context);
    settleUndone(context, undone);
    await syncBook(context);
    const { deletions, received } = context.result;
    const isReceiving = Object.values(received).some((count) => count > 0);
    return { met, said, undone, identity, deletions, isReceiving };
  });
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

/** At the end the remote has come further by what it was sent: a later sync looks whether it still goes on from there. */
async function noteEnd(ports: SyncPorts, opened: Opened, known: Known): Promise<void> {
  if (opened.identity === null || known.run === null) return;
  const identity = await opened.identityAt(null).catch(() => null);
  if (identity !== null && identity.instanceId === opened.identity.instanceId) noteMet(ports, known, identity);
}

/** Keeps for the person what a sync stopped with. On a command line it is answered there, and may be about another address. */
function keepQuestion({ database }: SyncPorts, order: SyncAddress, error: unknown): number | null {
  if (!(error instanceof SyncQuestion) || error.remoteId === null) return null;
  const { remoteId, code, message, about, choices } = error;
  if (order.remoteId === undefined) return remoteId;
  const question: KeptQuestion = { code, message, about, choices };
  database.write((write) => updateRemote(write, remoteId, { question: JSON.stringify(question) }));
  return remoteId;
}

/** Brings the book and a remote together. Never throws: what breaks it stands in `error`, and the counts say what had moved. */
export async function syncWith(ports: SyncPorts, order: SyncOrder): Promise<SyncOutcome> {
  const { clock, progress } = ports;
  const startedMs = clock.monotonicMs();
  const result = emptyResult(order.baseUrl, order.preview);
  let known = UNKNOWN;
  let context: SyncContext | null = null;
  let opened: Opened | null = null;
  let isAgreed = false;
  try {
    opened = await openRemote(ports, order);
    result.remote.kind = opened.dialect.kind;
    const ahead = await lookAhead(ports, opened, order);
    result.deletions = ahead.deletions;
    const { wants_word: wantsWord, count, here } = result.deletions;
    const waits = wantsWord && order.acceptDeletions < count;
    known = await begin(ports, opened, order, {
      met: ahead.met,
      deletesHere: here > 0 && !waits,
      changesHere: ahead.isReceiving && !waits,
    });
    if (waits) throw deletionsWait(result.deletions);
    context = contextOf(ports, opened, known, { result, same: order.same, accepted: order.acceptDeletions });
    if (ahead.said === 'send_again') await sendAgain(context);
    settleUndone(context, ahead.undone);
    noteMet(ports, known, ahead.identity);
    isAgreed = true;
    progress.phase(order.preview ? 'comparing' : 'moving');
    await syncBook(context);
    if (order.what === 'repair') await repair(ports, opened, known, context);
    context.conflicts.finish();
    dropStaleIntents(context);
  } catch (error) {
    result.error = errorOf(stopOf(error, ports));
    const asking = keepQuestion(ports, order, error);
    if (known.run === null && !order.preview && (asking !== null || NO_ANSWER.has(result.error.code)))
      known = unanswered(ports, order, asking);
  }
  if (opened !== null && isAgreed && !NO_ANSWER.has(result.error?.code ?? '')) await noteEnd(ports, opened, known);
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
    const known = await knownRemote(ports, opened, address);
    const context = contextOf(ports, opened, known, { result: emptyResult(opened.baseUrl, true) });
    ports.progress.phase('verifying');
    const rows = await verifyRows(context);
    return success({ rows, differing: withLines ? await differingOf(context, rows) : [] });
  } catch (error) {
    keepQuestion(ports, address, error);
    return failed(stopOf(error, ports));
  }
}

/** What a remote is, found out by reading alone. Somebody who just typed the address wants to hear at once that nothing answers. */
export async function probeWith(
  ports: Omit<HttpPorts, 'waits'> & Pick<SyncPorts, 'database' | 'environmentId'>,
  address: SyncAddress,
): Promise<Result<Probed & { readonly baseUrl: string; readonly known: SyncRemoteRow | null }, SyncStop>> {
  try {
    const baseUrl = baseUrlOf(address.baseUrl);
    const http = new Http(baseUrl, address.apiKey, { ...ports, waits: () => {}, tries: 1 });
    const probed = await probe(http);
    const { dialect, identity } = probed;
    const known = await recognised(ports, { remote: new Remote(http, dialect), dialect, baseUrl, identity });
    return success({ ...probed, baseUrl, known });
  } catch (error) {
    if (error instanceof SyncStop) return failed(error);
    throw error;
  }
}
