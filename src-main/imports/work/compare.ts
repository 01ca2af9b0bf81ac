import { counted } from '../../../src-shared/values/english.ts';
import type { ImportedBalances, ImportResult, Problem, SkippedRow } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, namedCurrency, signedMinor } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { ReadHandle } from '../../database/database.ts';
import {
  type BalancedPeriod,
  byValueDateNote,
  type DayRange,
  decidedByBalances,
  LISTED_LINES,
  namesOf,
  note,
  type Overlap,
  overruled,
  quoted,
  type Statement,
  type StatementPeriod,
} from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { sumOfDays } from '../../records/store/same-money.ts';
import { stagedDedupeKeys, type StagedLine, stagedLines } from '../../records/store/staged-records.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import { statementFiles } from '../store/statement-periods.ts';
import { asksForAccount, type ClosedLines, closedProblem, lastClosed, mismatchesOf } from './admit.ts';
import {
  changedNote,
  KnownKeys,
  knownByOtherReading,
  ofBothReadings,
  partlyThere,
  sameFile,
  sameFileSentence,
  type SameLine,
  SHOWN_SKIPPED,
  skippedRows,
  type Sorted,
  sortLines,
  reasonByOtherReading,
  whySkipped,
} from './duplicates.ts';
import { balancesFound, importResultOf, LineSums, NO_BALANCES, targetAccount, type Wishes } from './figures.ts';
import { type ContentOfRow, RowLog, rowLogOf } from './import-rows.ts';
import { type DecidedOverlap, decidedOverlap, overlapsOf, withOverlap } from './overlap.ts';
import { accountWishes, type KeptRecipe, missingSheetOf, overlapAnswer, usedRecipe } from './recipes.ts';
import type { StagedLines } from './stage.ts';
import { asTakenBy, type FactsOfFile, type NotRead } from './understand.ts';

/** A file that was read and whose lines were compared with its stream. */
export interface Compared {
  readonly statement: Statement;
  readonly stream: StreamRow | undefined;
  readonly sha256: string;
  readonly byteLength: number;
  /** One per listed line of the statement, in the same order. */
  readonly dedupeKeys: readonly string[];
  readonly isDuplicate: readonly boolean[];
  /** Whether a person left the line out. */
  readonly isLeftOut: readonly boolean[];
  /** Lines that were accepted as alternative descriptions of records in the stream. */
  readonly same: readonly SameLine[];
  /** The rows of the file that are not imported. */
  readonly rowLog: RowLog;
  readonly wishes: Wishes;
  readonly result: ImportResult;
}

/** The stream that a file is imported into, and the recipes by which it may be read. */
export interface Target {
  readonly stream: StreamRow | undefined;
  readonly kept: readonly KeptRecipe[];
}

/** A lower bound for a slow, busy machine. No progress is reported during the comparison, so it tells the watchdog how long the step may take. */
const SLOWEST_LINES_PER_MS = 20;

/** Compares a file in memory with its stream: by decisions of a person, by dedupe keys, and by day and amount where the descriptions differ. */
export function compareHeld(context: TaskContext, payload: ImportPayload, target: Target, facts: FactsOfFile): Result<Compared, NotRead> {
  const held = present(facts.taken, 'lines of a file that is held');
  const decided = overruled(held, payload.overrules ?? []);
  if (!decided.ok) return decided;
  const { longStep = (_milliseconds, work) => work() } = context;
  // In one snapshot an import that is being undone is either seen whole or not at all.
  return longStep(held.lines.length / SLOWEST_LINES_PER_MS, () =>
    context.database.snapshot(() => comparedHeld(context, payload, target, facts, decided.value)),
  );
}

type Decided = Extract<ReturnType<typeof overruled>, { ok: true }>['value'];

