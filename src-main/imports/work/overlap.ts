import type { ImportAnswers, ImportResult, Misfit, OpenQuestion, Problem, SkippedRow } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle, Row } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import {
  type AmountOfStream,
  type CandidateLine,
  changedLines,
  dedupeKeys,
  findOverlaps,
  isFilledIn,
  type MissingLine,
  moneyKey,
  note,
  type Overlap,
  type Overlaps,
  placed,
  placesOf,
  type Statement,
  type StatementLine,
  textOf,
} from '../../domain/statement/index.ts';
import { extentOfStream, type MoneyOfLines, recordsOfMoney, wordsOfRecords } from '../../records/store/same-money.ts';
import { recordOfDedupeKey } from '../../records/store/records.ts';
import { alternativeDescriptionsOf, KnownKeys } from '../store/alternative-descriptions.ts';
import { quotedText, SHOWN_SKIPPED } from './import-rows.ts';

/** Number of example pairs in a question. */
const SHOWN_PAIRS = 3;
const SHOWN_FILES = 3;

const NOTHING: Overlaps = { pairs: [], isBeyondChance: false, contested: [] };

/** The lines of a file with their keys and states. All arrays have the order of the lines. */
export interface Sorted {
  readonly lines: readonly StatementLine[];
  readonly dedupeKeys: readonly string[];
  readonly isDuplicate: readonly boolean[];
  readonly isLeftOut: readonly boolean[];
}

/** The stream and format of the lines that are compared. */
export interface Target {
  readonly environmentId: number;
  readonly streamId: number | null;
  readonly format: string;
  /**
   * Whether only a sample of the lines is compared. A record then counts as named by the file if any line has the same content, whatever its number
   * among equal lines.
   */
  readonly isSample?: boolean;
  /** Null where only lines of one day and amount are compared. */
  readonly lacking: LackingFile | null;
}

/** A file that lacks stored lines of its days. */
export interface LackingFile {
  readonly missing: readonly MissingLine[];
  readonly extent: Parameters<typeof changedLines>[3];
}

/** Returns a dedupe key without the number that distinguishes equal lines. */
function contentOf(key: string): string {
  return key.startsWith('f:') ? key.slice(0, key.lastIndexOf(':')) : key;
}

/**
 * Finds lines of a file that the stream may already have under another description. `isForced`: whether a person said that the line at a place is
 * new.
 */
export function overlapsOf(read: ReadHandle, target: Target, sorted: Sorted, isForced: (place: number) => boolean): Overlaps {
  const { environmentId, streamId, format, isSample = false, lacking } = target;
  if (streamId === null) return NOTHING;
  const places = [...sorted.lines.keys()].filter(
    (place) => sorted.isDuplicate[place] !== true && sorted.isLeftOut[place] !== true && !isForced(place),
  );
  const daysOfBoth = new Set([...sorted.lines.entries()].flatMap(([place, { day }]) => (sorted.isDuplicate[place] === true ? day : [])));
  const nameOf = isSample ? contentOf : (key: string): string => key;
  let named: ReadonlySet<string> | null = null;
  return overlapsWith(read, { environmentId, streamId }, sorted.lines, {
    places,
    isNamed: ({ keys }) => {
      const all = (named ??= new Set(sorted.dedupeKeys.map(nameOf)));
      return keys.some((key) => all.has(nameOf(key)));
    },
    isIdentified: (ids) => ids.some(({ format: of }) => of === format),
    isOfBoth: (day) => daysOfBoth.has(day),
    lacking,
    isWhole: lacking !== null && !isSample,
  });
}

/** A record of the stream that may be the same as a line. */
export interface StoredLine {
  readonly id: number;
  readonly batchId: number | null;
  /** The dedupe keys of the record and of its alternative descriptions. */
  readonly keys: readonly string[];
}

export interface IdOfLine {
  readonly externalId: string;
  /** The file format of the import that brought the id; null if no import did. */
  readonly format: string | null;
}

