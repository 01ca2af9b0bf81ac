import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { bookInstance } from '../../book/store/settings.ts';
import type { ConflictDetail } from '../store/conflicts.ts';
import { dropIntent, hasLinks, intentsOf } from '../store/links.ts';
import { countReworded, hasCloseWork, overdueOf } from '../store/reads.ts';
import { type SyncRemoteRow, updateRemote } from '../store/remotes.ts';
import { dropUndone, endSyncRun, type KeptQuestion, undoneOf, undoneQuestion, type UndoneRow } from '../store/runs.ts';
import { checkHistory, type Said, sendAgain } from './agreed-history.ts';
import { type Answer, nothingTakenOn, type Refusal, type SyncAnswers, SyncQuestion, SyncStop } from './answers.ts';
import { begin, contextOf, type Known, knownRemote, noteMet, type Opened, openRemote, unanswered, UNKNOWN } from './begin.ts';
import { type HereMatch, matchesThere, type ThereMatch } from './both-sides.ts';
import { forgetChildrenHere } from './children.ts';
import { matchDetail, recordName } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import { deletedLinks, noteDeleted } from './deleted.ts';
import { type Deletions, NO_DELETIONS } from './deletions.ts';
import { setHash } from './hashes.ts';
import { localMatches } from './local-matches.ts';
import { conflictRecords, type MatchPlan, planMatches, type ReconciliationPair, setName } from './plan-matches.ts';
import type { SyncAddress, SyncOrder, SyncPorts } from './ports.ts';
import { recordsByIds } from './record-content.ts';
import { baseUrlOf, Http, type HttpPorts } from './remote-http.ts';
import { probe, type Probed, Remote, type RemoteIdentity } from './remote.ts';
import { brake, deletionsWait, removeLeaving } from './removals.ts';
import { LOW_VOLUME, type MatchContent } from './resources.ts';
import { type RecordPlan, sendOnce } from './sending.ts';
import { valueOf } from './side.ts';
import { type Removal, syncLowVolume } from './sync-low-volume.ts';
import { applyRecords, compareRecords } from './sync-records.ts';
import { emptyResult, errorOf, type SyncResult } from './sync-result.ts';
import { cannotMove, COUNTED_AS, moved, tellRefusal, tellUnsure } from './told.ts';
import { differencesOf, type RowDifferences, scopeOf, type VerifiedRow, verifyRows } from './verify.ts';
import { answerTo, checkAccounts, checkOnlyHere, checkOwnBook, recognised } from './which-remote.ts';

/** Returns the detail of a match that a closed period keeps unchanged. */
function closedDetail(
  context: SyncContext,
  reconciliation: MatchPlan['reconciliation'],
  { localId, key, here, records }: { localId: number | null; key: string | null; here: boolean; records: readonly number[] },
): ConflictDetail {
  const shown = conflictRecords(context, records);
  const detail = matchDetail({
    reconciliation,
    ours: localId === null ? null : shown,
    theirs: key === null ? null : shown,
    adjustments: { here: null, there: null },
  });
  return { ...detail, words: phrase('sync.sync.thePeriodIsClosedThere', { words: detail.words, here: here ? 'yes' : 'no' }) };
}

function tell(
  context: SyncContext,
  { reconciliation }: MatchPlan,
  error: Refusal,
  about: { localId: number | null; key: string | null; here: boolean; records: readonly number[] },
): void {
  const name = `${reconciliation.name}: match ${about.localId ?? about.key ?? ''}`;
  tellRefusal(context, error, {
    resource: 'matches',
    name,
    here: about.here,
    conflict: {
      kind: 'closed_period',
      resource: 'matches',
      localId: about.localId,
      remoteKey: about.key,
      what: name,
      local: about.localId === null ? phrase('sync.sync.notMatched') : 'matched',
      remote: about.key === null ? phrase('sync.sync.notMatched') : 'matched',
      detail: closedDetail(context, reconciliation, about),
    },
  });
}

const matchName = (context: SyncContext, { reconciliation }: MatchPlan, records: readonly number[]): string =>
  setName(context, reconciliation.name, records);

