import { counted } from '../../../src-shared/values/english.ts';
import type { ImportResult, Problem, SkippedRow } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import type { ReadHandle } from '../../database/database.ts';
import {
  dedupeKeys,
  note,
  type Overlap,
  type Overlaps,
  placed,
  placesOf,
  type Statement,
  type StatementLine,
} from '../../domain/statement/index.ts';
import { fingerprintOf, KeysOfStream } from '../../records/store/listed-records.ts';
import { isDedupeKeyTaken, recordOfDedupeKey } from '../../records/store/records.ts';
import { batchesBeingWritten, batchOfSameFile } from '../store/import-batches.ts';
import { hasAlternativeDescriptions, type AlternativeKey, alternativeKeys } from '../store/alternative-descriptions.ts';

const SHOWN_CHARACTERS = 60;
/** A result lists at most this many skipped rows, and counts all of them. */
export const SHOWN_SKIPPED = 1_000;

/** The lines of a file with their keys and states. All arrays have the order of the lines. */
export interface Sorted {
  readonly lines: readonly StatementLine[];
  readonly dedupeKeys: readonly string[];
  readonly isDuplicate: readonly boolean[];
  readonly isLeftOut: readonly boolean[];
}

/** Number of alternative descriptions that one SQL statement looks up. */
const KEYS_AT_ONCE = 1_000;

/** Looks up which dedupe keys belong to visible records of a stream. Made for very many look-ups within one snapshot. */
export class KnownKeys {
  readonly #read: ReadHandle;
  readonly #streamId: number;
  readonly #keys: KeysOfStream;
  readonly #hidden: ReadonlySet<number>;
  readonly #hasAlternativeDescriptions: boolean;

  constructor(read: ReadHandle, streamId: number) {
    this.#read = read;
    this.#streamId = streamId;
    this.#keys = new KeysOfStream(read, streamId);
    this.#hidden = new Set(batchesBeingWritten(read));
    this.#hasAlternativeDescriptions = hasAlternativeDescriptions(read, streamId);
  }

  /** Returns for each key whether a record or an alternative description has it. `prints`: the fingerprints of the keys, if they are known. */
  ofThem(keys: readonly string[], prints?: ArrayLike<number>): readonly boolean[] {
    const found = this.ofRecords(keys, prints);
    if (!this.#hasAlternativeDescriptions) return found;
    const ofAlternatives = new Set(this.alternativesOf(keys.filter((_, at) => found[at] !== true)).map(({ key }) => key));
    return found.map((is, at) => is || ofAlternatives.has(keys[at] ?? ''));
  }

  ofRecords(keys: readonly string[], prints?: ArrayLike<number>): readonly boolean[] {
    return this.#keys.ofThem(
      keys.map((key, at) => ({ key, print: prints?.[at] ?? fingerprintOf(key) })),
      this.#hidden,
    );
  }