export interface ComparedLines {
  /** Places of the new lines. */
  readonly places: readonly number[];
  /**
   * For lines that are in the stream already: whether a record is one of them or was added after them. Such records do not count in the frequency of
   * an amount.
   */
  readonly isOwn?: (recordId: number) => boolean;
  /** Whether another line is known to be this record. */
  readonly isNamed: (record: StoredLine) => boolean;
  /** Whether the ids of a record come from the same issuer as those of the lines. A different id then means a different line. */
  readonly isIdentified: (ids: readonly IdOfLine[]) => boolean;
  /** Whether a line with this id must be another one, decided id by id instead of by `isIdentified`. */
  readonly isOtherId?: (ids: readonly IdOfLine[], externalId: string) => boolean;
  /** Whether the source of the lines has stored lines of this day besides them. */
  readonly isOfBoth: (day: number) => boolean;
  /** The file that the lines are of; null for lines that are of none. */
  readonly lacking: LackingFile | null;
  /** Whether the lines are all lines of a file. */
  readonly isWhole: boolean;
}

/** Finds lines from any source that the stream may already have under another description. */
export function overlapsWith(
  read: ReadHandle,
  stream: { readonly environmentId: number; readonly streamId: number },
  lines: readonly StatementLine[],
  compared: ComparedLines,
): Overlaps {
  const { places, lacking } = compared;
  if (places.length === 0) return NOTHING;
  const extent = extentOfStream(read, stream.streamId);
  if (extent.days === 0) return NOTHING;
  const amounts = amountsOfStream(read, stream, lines, compared);
  const changed = lacking === null ? undefined : changedLines(lines, places, lacking.missing, lacking.extent);
  return findOverlaps(lines, places, (line) => amounts.get(moneyKey(line)), { ...extent, isOfBoth: compared.isOfBoth }, changed);
}

/**
 * Returns for each amount of the lines how many records of the stream have it, and which of them are dated near these lines and not named by the
 * lines themselves.
 */
function amountsOfStream(
  read: ReadHandle,
  { environmentId, streamId }: { readonly environmentId: number; readonly streamId: number },
  lines: readonly StatementLine[],
  { places, isOwn, isNamed, isIdentified, isOtherId, isWhole }: ComparedLines,
): Map<string, AmountOfStream> {
  const wanted = new Map<string, { readonly of: Omit<MoneyOfLines, 'amounts'>; readonly amounts: Set<number> }>();
  const daysOf = new Map<string, Set<number>>();
  for (const place of places) {
    const line = lines[place];
    if (line === undefined) continue;
    const direction = line.direction === 'credit' ? 1 : 0;
    const kind = `${direction} ${line.currency}`;
    let amounts = wanted.get(kind)?.amounts;
    if (amounts === undefined) wanted.set(kind, { of: { currency: line.currency, direction }, amounts: (amounts = new Set()) });
    amounts.add(line.amountMinor);
    const key = moneyKey(line);
    let days = daysOf.get(key);
    if (days === undefined) daysOf.set(key, (days = new Set()));
    days.add(line.day);
    if (line.valueDay !== null) days.add(line.valueDay);
  }
  const nearDays = new Map([...daysOf].map(([key, days]) => [key, new NearDays(days)]));
  const counts = new Map<string, { count: number; readonly onDay: Map<number, number> }>();
  const keyOfRecord = new Map<number, string>();
  for (const { of, amounts } of wanted.values()) {
    for (const { id, amount, day } of recordsOfMoney(read, environmentId, streamId, { ...of, amounts: [...amounts] })) {
      if (isOwn?.(id) === true) continue;
      const key = moneyKey({ amountMinor: amount, direction: of.direction === 1 ? 'credit' : 'debit', currency: of.currency });
      let counted = counts.get(key);
      if (counted === undefined) counts.set(key, (counted = { count: 0, onDay: new Map() }));
      counted.count += 1;
      if (nearDays.get(key)?.isNear(day) !== true) continue;
      counted.onDay.set(day, (counted.onDay.get(day) ?? 0) + 1);
      keyOfRecord.set(id, key);
    }
  }
  const candidates = new Map<string, CandidatesByDay>();
  const alternatives = Map.groupBy(alternativeDescriptionsOf(read, [...keyOfRecord.keys()]), (alternative) => alternative.record_id);
  for (const record of wordsOfRecords(read, [...keyOfRecord.keys()])) {
    const key = keyOfRecord.get(record.id);
    const all = [record, ...(alternatives.get(record.id) ?? [])];
    const keys = all.flatMap(({ dedupe_key: own }) => own ?? []);
    if (key === undefined || isNamed({ id: record.id, batchId: record.batch_id, keys })) continue;
    let ofAmount = candidates.get(key);
    if (ofAmount === undefined) candidates.set(key, (ofAmount = { byDay: new Map(), byValueDay: new Map() }));
    const metadata = textsOf(storedJson('records.metadata', record.metadata, record.id));
    const text = textOf({ description: record.description, metadata });
    const ids = all.flatMap(({ external_id: externalId, format }) => (externalId === null ? [] : [{ externalId, format }]));
    const candidate: CandidateLine = {
      recordId: record.id,
      text,
      label: record.description ?? text,
      file: record.filename,
      isIdentified: ids.length > 0 && isIdentified(ids),
      ...(isWhole ? { isFilledInBy: (line) => isFilledIn(line, { description: record.description, metadata }) } : {}),
      ...(isOtherId === undefined ? {} : { isOtherId: (externalId: string) => isOtherId(ids, externalId) }),
    };
    addTo(ofAmount.byDay, record.day, candidate);
    if (record.value_day !== null && record.value_day !== record.day) addTo(ofAmount.byValueDay, record.value_day, candidate);
  }
  return new Map([...counts].map(([key, counted]) => [key, { ...counted, ...(candidates.get(key) ?? NO_CANDIDATES) }]));
}