async function removedHere(context: SyncContext, plan: MatchPlan, match: HereMatch): Promise<boolean> {
  const answer = await context.local.removeMatch(String(match.id));
  if (answer.ok) noteDeleted(context.links, 'matches', match.id);
  else
    tell(context, plan, answer.error, {
      localId: match.id,
      key: context.links('matches').ofLocal(match.id)?.remote_key ?? null,
      here: true,
      records: match.records,
    });
  return answer.ok;
}

async function removedThere(context: SyncContext, plan: MatchPlan, match: ThereMatch): Promise<boolean> {
  const links = context.links('matches');
  const localId = links.ofRemote(match.key)?.local_id;
  const answer = await context.remote.side.removeMatch(match.key);
  if (!answer.ok) tell(context, plan, answer.error, { localId: null, key: match.key, here: false, records: match.records ?? [] });
  else if (localId !== undefined) noteDeleted(context.links, 'matches', localId);
  return answer.ok;
}

/** Takes matches apart on both sides, so that their records can be changed or matched differently. */
async function takeApart(context: SyncContext, plan: MatchPlan): Promise<void> {
  const { remote, preview } = context;
  const gap = remote.dialect.gaps['matches.remove'];
  for (const match of plan.removeHere) {
    const name = matchName(context, plan, match.records);
    if (preview || (await removedHere(context, plan, match)))
      moved(context, 'received', { resource: 'matches', act: 'removed', name, localId: null });
  }
  for (const match of plan.removeThere) {
    if (gap !== undefined) cannotMove(context, 'matches', `${plan.reconciliation.name}: match ${match.key}`, gap);
    else if (preview || (await removedThere(context, plan, match)))
      moved(context, 'sent', { resource: 'matches', act: 'removed', name: matchName(context, plan, match.records ?? []), localId: null });
  }
  if (preview) return;
  for (const match of plan.againHere) await removedHere(context, plan, match);
  if (gap === undefined) for (const { there } of plan.againThere) await removedThere(context, plan, there);
  context.links('matches').save();
}

/** Makes a remote match in the book. Returns its id, or null if it was refused. */
async function make(context: SyncContext, plan: MatchPlan, match: ThereMatch): Promise<number | null> {
  const links = context.links('records');
  // Looked up now: a record that was brought back has a new id.
  const records = match.members.map((key) => links.ofRemote(key)?.local_id ?? 0);
  const content: MatchContent = { records: records.map(String), adjustment: match.adjustment, reason: match.reason };
  const answer = await context.local.makeMatch(String(plan.reconciliation.localId), content);
  const hash = setHash(records, match.adjustment !== null);
  if (answer.ok) context.links('matches').put({ local_id: answer.value.id, remote_key: match.key, local_hash: hash, remote_hash: hash });
  else tell(context, plan, answer.error, { localId: null, key: match.key, here: true, records });
  return answer.ok ? answer.value.id : null;
}

async function lookFor(context: SyncContext, plan: MatchPlan, hash: string): Promise<{ key: string; id: number } | undefined> {
  const there = await matchesThere(context, plan.reconciliation.remoteKey, []);
  const found = there.find((match) => match.hash === hash && !match.isStranded);
  return found === undefined ? undefined : { key: found.key, id: Number(found.key) };
}

const SOUGHT_AGAIN = phrase('sync.sync.itsAnswerWasLost');

async function send(context: SyncContext, plan: MatchPlan, match: HereMatch): Promise<boolean> {
  const links = context.links('records');
  const name = `${plan.reconciliation.name}: match ${match.id}`;
  const records = match.records.map((id) => links.ofLocal(id)?.remote_key ?? '');
  if (context.preview) return true;
  if (records.includes('')) {
    cannotMove(context, 'matches', name, phrase('sync.sync.aLineOfItIs'), match.id);
    return false;
  }
  const content: MatchContent = { records, adjustment: match.adjustment, reason: match.reason };
  const answer: Answer<{ key: string; id: number }> | 'unsure' = await sendOnce(context, {
    resource: 'matches',
    localId: match.id,
    words: name,
    body: { ...content, records: records.toSorted() },
    send: (key) => context.remote.side.makeMatch(plan.reconciliation.remoteKey, content, key),
    look: () => lookFor(context, plan, match.hash),
  });
  if (answer === 'unsure') {
    tellUnsure(context, 'matches', name, SOUGHT_AGAIN, match.id);
    return false;
  }
  if (!answer.ok) {
    tell(context, plan, answer.error, { localId: match.id, key: null, here: false, records: match.records });
    return false;
  }
  context.links('matches').put({ local_id: match.id, remote_key: answer.value.key, local_hash: match.hash, remote_hash: match.hash });
  context.links('matches').save();
  return true;
}