  alternativesOf(keys: readonly string[]): AlternativeKey[] {
    if (!this.#hasAlternativeDescriptions) return [];
    const found: AlternativeKey[] = [];
    for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
      found.push(...alternativeKeys(this.#read, this.#streamId, keys.slice(start, start + KEYS_AT_ONCE)));
    }
    return found;
  }
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
export function sortLines(
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
export function skippedRows(
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
      skipped.push({ ...place, code: 'left_out', message: 'Left out by hand.', record_id: null });
    } else if (sorted.isDuplicate[index] === true && streamId !== null) {
      skipped.push({ ...place, ...(whyThere(index) ?? whySkipped(read, streamId, line, sorted.dedupeKeys[index] ?? '')) });
    }
  }
  return skipped;
}

/** Returns the text of a line in quotes, cut if it is long. */
export function quotedText(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  if (flat === '') return 'a line without a text';
  return `“${flat.length > SHOWN_CHARACTERS ? `${flat.slice(0, SHOWN_CHARACTERS - 1)}…` : flat}”`;
}

/** Returns why a line is skipped that the stream already has. */
export function whySkipped(
  read: ReadHandle,
  streamId: number,
  line: Pick<StatementLine, 'day' | 'amountMinor' | 'direction' | 'decimalPlaces' | 'externalId'>,
  key: string,
): Omit<SkippedRow, 'row' | 'occurrence'> {
  const found = recordOfDedupeKey(read, streamId, key);
  if (found === undefined) return { code: 'already_there', message: 'In the stream already.', record_id: null };
  const since =
    found.filename === null ? '' : ` since the import of ${found.filename} on ${dayOf(found.batch_created_at ?? found.created_at)}`;
  const text = (day: number, signed: number, places: number): string => `${isoFromDay(day)}, ${decimalText(signed, places)}`;
  const own = text(line.day, signedMinor(line.amountMinor, line.direction), line.decimalPlaces);
  const there = text(found.day, found.direction === 1 ? found.amount : -found.amount, found.decimal_places);
  // An alternative description may be dated on another day than its record.
  const isOther = found.isInOtherWords ? own.slice(own.indexOf(' ')) !== there.slice(there.indexOf(' ')) : own !== there;
  if (line.externalId !== null && isOther) {
    const message = `The id ${line.externalId} is in the stream already${since}, with other content: ${there} there, ${own} here.`;
    return { code: 'same_id_other_content', message, record_id: found.id };
  }
  if (found.isInOtherWords) {
    const message = `Here already in other words: ${quotedText(found.description ?? '')}.`;
    return { code: 'same_line', message, record_id: found.id };
  }
  return { code: 'already_there', message: `In the stream already${since}.`, record_id: found.id };
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Returns a note about lines whose id is known with other content; null if there are none. */
export function changedNote(skipped: readonly SkippedRow[]): Problem | null {
  const rows = skipped.filter(({ code }) => code === 'same_id_other_content').map(({ row }) => row);
  if (rows.length === 0) return null;
  const [have, what] = rows.length === 1 ? ['has', 'an id that is'] : ['have', 'ids that are'];
  const message = `${counted(rows.length, 'line')} (${placed(rows)}) ${have} ${what} here already with another date, amount or sign. What is here stays, until somebody takes the new one.`;
  return note('same_id_other_content', message, rows[0]);
}

/** Returns an earlier import of exactly the same bytes that was not undone; null if there is none. */
export function sameFile(read: ReadHandle, environmentId: number, sha256: string): ImportResult['same_file'] {
  const batch = batchOfSameFile(read, environmentId, sha256);
  if (batch === undefined) return null;
  const created_at = new Date(batch.created_at).toISOString();
  return { import_batch_id: batch.id, filename: batch.filename, data_stream_key: batch.data_stream_key, created_at };
}

/** Returns the note for the user about such an earlier import. */
export function sameFileSentence({ filename, data_stream_key: stream, created_at: at }: NonNullable<ImportResult['same_file']>): string {
  return `The very same file was imported on ${at.slice(0, 10)} as ${filename ?? 'a file without a name'} into the stream ${stream}. Only what is not in the stream goes in.`;
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
export interface KnownByOtherReading {
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
    const since = first.filename === null ? '' : ` since the import of ${first.filename}`;
    const there = `${isoFromDay(first.day)}, ${amount}${since}`;
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
      ? `In the stream already, in one line for the whole entry: ${there}.`
      : `In the stream already, as lines of ${records.length === of ? `its ${of}` : `${records.length} of its ${of}`} transactions; the first is ${there}.`;
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
  const what = partly.length === 1 ? 'One entry stays' : `${partly.length} entries stay`;
  const message = `${what} out although the stream has only some of the transactions as lines (first in row ${first}). Import the file once more with a line for each transaction: that adds the missing ones.`;
  return [note('parts_partly_there', message, first)];
}

/** The pairs of lines and records by both readings of the file. */
export interface BothReadings {
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

/** Returns the part of the question that is about entries which may be in the stream by the other reading. */
export function otherReadingWords(pairs: readonly Overlap[], lines: readonly StatementLine[]): string[] {
  const of = pairs.filter(({ isOtherReading }) => isOtherReading === true);
  const [first] = of;
  if (first === undefined) return [];
  const line = lines[first.place];
  const amount =
    line === undefined ? '' : ` (row ${line.row}: ${decimalText(signedMinor(line.amountMinor, line.direction), line.decimalPlaces)})`;
  const [be, entry] = of.length === 1 ? ['is of an entry', 'it'] : ['are of entries', 'them'];
  return [
    `${counted(of.length, 'line')}${amount} ${be} of several transactions, and the money of ${entry} may be here already: the entry in one line, or its transactions in lines of their own.`,
  ];
}