interface CandidatesByDay {
  readonly byDay: Map<number, CandidateLine[]>;
  readonly byValueDay: Map<number, CandidateLine[]>;
}
const NO_CANDIDATES: CandidatesByDay = { byDay: new Map(), byValueDay: new Map() };

function addTo(byDay: Map<number, CandidateLine[]>, day: number, candidate: CandidateLine): void {
  const there = byDay.get(day);
  if (there === undefined) byDay.set(day, [candidate]);
  else there.push(candidate);
}

/** A record may be this many days from a line, because the booking day of one may be the value day of the other. */
const MOST_APART = 7;

/** A set of days that tells whether a day is near one of them. Only records of such days are read whole. */
class NearDays {
  readonly #days: Int32Array;

  constructor(days: ReadonlySet<number>) {
    this.#days = Int32Array.from(days).toSorted();
  }

  isNear(day: number): boolean {
    let [low, high] = [0, this.#days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#days[middle] as number) < day - MOST_APART) low = middle + 1;
      else high = middle;
    }
    return low < this.#days.length && (this.#days[low] as number) <= day + MOST_APART;
  }
}

/** The decision about lines that the stream may already have. */
export interface DecidedOverlap {
  readonly sorted: Sorted;
  readonly listed: ImportResult['overlap'];
  readonly skipped: readonly SkippedRow[];
  /** The ids of the records that lines were accepted as, by the places of the lines. */
  readonly same: ReadonlyMap<number, number>;
  readonly question: OpenQuestion | null;
  readonly problem: Problem | null;
}

/**
 * Follows the answer of the user or recipe, else the proof by balances, else asks. Lines that are the same are skipped. `proven` is called only
 * without an answer.
 */