const SAVE_EVERY = 50;

/** Makes the matches that only the other side has, and those that were taken apart to change a record. */
async function tieTogether(context: SyncContext, plan: MatchPlan): Promise<void> {
  const links = context.links('matches');
  if (!context.preview) {
    for (const { here } of plan.againThere) await send(context, plan, here);
    for (const match of plan.againHere) await makeAgainHere(context, plan, match);
  }
  for (const [place, match] of plan.makeHere.entries()) {
    context.signal.throwIfAborted();
    const id = context.preview ? null : await make(context, plan, match);
    const name = matchName(context, plan, match.records ?? []);
    if (context.preview || id !== null) moved(context, 'received', { resource: 'matches', act: 'made', name, localId: id });
    if (place % SAVE_EVERY === SAVE_EVERY - 1) links.save();
  }
  links.save();
  for (const match of plan.makeThere) {
    context.signal.throwIfAborted();
    const name = matchName(context, plan, match.records);
    if (await send(context, plan, match)) moved(context, 'sent', { resource: 'matches', act: 'made', name, localId: match.id });
  }
}

/** Makes a match again in the book that was taken apart to change one of its records; the remote's match is unchanged. */
async function makeAgainHere(context: SyncContext, plan: MatchPlan, match: HereMatch): Promise<void> {
  const content: MatchContent = { records: match.records.map(String), adjustment: match.adjustment, reason: match.reason };
  const answer = await context.local.makeMatch(String(plan.reconciliation.localId), content);
  // The next sync recognises a match without a link by its records, or makes it again from the remote's.
  if (!answer.ok) tell(context, plan, answer.error, { localId: match.id, key: null, here: true, records: match.records });
}

const STAYS = phrase('sync.sync.periodsSignOffsNotesOnOpen');

const WORDS_STAY = phrase('sync.sync.theWordsThatASecond');

const LOOK_MS = 20;
/** The longest wait for the service to notice that a full disk has room again. */
const PATIENCE_MS = 8_000;

/** Waits for the bulk requests of an interrupted sync, so that their records are compared and not brought again. */
async function openRequestsEnded({ local, wait, trouble, signal }: SyncContext): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    signal.throwIfAborted();
    const page = (await valueOf(local.call, 'bulk_requests.list', { limit: 100 })) as { data: readonly { status: string }[] };
    if (!page.data.some(({ status }) => status === 'pending' || status === 'processing')) return;
    const words = trouble();
    if (words !== null && waitedMs >= PATIENCE_MS) throw nothingTakenOn(words);
    await wait(LOOK_MS);
  }
}

/** Returns the linked reconciliations. */
async function reconciliationPairs(context: SyncContext): Promise<ReconciliationPair[]> {
  const links = context.links('reconciliations');
  const here = await context.local.list('reconciliations');
  return here.flatMap(({ id, fields }) => {
    const link = links.ofLocal(id);
    if (link === undefined || context.leaving.here.has(`reconciliations ${id}`)) return [];
    return [{ localId: id, remoteKey: link.remote_key, name: String(fields['name']) }];
  });
}

