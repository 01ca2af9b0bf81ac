import { present } from '../../../src-shared/values/assert.ts';
import type { ClearedMatch, LedgerRecord } from '../ledger/index.ts';
import type { CloseReport, ReportMatch } from './close-report.ts';

/** A cleared match with its number in the report. */
export interface NumberedMatch {
  /** Its number in the whole list, from 1. */
  readonly number: number;
  readonly cleared: ClearedMatch;
  readonly made: ReportMatch;
  /** The lines of each side by day, without adjustments. */
  readonly bank: readonly LedgerRecord[];
  readonly books: readonly LedgerRecord[];
}

/** Matches of the same rule, certainty and kind of decision. */
export interface MatchGroup {
  readonly made: ReportMatch;
  readonly matches: readonly NumberedMatch[];
}

function unknownOrigin(id: number): ReportMatch {
  return { id, origin: 'rule', rule: null, certainty: null, isConfirmedInBulk: false, by: null, at: null, note: null };
}

function keyOf({ origin, rule, certainty, isConfirmedInBulk }: ReportMatch): string {
  return JSON.stringify([origin, isConfirmedInBulk, rule, certainty]);
}

const ORIGINS = ['rule', 'confirmed', 'manual'] as const;

/** Orders groups: matches by rules, then those confirmed in bulk, then those confirmed one by one, then those made by hand. */
function inOrder({ made: left }: { readonly made: ReportMatch }, { made: right }: { readonly made: ReportMatch }): number {
  return ORIGINS.indexOf(left.origin) - ORIGINS.indexOf(right.origin) || Number(right.isConfirmedInBulk) - Number(left.isConfirmedInBulk);
}

const byDay = (left: LedgerRecord, right: LedgerRecord): number => left.day - right.day || left.id - right.id;
const firstDay = ({ bank, books }: Omit<NumberedMatch, 'number'>): number => (bank[0] ?? books[0])?.day ?? 0;

/** Returns the cleared matches with a line in the period or a difference, grouped by rule and certainty, and by day within a group. */
export function matchGroups({ statement, records, matches }: CloseReport): MatchGroup[] {
  const recordById = new Map(records.map((record) => [record.id, record]));
  const madeById = new Map(matches.map((made) => [made.id, made]));
  const groups = new Map<string, { readonly made: ReportMatch; readonly listed: Omit<NumberedMatch, 'number'>[] }>();
  for (const cleared of statement.clearedMatches) {
    const lines = cleared.recordIds.flatMap((id) => recordById.get(id) ?? []).filter(({ isAdjustment }) => !isAdjustment);
    if (cleared.difference === 0 && lines.every(({ day }) => day < statement.period.from)) continue;
    const made = madeById.get(cleared.id) ?? unknownOrigin(cleared.id);
    const key = keyOf(made);
    const known = groups.get(key) ?? { made, listed: [] };
    const of = (side: LedgerRecord['side']): LedgerRecord[] => lines.filter((line) => line.side === side).toSorted(byDay);
    known.listed.push({ cleared, made, bank: of('bank'), books: of('books') });
    groups.set(key, known);
  }
  let number = 0;
  return [...groups.values()].toSorted(inOrder).map(({ made, listed }) => ({
    made,
    matches: listed
      .toSorted((left, right) => firstDay(left) - firstDay(right) || left.cleared.id - right.cleared.id)
      .map((match) => ({ ...match, number: (number += 1) })),
  }));
}

/** Returns the first line of a match, that of the bank if it has one. */
export function headOf({ bank, books }: NumberedMatch): LedgerRecord {
  return present(bank[0] ?? books[0], 'a line of a match');
}