function comparedHeld(
  context: TaskContext,
  payload: ImportPayload,
  target: Target,
  facts: FactsOfFile,
  { forced, leftOut, statement: asked }: Decided,
): Result<Compared, NotRead> {
  const { database, job } = context;
  const { stream, kept } = target;
  const streamId = stream?.id ?? null;
  const asTaken = asTakenBy(stream?.read_by);
  const byOtherReading = knownByOtherReading(database, streamId, asked.lines, asked.batches);
  const asFileSays = sortLines(database, streamId, asked.lines, forced, leftOut, (place) => byOtherReading.has(place));
  // Dedupe keys are made from the lines as the file has them, not as the stream takes them.
  const sorting = { ...asFileSays, lines: asFileSays.lines.map(asTaken) };
  const ofStream = { environmentId: job.environment_id, streamId, format: asked.format };
  const isForced = (place: number): boolean => forced.has(present(asked.lines[place], 'line'));
  const { overlaps, instead } = ofBothReadings(overlapsOf(database, ofStream, sorting, isForced), sorting, asked.lines, asked.batches, {
    taken: asTaken,
    overlapsOf: (others) => overlapsOf(database, ofStream, others, () => false),
  });
  const overlap = decidedOverlap(
    overlaps,
    sorting,
    { said: overlapAnswer(asked.table, payload, kept), isOfRecipe: payload.answers?.overlap === undefined },
    (pairs) => overlapByBalances(database, stream, asked, sorting, pairs),
  );
  const { lines, dedupeKeys, isDuplicate, isLeftOut } = overlap.sorted;
  const isNew = (place: number): boolean => isDuplicate[place] !== true && isLeftOut[place] !== true;
  const skipped = lines.filter((_, place) => !isNew(place)).length;
  const whyThere = (place: number) => {
    const known = byOtherReading.get(place);
    return known === undefined ? null : reasonByOtherReading(known);
  };
  const span = lastClosed(database, streamId);
  const outcome = resultOf(context, payload, target, facts, {
    statement: { ...asked, lines, problems: [...partlyThere(overlap.sorted, byOtherReading), ...asked.problems] },
    overlap,
    closed: span === undefined ? null : { span, count: lines.filter(({ day }, place) => isNew(place) && day <= span.lastDay).length },
    skippedRows: [...overlap.skipped, ...skippedRows(database, streamId, sorting, whyThere)].slice(0, SHOWN_SKIPPED),
    counts: { kept: lines.length - skipped, skipped },
    sums: null,
  });
  if (!outcome.ok) return outcome;
  const { sha256, byteLength } = facts;
  const rowLog = rowLogOf(
    outcome.value.statement,
    dedupeKeys,
    (place) => isDuplicate[place] === true,
    (place) => isLeftOut[place] === true,
  );
  const same = sameLines(overlap, instead);
  return success({ ...outcome.value, stream, sha256, byteLength, dedupeKeys, isDuplicate, isLeftOut, same, rowLog });
}

/**
 * Returns the lines that become alternative descriptions of records. `instead`: for lines of entries that the stream has by the other reading, the
 * lines of that reading.
 */
function sameLines(
  { sorted: { lines, dedupeKeys, isLeftOut }, same }: DecidedOverlap,
  instead: ReadonlyMap<number, readonly SameLine[]>,
): SameLine[] {
  const own: SameLine[] = [];
  // All lines of an entry refer to the same lines of the other reading, so a set keeps each of them once.
  const others = new Set<SameLine>();
  for (const [place, recordId] of same) {
    if (isLeftOut[place] === true) continue;
    const ofEntry = instead.get(place);
    if (ofEntry !== undefined) for (const other of ofEntry) others.add(other);
    else own.push({ line: present(lines[place], 'line'), dedupeKey: present(dedupeKeys[place], 'dedupe key'), recordId });
  }
  return [...own, ...others];
}

/** Compares a large file whose lines were already counted and looked up while they were read. */
export function compareStreamed(
  context: TaskContext,
  payload: ImportPayload,
  target: Target,
  facts: FactsOfFile,
  read: Statement,
  lines: LinesOfFile,
): Result<Compared, NotRead> {
  const { sums, skipped, listed, closed, rowLog } = lines;
  const outcome = resultOf(context, payload, target, facts, {
    statement: { ...read, lines: read.lines.map(asTakenBy(target.stream?.read_by)) },
    overlap: null,
    closed,
    skippedRows: lines.skippedRows,
    counts: { kept: sums.lines - skipped, skipped },
    sums,
  });
  if (!outcome.ok) return outcome;
  const { sha256, byteLength } = facts;
  const dedupeKeys = listed.map(({ key }) => key);
  const isDuplicate = listed.map((line) => line.isDuplicate);
  const isLeftOut = listed.map(() => false);
  return success({ ...outcome.value, stream: target.stream, sha256, byteLength, dedupeKeys, isDuplicate, isLeftOut, same: [], rowLog });
}