/** Counts the matches of reconciliations that a sync would create. */
async function countNewOnes(context: SyncContext): Promise<void> {
  const links = context.links('reconciliations');
  for (const { id, fields } of await context.local.list('reconciliations')) {
    const isNew = links.ofLocal(id) === undefined && context.remote.dialect.gaps['reconciliations.create'] === undefined;
    if (!isNew) continue;
    const name = String(fields['name']);
    const matches = await localMatches(context, id);
    context.tally.add('matches', { here: matches.length });
    for (const match of matches)
      moved(context, 'sent', { resource: 'matches', act: 'made', name: setName(context, name, match.records), localId: match.id });
  }
  for (const { key, fields } of await context.remote.side.list('reconciliations')) {
    if (links.ofRemote(key) !== undefined) continue;
    for await (const page of context.remote.matches(key)) {
      context.tally.add('matches', { there: page.length });
      for (const match of page)
        moved(context, 'received', {
          resource: 'matches',
          act: 'made',
          name: `${String(fields['name'])}: match ${match.key}`,
          localId: null,
        });
    }
  }
}

/** Syncs matches and records. Call it after streams and reconciliations are linked. */
async function syncLines(context: SyncContext, records: RecordPlan, removals: readonly Removal[]): Promise<void> {
  const { note, preview, scope, progress } = context;
  const pairs = await reconciliationPairs(context);
  const plans: MatchPlan[] = [];
  for (const pair of pairs.filter(({ localId }) => scope === null || scope.reconciliations.has(localId))) {
    note(phrase('sync.sync.comparingTheMatchesOf', { name: pair.name }));
    progress.at('matches', pair.name);
    plans.push(await planMatches(context, pair, records));
  }
  if (preview) await countNewOnes(context);
  await brake(context, { removals, records, plans });
  for (const plan of plans) await takeApart(context, plan);
  await applyRecords(context, records);
  if (scope === null) await syncOverdue(context, pairs, records);
  for (const plan of plans) {
    progress.at('matches', plan.reconciliation.name);
    await tieTogether(context, plan);
  }
}

/** Repairs the records and matches within the scope of the context. */
async function repairBook(context: SyncContext): Promise<void> {
  await openRequestsEnded(context);
  await syncLines(context, await compareRecords(context), []);
}

/** Runs a whole sync: objects that others refer to come first, removals last. */
async function syncBook(context: SyncContext): Promise<void> {
  const { note, preview, progress } = context;
  if (!preview) await openRequestsEnded(context);
  if (hasCloseWork(context.database, context.environmentId)) cannotMove(context, 'periods', phrase('sync.sync.monthEndWork'), STAYS);
  const reworded = countReworded(context.database, context.environmentId);
  if (reworded > 0) cannotMove(context, 'imports', phrase('sync.sync.otherWordsOfLines', { reworded }), WORDS_STAY);
  const removals: Removal[] = [];
  for (const resource of ['accounts', 'streams', 'properties'] as const) {
    note(`comparing ${resource}`);
    progress.at(COUNTED_AS[resource], null);
    if (resource !== 'properties' || context.remote.dialect.gaps['properties.list'] === undefined)
      removals.push(...(await syncLowVolume(context, resource)));
  }
  const records = await compareRecords(context);
  for (const resource of ['reconciliations', 'rules', 'stories', 'imports', 'balances'] as const) {
    note(`comparing ${resource}`);
    progress.at(COUNTED_AS[resource], null);
    removals.push(...(await syncLowVolume(context, resource)));
  }
  await syncLines(context, records, removals);
  await removeLeaving(context, removals);
  if (!preview) for (const resource of [...LOW_VOLUME, 'records', 'matches']) deletedLinks(context.links, resource).save();
}

const NO_ANSWER: ReadonlySet<string> = new Set(['unreachable', 'remote_busy', 'tls_failed', 'not_a_service', 'wrong_key']);

/** `context` holds counts and log; null if the remote was unusable. */
export interface SyncOutcome {
  readonly result: SyncResult;
  readonly context: Pick<SyncContext, 'log' | 'tally'> | null;
  readonly isFirst: boolean;
}

function stopOf(error: unknown, { signal, log }: SyncPorts): SyncStop {
  if (error instanceof SyncStop) return error;
  if (signal.aborted) return new SyncStop('cancelled', phrase('sync.sync.syncWasStopped'));
  log.error('a sync failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return new SyncStop(
    'internal_error',
    phrase('sync.sync.tieoutFailedInTheSync', { error: error instanceof Error ? error.message : String(error) }),
  );
}

/** Returns the streams and reconciliations that differ, with their differing objects. */
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

