import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText, signedMinor } from '../../../src-shared/values/money.ts';
import type { Problem, SkippedRow } from '../../../src-shared/contract/index.ts';
import {
  counted,
  dedupeKeys,
  note,
  type Overlap,
  type Overlaps,
  type Statement,
  type StatementLine,
} from '../../domain/statement/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { recordOfDedupeKey } from '../../records/store/records.ts';
import type { SameLine } from './wordings.ts';
import { KnownKeys, type Sorted } from './duplicates.ts';

type Batches = NonNullable<Statement['batches']>;

/** Of a line whose entry the stream has by the other reading: the records that are there, and how many lines the other reading makes of the entry. */
export interface KnownOtherwise {
  readonly records: readonly number[];
  readonly of: number;
  readonly there: string;
}

/**
 * Lines whose entry the stream has as one line where it is read as lines of its transactions, or the other way round; by their places. The same money is then there,
 * whichever of both the file is read by now.
 */
export function knownOtherwise(
  read: ReadHandle,
  streamId: number | null,
  lines: readonly StatementLine[],
  batches: Batches | undefined,
): ReadonlyMap<number, KnownOtherwise> {
  if (streamId === null || batches === undefined) return new Map();
  const keys = dedupeKeys(batches.otherLines);
  const others = othersOf(batches);
  const places = [...others.values()].flat();
  const isKnown = new KnownKeys(read, streamId).ofThem(places.map((place) => keys[place] ?? ''));
  const known = new Set(places.filter((_, at) => isKnown[at] === true));
  const ofEntries = new Map<number, KnownOtherwise>();
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

/** Places of the lines of the other reading, by their entries. */
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

/** Why a line does not go in whose entry is there by the other reading. */
export function whyOtherwise({ records, of, there }: KnownOtherwise): Omit<SkippedRow, 'row' | 'occurrence'> {
  const message =
    of === 1
      ? `In the stream already, in one line for the whole entry: ${there}.`
      : `In the stream already, as lines of ${records.length === of ? `its ${of}` : `${records.length} of its ${of}`} transactions; the first is ${there}.`;
  return { code: 'already_there', message, record_id: records[0] ?? null };
}

/** A note of entries of which the stream has some transactions only: they stay out, and what is missing is said. */
export function partlyThere(sorted: Sorted, otherwise: ReadonlyMap<number, KnownOtherwise>): Problem[] {
  const partly = [...otherwise].flatMap(([place, { records, of }]) => (records.length < of ? (sorted.lines[place]?.row ?? []) : []));
  const [first] = partly;
  if (first === undefined) return [];
  const what = partly.length === 1 ? 'One entry stays' : `${partly.length} entries stay`;
  const message = `${what} out although the stream has only some of the transactions as lines (first in row ${first}). Import the file once more with a line for each transaction: that adds the missing ones.`;
  return [note('parts_partly_there', message, first)];
}

/** Pairs of both readings: those of the lines that go in, and of entries that the stream may have by the other reading. */
export interface BothReadings {
  readonly overlaps: Overlaps;
  /** Lines of the other reading with the records that may be the same in other words, by the places of the lines that go in. */
  readonly instead: ReadonlyMap<number, readonly SameLine[]>;
}

/**
 * Adds to the lines that the stream may have in other words those of entries that it may have by the other reading: each line of that reading then coincides with a
 * record. `overlapsOf` compares lines of the other reading.
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

/** What the question says of lines whose entry is there by the other reading. */
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