export function decidedOverlap(
  overlaps: Overlaps,
  sorted: Sorted,
  { said: given, isOfRecipe }: { readonly said: ImportAnswers['overlap'] | null; readonly isOfRecipe: boolean },
  proven: (pairs: readonly Overlap[]) => 'same' | 'new' | null,
): DecidedOverlap {
  const { pairs, isBeyondChance, contested } = overlaps;
  const undecided: DecidedOverlap = { sorted, listed: [], skipped: [], same: new Map(), question: null, problem: null };
  // A profile speaks of the other file's lines, and not of those that a source changed.
  const isOfSource = ({ change }: Overlap): boolean => isMoved(change) || (change === 'reference' && given === 'new');
  const said = isOfRecipe && pairs.some(isOfSource) ? null : given;
  const areMoved = pairs.some(({ change }) => isMoved(change));
  const proof = pairs.length > 0 && said === null && contested.length === 0 && !areMoved ? proven(pairs) : null;
  // Balances can prove that lines are the same even if so few coincide that it may be chance.
  if (!isBeyondChance && proof !== 'same') return undecided;
  const places = placesOf(sorted.lines);
  const placeAt = (place: number) => places[place] ?? { row: sorted.lines[place]?.row ?? 1, occurrence: 1 };
  const listed = pairs.slice(0, SHOWN_SKIPPED).map(({ place, recordId, chance }) => ({ ...placeAt(place), record_id: recordId, chance }));
  const answer = said ?? proof;
  if (answer === 'new') return { ...undecided, listed, problem: proof === null ? null : additionalNote(pairs.length) };
  const asked = { ...undecided, listed, question: questionOf(pairs, sorted) };
  if (answer === null) return asked;
  if (contested.length > 0) return { ...asked, problem: contestedNote(contested, sorted) };
  const same = new Map(pairs.map(({ place, recordId }) => [place, recordId]));
  const skipped = pairs.slice(0, SHOWN_SKIPPED).map((pair): SkippedRow => ({ ...placeAt(pair.place), ...whyTaken(pair, sorted) }));
  const isDuplicate = sorted.isDuplicate.map((is, place) => is || same.has(place));
  const message = takenSentence(pairs, { isProved: proof !== null, isOfRecipe });
  return { sorted: { ...sorted, isDuplicate }, listed, skipped, same, question: null, problem: note('overlap_same', message) };
}

/** Whether the record would have another day or amount with the content of the line. */
function isMoved(change: Overlap['change']): boolean {
  return change === 'day' || change === 'amount';
}

/** Returns why a line is skipped that is the same as a record. */
function whyTaken({ place, recordId, storedText, change }: Overlap, { lines }: Sorted): Omit<SkippedRow, 'row' | 'occurrence'> {
  const line = lines[place];
  if (change === 'amount' && line !== undefined) {
    const message = phrase('imports.rows.otherAmount', { there: quotedText(storedText), own: writtenLine(line) });
    return { code: 'same_id_other_content', message, record_id: recordId };
  }
  const text = quotedText(storedText);
  const message = isMoved(change) ? phrase('imports.overlap.takenForChanged', { text }) : phrase('imports.overlap.takenFor', { text });
  return { code: 'same_line', message, record_id: recordId };
}

function takenSentence(pairs: readonly Overlap[], by: { readonly isProved: boolean; readonly isOfRecipe: boolean }): string {
  const values = { lines: pairs.length };
  if (pairs.some(({ change }) => isMoved(change))) return phrase('imports.overlap.changedByUser', values);
  if (by.isProved) return phrase('imports.overlap.sameByBalances', values);
  return by.isOfRecipe ? phrase('imports.overlap.sameByProfile', values) : phrase('imports.overlap.sameByUser', values);
}

function additionalNote(pairs: number): Problem {
  return note('overlap_new', phrase('imports.overlap.additional', { lines: pairs }));
}

function contestedNote(contested: readonly number[], { lines }: Sorted): Problem {
  const rows = contested.flatMap((place) => lines[place]?.row ?? []);
  const message = phrase('imports.overlap.contested', { rows: placed(rows) });
  return note('overlap_contested', message, rows[0] ?? null);
}

function questionOf(pairs: readonly Overlap[], sorted: Sorted): OpenQuestion {
  const { lines, isDuplicate, isLeftOut } = sorted;
  const fresh = lines.filter((_, place) => isDuplicate[place] !== true && isLeftOut[place] !== true).length;
  const ofLines = pairs.filter(({ isOtherReading }) => isOtherReading !== true);
  const changed = ofLines.filter(({ change }) => change !== undefined).length;
  const direct = ofLines.filter(({ change }) => change === undefined);
  const values = { lines: direct.length };
  const alike =
    direct.length === 0
      ? []
      : [
          direct.length === fresh
            ? phrase('imports.overlap.allAlike', values)
            : phrase('imports.overlap.someAlike', { ...values, of: String(fresh) }),
        ];
  if (changed > 0) alike.push(phrase('imports.overlap.changed', { lines: changed, of: String(fresh) }));
  const message = [...alike, ...fromFiles(ofLines), ...otherReadingWords(pairs, lines), phrase('imports.overlap.sameOrNew')].join(' ');
  return overlapQuestion(message, pairs, sorted, (line, place) => `${placeName(lines, place)}: ${writtenLine(line)}`);
}