/** Drops intents that a whole sync did not meet: their objects are gone. */
function dropStaleIntents({ database, remoteId, preview, unsure }: SyncContext): void {
  if (remoteId === null || preview) return;
  const stale = intentsOf(database, remoteId).filter(({ resource, local_id: id }) => !unsure.has(`${resource} ${id}`));
  if (stale.length === 0) return;
  database.write((write) => {
    for (const { resource, local_id: id } of stale) dropIntent(write, remoteId, resource, id);
  });
}

/** Keeps the result of a sync in its history. */
function end({ database, clock, log }: SyncPorts, { id, run }: Known, result: SyncResult): void {
  if (id === null || run === null) return;
  try {
    database.write((write) => {
      if (result.error === null) {
        const { instanceId } = bookInstance(database);
        updateRemote(write, id, { last_synced_at: clock.nowMs(), answer: null, own_instance: instanceId });
      }
      endSyncRun(write, run, clock.nowMs(), JSON.stringify(result));
    });
  } catch (error) {
    // On a full disk the history lacks the end of the sync; the caller still gets the result.
    log.error('the end of a sync was not kept', { error: String(error) });
  }
}

interface Ahead {
  readonly met: Known;
  /** A person's answer about a remote that lost what both sides agreed on. */
  readonly said: Said;
  /** A person's answer about an undone sync. */
  readonly undone: AboutUndone;
  readonly putBack: SyncContext['putBack'];
  readonly identity: RemoteIdentity | null;
  readonly deletions: Deletions;
  /** Whether the sync would change anything here. */
  readonly isReceiving: boolean;
}

const NOTHING_AHEAD = { said: null, undone: null, deletions: NO_DELETIONS, isReceiving: false } as const;

const hasUndone = ({ database }: SyncPorts, { id }: SyncRemoteRow): boolean => undoneOf(database, id).length > 0;

/**
 * Checks before anything is written which remote answers, whether it and this book still have what both agreed on, and what a sync would delete.
 * Skips the comparison before a first sync, in which no deletion is possible. Records read here are not read again.
 */
async function lookAhead(ports: SyncPorts, opened: Opened, order: SyncOrder): Promise<Ahead> {
  const met = await knownRemote(ports, opened, order);
  const { row } = met;
  const putBack = row === null ? null : checkOwnBook(ports, row, order.answers);
  const entry = row?.agreed_entries ?? 0;
  const identity = opened.identity === null || entry === 0 ? opened.identity : await opened.identityAt(entry);
  const quiet = { ...ports, note: () => {}, progress: { ...ports.progress, at: () => {}, moved: () => {} } };
  const context = contextOf(quiet, opened, met, { result: emptyResult(opened.baseUrl, true), same: order.same, putBack });
  await checkAccounts(context, row, order);
  const hasAgreed = met.id !== null && hasLinks(ports.database, met.id);
  if (row === null || (!hasAgreed && !hasUndone(ports, row) && row.last_synced_at === null))
    return { ...NOTHING_AHEAD, met, putBack, identity };
  ports.progress.phase('comparing');
  return opened.remote.lookAhead(async () => {
    const said = hasAgreed ? await checkHistory(context, row, { identity, answers: order.answers }) : null;
    const undone = checkUndone(context, row, order.answers);
    if (order.preview) return { ...NOTHING_AHEAD, met, said, undone, putBack, identity };
    await openRequestsEnded(context);
    if (said === 'send_again') await sendAgain(context);
    settleUndone(context, undone);
    await syncBook(context);
    checkOnlyHere(ports, row, putBack, order);
    const { deletions, received } = context.result;
    const isReceiving = Object.values(received).some((count) => count > 0);
    return { met, said, undone, putBack, identity, deletions, isReceiving };
  });
}

/**
 * Compares after a whole sync and moves what still differs, such as what people changed meanwhile. Keeps all links, so an object that one side
 * deleted stays deleted. Does nothing if refusals or conflicts would only be reported a second time.
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

/** Notes the remote's history after the sync, so that a later sync can check whether it continues from there. */
async function noteEnd(ports: SyncPorts, opened: Opened, known: Known, isPutBack: boolean): Promise<void> {
  if (opened.identity === null || known.run === null) return;
  const identity = await opened.identityAt(null).catch(() => null);
  if (identity !== null && identity.instanceId === opened.identity.instanceId) noteMet(ports, known, identity, isPutBack);
}

