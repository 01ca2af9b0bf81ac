import type { StatementLine } from '../model/statement.ts';
import type { DayRange } from '../proof/coverage.ts';
import { hash as hashOf } from 'node:crypto';
import type { SpillRoom } from '../../collections/spilled-counts.ts';
import { TextCounts } from '../../collections/text-counts.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { PDF_PLACE_KEY } from '../../../../src-shared/values/pdf-place.ts';

/** A stored line with the day and the amount of a line of the file, whose own key no line of the file has. */
export interface CandidateLine {
  readonly recordId: number;
  /** All its words, for comparison. */
  readonly text: string;
  /** The description that people see. */
  readonly label: string;
  /** The file that brought it, or null. */
  readonly file: string | null;
  /** Whether the same format gave its id as gives the file's ids: a different id is then a different line. */
  readonly isIdentified: boolean;
  /** Decides the same for one id, where the kinds of ids are not known: whether a line with this id is a different one. */
  readonly isOtherId?: (externalId: string) => boolean;
  /** Whether a line has the same text and adds values without a contradiction: a reference that came later. */
  readonly isFilledInBy?: (line: StatementLine) => boolean;
}

/** A line of a file, by its place, and the stored line that may be the same. */
export interface Overlap {
  readonly place: number;
  readonly recordId: number;
  readonly storedText: string;
  readonly storedFile: string | null;
  /** Probability that a line of another payment has this day and amount, from 0 to 1. */
  readonly chance: number;
  /** Whether the bank booked several transactions as one entry, of which the line shows the parts and the stored line the whole, or the other way round. */
  readonly isOtherReading?: boolean;
  /** What differs although the two are hardly two payments: the file lacks the stored line and has this one. */
  readonly change?: ChangeOfLine;
}

/** A stored line on the days of a file that the file lacks. */
export type MissingLine = Pick<
  StatementLine,
  'day' | 'amountMinor' | 'direction' | 'currency' | 'decimalPlaces' | 'description' | 'externalId' | 'metadata'
> & {
  readonly recordId: number;
  /** The file that brought it, or null. */
  readonly file: string | null;
};

/** What a source changed of a line between two exports: its reference or id, its day, or its amount. */
export type ChangeOfLine = 'reference' | 'day' | 'amount';

/** A new line of a file, by its place, and the missing line that it may have replaced. */
interface ChangedLine {
  readonly place: number;
  readonly missing: MissingLine;
  readonly change: ChangeOfLine;
}

export interface ChangedLines {
  readonly pairs: readonly ChangedLine[];
  /** Places of lines of which nothing tells whether they or another one replaced a missing line. */
  readonly contested: readonly number[];
}

export interface Overlaps {
  readonly pairs: readonly Overlap[];
  /** Whether there are more pairs than coincidence would bring. */
  readonly isBeyondChance: boolean;
  /** Places of lines that tie with other lines of the same day and amount for a stored line. */
  readonly contested: readonly number[];
}

/** The stored lines of one amount. */
export interface AmountOfStream {
  /** Their number on all days. */
  readonly count: number;
  /** The number on each day that is near a line, also of those that another line of the file is. */
  readonly onDay: ReadonlyMap<number, number>;
  /** By booking day since 1970-01-01. */
  readonly byDay: ReadonlyMap<number, readonly CandidateLine[]>;
  /** By value day, only where it differs from the booking day. */
  readonly byValueDay: ReadonlyMap<number, readonly CandidateLine[]>;
}

/** The size of a stream. */
interface ExtentOfStream {
  readonly lines: number;
  /** From its first line to its last, both included; 0 where it has none. */
  readonly days: number;
  /**
   * Whether other lines of the file are stored lines of this day. The file then has the day whole, so a stored line that it lacks and a new line of
   * the same amount are hardly two payments.
   */
  readonly isOfBoth: (day: number) => boolean;
}

/**
 * Share of lines that have some amount which the stream does not show elsewhere, by the amount's trailing zeros (round amounts are more frequent),
 * and the most such lines that are expected: in a large stream its own counts tell more.
 */
