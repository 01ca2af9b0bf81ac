import { OPEN_GROUPS, STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { counted, listed } from '../../../src-shared/values/english.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { AGE_BOUNDS, ageBuckets, type ClearedMatch, type LedgerRecord, ofWhich } from '../ledger/index.ts';
import type { CloseReport, ReportMatch, ReportOpenItem } from './close-report.ts';
import { column, type Group, group, type Row, row, type Section, type Sentences, type Table, table, totalOf } from './document.ts';
import { causeTitle, particulars, readableSentence } from './report-words.ts';
import { groupWords, slotTitle, slotWord } from './statement-document.ts';

const AMOUNT = 5;

const joined = (texts: readonly (string | null)[]): string => texts.filter((text) => text !== null && text !== '').join(', ');

function itemRow(report: CloseReport, { item, causes, age, expectedOn, isCarriedForward }: ReportOpenItem): Row {
  const { record, note } = item;
  const cause = causes[0];
  const isError = item.group === 'bank_errors' || item.group === 'book_errors';
  const expected = expectedOn ?? age.expected;
  const title = cause === undefined ? '' : causeTitle(report, cause.kind);
  return row(
    [record.day, record.reference ?? record.description, title, note?.comment ?? '', age.days, isError ? 0 - record.amount : record.amount],
    {
      second: [
        null,
        particulars(record),
        readableSentence(cause?.sentence ?? ''),
        joined([
          note?.owner ?? null,
          note === null || note.status === 'open' ? null : STATUS_WORDS[note.status].toLowerCase(),
          isCarriedForward ? phrase('report.openSection.carriedForward') : null,
        ]),
        joined([expected === null ? null : dayText(expected), age.isLate ? 'late' : null]),
        null,
      ],
    },
  );
}

/** Returns the row of a match with a bank error, which is listed among the errors of the bank. */
function errorRow(match: NumberedMatch): Row {
  const head = headOf(match);
  return row(
    [head.day, head.reference ?? head.description, `Match ${match.number}`, match.made.note ?? '', null, 0 - match.cleared.difference],
    {
      second: [null, particulars(head), REASON_WORDS.bank_error, match.made.by ?? '', '', null],
    },
  );
}

/** Returns all open items of the statement. An item that the report does not describe gets only the facts of the statement. */
function reportedItems({ statement, openItems }: CloseReport): ReportOpenItem[] {
  const known = new Map(openItems.map((reported) => [reported.item.record.id, reported]));
  return statement.openItems.map(
    (item) =>
      known.get(item.record.id) ?? {
        item,
        causes: [],
        age: { days: Math.max(0, statement.period.to - item.record.day), expected: null, isLate: false },
        expectedOn: null,
        isCarriedForward: item.record.day < statement.period.from,
      },
  );
}

function groupsOf(report: CloseReport, items: readonly ReportOpenItem[], matches: readonly NumberedMatch[]): Group[] {
  return OPEN_GROUPS.flatMap((wanted) => {
    const rows = items.filter(({ item }) => item.group === wanted).map((reported) => itemRow(report, reported));
    if (wanted === 'bank_errors') {
      rows.push(...matches.filter(({ cleared }) => cleared.difference !== 0 && cleared.reason === 'bank_error').map(errorRow));
    }
    if (rows.length === 0) return [];
    const { section: number, title, remark } = groupWords(report, wanted);
    const totals = [totalOf(counted(rows.length, 'item'), rows, [AMOUNT], 'group', [wanted])];
    return [group(rows, { number, title, remark, totals })];
  });
}

function ageTable({ statement }: CloseReport): Table {
  const last = AGE_BOUNDS.at(-1) ?? 0;
  const rows = ageBuckets(statement.openItems, statement.period.to).map(({ from, to, count, receipts, payments, net }) =>
    row([to === null ? `Over ${last} days` : `${from} to ${to} days`, count, receipts, payments, net], {
      named: [null, ...['count', 'receipts', 'payments'].map((what) => ({ name: `aged_${what}_${from}_${to ?? ''}`, adds: null })), null],
    }),
  );
  const columns = [
    column('', 'text', 24),
    column('Items', 'count', 9),
    column('Receipts', 'amount', 17),
    column('Payments', 'amount', 17),
    column('Net', 'amount', 17),
  ];
  return table(columns, [group(rows)], {
    title: phrase('report.openSection.byAgeAt', { to: dayText(statement.period.to) }),
    totals: [totalOf('Total', rows, [1, 2, 3, 4], 'table')],
  });
}

function remarks(items: readonly ReportOpenItem[]): Sentences {
  const late = items.filter(({ age }) => age.isLate).length;
  const carried = items.filter(({ isCarriedForward }) => isCarriedForward).length;
  const lateness = late === 0 ? phrase('report.openSection.noItemIsLate') : phrase('report.openSection.itemsAreLate', { late });
  const before =
    carried === 0
      ? phrase('report.openSection.noItemWasCarriedForward')
      : phrase('report.openSection.itemsWereCarriedForward', { carried });
  return { kind: 'sentences', items: [{ lead: null, text: `${lateness} ${before}` }] };
}

/** Returns the section of all open items, in the groups of the statement. */
export function openSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const items = reportedItems(report);
  const groups = groupsOf(report, items, matches);
  const columns = [
    column('Date', 'day', 51),
    column('Reference', 'text', 92, 'Particulars'),
    column('Cause', 'text', 128, 'Evidence'),
    column('Comment', 'text', 104, phrase('report.openSection.ownerStatus')),
    column(phrase('report.openSection.daysOpen'), 'count', 46, 'Expected'),
    column('Amount', 'amount', 62),
  ];
  const rows = groups.flatMap((each) => each.rows);
  const proposed = items.filter(({ item }) => item.reason === 'proposed').length;
  const errors = rows.length - items.length;
  const said = [
    `${counted(items.length, 'item')}${ofWhich(proposed)}`,
    ...(errors === 0
      ? []
      : [counted(errors, phrase('report.openSection.matchThatTheBankHasWrong'), phrase('report.openSection.matchesThatTheBankHasWrong'))]),
  ];
  const list = table(columns, groups, {
    hasBoxes: true,
    totals: rows.length === 0 ? [] : [totalOf(phrase('report.openSection.allOpenItems'), rows, [AMOUNT], 'table')],
    whenEmpty: phrase('report.openSection.noItemIsOpenAt', { to: dayText(report.statement.period.to) }),
  });
  return {
    number: '1',
    name: phrase('report.openSection.openItems'),
    heading: phrase('report.openSection.openItems'),
    remark: phrase('report.openSection.asAt', { said: listed(said), to: dayText(report.statement.period.to) }),
    blocks: rows.length === 0 ? [list] : [list, ageTable(report), remarks(items)],
    count: items.length,
    isAppendix: false,
  };
}