/**
 * Keeps the question of a sync for the window, and returns the id of its remote. On the command line the question is answered there, and may concern
 * another address.
 */
function keepQuestion({ database }: SyncPorts, order: SyncAddress, error: unknown): number | null {
  if (!(error instanceof SyncQuestion) || error.remoteId === null) return null;
  const { remoteId, code, message, about, choices } = error;
  if (order.remoteId === undefined) return remoteId;
  const question: KeptQuestion = { code, message, about, choices };
  database.write((write) => updateRemote(write, remoteId, { question: JSON.stringify(question) }));
  return remoteId;
}

/** Syncs the book with a remote. Never throws: `error` holds the failure, and the counts say what had moved before it. */
export async function syncWith(ports: SyncPorts, order: SyncOrder): Promise<SyncOutcome> {
  const { clock, progress } = ports;
  const startedMs = clock.monotonicMs();
  const result = emptyResult(order.baseUrl, order.preview);
  let known = UNKNOWN;
  let context: SyncContext | null = null;
  let opened: Opened | null = null;
  let isAgreed = false;
  let isPutBack = false;
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
    const { putBack, identity } = ahead;
    context = contextOf(ports, opened, known, { result, same: order.same, accepted: order.acceptDeletions, putBack });
    if (ahead.said === 'send_again') await sendAgain(context);
    settleUndone(context, ahead.undone);
    isPutBack = putBack !== null;
    noteMet(ports, known, identity, isPutBack);
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
  if (opened !== null && isAgreed && !NO_ANSWER.has(result.error?.code ?? '')) await noteEnd(ports, opened, known, isPutBack);
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
  /** The differences of the rows that differ; empty unless asked for. */
  readonly differing: readonly RowDifferences[];
}

/** Compares both sides without changing anything. */
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

/** Finds out what a remote is, by reading only. Tries once: a person who just typed an address should learn at once that nothing answers. */
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

type AboutUndone = 'take' | 'keep' | null;

/**
 * Asks after an undone sync whether the remote's state holds or the book's, before anything is written. Without an answer the next sync would repeat
 * what was undone. Returns the answer, or null if there is no question.
 */
function checkUndone({ database }: SyncContext, row: SyncRemoteRow, answers: SyncAnswers | undefined): AboutUndone {
  const question = undoneQuestion(database, row);
  if (question === null) return null;
  const { code, message, about, choices } = question;
  const said = answerTo(row, answers, { asked: 'undone_sync', about });
  if (said === 'take' || said === 'keep') return said;
  throw new SyncQuestion(code, message, { remoteId: row.id, about, choices });
}

/** Links the remote object that the undone sync had created here with a local id that no object has, so that it counts as deleted here. */
function putDeleted({ links }: SyncContext, { resource, remote_key: key, remote_hash: hash }: UndoneRow, place: number): void {
  if (links(resource).ofRemote(key) !== undefined) return;
  links(resource).put({ local_id: -1 - place, remote_key: key, local_hash: hash, remote_hash: hash, agreed: null });
}

/** Marks an object that the undone sync had changed here as changed here. */
function putChanged({ links }: SyncContext, { resource, local_id: id, remote_hash: hash }: UndoneRow): void {
  const link = id === null ? undefined : links(resource).ofLocal(id);
  if (link !== undefined) links(resource).put({ ...link, local_hash: '', remote_hash: hash, agreed: null });
}

/** Drops the link of an object that the undone sync had deleted here, so that it is new to the remote. */
function putNew(context: SyncContext, { resource, local_id: id }: UndoneRow): void {
  if (id === null) return;
  context.links(resource).drop(id);
  const few = LOW_VOLUME.find((each) => each === resource);
  if (few !== undefined) forgetChildrenHere(context, few, id);
}