const SHARE_OF_UNSEEN = [1 / 5_000, 1 / 2_000, 1 / 500, 1 / 200] as const;
const MOST_UNSEEN = 0.5;
/** Share of imports without overlap that may lead to a needless question. */
const ASKED_IN_VAIN = 0.005;
/** Above this expected number the distribution is taken as normal. */
const MANY = 500;
const BELL = 2.6;

/**
 * Pairs new lines of a file with stored lines of the same signed amount and currency on the same day; then pairs the rest where the booking day of
 * one is the value day of the other, since a file with one date may mean either. The frequency of each amount on other days of the stream gives the
 * pairs that coincidence would bring. `places`: lines that no stored line equals; `amountOf`: the stored lines of a line's amount; `changed`: pairs
 * that are known to be no coincidence.
 */
export function findOverlaps(
  lines: readonly StatementLine[],
  places: readonly number[],
  amountOf: (line: StatementLine) => AmountOfStream | undefined,
  stream: ExtentOfStream,
  changed: ChangedLines = { pairs: [], contested: [] },
): Overlaps {
  const pairs = changed.pairs.map(({ place, missing, change }): Overlap => {
    return { place, recordId: missing.recordId, storedText: wordsOfMissing(missing), storedFile: missing.file, chance: 0, change };
  });
  const taken = new Set(pairs.map(({ recordId }) => recordId));
  const contested = [...changed.contested];
  const isCertain = new Set([...contested, ...pairs.map(({ place }) => place)]);
  const open = places.filter((place) => !isCertain.has(place));
  let expected = 0;
  /** Pairs alike lines with `stored` ones. `days`: on how many days a stored line may be. */
  const look = (line: StatementLine, alike: readonly number[], days: number, stored: readonly CandidateLine[]): void => {
    const amount = amountOf(line);
    const there = amount?.onDay.get(line.day) ?? 0;
    const mean = (days * ((amount?.count ?? 0) - there + unseen(line.amountMinor, stream.lines))) / Math.max(1, stream.days);
    const chance = 1 - Math.exp(-mean);
    expected += alike.length * chance;
    if (stored.length === 0) return;
    const found = assigned(lines, alike, stored);
    contested.push(...found.contested);
    for (const [place, { recordId, label, file, isFilledInBy }] of found.pairs) {
      const isFilledIn = isFilledInBy?.(lines[place] as StatementLine) === true;
      if (isFilledIn) for (const each of [place, ...found.contested]) isCertain.add(each);
      pairs.push({ place, recordId, storedText: label, storedFile: file, chance, ...(isFilledIn ? { change: 'reference' } : {}) });
      taken.add(recordId);
    }
  };
  const isFree = ({ recordId }: CandidateLine): boolean => !taken.has(recordId);
  for (const [line, alike] of alikeLines(lines, open, sameDay)) {
    look(line, alike, 1, (amountOf(line)?.byDay.get(line.day) ?? []).filter(isFree));
  }
  const isDecided = new Set([...contested, ...pairs.map(({ place }) => place)]);
  const left = open.filter((place) => !isDecided.has(place));
  const hasValueDays = left.some((place) => (amountOf(lines[place] as StatementLine)?.byValueDay.size ?? 0) > 0);
  for (const [line, alike] of alikeLines(lines, left, sameDays)) {
    const isOther = line.valueDay !== null && line.valueDay !== line.day;
    const days = Number(isOther) + Number(hasValueDays);
    if (days === 0) continue;
    const amount = amountOf(line);
    const stored = [...(isOther ? (amount?.byDay.get(line.valueDay) ?? []) : []), ...(amount?.byValueDay.get(line.day) ?? [])];
    // A line whose booking day is the other's value day, and the other way round, is in both lists.
    const free = new Set(stored.filter(isFree));
    look(line, alike, days, [...free]);
  }
  pairs.sort((one, other) => one.place - other.place);
  const coinciding = pairs.filter(({ place }) => !isCertain.has(place)).length;
  if (coinciding > 0 && isBeyond(coinciding, expected)) return { pairs, contested, isBeyondChance: true };
  const isHardlyTwo = (place: number): boolean => isCertain.has(place) || stream.isOfBoth((lines[place] as StatementLine).day);
  const certain = pairs.filter(({ place }) => isHardlyTwo(place));
  if (certain.length > 0) return { pairs: certain, contested: contested.filter(isHardlyTwo), isBeyondChance: true };
  return { pairs, contested, isBeyondChance: false };
}

