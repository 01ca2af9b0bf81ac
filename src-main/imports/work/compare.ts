import type { ImportedBalances, ImportRecipe, ImportResult, Misfit, Problem, SkippedRow } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, namedCurrency, signedMinor } from '../../../src-shared/values/money.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { PDF_PLACE_KEY } from '../../../src-shared/values/pdf-place.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { type ClosedSpan, closedSpansOfStream } from '../../close/store/closed-spans.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { closedName } from '../../domain/ledger/index.ts';
import {
  type BalancedPeriod,
  byValueDateNote,
  type DayRange,
  decidedByBalances,
  dedupeKeys,
  fingerprintOf,
  isSameAccount,
  isSameHolder,
  LISTED_LINES,
  namesOf,
  NOBODY,
  note,
  type Overlap,
  overruled,
  placed,
  placesOf,
  quoted,
  type Statement,
  type StatementLine,
  type StatementPeriod,
  type WhoseFile,
} from '../../domain/statement/index.ts';
import type { ImportPayload, TaskContext } from '../../jobs/protocol.ts';
import { isDedupeKeyTaken, recordOfDedupeKey } from '../../records/store/records.ts';
import { sumOfDays } from '../../records/store/same-money.ts';
import { stagedDedupeKeys, type StagedLine, stagedLines } from '../../records/store/staged-records.ts';
import { streamById, type StreamRow } from '../../streams/store/streams.ts';
import { KnownKeys, recordsToJoin } from '../store/alternative-descriptions.ts';
import { batchOfSameFile } from '../store/import-batches.ts';
import { type FileOfStream, filesOfEnvironment, filesOfStream, statementFiles } from '../store/statement-periods.ts';
import { balancesFound, importResultOf, LineSums, NO_BALANCES, targetAccount, type Wishes } from './figures.ts';
import { type ContentOfRow, RowLog, rowLogOf, SHOWN_SKIPPED, whySkipped } from './import-rows.ts';
import {
  type DecidedOverlap,
  decidedOverlap,
  knownByOtherReading,
  ofBothReadings,
  overlapsOf,
  partlyThere,
  reasonByOtherReading,
  type SameLine,
  type Sorted,
  withOverlap,
} from './overlap.ts';
import { lackingFile, missingLines, missingNote, missingNoteOfLarge } from './missing-lines.ts';
import { accountWishes, type KeptRecipe, missingSheetOf, overlapAnswer, recipeOfFile, usedRecipe } from './recipes.ts';
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
interface Target {
  readonly stream: StreamRow | undefined;
  readonly kept: readonly KeptRecipe[];
}

/** A lower bound for a slow, busy machine. No progress is reported during the comparison, so it tells the watchdog how long the step may take. */
const SLOWEST_LINES_PER_MS = 20;

/**
 * Compares a file with its stream: by dedupe keys, by decisions of a person, and by day and amount where the descriptions differ. `taken`: what the
 * lines of a large file came to while they were read; the lines of any other file are all in the statement.
 */