/** Carries out a person's answer about an undone sync by changing links; call it before the comparison. */
function settleUndone(context: SyncContext, said: AboutUndone): void {
  const { database, remoteId, preview, links } = context;
  if (said === null || remoteId === null) return;
  const rows = said === 'keep' ? undoneOf(database, remoteId) : [];
  for (const [place, row] of rows.entries()) {
    if (row.what === 'made') putDeleted(context, row, place);
    else if (row.what === 'changed') putChanged(context, row);
    else putNew(context, row);
  }
  if (preview) return;
  const resources = new Set(rows.map(({ resource }) => resource));
  database.write((write) => {
    for (const resource of resources) links(resource).saveIn(write);
    dropUndone(write, remoteId);
  });
}

interface Mark {
  readonly localId: number;
  readonly remoteKey: string;
  readonly here: string | null;
  readonly there: string | null;
}

/** Returns the overdue marks of one reconciliation that concern linked records, with the times of both sides. */
function marksOf(context: SyncContext, here: ReadonlyMap<number, string>, there: ReadonlyMap<string, string>): Mark[] {
  const links = context.links('records');
  const marks = [...here].map(([localId, at]) => {
    const remoteKey = links.ofLocal(localId)?.remote_key ?? null;
    return { localId, remoteKey, here: at, there: remoteKey === null ? null : (there.get(remoteKey) ?? null) };
  });
  const both: Mark[] = marks.flatMap((mark) => (mark.remoteKey === null ? [] : [{ ...mark, remoteKey: mark.remoteKey }]));
  for (const [remoteKey, at] of there) {
    const localId = links.ofRemote(remoteKey)?.local_id;
    if (localId !== undefined && !here.has(localId)) both.push({ localId, remoteKey, here: null, there: at });
  }
  return both;
}

/** Syncs one mark. If both sides have different times, the later one holds. */
async function settle(context: SyncContext, pair: ReconciliationPair, mark: Mark): Promise<void> {
  const { remote, local, preview } = context;
  const links = context.links(`overdue ${pair.localId}`);
  const isRead = remote.dialect.gaps['overdue.list'] === undefined;
  const known = links.ofLocal(mark.localId);
  const there = isRead ? mark.there : (known?.remote_hash ?? null);
  if (mark.here === there) return;
  const isOurs = there === null || (mark.here !== null && mark.here > there);
  const at = (isOurs ? mark.here : there) ?? '';
  if (!preview) {
    const answer = isOurs
      ? await remote.side.markOverdue(mark.remoteKey, pair.remoteKey, at)
      : await local.markOverdue(String(mark.localId), String(pair.localId), at);
    if (!answer.ok) {
      const where = isOurs ? phrase('sync.removals.atTheOtherSide') : phrase('sync.sync.inTheBook');
      return cannotMove(
        context,
        'overdue',
        `${pair.name}: record ${mark.localId}`,
        phrase('sync.sync.theLineTakesNoMark', { where, error: answer.error.message }),
        mark.localId,
      );
    }
    links.put({ local_id: mark.localId, remote_key: mark.remoteKey, local_hash: at, remote_hash: at });
  }
  const row = recordsByIds(context.database, [mark.localId])[0];
  const name = row === undefined ? pair.name : `${pair.name}: ${recordName(row.content)}`;
  moved(context, isOurs ? 'sent' : 'received', { resource: 'overdue', act: 'made', name, localId: mark.localId });
}

/** Syncs overdue marks. Call it before matches are made: a matched record accepts none. */
async function syncOverdue(context: SyncContext, pairs: readonly ReconciliationPair[], plan: RecordPlan): Promise<void> {
  const marks = overdueOf(context.database, context.environmentId);
  for (const pair of pairs) {
    const own = marks.filter((mark) => mark.reconciliation_id === pair.localId);
    const here = new Map(own.map((mark) => [mark.record_id, new Date(mark.overdue_at).toISOString()]));
    const theirs = plan.marksThere.filter((mark) => mark.reconciliation === pair.remoteKey);
    const there = new Map(theirs.map((mark) => [mark.record, mark.at]));
    for (const mark of marksOf(context, here, there)) await settle(context, pair, mark);
    context.links(`overdue ${pair.localId}`).save();
  }
}