/** The results of the comparison of a file with its stream. */
interface ComparedLines {
  /** Its lines are as the stream takes them. */
  readonly statement: Statement;
  /** Lines that the stream has under another description; null if lines are not compared one by one. */
  readonly overlap: DecidedOverlap | null;
  /** Null if the stream has no closed period. */
  readonly closed: ClosedLines | null;
  readonly skippedRows: ImportResult['skipped_rows'];
  readonly counts: { readonly kept: number; readonly skipped: number };
  /** The sums of all lines of a large file; null if the statement holds all lines. */
  readonly sums: LineSums | null;
}

/** Builds the result of a file and adds the notes for the user. */
function resultOf(
  context: TaskContext,
  payload: ImportPayload,
  { stream, kept }: Target,
  facts: FactsOfFile,
  { overlap, closed, ...file }: ComparedLines,
): Result<Pick<Compared, 'statement' | 'result' | 'wishes'>, NotRead> {
  const { database, job } = context;
  const { state, followed } = facts;
  const wishes = accountWishes(database, job.environment_id, payload, file.statement, kept, state);
  const found = {
    balances: balancesOf(context, wishes, stream, file.statement),
    skipped_rows: [...file.skippedRows],
    overlap: overlap?.listed ?? [],
    same_file: sameFile(database, job.environment_id, facts.sha256),
    overruled: payload.overrules?.length ?? 0,
  };
  const read = followed === null ? file.statement : withDoubt(file.statement, followed.statement, kept);
  const apart = mismatchesOf(database, stream, read, { payload, kept });
  const { statement: said, misfits } = overlap === null ? { statement: read, misfits: apart } : withOverlap(read, overlap, apart);
  const noted = withNotes(said, payload, stream, facts, found);
  const closedNote = closed === null ? null : closedProblem(closed);
  const statement = closedNote === null ? noted : { ...noted, problems: [closedNote, ...noted.problems] };
  const recipe = usedRecipe(statement, payload, kept, state, found.balances.bank_account?.name ?? null);
  const result = importResultOf(
    payload.streamKey ?? '',
    statement,
    file.counts,
    { ...found, recipe, misfits },
    file.sums ?? LineSums.of(statement.lines),
  );
  return result === null ? failed(sumTooLarge(payload)) : success({ statement, wishes, result });
}

function sumTooLarge({ filename }: ImportPayload): NotRead {
  const message = `The sum of the amounts in ${filename} is beyond ${Number.MAX_SAFE_INTEGER} minor units: split the file.`;
  return { code: 'total_out_of_range', message, row: null, column: null };
}

/** Adds the note that a kept recipe may not fit the statement. */
function withDoubt(guessed: Statement, followed: Statement | null, kept: readonly KeptRecipe[]): Statement {
  const id = followed?.table?.followed ?? null;
  const name = kept.find((each) => each.id === id)?.recipe.name;
  const why =
    followed === null
      ? 'the file cannot be read by it any more'
      : missingSheetOf(followed) !== null
        ? `it reads the sheet ${quoted(missingSheetOf(followed) ?? '')}, which is not there or holds no such table`
        : followed.rejectedRows > guessed.rejectedRows
          ? `${counted(followed.rejectedRows, 'row')} cannot be read by it, and ${guessed.rejectedRows} without it`
          : `the balances are ${followed.proof} by it, and ${guessed.proof} without it`;
  const message = `The recipe ${name === undefined ? 'kept for this header' : quoted(name)} does not seem to fit this file: ${why}. Choose whether to read it by the recipe or by what the file shows.`;
  return { ...guessed, problems: [note('recipe_doubtful', message), ...guessed.problems] };
}