/** Returns where a line is in the file, such as `row 4`. In a file that has several transactions in a row, such as OFX without line breaks, it is told by their count. */
function placeName(lines: readonly StatementLine[], place: number): string {
  const row = lines[place]?.row ?? 0;
  const ofRow = [...lines.keys()].filter((at) => lines[at]?.row === row);
  const values = { row: String(row), number: String(ofRow.indexOf(place) + 1) };
  return phrase(ofRow.length === 1 ? 'imports.overlap.row' : 'imports.overlap.transactionOfRow', values);
}

/** Returns the part of the question that is about entries which may be in the stream by the other reading. */
function otherReadingWords(pairs: readonly Overlap[], lines: readonly StatementLine[]): string[] {
  const of = pairs.filter(({ isOtherReading }) => isOtherReading === true);
  const [first] = of;
  if (first === undefined) return [];
  const line = lines[first.place];
  if (line === undefined) return [];
  const amount = decimalText(signedMinor(line.amountMinor, line.direction), line.decimalPlaces);
  return [phrase('imports.overlap.otherReading', { lines: of.length, row: String(line.row), amount })];
}

/** `written` renders a line of the file. */
export function overlapQuestion(
  message: string,
  pairs: readonly Overlap[],
  { lines }: Sorted,
  written: (line: StatementLine, place: number) => string,
): OpenQuestion {
  const example = (says: (pair: Overlap) => string) =>
    pairs.slice(0, SHOWN_PAIRS).flatMap((pair) => {
      const line = lines[pair.place];
      return line === undefined ? [] : [{ written: written(line, pair.place), read: says(pair) }];
    });
  return {
    about: 'overlap',
    column: null,
    message,
    taken: 'new',
    choices: [
      {
        value: 'same',
        label: phrase('imports.overlap.sameLines'),
        examples: example(({ storedText }) => phrase('imports.overlap.here', { text: quotedText(storedText) })),
      },
      {
        value: 'new',
        label: phrase('imports.overlap.newLines'),
        examples: example(({ storedText }) => phrase('imports.overlap.beside', { text: quotedText(storedText) })),
      },
    ],
  };
}

/** Returns a sentence with the files that the records came from, if there are several. */
function fromFiles(pairs: readonly Overlap[]): string[] {
  const files = [...new Set(pairs.flatMap(({ storedFile }) => storedFile ?? []))];
  if (files.length < 2) return [];
  const more = files.length - SHOWN_FILES;
  const shown = files.slice(0, SHOWN_FILES).join(', ');
  return [
    more > 0 ? phrase('imports.overlap.fromFilesAndMore', { files: shown, more }) : phrase('imports.overlap.fromFiles', { files: shown }),
  ];
}

export function writtenLine(line: StatementLine): string {
  const amount = decimalText(signedMinor(line.amountMinor, line.direction), line.decimalPlaces);
  return `${isoFromDay(line.day)}, ${amount}, ${quotedText(line.description ?? textOf(line))}`;
}

/**
 * Adds the open question or the decision about the overlap to a statement. A different layout is then no reason of its own to hold the file back,
 * since the question is the same: whether both files are of one account.
 */
export function withOverlap(
  statement: Statement,
  { question, problem, same }: DecidedOverlap,
  misfits: readonly Misfit[],
): { readonly statement: Statement; readonly misfits: Misfit[] } {
  const isSettled = question !== null || same.size > 0;
  const isOfLayout = ({ about }: Misfit): boolean => isSettled && about === 'layout';
  const layouts = misfits.filter(isOfLayout).map(({ message }) => note('other_layout', message));
  return {
    statement: {
      ...statement,
      questions: question === null ? statement.questions : [...statement.questions, question],
      problems: [...layouts, ...(problem === null ? [] : [problem]), ...statement.problems],
    },
    misfits: misfits.filter((misfit) => !isOfLayout(misfit)),
  };
}

