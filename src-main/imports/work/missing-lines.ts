import type { Problem } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { type DayRange, type MissingLine, note } from '../../domain/statement/index.ts';
import { countsOfDays, extentOfStream, keysOfDays, recordsOfDays, wordsOfRecords } from '../../records/store/same-money.ts';
import { alternativeDescriptionsOf, hasAlternativeDescriptions } from '../store/alternative-descriptions.ts';
import { quotedText } from './import-rows.ts';
import { type LackingFile, lineOfRow, type Sorted, textsOf } from './overlap.ts';

/** The stored lines on the days of a file that the file lacks. */
export interface MissingLines extends DayRange {
  /** In the order of their days. */
  readonly records: readonly { readonly id: number; readonly day: number }[];
  readonly lastDayOfAccount: number;
}

/** With more missing lines than this, the file is of another kind, and no line of it is a changed one. */
const MOST_COMPARED = 10_000;
/** A shorter file costs less to compare than to count. */
const COUNTED_FIRST = 50_000;
const SHOWN_LINES = 3;

interface FileOfLines {
  /** Whether its balances prove that it has all lines of its days, whichever file brought them. */
  readonly isWhole: boolean;
  /** Whether a record is a line of the file by the other reading of an entry. */
  readonly isKnown: (recordId: number) => boolean;
}

/**
 * Finds the stored lines on the days of a file that the file lacks: of earlier files with which it shares a line, or of all where it is whole. A file
 * of another kind, such as the card payments of the account, shares none. Null where it lacks none.
 */
export function missingLines(
  read: ReadHandle,
  streamId: number | null,
  { lines, dedupeKeys, isDuplicate }: Sorted,
  { isWhole, isKnown }: FileOfLines,
): MissingLines | null {
  const named = isDuplicate.reduce((count, is) => count + Number(is), 0);
  if (streamId === null || lines.length === 0 || (named === 0 && !isWhole)) return null;
  const { lastDay: lastDayOfAccount } = extentOfStream(read, streamId);
  if (lastDayOfAccount === null) return null;
  const days = daysOf(lines);
  if (lines.length > COUNTED_FIRST && recordsOfDays(read, streamId, days.firstDay, days.lastDay) <= named) return null;
  const keys = new Set(dedupeKeys);
  const currencies = new Set(lines.map(({ currency }) => currency));
  const shared = new Set<number>();
  let unnamed: { readonly id: number; readonly day: number; readonly batch_id: number | null }[] = [];
  for (const record of keysOfDays(read, streamId, days)) {
    if (record.dedupe_key !== null && keys.has(record.dedupe_key)) shared.add(record.batch_id ?? 0);
    else if (currencies.has(record.currency) && !isKnown(record.id)) unnamed.push(record);
  }
  if (unnamed.length > 0 && hasAlternativeDescriptions(read, streamId)) {
    const alternatives = alternativeDescriptionsOf(
      read,
      unnamed.map(({ id }) => id),
    ).filter(({ dedupe_key: key }) => keys.has(key));
    for (const { batch_id: id } of alternatives) shared.add(id);
    const isNamed = new Set(alternatives.map(({ record_id: id }) => id));
    unnamed = unnamed.filter(({ id }) => !isNamed.has(id));
  }
  const records = unnamed.filter(({ batch_id: id }) => isWhole || (id !== null && shared.has(id)));
  return records.length === 0 ? null : { ...days, records, lastDayOfAccount };
}

function daysOf(lines: Sorted['lines']): DayRange {
  let [firstDay, lastDay] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { day } of lines) [firstDay, lastDay] = [Math.min(firstDay, day), Math.max(lastDay, day)];
  return { firstDay, lastDay };
}

/** Returns the missing lines of a file for the comparison with its new ones. */
export function lackingFile(
  read: ReadHandle,
  { lines }: Pick<Sorted, 'lines'>,
  missing: MissingLines | null,
  referenceField: string | null,
): LackingFile {
  const extent = missing ?? { ...daysOf(lines), lastDayOfAccount: Number.NEGATIVE_INFINITY };
  const ids = missing === null || missing.records.length > MOST_COMPARED ? [] : missing.records.map(({ id }) => id);
  return { missing: contentOfRecords(read, ids), extent: { ...extent, referenceField } };
}

/** Returns the content of visible records. */
export function contentOfRecords(read: ReadHandle, ids: readonly number[]): MissingLine[] {
  return wordsOfRecords(read, ids).map((record) => ({
    ...lineOfRow(record),
    recordId: record.id,
    metadata: textsOf(storedJson('records.metadata', record.metadata, record.id)),
    file: record.filename,
  }));
}

/**
 * Returns a note about lines of the account that the file lacks; null if there are none. A file may begin and end within a day, so only the days
 * between its first and its last count. `isPaired`: whether a new line was found for the record.
 */
export function missingNote(read: ReadHandle, missing: MissingLines | null, isPaired: (recordId: number) => boolean): Problem | null {
  if (missing === null) return null;
  const { firstDay, lastDay } = missing;
  const lacking = missing.records.filter(({ id, day }) => day > firstDay && day < lastDay && !isPaired(id));
  if (lacking.length === 0) return null;
  const first = contentOfRecords(
    read,
    lacking.slice(0, SHOWN_LINES).map(({ id }) => id),
  ).toSorted((one, other) => one.day - other.day || one.recordId - other.recordId);
  const shown = first.map(({ day, amountMinor, direction, decimalPlaces, description }) => {
    const amount = decimalText(direction === 'credit' ? amountMinor : -amountMinor, decimalPlaces);
    return `${isoFromDay(day)}, ${quotedText(description ?? '')}, ${amount}`;
  });
  const values = { lines: lacking.length, from: isoFromDay(firstDay), to: isoFromDay(lastDay), shown: shown.join('; ') };
  const more = lacking.length - first.length;
  const message = more > 0 ? phrase('imports.missing.linesAndMore', { ...values, more }) : phrase('imports.missing.lines', values);
  return note('lines_missing', message);
}

/** Returns the note about a large file, of which only the number of known lines of each day was counted. */
export function missingNoteOfLarge(
  read: ReadHandle,
  streamId: number | null,
  named: ReadonlyMap<number, number>,
  days: DayRange | null,
): Problem | null {
  if (streamId === null || days === null || named.size === 0) return null;
  const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((all, count) => all + count, 0);
  const lacking = missingByDay(read, streamId, named, { firstDay: days.firstDay + 1, lastDay: days.lastDay - 1 });
  // A known id may have another day in the file than in the account: its line is not missing, though the account's day lacks one.
  const lines = Math.min(sum(lacking), recordsOfDays(read, streamId, days.firstDay, days.lastDay) - sum(named));
  if (lines <= 0) return null;
  const shown = [...lacking.keys()].slice(0, SHOWN_LINES).map(isoFromDay).join(', ');
  const values = { lines, from: isoFromDay(days.firstDay), to: isoFromDay(days.lastDay), days: shown };
  const more = lacking.size - SHOWN_LINES;
  const message = more > 0 ? phrase('imports.missing.ofLargeAndMore', { ...values, more }) : phrase('imports.missing.ofLarge', values);
  return note('lines_missing', message);
}

/** Returns by day how many stored lines a file lacks of which `named` counts the known lines. */
export function missingByDay(read: ReadHandle, streamId: number, named: ReadonlyMap<number, number>, days: DayRange): Map<number, number> {
  const lacking = new Map<number, number>();
  for (const { day, count } of countsOfDays(read, streamId, days)) {
    const missing = count - (named.get(day) ?? 0);
    if (missing > 0) lacking.set(day, missing);
  }
  return lacking;
}