/** Returns what an import would do with the balances of the statement at this moment. */
export function balancesOf(context: TaskContext, wishes: Wishes, stream: StreamRow | undefined, statement: Statement): ImportedBalances {
  // Without a known currency there are no balances to compare.
  if (namedCurrency(statement.currency) === null) return NO_BALANCES;
  const account = targetAccount(context.database, context.job.environment_id, stream, wishes, statement.currency);
  return balancesFound(context.database, account, statement.balances);
}

/** Puts the notes about the file as a whole before its other problems. */
function withNotes(
  statement: Statement,
  payload: ImportPayload,
  stream: StreamRow | undefined,
  { isCurrencyOfBook, wrongCurrency }: FactsOfFile,
  found: Pick<ImportResult, 'same_file' | 'skipped_rows'>,
): Statement {
  const notes: Problem[] = found.same_file === null ? [] : [note('same_file', sameFileSentence(found.same_file))];
  const changed = changedNote(found.skipped_rows);
  if (changed !== null) notes.push(changed);
  if (payload.packedIn !== undefined) notes.push(note('unpacked', `${payload.filename} was read out of the archive ${payload.packedIn}.`));
  if (isCurrencyOfBook && !statement.namesCurrency) notes.push(currencyOfBook(statement.currency));
  if (wrongCurrency !== null) notes.push(wrongCurrency);
  if (stream?.read_by === 'value_date') notes.push(byValueDateNote(stream.name));
  if (asksForAccount(statement, payload)) {
    // A stream with lines of several accounts can hardly be reconciled.
    const message = `The file holds ${statement.accounts.length} accounts (${namesOf(statement.accounts)}). Choose the one to import, or all of them.`;
    notes.push(note('several_accounts', message));
  }
  return notes.length === 0 ? statement : { ...statement, problems: [...notes, ...statement.problems] };
}

function currencyOfBook(currency: string): Problem {
  return note(
    'currency_of_book',
    `The file names no currency; it was read in ${currency}, the only one of this book. Name another one if that is wrong.`,
  );
}

/** Returns whether the stated balances prove that lines of the same day and amount as stored ones are the same or new; null if they prove neither. */
function overlapByBalances(
  read: ReadHandle,
  stream: StreamRow | undefined,
  statement: Statement,
  sorted: Sorted,
  pairs: readonly Overlap[],
): 'same' | 'new' | null {
  // Stated balances are of booking days, and of one account in one currency.
  if (stream === undefined || stream.read_by === 'value_date' || statement.currencies.length > 1) return null;
  const { currency } = statement;
  const places = decimalPlacesOf(currency);
  const { lines, isDuplicate, isLeftOut } = sorted;
  const fresh = lines.filter((_, place) => isDuplicate[place] !== true && isLeftOut[place] !== true);
  if (fresh.some((line) => line.currency !== currency || line.decimalPlaces !== places)) return null;
  const periods = [
    ...balanced(statement, true),
    ...statementFiles(read, stream.environment_id, stream.id)
      .filter((file) => (file.currency ?? stream.currency) === currency)
      .flatMap(({ periods: stated, proof }) => balanced({ periods: stated ?? [], proof }, false)),
  ];
  const paired = pairs.flatMap(({ place }) => {
    const line = lines[place];
    return line === undefined ? [] : [{ day: line.day, signedMinor: signedMinor(line.amountMinor, line.direction) }];
  });
  return decidedByBalances(periods, paired, ({ firstDay, lastDay }: DayRange) => {
    const stored = sumOfDays(read, stream.id, { firstDay, lastDay, currency, decimalPlaces: places });
    if (stored === null) return null;
    const own = fresh.reduce(
      (sum, { day, amountMinor, direction }) => (day < firstDay || day > lastDay ? sum : sum + signedMinor(amountMinor, direction)),
      0,
    );
    return { stored, fresh: own };
  });
}

/** Returns the periods that state both balances. There are none if the statement has several accounts. */
function balanced(
  { periods, proof }: { readonly periods: readonly StatementPeriod[]; readonly proof: string },
  isOfFile: boolean,
): BalancedPeriod[] {
  if (periods.some(({ account }) => account !== null)) return [];
  return periods.flatMap(({ firstDay, lastDay, openingMinor, closingMinor }) =>
    openingMinor === null || closingMinor === null
      ? []
      : [{ firstDay, lastDay, openingMinor, closingMinor, isOfFile, isBroken: proof === 'broken' }],
  );
}