export function compareFile(
  context: TaskContext,
  payload: ImportPayload,
  target: Target,
  facts: FactsOfFile,
  read: Statement,
  taken: LinesOfFile,
): Result<Compared, NotRead> {
  if (!facts.isHeld) return comparedTaken(context, payload, target, facts, read, taken);
  const decided = overruled(read, payload.overrules ?? []);
  if (!decided.ok) return decided;
  const { longStep = (_milliseconds, work) => work() } = context;
  // In one snapshot an import that is being undone is either seen whole or not at all.
  return longStep(read.lines.length / SLOWEST_LINES_PER_MS, () =>
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
  const known = new Set([...byOtherReading.values()].flatMap(({ records }) => records));
  const isWhole = asked.proof === 'proved';
  const missing = missingLines(database, streamId, sorting, { isWhole, isKnown: (id) => known.has(id) });
  const ofStream = { environmentId: job.environment_id, streamId, format: asked.format, lacking: null };
  const isForced = (place: number): boolean => forced.has(present(asked.lines[place], 'line'));
  const lacking = lackingFile(database, sorting, missing, asked.referenceField);
  const direct = overlapsOf(database, { ...ofStream, lacking }, sorting, isForced);
  const { overlaps, instead } = ofBothReadings(direct, sorting, asked.lines, asked.batches, {
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
  const paired = new Set(overlap.listed.length === 0 ? [] : overlaps.pairs.map(({ recordId }) => recordId));
  for (const others of instead.values()) for (const { recordId } of others) paired.add(recordId);
  const lacked = missingNote(database, missing, (id) => paired.has(id));
  const notes = [...(lacked === null ? [] : [lacked]), ...partlyThere(overlap.sorted, byOtherReading)];
  const statement = { ...asked, lines, problems: [...notes, ...asked.problems] };
  return outcomeOf(context, payload, target, facts, {
    statement,
    overlap,
    closed: span === undefined ? null : { span, count: lines.filter(({ day }, place) => isNew(place) && day <= span.lastDay).length },
    skippedRows: [...overlap.skipped, ...skippedRows(database, streamId, sorting, whyThere)].slice(0, SHOWN_SKIPPED),
    counts: { kept: lines.length - skipped, skipped },
    sums: LineSums.of(lines),
    dedupeKeys,
    isDuplicate,
    isLeftOut,
    same: [...sameLines(overlap, instead), ...linesWithAPlace(database, streamId, overlap.sorted)],
    rowLog: rowLogOf(
      statement,
      dedupeKeys,
      (place) => isDuplicate[place] === true,
      (place) => isLeftOut[place] === true,
    ),
  });
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

/** Returns the lines of a PDF that the stream has from a file without pages: their records take over the place on the page. */
function linesWithAPlace(read: ReadHandle, streamId: number | null, { lines, dedupeKeys, isDuplicate, isLeftOut }: Sorted): SameLine[] {
  const found = lines.flatMap((line, place) => {
    if (streamId === null || isDuplicate[place] !== true || isLeftOut[place] === true || line.metadata[PDF_PLACE_KEY] === undefined)
      return [];
    const dedupeKey = present(dedupeKeys[place], 'dedupe key');
    const record = recordOfDedupeKey(read, streamId, dedupeKey);
    return record === undefined || record.isInOtherWords ? [] : [{ line, dedupeKey, recordId: record.id }];
  });
  const records = recordsToJoin(
    read,
    found.map(({ recordId }) => recordId),
  );
  const placed = new Set(
    records.filter(({ id, metadata }) => Object.hasOwn(storedJson('records.metadata', metadata, id), PDF_PLACE_KEY)).map(({ id }) => id),
  );
  return found.filter(({ recordId }) => !placed.has(recordId));
}

/** Sums up a large file, whose lines were counted and looked up while they were read. */
function comparedTaken(
  context: TaskContext,
  payload: ImportPayload,
  target: Target,
  facts: FactsOfFile,
  read: Statement,
  lines: LinesOfFile,
): Result<Compared, NotRead> {
  const { sums, skipped, skippedOfDay, listed, closed, skippedRows: shown, rowLog } = lines;
  const lacked = missingNoteOfLarge(context.database, target.stream?.id ?? null, skippedOfDay, sums.days);
  const problems = lacked === null ? read.problems : [lacked, ...read.problems];
  return outcomeOf(context, payload, target, facts, {
    statement: { ...read, problems, lines: read.lines.map(asTakenBy(target.stream?.read_by)) },
    overlap: null,
    closed,
    skippedRows: shown,
    counts: { kept: sums.lines - skipped, skipped },
    sums,
    dedupeKeys: listed.map(({ key }) => key),
    isDuplicate: listed.map((line) => line.isDuplicate),
    isLeftOut: listed.map(() => false),
    same: [],
    rowLog,
  });
}

/** The result of comparing the lines of a file with its stream. */
interface ComparedLines extends Pick<Compared, 'statement' | 'dedupeKeys' | 'isDuplicate' | 'isLeftOut' | 'same' | 'rowLog'> {
  /** Lines that the stream has under another description; null if lines are not compared one by one. */
  readonly overlap: DecidedOverlap | null;
  /** Null if the stream has no closed period. */
  readonly closed: ClosedLines | null;
  readonly skippedRows: ImportResult['skipped_rows'];
  readonly counts: { readonly kept: number; readonly skipped: number };
  /** The sums of all lines of the file. */
  readonly sums: LineSums;
}

/** Builds the result of a file and adds the notes for the user. */
function outcomeOf(
  context: TaskContext,
  payload: ImportPayload,
  { stream, kept }: Target,
  facts: FactsOfFile,
  { overlap, closed, counts, sums, skippedRows: skipped, ...file }: ComparedLines,
): Result<Compared, NotRead> {
  const { database, job } = context;
  const { state, followed, sha256, byteLength } = facts;
  const wishes = accountWishes(database, job.environment_id, payload, file.statement, kept, state);
  const found = {
    balances: balancesOf(context, wishes, stream, file.statement),
    skipped_rows: [...skipped],
    overlap: overlap?.listed ?? [],
    same_file: sameFile(database, job.environment_id, sha256),
    overruled: payload.overrules?.length ?? 0,
  };
  const read = followed === null ? file.statement : withDoubt(file.statement, followed.statement, kept);
  const apart = [...sameFileElsewhere(payload, read.format, found.same_file), ...mismatchesOf(database, stream, read, { payload, kept })];
  const { statement: said, misfits } = overlap === null ? { statement: read, misfits: apart } : withOverlap(read, overlap, apart);
  const noted = withNotes(said, payload, stream, facts, found);
  const closedNote = closed === null ? null : closedProblem(closed);
  const statement = closedNote === null ? noted : { ...noted, problems: [closedNote, ...noted.problems] };
  const recipe = usedRecipe(statement, payload, kept, state, found.balances.bank_account?.name ?? null);
  const result = importResultOf(payload.streamKey ?? '', statement, counts, { ...found, recipe, misfits }, sums);
  return result === null ? failed(sumTooLarge(payload)) : success({ ...file, statement, stream, sha256, byteLength, wishes, result });
}

function sumTooLarge({ filename }: ImportPayload): NotRead {
  const message = phrase('imports.compare.sumTooLarge', { filename });
  return { code: 'total_out_of_range', message, row: null, column: null };
}

/** Adds the note that a kept recipe may not fit the statement. */
function withDoubt(guessed: Statement, followed: Statement | null, kept: readonly KeptRecipe[]): Statement {
  const id = followed?.table?.followed ?? null;
  const name = kept.find((each) => each.id === id)?.recipe.name;
  const why =
    followed === null
      ? phrase('imports.compare.unreadByProfile')
      : missingSheetOf(followed) !== null
        ? phrase('imports.compare.noSheetOfProfile', { sheet: quoted(missingSheetOf(followed) ?? '') })
        : followed.rejectedRows > guessed.rejectedRows
          ? phrase('imports.compare.rowsUnreadByProfile', { rows: followed.rejectedRows, without: guessed.rejectedRows })
          : phrase('imports.compare.balancesByProfile', { proof: followed.proof, without: guessed.proof });
  const message =
    name === undefined
      ? phrase('imports.compare.doubtfulProfile', { why })
      : phrase('imports.compare.doubtfulProfileNamed', { name: quoted(name), why });
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
  if (payload.packedIn !== undefined)
    notes.push(note('unpacked', phrase('imports.compare.unpacked', { filename: payload.filename, archive: payload.packedIn })));
  if (isCurrencyOfBook && !statement.namesCurrency) notes.push(currencyOfBook(statement.currency));
  if (wrongCurrency !== null) notes.push(wrongCurrency);
  if (stream?.read_by === 'value_date') notes.push(byValueDateNote(stream.name));
  if (asksForAccount(statement, payload)) {
    // A stream with lines of several accounts can hardly be reconciled.
    const message = phrase('imports.compare.severalAccounts', { accounts: statement.accounts.length, names: namesOf(statement.accounts) });
    notes.push(note('several_accounts', message));
  }
  return notes.length === 0 ? statement : { ...statement, problems: [...notes, ...statement.problems] };
}

function currencyOfBook(currency: string): Problem {
  return note('currency_of_book', phrase('imports.compare.currencyOfBook', { currency }));
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
  /** The number of skipped lines by their days. */
  readonly skippedOfDay = new Map<number, number>();
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
    for (const id of there) {
      const day = days[id - 1] as number;
      this.skippedOfDay.set(day, (this.skippedOfDay.get(day) ?? 0) + 1);
    }
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

/**
 * Returns for each line of a file whether the stream has it. If two lines name the same record by two of its descriptions, the second is another
 * line. It gets a key of its own, by which a later import of the same file recognises it. Changes `keys`.
 */
function knownLines(known: KnownKeys, keys: string[]): boolean[] {
  const isKnown = [...known.ofRecords(keys)];
  const alternatives = known.alternativesOf(keys.filter((_, place) => isKnown[place] !== true));
  if (alternatives.length === 0) return isKnown;
  const placesOfKey = Map.groupBy(keys.keys(), (place) => keys[place] ?? '');
  const named = new Set<number>();
  for (const { key, recordId, ownKey } of alternatives) {
    const isNamed = named.has(recordId) || (ownKey !== null && placesOfKey.has(ownKey));
    named.add(recordId);
    for (const place of placesOfKey.get(key) ?? []) {
      if (isNamed) keys[place] = `t:${key}`;
      else isKnown[place] = true;
    }
  }
  const renamed = [...keys.keys()].filter((place) => keys[place]?.startsWith('t:') === true);
  const areKnown = known.ofRecords(renamed.map((place) => keys[place] ?? ''));
  for (const [at, place] of renamed.entries()) isKnown[place] = areKnown[at] === true;
  return isKnown;
}

/**
 * Compares lines with the stream. `isThere`: whether the stream has a line in a way that its key does not show. A line that a person forces in gets a
 * free key, and its external id becomes metadata if a record has it already.
 */
function sortLines(
  read: ReadHandle,
  streamId: number | null,
  lines: readonly StatementLine[],
  forced: ReadonlySet<StatementLine>,
  leftOut: ReadonlySet<StatementLine>,
  isThere: (place: number) => boolean = () => false,
): Sorted {
  const keys = dedupeKeys(lines);
  const ofKeys = streamId === null ? keys.map(() => false) : knownLines(new KnownKeys(read, streamId), keys);
  const isKnown = ofKeys.map((is, place) => is || isThere(place));
  const isLeftOut = lines.map((line) => leftOut.has(line));
  if (forced.size === 0) return { lines, dedupeKeys: keys, isDuplicate: isKnown, isLeftOut };
  const inFile = new Set(keys);
  const stored: StatementLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (streamId === null || isKnown[index] !== true || !forced.has(line)) {
      stored.push(line);
      continue;
    }
    const forcedLine = withoutId(line);
    keys[index] = freeKey(read, streamId, forcedLine, inFile);
    inFile.add(keys[index] ?? '');
    isKnown[index] = false;
    stored.push(forcedLine);
  }
  return { lines: stored, dedupeKeys: keys, isDuplicate: isKnown, isLeftOut };
}

/** Two records of a stream never share an external id, so a line that is forced in keeps its id as metadata. */
function withoutId(line: StatementLine): StatementLine {
  return line.externalId === null ? line : { ...line, externalId: null, metadata: { ...line.metadata, external_id: line.externalId } };
}

/** Returns the next free key for a line of this content. */
function freeKey(read: ReadHandle, streamId: number, line: StatementLine, inFile: ReadonlySet<string>): string {
  const first = dedupeKeys([line])[0] ?? '';
  const stem = first.slice(0, first.lastIndexOf(':') + 1);
  for (let occurrence = 1; ; occurrence += 1) {
    const key = `${stem}${occurrence}`;
    if (!inFile.has(key) && !isDedupeKeyTaken(read, streamId, key)) return key;
  }
}

/** Returns the first skipped rows with the reasons. `whyThere`: the reason for a line that the stream has in a way that its key does not show. */
function skippedRows(
  read: ReadHandle,
  streamId: number | null,
  sorted: Sorted,
  whyThere: (place: number) => Omit<SkippedRow, 'row' | 'occurrence'> | null = () => null,
): SkippedRow[] {
  const skipped: SkippedRow[] = [];
  if (!sorted.isLeftOut.includes(true) && !sorted.isDuplicate.includes(true)) return skipped;
  const places = placesOf(sorted.lines);
  for (const [index, line] of sorted.lines.entries()) {
    if (skipped.length === SHOWN_SKIPPED) break;
    const place = places[index] ?? { row: line.row, occurrence: 1 };
    if (sorted.isLeftOut[index] === true) {
      skipped.push({ ...place, code: 'left_out', message: phrase('imports.rows.leftOut'), record_id: null });
    } else if (sorted.isDuplicate[index] === true && streamId !== null) {
      skipped.push({ ...place, ...(whyThere(index) ?? whySkipped(read, streamId, line, sorted.dedupeKeys[index] ?? '')) });
    }
  }
  return skipped;
}

/** Returns a note about lines whose id is known with other content; null if there are none. */
function changedNote(skipped: readonly SkippedRow[]): Problem | null {
  const rows = skipped.filter(({ code }) => code === 'same_id_other_content').map(({ row }) => row);
  if (rows.length === 0) return null;
  const message = phrase('imports.compare.changedContent', { lines: rows.length, rows: placed(rows) });
  return note('same_id_other_content', message, rows[0]);
}

/** Returns an earlier import of exactly the same bytes that was not undone; null if there is none. */
function sameFile(read: ReadHandle, environmentId: number, sha256: string): ImportResult['same_file'] {
  const batch = batchOfSameFile(read, environmentId, sha256);
  if (batch === undefined) return null;
  const created_at = new Date(batch.created_at).toISOString();
  return { import_batch_id: batch.id, filename: batch.filename, data_stream_key: batch.data_stream_key, created_at };
}

/**
 * Returns that a PDF is in another account already: it is a statement of one account, while a table may list lines for several. Nothing is returned for
 * the account of a file with several that a person chose.
 */
function sameFileElsewhere({ streamKey, account, filename }: ImportPayload, format: string, same: ImportResult['same_file']): Misfit[] {
  if (format !== 'pdf' || same === null || streamKey === null || same.data_stream_key === streamKey || account !== null) return [];
  const message = phrase('imports.compare.sameFileElsewhere', { day: same.created_at.slice(0, 10), account: same.data_stream_key });
  return [{ about: 'same_file', file: filename, stream: same.data_stream_key, message }];
}

/** Returns the note for the user about such an earlier import. */
function sameFileSentence({ filename, data_stream_key: account, created_at: at }: NonNullable<ImportResult['same_file']>): string {
  const values = { day: at.slice(0, 10), account };
  return filename === null
    ? phrase('imports.compare.sameFileUnnamed', values)
    : phrase('imports.compare.sameFile', { ...values, filename });
}

/** The number of new lines that are dated within closed periods of their stream. `span` is the last of these periods. */
interface ClosedLines {
  readonly count: number;
  readonly span: ClosedSpan;
}

/** Returns the closed period of a stream that ends last. No new line may be dated on or before its last day. */
function lastClosed(read: ReadHandle, streamId: number | null): ClosedSpan | undefined {
  return streamId === null ? undefined : closedSpansOfStream(read, streamId).at(-1);
}

function closedLinesText(lines: number, span: ClosedSpan): string {
  return phrase('imports.admit.closedLines', { lines, day: dayText(span.lastDay), period: closedName(span) });
}

/** Returns the problem of a file with new lines in a closed period; null if it has none. */
function closedProblem({ count, span }: ClosedLines): Problem | null {
  return count === 0 ? null : note(PERIOD_CLOSED, closedLinesText(count, span));
}

/** The code of the problem of new lines in a closed period. */
export const PERIOD_CLOSED = 'period_closed';

/** Returns whether a person must first choose one of the accounts of a file. */
export function asksForAccount({ accounts }: Pick<Statement, 'accounts'>, payload: ImportPayload): boolean {
  return accounts.length > 1 && payload.account === null;
}

/** A message names at most this many headers of a layout. */
const SHOWN_HEADERS = 6;

type Looked = Pick<Statement, 'format' | 'table' | 'whose'>;
type Layout = Pick<ImportRecipe, 'has_header' | 'columns'>;

/**
 * Returns in which respects a file differs from the earlier files of its stream: account number, account holder or layout.
 *
 * If both name accounts, only these are compared, so that a file of the same account in another format fits. The layout is not compared if a recipe
 * of this stream was given or kept for it. Lines that the stream has already prove nothing, because a bank and a ledger report the same payments.
 */
function mismatchesOf(
  read: ReadHandle,
  stream: StreamRow | undefined,
  statement: Looked,
  known: { readonly payload: ImportPayload; readonly kept: readonly KeptRecipe[] },
): Misfit[] {
  const files = stream === undefined ? [] : filesOfStream(read, stream.id);
  if (stream === undefined || files.length === 0) return [];
  const { isSameAccount: isSame, misfits } = compareOwners(stream, statement.whose, files.map(whoseOf));
  const isOfRecipe = recipeOfFile(statement.table, known.payload, known.kept)?.stream_key === stream.key;
  return isSame !== null || isOfRecipe ? misfits : [...misfits, ...otherLayout(stream, statement, files)];
}

/** Returns whether a stream was filled from files of other accounts or holders than those of this file. */
export function isOfOthers(read: ReadHandle, stream: StreamRow, { whose }: Looked): boolean {
  return compareOwners(stream, whose, filesOfStream(read, stream.id).map(whoseOf)).misfits.length > 0;
}

/** Compares the accounts and holders of a file with those of a stream. `isSameAccount` is null if either of them names no account. */
function compareOwners(stream: StreamRow, own: WhoseFile, held: readonly WhoseFile[]) {
  const accounts = held.flatMap((whose) => whose.accounts);
  const holders = held.flatMap((whose) => whose.holders);
  if (accounts.length === 0 || own.accounts.length === 0) {
    return { isSameAccount: null, misfits: otherHolder(stream, own.holders, holders) };
  }
  const isSame = own.accounts.some((one) => accounts.some((other) => isSameAccount(one, other)));
  const misfits = isSame ? [] : [otherAccount(stream, own.accounts, accounts), ...otherHolder(stream, own.holders, holders)];
  return { isSameAccount: isSame, misfits };
}

/** Returns the stream into which a file of this account was imported last. */
export function streamOfAccount(read: ReadHandle, environmentId: number, { accounts }: WhoseFile): StreamRow | undefined {
  if (accounts.length === 0) return undefined;
  const same = (file: FileOfStream): boolean =>
    whoseOf(file).accounts.some((other) => accounts.some((account) => isSameAccount(account, other)));
  const found = filesOfEnvironment(read, environmentId).find(same);
  return found === undefined ? undefined : streamById(read, found.stream_id);
}

function whoseOf({ id, whose }: FileOfStream): WhoseFile {
  return storedJson('import_batches.whose', whose, id) ?? NOBODY;
}

function otherAccount({ name }: StreamRow, own: readonly string[], held: readonly string[]): Misfit {
  const [file, stream] = [listed(own), listed(held)];
  const message = phrase('imports.admit.otherAccount', { file, name, held: stream });
  return { about: 'account_number', file, stream, message };
}

function otherHolder({ name }: StreamRow, own: readonly string[], held: readonly string[]): Misfit[] {
  if (own.length === 0 || held.length === 0 || own.some((one) => held.some((other) => isSameHolder(one, other)))) return [];
  const [file, stream] = [listed(own), listed(held)];
  const message = phrase('imports.admit.otherHolder', { file, name, held: stream });
  return [{ about: 'account_holder', file, stream, message }];
}

function otherLayout({ name }: StreamRow, { format, table }: Looked, files: readonly FileOfStream[]): Misfit[] {
  const own = table?.recipe ?? null;
  const layoutOf = (recipe: Layout | null, ofFormat: string): string => (recipe === null ? ofFormat : fingerprintOf(recipe));
  const recipeOfFile = ({ id, recipe }: FileOfStream): Layout | null => storedJson('import_batches.recipe', recipe, id);
  if (files.some((file) => layoutOf(recipeOfFile(file), file.format) === layoutOf(own, format))) return [];
  const [newest] = files;
  const file = wordsOfLayout(own, format);
  const stream = newest === undefined ? '' : wordsOfLayout(recipeOfFile(newest), newest.format);
  const message = phrase('imports.admit.otherLayout', { file, name, held: stream });
  return [{ about: 'layout', file, stream, message }];
}

function wordsOfLayout(recipe: Layout | null, format: string): string {
  if (recipe === null) return phrase('imports.admit.format', { format: format.toUpperCase() });
  const headers = recipe.columns.map(({ header }) => header).filter((header) => header !== '');
  if (!recipe.has_header || headers.length === 0) return phrase('imports.admit.noHeader', { columns: recipe.columns.length });
  const shown = headers.slice(0, SHOWN_HEADERS).join(', ');
  return phrase('imports.admit.columns', { columns: headers.length > SHOWN_HEADERS ? `${shown} ...` : shown });
}

function listed(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  return `${distinct.slice(0, 3).join(', ')}${distinct.length > 3 ? ` and ${distinct.length - 3} more` : ''}`;
}