/** Returns a missing line as a question shows it: what differs may be its day, its amount or its reference. */
function wordsOfMissing({ day, amountMinor, direction, decimalPlaces, description, externalId, metadata }: MissingLine): string {
  const amount = decimalText(signedMinor(amountMinor, direction), decimalPlaces);
  const reference = externalId ?? metadata['reference'] ?? '';
  return [isoFromDay(day), amount, description ?? '', reference].filter((part) => part !== '').join(', ');
}

/** Returns the lines expected of an amount besides those that are stored. */
function unseen(amountMinor: number, lines: number): number {
  let zeros = 0;
  for (let rest = amountMinor; zeros < SHARE_OF_UNSEEN.length - 1 && rest >= 10 && rest % 10 === 0; rest /= 10) zeros += 1;
  return Math.min(MOST_UNSEEN, lines * (SHARE_OF_UNSEEN[zeros] ?? 0));
}

const sameDay = ({ day }: StatementLine): string => String(day);
const sameDays = ({ day, valueDay }: StatementLine): string => `${day} ${valueDay}`;

/** Returns groups of lines of the same days, amount, sign and currency: the first line and the places of all. */
function alikeLines(
  lines: readonly StatementLine[],
  places: readonly number[],
  daysOf: (line: StatementLine) => string,
): [StatementLine, number[]][] {
  const groups = new Map<string, [StatementLine, number[]]>();
  for (const place of places) {
    const line = lines[place];
    if (line === undefined) continue;
    const key = `${daysOf(line)} ${moneyKey(line)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line, [place]]);
    else group[1].push(place);
  }
  return [...groups.values()];
}

/** Returns one text for amounts that are equal in currency, scale and sign. */
export function moneyKey({ amountMinor, direction, currency }: Pick<StatementLine, 'amountMinor' | 'direction' | 'currency'>): string {
  return `${direction === 'credit' ? 1 : 0} ${amountMinor} ${currency}`;
}

/** Assigns lines of one day and amount to stored ones; pairs that share more words go first. */
function assigned(lines: readonly StatementLine[], places: readonly number[], stored: readonly CandidateLine[]) {
  const ways = places.flatMap((place) => {
    const line = lines[place];
    if (line === undefined) return [];
    const words = wordsOf(textOf(line));
    return stored
      .filter(({ isIdentified, isOtherId }) => line.externalId === null || !(isIdentified || isOtherId?.(line.externalId) === true))
      .map((candidate) => ({ place, candidate, likeness: likeness(words, wordsOf(candidate.text)) }));
  });
  ways.sort((one, other) => other.likeness - one.likeness || one.place - other.place || one.candidate.recordId - other.candidate.recordId);
  const [takenPlaces, takenRecords] = [new Set<number>(), new Set<number>()];
  const pairs: [number, CandidateLine][] = [];
  let weakest = Number.POSITIVE_INFINITY;
  for (const { place, candidate, likeness: alike } of ways) {
    if (takenPlaces.has(place) || takenRecords.has(candidate.recordId)) continue;
    takenPlaces.add(place);
    takenRecords.add(candidate.recordId);
    pairs.push([place, candidate]);
    weakest = Math.min(weakest, alike);
  }
  // If there are more lines than stored ones, an unassigned line with as many words in common as an assigned one might be the true one.
  const left = new Set(ways.filter(({ place, likeness: alike }) => !takenPlaces.has(place) && alike >= weakest).map(({ place }) => place));
  return { pairs, contested: [...left] };
}

/** Returns all words of a line. */
export function textOf({ description, metadata }: Pick<StatementLine, 'description' | 'metadata'>): string {
  return [description ?? '', ...Object.values(metadata)].join(' ');
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLocaleLowerCase('en').match(/[\p{L}\p{N}]{2,}/gu));
}

/** Returns shared words over all words (Jaccard), from 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

/** Whether coincidence brings this many pairs in fewer than one of 200 imports without overlap (Poisson). */
function isBeyond(pairs: number, expected: number): boolean {
  if (expected > MANY) return pairs > expected + BELL * Math.sqrt(expected);
  let term = Math.exp(-expected);
  let fewer = 0;
  for (let count = 0; count < pairs; count += 1) {
    fewer += term;
    term *= expected / (count + 1);
  }
  return 1 - fewer < ASKED_IN_VAIN;
}

/** Days for which a file states the balance before and after, in signed minor units. */
export interface BalancedPeriod extends DayRange {
  readonly openingMinor: number;
  readonly closingMinor: number;
  /** Whether the imported file states it, rather than an earlier one. */
  readonly isOfFile: boolean;
  /** Whether the lines of the file that states it do not add up to it: its balance may then cover more than that file. */
  readonly isBroken: boolean;
}

/** A line of the file that may equal a stored one. Signed minor units. */
interface PairedLine {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly signedMinor: number;
}

/** Sums over the days of a period, in signed minor units: of the stored lines, and of the file's new lines. */
interface SumsOfPeriod {
  readonly stored: number;
  readonly fresh: number;
}

/**
 * Returns whether lines that coincide with stored ones are the same or new, where stated balances leave no doubt: `same` where the balances of this
 * file and of earlier files hold only if the paired lines count once; `new` where a stated balance holds only if they count twice. Null where a pair
 * is in no such period, or balances hold in neither way.
 */
export function decidedByBalances(
  periods: readonly BalancedPeriod[],
  pairs: readonly PairedLine[],
  sumsOf: (period: DayRange) => SumsOfPeriod | null,
): 'same' | 'new' | null {
  const decided = new Set<PairedLine>();
  let isSameByFile = false;
  let isSameByEarlier = false;
  let isNew = false;
  for (const period of periods) {
    const inside = pairs.filter(({ day }) => day >= period.firstDay && day <= period.lastDay);
    const paired = inside.reduce((sum, { signedMinor }) => sum + signedMinor, 0);
    // Lines that add up to nothing change no balance, however often they count.
    if (paired === 0) continue;
    const sums = sumsOf(period);
    if (sums === null) return null;
    const change = period.closingMinor - period.openingMinor;
    const withBoth = sums.stored + sums.fresh;
    if (withBoth === change) isNew = true;
    else if (withBoth - paired !== change || period.isBroken) return null;
    else if (period.isOfFile) isSameByFile = true;
    else isSameByEarlier = true;
    for (const line of inside) decided.add(line);
  }
  if (decided.size < pairs.length) return null;
  if (isNew) return isSameByFile || isSameByEarlier ? null : 'new';
  return isSameByFile && isSameByEarlier ? 'same' : null;
}

/**
 * Returns keys for the duplicate check, one per line: `x:<external id>` where the line has one, else `f:<hash>:<n>`, n being the n-th line of this
 * very content in the file. So identical lines of one file are all kept, and a repeated or overlapping file adds only what is new. The content is
 * day, amount, direction, currency, description, metadata, and the value day where it differs. The row and the balance are not part of it.
 */
export function dedupeKeys(lines: readonly StatementLine[]): string[] {
  const keys = new DedupeKeys();
  return lines.map((line) => keys.next(line));
}

/** Returns the key of a line with an external id, from whichever source it comes. */
export function keyOfExternalId(externalId: string): string {
  return `x:${externalId}`;
}

/** Builds the same keys line by line, in the order of the file. */
export class DedupeKeys {
  readonly #seen: TextCounts;

  /** `spill`: where hashes go that do not fit into memory; the owner must then call `close`. Without it all hashes are held in memory. */
  constructor(spill?: SpillRoom) {
    this.#seen = new TextCounts(spill);
  }

  next(line: StatementLine): string {
    if (line.externalId !== null) return keyOfExternalId(line.externalId);
    const hash = contentHash(line);
    return `f:${hash}:${this.#seen.add(hash)}`;
  }

  /** Ends the list: no further line follows. */
  close(): void {
    this.#seen.close();
  }
}

/** The content of a line that its key covers. */
type KeyedContent = Pick<StatementLine, 'day' | 'valueDay' | 'amountMinor' | 'direction' | 'currency' | 'description' | 'metadata'>;

/** Returns the key of the same line with other money; null where the key does not match the content, since it was edited. */
export function keyWithMoney(key: string, content: KeyedContent, money: Pick<KeyedContent, 'amountMinor' | 'currency'>): string | null {
  const own = `f:${contentHash(content)}:`;
  return key.startsWith(own) ? `f:${contentHash({ ...content, ...money })}:${key.slice(own.length)}` : null;
}

/** Returns the SHA-256 of the canonical content: a collision would lose a record, so the hash is wide. */
function contentHash({ day, valueDay, amountMinor, direction, currency, description, metadata }: KeyedContent): string {
  // The place on a page is no content: another file may have the same line elsewhere.
  const sorted = Object.entries(metadata)
    .filter(([key]) => key !== PDF_PLACE_KEY)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content: unknown[] = [day, amountMinor, direction, currency, description ?? '', sorted];
  if (valueDay !== null && valueDay !== day) content.push(valueDay);
  return hashOf('sha256', JSON.stringify(content), 'base64url');
}

/** The content of a line beside its money. */
export interface LineContent {
  readonly description: string | null;
  readonly externalId: string | null;
  /** Days since 1970-01-01. */
  readonly valueDay: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The values that a line took over from another file's description of the same payment. */
export interface AddedContent {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null where the line has a value day itself, or the other file has none. */
  readonly valueDay: number | null;
}

interface JoinedContent {
  readonly content: LineContent;
  /** One for each of the descriptions, in their order. */
  readonly added: readonly AddedContent[];
}

/** Metadata fields for content whose own field of the line is taken. */
const OTHER_DESCRIPTION = 'other_description';
const OTHER_ID = 'other_transaction_id';

/**
 * Returns a line with what other files add to it: fields it lacks, a value date where it has none, and the other description and transaction id as
 * fields of their own. The line's own content stays as it is.
 */
export function joined(own: LineContent, descriptions: readonly LineContent[]): JoinedContent {
  const metadata: Record<string, unknown> = { ...own.metadata };
  let { valueDay } = own;
  const added = descriptions.map((other): AddedContent => {
    const more: Record<string, unknown> = {};
    const add = (name: string, value: unknown): void => {
      const key = freeName(name, value, metadata);
      if (key === null) return;
      metadata[key] = value;
      more[key] = value;
    };
    for (const [key, value] of Object.entries(other.metadata)) if (!Object.hasOwn(metadata, key)) add(key, value);
    const { description, externalId } = other;
    if (description !== null && !sameText(description, own.description)) add(OTHER_DESCRIPTION, description);
    if (externalId !== null && externalId !== own.externalId) add(OTHER_ID, externalId);
    const takesDay = valueDay === null && other.valueDay !== null;
    if (takesDay) ({ valueDay } = other);
    return { metadata: more, valueDay: takesDay ? other.valueDay : null };
  });
  return { content: { ...own, metadata, valueDay }, added };
}

/** Returns a free field name, with a number behind it where it is taken; null where that field has the same value. */
function freeName(name: string, value: unknown, taken: Readonly<Record<string, unknown>>): string | null {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? name : `${name}_${number}`;
    if (!Object.hasOwn(taken, key)) return key;
    if (sameText(String(taken[key]), String(value))) return null;
  }
}

export function sameText(one: string | null, other: string | null): boolean {
  return plain(one) === plain(other);
}

/** Returns a text without the differences of case and space that do not count. */
export function plain(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim().toLocaleLowerCase('en');
}

/** Returns the line without what it took over. Changes that people made since then stay. */
export function apart(content: LineContent, added: readonly AddedContent[]): LineContent {
  const metadata: Record<string, unknown> = { ...content.metadata };
  let { valueDay } = content;
  for (const { metadata: more, valueDay: day } of added) {
    for (const [key, value] of Object.entries(more)) if (metadata[key] === value) delete metadata[key];
    if (day !== null && day === valueDay) valueDay = null;
  }
  return { ...content, metadata, valueDay };
}
