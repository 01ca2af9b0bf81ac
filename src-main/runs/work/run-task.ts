import type { Worker } from 'node:worker_threads';
import type { Run } from '../../../src-shared/contract/index.ts';
import { WOULD_BE_MATCHES } from '../../../src-shared/contract/matches/would-be-matches.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { noteOwnChange } from '../../book/store/undo-entries.ts';
import { closedSpansOfReconciliation } from '../../close/store/closed-spans.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { outcomeWords } from '../../domain/evidence/explain-evidence.ts';
import type { BudgetFigures } from '../../domain/evidence/model/link.ts';
import { PARAMETERS_FORMAT } from '../../domain/evidence/model/parameters.ts';
import {
  CANCELLED,
  type ColumnResult,
  compileRule,
  type EngineFailure,
  type EngineRule,
  MATCH_LIMITS,
  MatchCollector,
  matchColumns,
  type MatchRoom,
  sharedRoom,
} from '../../domain/matching/index.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import { currenciesOfEnvironment, hasRecordsIn } from '../../imports/store/batch-currency.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import type { RunPayload, TaskContext, TaskEnd } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import { insertWouldBeMatches } from '../../matches/store/matches.ts';
import { separationKeys } from '../../matches/store/separations.ts';
import { findReconciliation, streamIdsBySide, updateReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { dropPack } from '../../records/store/column-packs.ts';
import { returnedLines } from '../../records/store/reversals.ts';
import { clearDeadRuns, clearOwnRemains, removeSupersededProposals, removeUnpublishedRun } from '../../records/work/cleanup.ts';
import type { ReadControl } from '../../records/work/engine-columns.ts';
import { engineRule, signConventionOf } from '../../records/work/engine-input.ts';
import { insertLearned, replaceReviews } from '../../rules/store/evidence.ts';
import { isInUse, listRules } from '../../rules/store/rules.ts';
import { explainedMatches, type RunFacts, wouldBeMatch } from '../../rules/work/explained-matches.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { deleteProposals, deleteRunBases, forgetChangedSeparations, insertRunBase } from '../store/run-bases.ts';
import { countMatchesOfRun, takenFromRun } from '../store/run-matches.ts';
import { clearNotes, hasExclusions, referenceFields, runById, updateRun } from '../store/runs.ts';
import {
  count,
  countAnew,
  dropNewlySeparated,
  membersByRecord,
  type RowsCommand,
  type RowsOfRun,
  type RowsProgress,
  type RowsStart,
  type Tally,
  tallyOf,
  writeMatches,
  writingReport,
  type WrittenRows,
} from './match-writer.ts';
import { evidenceFields, evidenceOfRun, type EvidenceOfRun } from './run-evidence.ts';
import { factsText, runInput, type RunInput, type StoredFacts } from './run-input.ts';

/**
 * If people take matches from the run after they were counted, the count is repeated outside of the publish step up to this many times. Then the
 * publish step counts itself.
 */
const MOST_COUNTS = 5;

/** The result of a run, and its input. */
interface Found {
  readonly facts: StoredFacts;
  readonly separations: ReadonlySet<string>;
  readonly input: RunInput;
  readonly result: ColumnResult;
  /** The milliseconds that each rule took, by rule id. */
  readonly elapsed: ReadonlyMap<number, number>;
  /** The currencies of both sides if they share none; else null. */
  readonly noShared: Run['no_shared_currency'];
  /** The value of `takenFromRun` when the run read its input. */
  readonly taken: string;
  /** The evidence of rules of evidence; missing if there are none. */
  readonly evidence?: EvidenceOfRun | undefined;
}

/** Publishes the result of the run in place of the proposals that it computed anew. */
function publishProposals(write: WriteHandle, { runId, reconciliationId }: RunPayload, { replaced, separationsThrough }: RunInput): void {
  updateReconciliation(write, reconciliationId, {
    published_run_id: runId,
    ...(replaced === null ? { proposals_since: runId } : {}),
  });
  if (replaced !== null) deleteProposals(write, replaced);
  // If anything was noted for the run, its records changed meanwhile and its base may be wrong: the next run examines everything.
  deleteRunBases(write, reconciliationId, hasExclusions(write, runId) ? null : runId);
  forgetChangedSeparations(write, reconciliationId, separationsThrough);
}

/** Runs the publish step: makes everything that the run found visible and completes the run, in one transaction. */
function publishNow(write: WriteHandle, context: TaskContext, payload: RunPayload, tally: Tally, found: Found): void {
  const { facts, result, input } = found;
  const { totalRecords, examinedRecords } = input;
  const nowMs = context.clock.nowMs();
  const run = present(runById(write, payload.runId), 'run');
  const committed = run.mode === 'commit';
  const learned = committed ? keepLearned(write, payload, found, nowMs) : [];
  tellLearned(tally, found, learned);
  if (committed) {
    keepReviews(write, payload, found, nowMs);
    publishProposals(write, payload, input);
  } else {
    const first = explainedMatches(write, facts, result.matches.slice(0, WOULD_BE_MATCHES));
    const kept = first.map((match) => JSON.stringify(wouldBeMatch(match, match.ruleId)));
    insertWouldBeMatches(write, payload.runId, kept);
  }
  clearNotes(write, payload.runId);
  updateRun(write, payload.runId, {
    writing: 0,
    status: 'completed',
    completed_at: nowMs,
    total_records: totalRecords,
    examined_records: examinedRecords,
    processed_records: totalRecords,
    matched_records: tally.matchedRecords,
    matches: tally.matches,
    matched_side_a: tally.sideA,
    matched_side_b: tally.sideB,
    proposed_matches: tally.proposed,
    rule_summary: JSON.stringify(Object.fromEntries(tally.rules)),
    no_shared_currency: found.noShared === null ? null : JSON.stringify(found.noShared),
  });
  if (committed) {
    appendAudit(write, {
      environmentId: context.job.environment_id,
      atMs: nowMs,
      actor: payload.actor,
      action: 'run.completed',
      detail: {
        run_id: payload.runId,
        reconciliation_id: payload.reconciliationId,
        matches: tally.matches,
        proposed: tally.proposed,
        ...(learned.length === 0 ? {} : { learned }),
      },
    });
  }
  if (committed && tally.matches > 0 && run.kind === 'batch') noteUndoOfRun(write, context, payload, tally.matches, nowMs);
  updateJob(write, context.job.id, { status: 'completed', completed_at: nowMs });
}

/** Makes a run that a person asked for in the window or on the command line undoable as one change. */
function noteUndoOfRun(
  write: WriteHandle,
  { job }: TaskContext,
  { runId, reconciliationId, actor }: RunPayload,
  matches: number,
  atMs: number,
): void {
  noteOwnChange(
    write,
    { environmentId: job.environment_id, actor, atMs },
    {
      label: phrase('runs.runTask.runMatchedGroupsOfLines', { runId, matches }),
      steps: [{ operation: 'runs.undo', input: { id: reconciliationId, run_id: runId } }],
      reconciliationId,
    },
  );
}

/**
 * Makes the result of the run visible. Matches that people took from it meanwhile are counted before the publish step, without the write lock; the
 * publish step only checks whether more were taken since.
 */
function publish(context: TaskContext, payload: RunPayload, tally: Tally, found: Found): void {
  const { database } = context;
  let counted = found.taken;
  const isPublishedNow = (isLast: boolean): boolean =>
    database.write((write) => {
      const committed = present(runById(write, payload.runId), 'run').mode === 'commit';
      if (committed) {
        const dropped = dropNewlySeparated(write, payload, found.separations);
        const isOutdated = dropped || takenFromRun(write, payload.runId) !== counted;
        if (isOutdated && !isLast) return false;
        if (isOutdated) countAnew(tally, countMatchesOfRun(write, payload.runId));
      }
      publishNow(write, context, payload, tally, found);
      return true;
    });
  for (let counts = 0; !isPublishedNow(counts === MOST_COUNTS); counts += 1) {
    database.snapshot(() => {
      counted = takenFromRun(database, payload.runId);
      countAnew(tally, countMatchesOfRun(database, payload.runId));
    });
  }
}

/** The audit entry of a learned version, without its body, which has its own row. */
interface LearnedVersion {
  readonly rule_id: number;
  readonly version: number;
  readonly sha256: string;
}

/** The parts of a run's result that concern evidence. */
interface Weighed {
  readonly evidence?: EvidenceOfRun | undefined;
  readonly facts: StoredFacts;
  readonly result: ColumnResult;
}

/** Keeps what rules of evidence learned in a run, unless they used an earlier version. */
function keepLearned(write: WriteHandle, { runId, reconciliationId }: RunPayload, found: Weighed, atMs: number): LearnedVersion[] {
  const { evidence, facts, result } = found;
  if (evidence === undefined) return [];
  return result.rules.flatMap(({ ruleId, evidence: weighed }) => {
    if (weighed === undefined || evidence.versionOf(ruleId) !== null) return [];
    const rule = present(
      facts.rules.find(({ id }) => id === ruleId),
      'rule of the run',
    );
    const kept = insertLearned(write, {
      reconciliation_id: reconciliationId,
      rule_id: ruleId,
      run_id: runId,
      format: PARAMETERS_FORMAT,
      terms: evidence.termsOf(rule),
      body: JSON.stringify(weighed.parameters),
      lines: evidence.lines,
      decisions: evidence.decisions,
      created_at: atMs,
    });
    return [{ rule_id: ruleId, ...kept }];
  });
}

/** Notes the matches of earlier runs whose evidence changed, for a person to review, in place of those that earlier runs noted. */
function keepReviews(write: WriteHandle, { runId, reconciliationId }: RunPayload, { result, evidence }: Weighed, atMs: number): void {
  if (evidence === undefined) return;
  const changed = new Map(
    result.rules.flatMap(({ evidence: weighed }) => (weighed?.changed ?? []).map((pair) => [pair.matchId, pair] as const)),
  );
  const rows = [...changed.values()].map(({ matchId, before, now, otherIds }) => ({
    match_id: matchId,
    reconciliation_id: reconciliationId,
    run_id: runId,
    likelihood_before: before,
    likelihood_now: now,
    other_record_ids: JSON.stringify(otherIds),
    created_at: atMs,
  }));
  replaceReviews(write, reconciliationId, rows);
}

type Told = NonNullable<Run['rule_summary'][string]['evidence']>;

/** Adds to each rule of evidence what it expects of its committed matches. */
function tellLearned(tally: Tally, { result, evidence }: Weighed, learned: readonly LearnedVersion[]): void {
  for (const { ruleId, evidence: weighed } of result.rules) {
    if (weighed === undefined) continue;
    const { committed, atBudgets, leansOnPrior, cappedLines } = weighed.outcome;
    const version = learned.find(({ rule_id: id }) => id === ruleId)?.version ?? evidence?.versionOf(ruleId) ?? null;
    const told: Told = {
      words: outcomeWords(weighed.outcome),
      expected_wrong: committed.expectedWrong,
      upper_bound: committed.upperBound,
      at_budgets: atBudgets.map(budgetView),
      leans_on_prior: leansOnPrior,
      capped_lines: cappedLines,
      learned_version: version,
      reviews: weighed.changed.length,
    };
    present(tally.rules.get(ruleId), 'rule of the run').evidence = told;
  }
}

function budgetView({ budget, committed, expectedWrong, upperBound }: BudgetFigures): Told['at_budgets'][number] {
  return { budget, committed, expected_wrong: expectedWrong, upper_bound: upperBound };
}

/** Deletes the proposals that this run replaced, which are invisible since the publish step. */
function clearSuperseded(context: TaskContext, payload: RunPayload): void {
  try {
    removeSupersededProposals(context.database, payload.reconciliationId, payload.runId);
  } catch {
    // The run is complete all the same: the next run or the next start clears the rest.
  }
}

/** Keeps what the next run needs to examine only what changed; it is valid once this run is published. */
function keepBase({ database }: TaskContext, { runId, reconciliationId }: RunPayload, { input, result }: Found): void {
  const base = input.baseOf(result.matches, { runId });
  if (base !== null) database.write((write) => insertRunBase(write, reconciliationId, base));
}

/** Receives the matches of a run while it looks for more. */
export interface RunListener {
  /** Called once with the facts of the run and the number of records of each side. Returns the collector of its matches. */
  readonly begins: (facts: StoredFacts, sideA: number, sideB: number) => MatchCollector;
  readonly finds: (found: MatchCollector) => void;
}

const NOBODY: RunListener = { begins: () => new MatchCollector(), finds: () => undefined };

/** Reads the free records of the reconciliation and runs the engine on them, within the caller's snapshot. */
function match(context: TaskContext, payload: RunPayload, doubted: Set<number>, listener: RunListener): Result<Found, EngineFailure> {
  const { database, clock, isCancelled } = context;
  const reconciliation = present(findReconciliation(database, context.job.environment_id, payload.reconciliationId), 'reconciliation');
  const stored = (): EngineRule[] => listRules(database, reconciliation.id).filter(isInUse).map(engineRule);
  const streams = streamIdsBySide(database, reconciliation.id);
  const facts: StoredFacts = {
    rules: payload.rules ?? stored(),
    signConvention: signConventionOf(reconciliation.sign_convention),
    types: propertyTypesBySide(database, reconciliation.id),
    references: new Map(referenceFields(database, [...streams.a, ...streams.b]).map((row) => [row.id, row.reference_field])),
  };
  const taken = takenFromRun(database, payload.runId);
  const separations = new Set(separationKeys(database, reconciliation.id));
  const run = present(runById(database, payload.runId), 'run');
  const control: ReadControl = {
    onProgress: (processed, total) => context.report({ phase: 'reading', processed, total }),
    isCancelled,
    onDoubt: (packId) => doubted.add(packId),
  };
  const textFields = evidenceFields(database, facts.rules, streams);
  const returned = returnedLines(database, [...streams.a, ...streams.b]);
  const closedThrough = closedSpansOfReconciliation(database, reconciliation.id).at(-1)?.lastDay ?? null;
  const input = runInput(database, { reconciliation, run, streams, facts, textFields, returned, closedThrough }, control);
  if (input === null) return failed(CANCELLED);
  const asked = { reconciliationId: reconciliation.id, streams, facts, fields: textFields, free: input.sides };
  const evidence = evidenceOfRun(database, asked, control);
  if (evidence === null) return failed(CANCELLED);
  database.forgetPages();
  const { sides, totalRecords } = input;
  const into = run.mode === 'commit' ? listener.begins(facts, sides.a.count, sides.b.count) : new MatchCollector();
  const elapsed = new Map<number, number>();
  let tick = clock.monotonicMs();
  const result = matchColumns(
    { ...facts, separations, returned, closedThrough, sideA: sides.a, sideB: sides.b },
    {
      onProgress: (processed, total, ruleId) => {
        const now = clock.monotonicMs();
        elapsed.set(ruleId, (elapsed.get(ruleId) ?? 0) + now - tick);
        tick = now;
        // The engine counts its steps, several per record; people see records.
        context.report({ phase: 'matching', processed: Math.floor((processed / Math.max(1, total)) * totalRecords), total: totalRecords });
      },
      isCancelled,
      into,
      ...(run.mode === 'commit' ? { onFound: (found) => listener.finds(found) } : {}),
    },
    MATCH_LIMITS,
    evidence?.ground,
  );
  if (!result.ok) return result;
  const noShared = noSharedCurrency(database, context.job.environment_id, streams, sides, facts);
  return success({ facts, separations, input, result: result.value, noShared, taken, elapsed, evidence });
}

/** Runs the engine on the free records of a reconciliation. */
export function lookForMatches(context: TaskContext, payload: RunPayload, listener: RunListener): Result<Found, EngineFailure> {
  const { database, clock } = context;
  const run = present(runById(database, payload.runId), 'run');
  clearOwnRemains(database, run);
  clearDeadRuns(database, payload.reconciliationId, () => false);
  database.write((write) =>
    updateRun(write, run.id, { status: 'running', writing: run.mode === 'commit' ? 1 : 0, started_at: clock.nowMs() }),
  );
  context.report({ phase: 'reading', processed: 0, total: 0 });
  const doubted = new Set<number>();
  const found = database.snapshot(() => match(context, payload, doubted, listener));
  for (const packId of doubted) database.write((write) => dropPack(write, packId));
  return found;
}

function tallyOfRules({ facts, result, elapsed }: Found): Tally {
  const tally = tallyOf(
    facts.rules.map((rule) => rule.id),
    elapsed,
  );
  for (const { ruleId, gaveUp, exact } of result.rules) {
    const counts = present(tally.rules.get(ruleId), 'rule of the run');
    if (gaveUp !== null) counts.gave_up = gaveUp;
    if (exact !== null) counts.exact_matches = exact;
  }
  return tally;
}

/** Writes the result of a run under its id and publishes it, or reverts what was written if the run failed. */
export function storeRun(
  context: TaskContext,
  payload: RunPayload,
  looked: Result<Found, EngineFailure>,
  written: WrittenRows | null,
): TaskEnd {
  const { database, clock } = context;
  const { runId } = payload;
  const cancelled = (): TaskEnd => {
    removeUnpublishedRun(database, runId, { status: 'cancelled', message: null, atMs: clock.nowMs() });
    return { end: 'cancelled' };
  };
  if (!looked.ok) {
    if (looked.error.code === 'cancelled') return cancelled();
    removeUnpublishedRun(database, runId, { status: 'failed', message: looked.error.message, atMs: clock.nowMs() });
    return { end: 'failed', message: looked.error.message };
  }
  const found = looked.value;
  const tally = tallyOfRules(found);
  const { mode } = present(runById(database, runId), 'run');
  if (mode === 'dry_run') count(tally, found.result.matches, () => false);
  else {
    if (!writeMatches(context, payload, found, tally, written)) return cancelled();
    keepBase(context, payload, found);
  }
  assert(tally.matchedRecords <= found.input.totalRecords, 'no record is used twice');
  publish(context, payload, tally, found);
  written?.checkpoint();
  if (mode === 'commit' && found.input.replaced === null) clearSuperseded(context, payload);
  return { end: 'completed' };
}

/** Runs the engine on the free records of a reconciliation, and stores and publishes the result. */
export function runTask(context: TaskContext, payload: RunPayload): TaskEnd {
  return storeRun(context, payload, lookForMatches(context, payload, NOBODY), null);
}

interface Sides<Side> {
  readonly a: Side;
  readonly b: Side;
}

/**
 * Returns the currencies of both sides if they share none and no rule names the currency, so that nothing can be matched; else null. Usually the
 * records read are enough; otherwise the book is asked, because a run may leave records out.
 */
function noSharedCurrency(
  read: ReadHandle,
  environmentId: number,
  streams: Sides<readonly number[]>,
  sides: Sides<RecordColumns>,
  { rules, types }: Pick<RunFacts, 'rules' | 'types'>,
): Run['no_shared_currency'] {
  const [readA, readB] = [currenciesIn(sides.a), currenciesIn(sides.b)];
  if ([...readA].some((currency) => readB.has(currency))) return null;
  // Evidence matches nothing across currencies, whatever its filters say.
  const mayDiffer = rules.some(({ filters, evidence }) => {
    if (evidence !== undefined) return false;
    const compiled = compileRule(filters, types);
    return compiled.ok && compiled.value.namesCurrency;
  });
  if (mayDiffer) return null;
  const all = [...currenciesOfEnvironment(read, environmentId)];
  const ofSide = (streamIds: readonly number[]): string[] =>
    all.filter((currency) => streamIds.some((streamId) => hasRecordsIn(read, streamId, currency)));
  const [sideA, sideB] = [ofSide(streams.a), ofSide(streams.b)];
  const isShared = sideA.length === 0 || sideB.length === 0 || sideA.some((currency) => sideB.includes(currency));
  return isShared ? null : { side_a: sideA, side_b: sideB };
}

function currenciesIn({ count, currencies, names }: RecordColumns): ReadonlySet<string> {
  const codes = new Set<number>();
  for (let row = 0; row < count; row += 1) codes.add(currencies[row] as number);
  return new Set([...codes].flatMap((code) => names[code] ?? []));
}

/** With fewer free records than this, writing here is faster than starting a thread. */
const FEWEST_RECORDS = 40_000;
/** How often the run checks for cancellation while it waits for its writer. */
const LOOK_MS = 50;

/** A thread that writes matches while others are still searched, and then makes a WAL checkpoint. */
class Writer {
  readonly rows: RowsOfRun;
  readonly #worker: Worker;
  readonly #stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #ended: Promise<void>;
  #failure: Error | null = null;
  #hear: (written: number) => void = () => undefined;

  constructor(dataFolder: string, rows: RowsOfRun, room: MatchRoom) {
    this.rows = rows;
    const start: RowsStart = { kind: 'write_matches', dataFolder, rows, room, stopped: this.#stopped };
    this.#worker = watchedWorker(start, {
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      onLook: heartbeat.beat,
      onSilent: () => {
        this.#failure = new Error(`${silentFor()} while it wrote matches`);
      },
    });
    this.#worker.on('message', (message: RowsProgress) => {
      if ('written' in message) this.#hear(message.written);
      else this.#failure = Object.assign(new Error(message.failed), { code: message.code });
    });
    this.#worker.once('error', (error) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    });
    this.#ended = new Promise((resolve) => void this.#worker.once('exit', () => resolve()));
  }

  tell(word: RowsCommand): void {
    this.#worker.postMessage(word);
  }

  /** Waits until all matches are written; returns false if the run was cancelled meanwhile. Throws the thread's failure. */
  async finish(matches: MatchCollector, isCancelled: () => boolean, hear: (written: number) => void): Promise<boolean> {
    const all = new Promise<void>((resolve) => {
      this.#hear = (written) => {
        hear(written);
        if (written === matches.length) resolve();
      };
      if (matches.length === 0) resolve();
    });
    this.tell({ found: matches.tell(), isAll: true });
    const looking = setInterval(() => {
      if (isCancelled()) Atomics.store(this.#stopped, 0, 1);
    }, LOOK_MS);
    const isAll = await Promise.race([all.then(() => true), this.#ended.then(() => false)]);
    clearInterval(looking);
    if (this.#failure !== null) throw this.#failure;
    assert(isAll || isCancelled(), 'every match that was found is written');
    return isAll;
  }

  /** Stops writing; resolves after its last transaction. */
  async stop(): Promise<void> {
    Atomics.store(this.#stopped, 0, 1);
    this.tell('end');
    await this.#ended;
  }
}

/** Whether a rule finds pairs. Groups are few and found at the end of their rule, so they need no thread. */
const tiesPairs = ({ cardinality }: EngineRule): boolean => cardinality === 'one_to_one';

/** Receives the matches of a run, and writes them on another thread if they are many. */
class RowsOnThread implements RunListener {
  writer: Writer | null = null;
  readonly #context: TaskContext;
  readonly #payload: RunPayload;
  readonly #dataFolder: string;
  readonly #fewestRecords: number;

  constructor(context: TaskContext, payload: RunPayload, dataFolder: string, fewestRecords: number) {
    this.#context = context;
    this.#payload = payload;
    this.#dataFolder = dataFolder;
    this.#fewestRecords = fewestRecords;
  }

  begins(facts: StoredFacts, sideA: number, sideB: number): MatchCollector {
    if (sideA + sideB < this.#fewestRecords || !facts.rules.some(tiesPairs)) return new MatchCollector();
    const { runId, reconciliationId } = this.#payload;
    // Each match holds a record of either side, except for a line and its reversal, which are on the same side. All shared memory is passed once,
    // when the thread begins: passing it again while it is being received can end the process.
    const most = facts.rules.some(({ evidence, isDefault }) => evidence !== undefined || isDefault === true)
      ? Math.floor((sideA + sideB) / 2)
      : Math.min(sideA, sideB);
    const ids = new Float64Array(new SharedArrayBuffer(most * Float64Array.BYTES_PER_ELEMENT));
    const room = sharedRoom(most, sideA + sideB);
    const run = { runId, reconciliationId, atMs: this.#context.clock.nowMs() };
    this.writer = new Writer(this.#dataFolder, { run, facts: factsText(facts), ids }, room);
    return new MatchCollector(room);
  }

  finds(found: MatchCollector): void {
    this.writer?.tell({ found: found.tell(), isAll: false });
  }

  /** Returns the result of the run, and what is written once all its matches are; a cancelled run has no result. */
  async written(result: Result<Found, EngineFailure>): Promise<{ result: Result<Found, EngineFailure>; written: WrittenRows | null }> {
    const { writer } = this;
    if (writer === null) return { result, written: null };
    if (!result.ok) {
      await writer.stop();
      return { result, written: null };
    }
    const { matches } = result.value.result;
    const isWritten = writer.finish(matches, this.#context.isCancelled, writingReport(this.#context, matches));
    // Sorted while the last matches are written.
    const members = membersByRecord(matches);
    if (!(await isWritten)) return { result: failed(CANCELLED), written: null };
    return { result, written: { rows: writer.rows, members, checkpoint: () => writer.tell('checkpoint') } };
  }
}

/** Does what `runTask` does. From `fewestRecords` records on, another thread writes matches while this one still searches. */
export async function runOnTwoThreads(
  context: TaskContext,
  payload: RunPayload,
  dataFolder: string,
  fewestRecords = FEWEST_RECORDS,
): Promise<TaskEnd> {
  const onThread = new RowsOnThread(context, payload, dataFolder, fewestRecords);
  const checkpointAgain = context.database.withoutCheckpoints();
  try {
    const { result, written } = await onThread.written(lookForMatches(context, payload, onThread));
    return storeRun(context, payload, result, written);
  } finally {
    // The thread must have stopped before its writes can be reverted.
    await onThread.writer?.stop();
    checkpointAgain();
  }
}