/** Returns the section of matches whose sides differ. */
export function differenceSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const differing = matches.filter(({ cleared }) => cleared.difference !== 0 && cleared.reason !== 'bank_error');
  const rows = differing.map((match) => {
    const { cleared, made, books } = match;
    const head = headOf(match);
    const named = books[0] ?? head;
    return row(
      [
        head.day,
        named.reference ?? head.reference ?? named.description,
        cleared.reason === null ? (made.note ?? phrase('report.openSection.noReasonGiven')) : REASON_WORDS[cleared.reason],
        cleared.bank,
        cleared.books,
        cleared.difference,
      ],
      {
        second: [null, particulars(named), joined([`Match ${match.number}`, cleared.reason === null ? null : made.note]), null, null, null],
      },
    );
  });
  const columns = [
    column('Date', 'day', 51),
    column('Reference', 'text', 120, 'Particulars'),
    column('Reason', 'text', 130, phrase('report.openSection.matchNote')),
    column(slotTitle(report, 'bank'), 'amount', 58),
    column(slotTitle(report, 'books'), 'amount', 58),
    column('Difference', 'amount', 58),
  ];
  return {
    number: '2',
    name: 'Differences',
    heading: phrase('report.openSection.matchesWithADifference'),
    remark: `${rows.length} of ${counted(matches.length, 'match', 'matches')}, ${slotWord(report, 'bank')} less ${slotWord(report, 'books')}`,
    blocks: [
      table(columns, [group(rows)], {
        hasBoxes: true,
        totals: rows.length === 0 ? [] : [totalOf('', rows, [3, 4, 5], 'table', [null, null, 'match_differences'])],
        whenEmpty: phrase('report.openSection.twoSidesOfEveryMatchAreEqual'),
      }),
    ],
    count: rows.length,
    isAppendix: false,
  };
}

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