/** The columns of a stored record that a line of a statement has as well. */
type RowOfLine = Pick<Row<'records'>, 'day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'external_id'>;

/** Returns what a stored record has in common with a line of a statement, without its value day and metadata. */
export function lineOfRow(row: RowOfLine) {
  return {
    day: row.day,
    amountMinor: row.amount,
    direction: row.direction === 1 ? 'credit' : 'debit',
    currency: row.currency,
    decimalPlaces: row.decimal_places,
    description: row.description,
    externalId: row.external_id,
  } satisfies Partial<StatementLine>;
}

export function textsOf(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value ?? null)]),
  );
}

/** A line of a file that becomes an alternative description of a record. */
export interface SameLine {
  readonly line: StatementLine;
  readonly dedupeKey: string;
  readonly recordId: number;
}

type Batches = NonNullable<Statement['batches']>;

/**
 * The records that the stream has of an entry by the other reading. `of` is the number of lines that this reading makes of the entry; `there`
 * describes the first.
 */
interface KnownByOtherReading {
  readonly records: readonly number[];
  readonly of: number;
  readonly there: string;
}

/**
 * Finds lines whose entry the stream has by the other reading: one line for the whole entry instead of one for each transaction, or the reverse. The
 * stream then has their money already, however the file is read now. Returns them by their places.
 */
export function knownByOtherReading(
  read: ReadHandle,
  streamId: number | null,
  lines: readonly StatementLine[],
  batches: Batches | undefined,
): ReadonlyMap<number, KnownByOtherReading> {
  if (streamId === null || batches === undefined) return new Map();
  const keys = dedupeKeys(batches.otherLines);
  const others = othersOf(batches);
  const places = [...others.values()].flat();
  const isKnown = new KnownKeys(read, streamId).ofThem(places.map((place) => keys[place] ?? ''));
  const known = new Set(places.filter((_, at) => isKnown[at] === true));
  const ofEntries = new Map<number, KnownByOtherReading>();
  for (const [entry, all] of others) {
    const found = all.flatMap((place) => (known.has(place) ? (recordOfDedupeKey(read, streamId, keys[place] ?? '') ?? []) : []));
    const [first] = found;
    if (first === undefined) continue;
    const amount = decimalText(first.direction === 1 ? first.amount : -first.amount, first.decimal_places);
    const values = { day: isoFromDay(first.day), amount };
    const { filename } = first;
    const there =
      filename === null ? phrase('imports.compare.line', values) : phrase('imports.compare.lineSinceImport', { ...values, filename });
    ofEntries.set(entry, { records: found.map(({ id }) => id), of: all.length, there });
  }
  return new Map(
    [...lines.entries()].flatMap(([place, line]) => {
      const of = ofEntries.get(batches.entryOf.get(line) ?? 0);
      return of === undefined ? [] : [[place, of] as const];
    }),
  );
}

/** Returns the places of the lines of the other reading by their entries. */
function othersOf({ otherLines, entryOfOther }: Batches): Map<number, number[]> {
  const others = new Map<number, number[]>();
  for (const [place, line] of otherLines.entries()) {
    const entry = entryOfOther.get(line);
    if (entry === undefined) continue;
    const of = others.get(entry);
    if (of === undefined) others.set(entry, [place]);
    else of.push(place);
  }
  return others;
}

/** Returns why a line is skipped whose entry the stream has by the other reading. */
export function reasonByOtherReading({ records, of, there }: KnownByOtherReading): Omit<SkippedRow, 'row' | 'occurrence'> {
  const message =
    of === 1
      ? phrase('imports.compare.thereAsOneLine', { there })
      : records.length === of
        ? phrase('imports.compare.thereAsParts', { parts: of, there })
        : phrase('imports.compare.thereAsSomeParts', { found: records.length, parts: of, there });
  return { code: 'already_there', message, record_id: records[0] ?? null };
}