/** Collects the results for the lines of a large file, some thousands at a time. Its memory does not grow with the file. */
export class LinesOfFile {
  readonly #context: TaskContext;
  #streamId: number | null;
  #known: KnownKeys | null = null;
  readonly sums = new LineSums();
  /** The first lines of the file, up to `LISTED_LINES`. */
  readonly listed: { readonly key: string; readonly isDuplicate: boolean }[] = [];
  readonly skippedRows: SkippedRow[] = [];
  readonly rowLog = new RowLog();
  skipped = 0;
  readonly #closed: ClosedLines['span'] | undefined;
  #closedCount = 0;

  constructor(context: TaskContext, streamId: number | null) {
    this.#context = context;
    this.#streamId = streamId;
    this.#closed = lastClosed(context.database, streamId);
  }

  /** The number of new lines within a closed period; null if the stream has no closed period. */
  get closed(): ClosedLines | null {
    return this.#closed === undefined ? null : { count: this.#closedCount, span: this.#closed };
  }

  /** Sets the stream when the import has created it. */
  setStream(streamId: number): void {
    this.#streamId = streamId;
  }

  /** Adds lines to the sums, whether they are imported or not. */
  count({ count, kinds, kindsOfMoney, amounts, days }: StagedLines): void {
    for (let at = 0; at < count; at += 1) {
      const kind = kindsOfMoney[kinds[at] as number];
      if (kind !== undefined) this.sums.addOf(kind, amounts[at] as number, days[at] as number);
    }
  }

  /** Compares lines with the stream without storing them. */
  compareOnly(lines: StagedLines): void {
    const { database } = this.#context;
    if (this.#streamId !== null) this.#known ??= new KnownKeys(database, this.#streamId);
    const staged = database.beside(lines.image);
    try {
      const isThere = this.#known?.ofThem(stagedDedupeKeys(staged), lines.prints) ?? [];
      this.noteKnown(
        lines,
        isThere.flatMap((is, at) => (is ? [at + 1] : [])),
        staged,
      );
    } finally {
      staged.close();
    }
  }

  /** Records which lines the stream already has. `there` holds their ids in the staged table, from 1, in ascending order. */
  noteKnown({ count, days }: StagedLines, there: readonly number[], staged: ReadHandle): void {
    if (this.#closed !== undefined) this.#closedCount += newUpTo(this.#closed.lastDay, days, count, there);
    if (this.listed.length < LISTED_LINES) {
      const ids = Array.from({ length: Math.min(count, LISTED_LINES - this.listed.length) }, (_, at) => at + 1);
      const known = new Set(there.slice(0, ids.length));
      for (const [at, { key }] of stagedLines(staged, ids).entries()) this.listed.push({ key, isDuplicate: known.has(at + 1) });
    }
    this.skipped += there.length;
    for (const line of stagedLines(staged, there.slice(0, this.rowLog.roomForSkipped))) this.#skip(line);
  }

  #skip({ key, amount, direction, ...rest }: StagedLine): void {
    const line: ContentOfRow = { ...rest, amountMinor: amount, direction: direction === 1 ? 'credit' : 'debit' };
    this.rowLog.skip(line, 1, key);
    if (this.skippedRows.length === SHOWN_SKIPPED || this.#streamId === null) return;
    const why = whySkipped(
      this.#context.database,
      this.#streamId,
      { ...rest, amountMinor: amount, direction: line.direction ?? 'debit' },
      key,
    );
    this.skippedRows.push({ row: rest.row, occurrence: 1, ...why });
  }
}

/**
 * Returns how many of the first `count` lines are new and dated on or before `day`. `there` holds the ids of lines that the stream has, from 1, in
 * ascending order.
 */
function newUpTo(day: number, days: ArrayLike<number>, count: number, there: readonly number[]): number {
  let [found, next] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const isThere = there[next] === at + 1;
    if (isThere) next += 1;
    else if ((days[at] as number) <= day) found += 1;
  }
  return found;
}
