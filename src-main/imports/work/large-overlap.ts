import type { ImportAnswers, OpenQuestion, Problem } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import { type DayRange, type MissingLine, note, type Overlap, type StatementLine } from '../../domain/statement/index.ts';
import { extentOfStream, recordsOfDays, recordsOfMoney, sampleOfBatch } from '../../records/store/same-money.ts';
import { contentOfRecords, missingByDay } from './missing-lines.ts';
import { lineOfRow, overlapQuestion, overlapsOf, type Sorted, type Target, writtenLine } from './overlap.ts';

/** Number of lines of a large file that are compared. It suffices to notice that one line in a hundred is in the stream already. */
const SAMPLE = 2_000;
/** Number of stored lines that are compared with the sample. */
const MOST_COMPARED = 10_000;

/** The rows of an unpublished import. */
interface RowsOfBatch {
  readonly batchId: number;
  readonly ids: readonly [first: number, last: number];
  readonly kept: number;
  /** By day, the number of lines of the file that the stream has already. */
  readonly named: ReadonlyMap<number, number>;
  /** The day range of all lines of the file. */
  readonly days: DayRange | null;
}

type LargeTarget = Omit<Target, 'isSample' | 'lacking'> & { readonly streamId: number };

/**
 * Compares a sample of the lines of a large file with the stream, and returns the question whether they are the same. Null if no more lines coincide
 * than by chance, or the question is answered with `new`. Single lines of such a file cannot be skipped, so the answer `same` keeps the question open
 * and adds a problem.
 */
export function overlapOfLarge(
  read: ReadHandle,
  target: LargeTarget,
  { batchId, ids: [first, last], kept, named, days }: RowsOfBatch,
  answer: ImportAnswers['overlap'] | null,
): { readonly question: OpenQuestion; readonly problem: Problem | null } | null {
  const { lastDay: lastDayOfAccount } = extentOfStream(read, target.streamId);
  if (answer === 'new' || kept === 0 || days === null || lastDayOfAccount === null) return null;
  // If the file names every record of the stream on its days, its new lines cannot be any of these.
  const known = [...named.values()].reduce((sum, count) => sum + count, 0);
  if (recordsOfDays(read, target.streamId, days.firstDay, days.lastDay) <= known) return null;
  const rows = sampleOfBatch(read, batchId, first, last, Math.max(1, Math.floor(kept / SAMPLE)));
  const lines = rows.map((row): StatementLine => ({
    ...lineOfRow(row),
    row: 1,
    valueDay: null,
    metadata: {},
  }));
  const no = lines.map(() => false);
  const sorted: Sorted = { lines, dedupeKeys: rows.map(({ dedupe_key: key }) => key), isDuplicate: no, isLeftOut: no };
  const missing = known === 0 ? [] : likelyMissing(read, target, lines, missingByDay(read, target.streamId, named, days));
  const lacking = { missing, extent: { ...days, lastDayOfAccount, referenceField: null } };
  const { pairs, isBeyondChance } = overlapsOf(read, { ...target, isSample: true, lacking }, sorted, () => false);
  if (!isBeyondChance) return null;
  return {
    question: overlapQuestion(messageOf(pairs, kept, lines.length), pairs, sorted, writtenLine),
    problem: answer === 'same' ? note('overlap_too_large', phrase('imports.overlap.tooLarge')) : null,
  };
}

function messageOf(pairs: readonly Overlap[], lines: number, looked: number): string {
  const changed = pairs.filter(({ change }) => change !== undefined).length;
  const alike = pairs.length - changed;
  const share = Math.max(1, Math.round((100 * alike) / looked));
  return [
    ...(alike === 0
      ? []
      : [
          alike === looked
            ? phrase('imports.overlap.sampleAllAlike', { lines, looked })
            : phrase('imports.overlap.sampleAlike', { lines, looked, share }),
        ]),
    ...(changed === 0 ? [] : [phrase('imports.overlap.changedOfLarge', { lines: changed, looked })]),
    phrase('imports.overlap.sameOrNew'),
  ].join(' ');
}

/**
 * Returns the stored lines with the amounts of some lines that the file lacks without a doubt: it lacks as many lines of their day as are alike there.
 * `missing`: how many lines of a day it lacks.
 */
function likelyMissing(
  read: ReadHandle,
  { environmentId, streamId }: LargeTarget,
  lines: readonly StatementLine[],
  missing: ReadonlyMap<number, number>,
): MissingLine[] {
  const found: number[] = [];
  for (const [kind, alike] of Map.groupBy(lines, ({ currency, direction }) => `${direction} ${currency}`)) {
    const [direction = '', currency = ''] = kind.split(' ');
    const amounts = [...new Set(alike.map(({ amountMinor }) => amountMinor))];
    const of = { currency, direction: direction === 'credit' ? 1 : 0, amounts } as const;
    for (const { id, day } of recordsOfMoney(read, environmentId, streamId, of)) if (missing.has(day)) found.push(id);
  }
  if (found.length > MOST_COMPARED) return [];
  const groups = Map.groupBy(contentOfRecords(read, found), ({ day, amountMinor, direction, currency, description }) =>
    JSON.stringify([day, amountMinor, direction, currency, description]),
  );
  return [...groups.values()].flatMap((alike) => (alike.length <= (missing.get(alike[0]?.day ?? 0) ?? 0) ? alike : []));
}