/**
 * Returns a note about entries of which the stream has only some transactions. These entries are skipped, and the note says how to add the missing
 * ones.
 */
export function partlyThere(sorted: Sorted, byOtherReading: ReadonlyMap<number, KnownByOtherReading>): Problem[] {
  const partly = [...byOtherReading].flatMap(([place, { records, of }]) => (records.length < of ? (sorted.lines[place]?.row ?? []) : []));
  const [first] = partly;
  if (first === undefined) return [];
  const message = phrase('imports.compare.partlyThere', { entries: partly.length, row: String(first) });
  return [note('parts_partly_there', message, first)];
}

/** The pairs of lines and records by both readings of the file. */
interface BothReadings {
  readonly overlaps: Overlaps;
  /** By the place of a line to be imported: the lines of the other reading of its entry, each with the record that may be the same. */
  readonly instead: ReadonlyMap<number, readonly SameLine[]>;
}

/**
 * Adds entries that the stream may have by the other reading to the lines that it may have under another description. An entry counts only if each of
 * its lines by the other reading coincides with a record. `overlapsOf` compares the lines of the other reading.
 */
export function ofBothReadings(
  direct: Overlaps,
  sorted: Sorted,
  asFileSays: readonly StatementLine[],
  batches: Batches | undefined,
  { taken, overlapsOf }: { readonly taken: (line: StatementLine) => StatementLine; readonly overlapsOf: (sorted: Sorted) => Overlaps },
): BothReadings {
  const none = { overlaps: direct, instead: new Map<number, SameLine[]>() };
  if (batches === undefined) return none;
  const placesOf = new Map<number, number[]>();
  for (const [place, line] of asFileSays.entries()) {
    const entry = batches.entryOf.get(line);
    if (entry !== undefined) placesOf.set(entry, [...(placesOf.get(entry) ?? []), place]);
  }
  const isOpen = (place: number): boolean => sorted.isDuplicate[place] !== true && sorted.isLeftOut[place] !== true;
  const paired = new Set(direct.pairs.map(({ place }) => place));
  const open = new Map([...placesOf].filter(([, places]) => places.every(isOpen) && !places.every((place) => paired.has(place))));
  const others = { lines: batches.otherLines.map(taken), dedupeKeys: dedupeKeys(batches.otherLines) };
  const isDuplicate = batches.otherLines.map((line) => !open.has(batches.entryOfOther.get(line) ?? 0));
  const found = overlapsOf({ ...others, isDuplicate, isLeftOut: isDuplicate.map(() => false) });
  const contested = new Set(found.contested);
  const pairAt = new Map(found.pairs.map((pair) => [pair.place, pair]));
  const pairs: Overlap[] = [];
  const instead = new Map<number, SameLine[]>();
  for (const [entry, otherPlaces] of othersOf(batches)) {
    const of = otherPlaces.flatMap((place) => (contested.has(place) ? [] : (pairAt.get(place) ?? [])));
    const [first] = of;
    if (first === undefined || of.length < otherPlaces.length) continue;
    const same = of.flatMap(({ place, recordId }) => {
      const line = others.lines[place];
      return line === undefined ? [] : [{ line, dedupeKey: others.dedupeKeys[place] ?? '', recordId }];
    });
    for (const place of open.get(entry) ?? []) {
      pairs.push({ ...first, place, storedText: of.map(({ storedText }) => storedText).join('; '), isOtherReading: true });
      instead.set(place, same);
    }
  }
  if (pairs.length === 0) return none;
  const both = direct.isBeyondChance === found.isBeyondChance;
  const ofDirect = both || direct.isBeyondChance ? direct.pairs.filter(({ place }) => !instead.has(place)) : [];
  const ofOther = both || found.isBeyondChance ? pairs : [];
  return {
    overlaps: {
      pairs: [...ofDirect, ...ofOther].toSorted((one, other) => one.place - other.place),
      isBeyondChance: direct.isBeyondChance || found.isBeyondChance,
      contested: ofDirect.length > 0 ? direct.contested.filter((place) => !instead.has(place)) : [],
    },
    instead: ofOther.length > 0 ? instead : none.instead,
  };
}
