import type { StatementLine } from '../model/statement.ts';
import type { DayRange } from '../proof/coverage.ts';
import { type ChangedLines, type ChangeOfLine, type MissingLine, moneyKey, plain, sameText } from './duplicates.ts';

/** The days of a file, and the last day of the account before it. */
interface ExtentOfFile extends DayRange {
  readonly lastDayOfAccount: number;
  /** The field of the file's references, such as `metadata.reference`; null if it has none. */
  readonly referenceField: string | null;
}

/** A source moves a line by a weekend and some bank holidays at most. */
const MOST_DAYS = 5;
/** A new line is compared with this many missing ones of the same content. */
const NEAREST = 20;
const ORDER: readonly ChangeOfLine[] = ['reference', 'day', 'amount'];

type ChangedLine = ChangedLines['pairs'][number];

interface Way extends ChangedLine {
  readonly rank: number;
}

/**
 * Pairs new lines of a file with the stored lines that the file lacks: of the same amount and text, the same amount and reference, or the same
 * reference and text, within a few days. The nearest go first.
 */
export function changedLines(
  lines: readonly StatementLine[],
  places: readonly number[],
  missing: readonly MissingLine[],
  file: ExtentOfFile,
): ChangedLines {
  if (missing.length === 0) return { pairs: [], contested: [] };
  const byContent = new Map<string, MissingLine[]>();
  for (const line of missing) {
    for (const key of contentKeys(line, file.referenceField)) {
      const there = byContent.get(key);
      if (there === undefined) byContent.set(key, [line]);
      else there.push(line);
    }
  }
  const ways = places.flatMap((place) => {
    const line = lines[place];
    return line === undefined ? [] : waysOf(line, place, byContent, file);
  });
  ways.sort((one, other) => one.rank - other.rank || one.place - other.place || one.missing.recordId - other.missing.recordId);
  const taken = new Map<number, Way>();
  const placesTaken = new Set<number>();
  for (const way of ways) {
    if (placesTaken.has(way.place) || taken.has(way.missing.recordId)) continue;
    placesTaken.add(way.place);
    taken.set(way.missing.recordId, way);
  }
  const contested = ways.filter(({ place, missing: { recordId }, rank }) => !placesTaken.has(place) && taken.get(recordId)?.rank === rank);
  return { pairs: [...taken.values()], contested: [...new Set(contested.map(({ place }) => place))] };
}

function waysOf(line: StatementLine, place: number, byContent: ReadonlyMap<string, readonly MissingLine[]>, file: ExtentOfFile): Way[] {
  const found = new Set(contentKeys(line, file.referenceField).flatMap((key) => byContent.get(key) ?? []));
  return [...found]
    .filter((missing) => isReplaceable(missing, line.day, file))
    .map((missing): Way => {
      const days = Math.abs(missing.day - line.day);
      const change = moneyKey(missing) !== moneyKey(line) ? 'amount' : days > 0 ? 'day' : 'reference';
      return { place, missing, change, rank: ORDER.indexOf(change) * (MOST_DAYS + 1) + days };
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, NEAREST);
}

/**
 * Whether a line of this day may stand in the place of a missing one. A file that was cut off during its first or last day lacks lines of that day
 * without a change, and a payment that comes again is then new: so a line after the last day of the account replaces none of such a day.
 */
function isReplaceable(
  missing: Pick<MissingLine, 'day'>,
  day: number,
  { firstDay, lastDay, lastDayOfAccount }: DayRange & { readonly lastDayOfAccount: number },
): boolean {
  if (missing.day < firstDay || missing.day > lastDay || Math.abs(missing.day - day) > MOST_DAYS) return false;
  const isWithin = missing.day > firstDay && missing.day < lastDay;
  return isWithin || day <= lastDayOfAccount;
}

type Content = Pick<StatementLine, 'amountMinor' | 'direction' | 'currency' | 'description' | 'metadata'>;

/** Returns the pairs of facts of a line, each as a text, of which two lines must share one. */
function contentKeys(line: Content, referenceField: string | null): string[] {
  const text = plain(line.description);
  const reference = referenceOf(line, referenceField);
  const money = moneyKey(line);
  return [
    ...(text === '' ? [] : [JSON.stringify(['text', money, text])]),
    ...(reference === '' ? [] : [JSON.stringify(['reference', money, reference])]),
    ...(text === '' || reference === '' ? [] : [JSON.stringify(['both', line.currency, line.direction, text, reference])]),
  ];
}

/** Returns the reference of a line, in the form for comparisons; an empty text where it has none. */
function referenceOf({ metadata }: Pick<StatementLine, 'metadata'>, field: string | null): string {
  return field?.startsWith('metadata.') === true ? plain(metadata[field.slice('metadata.'.length)] ?? null) : '';
}

/** Whether a line adds values to a stored one of the same text, and contradicts none. */
export function isFilledIn(
  line: Pick<StatementLine, 'description' | 'metadata'>,
  stored: Pick<MissingLine, 'description' | 'metadata'>,
): boolean {
  if (plain(line.description) === '' || !sameText(line.description, stored.description)) return false;
  return Object.entries(line.metadata).every(([field, value]) => {
    const there = plain(stored.metadata[field] ?? null);
    return there === '' || plain(value) === '' || plain(value) === there;
  });
}
