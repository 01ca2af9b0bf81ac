import { counted } from '../../../src-shared/values/english.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import type { LedgerRecord } from '../ledger/index.ts';
import type { CloseReport, ReportMatch } from './close-report.ts';
import type { Block, Group, Row, Section, Table } from './document.ts';
import { headOf, type MatchGroup, type NumberedMatch } from './numbered-matches.ts';
import { CERTAINTY_WORDS, momentText, readableAmount } from './report-words.ts';
import { slotTitle } from './statement-document.ts';
import { column, group, row, table, totalOf } from './table-parts.ts';

/** A page for people lists at most this many matches of a rule. Matches made by hand are always listed. */
const MATCHES_ON_PAPER = 100;
const LABELS_OF_MATCH = 4;

function ruleName({ origin, rule }: ReportMatch): string {
  if (origin === 'manual') return 'Matched by hand';
  return rule ?? 'Matched by a rule that is gone';
}

function howDecided({ origin, isConfirmedInBulk }: ReportMatch): string {
  if (origin === 'manual') return 'by hand';
  if (origin === 'rule') return 'by the rule';
  return isConfirmedInBulk ? 'proposed, confirmed in bulk' : 'proposed, confirmed one by one';
}

const certaintyText = ({ certainty }: ReportMatch): string => (certainty === null ? '' : CERTAINTY_WORDS[certainty]);

const labelOrNone = ({ reference, description }: LedgerRecord): string => reference ?? description ?? 'none';

/** Returns the rows of a match, with the lines of both sides next to each other. */
function rowsOf(match: NumberedMatch): Row[] {
  const height = Math.max(match.bank.length, match.books.length);
  return Array.from({ length: height }, (_, place) => {
    const bank = match.bank[place];
    const books = match.books[place];
    return row(
      [
        place === 0 ? match.number : null,
        bank?.day ?? null,
        bank === undefined ? '' : labelOrNone(bank),
        bank?.amount ?? null,
        books?.day ?? null,
        books === undefined ? '' : (books.reference ?? 'none'),
        books?.description ?? '',
        books?.amount ?? null,
        place === height - 1 ? match.cleared.difference : null,
      ],
      { isContinued: place > 0 },
    );
  });
}

function listed({ made, matches }: MatchGroup): Group {
  const words = [certaintyText(made), made.origin === 'confirmed' ? howDecided(made) : '', counted(matches.length, 'match', 'matches')];
  return group(matches.flatMap(rowsOf), {
    title: ruleName(made),
    remark: words.filter((word) => word !== '').join(', '),
    shortAfter: made.origin === 'rule' || made.isConfirmedInBulk ? MATCHES_ON_PAPER : null,
  });
}

function summary(report: CloseReport, groups: readonly MatchGroup[]): Table {
  const net = (matches: readonly NumberedMatch[], of: 'bank' | 'books' | 'difference'): number =>
    matches.reduce((sum, { cleared }) => sum + cleared[of], 0);
  const rows = groups.map(({ made, matches }) =>
    row([
      ruleName(made),
      certaintyText(made),
      howDecided(made),
      matches.length,
      net(matches, 'bank'),
      net(matches, 'books'),
      net(matches, 'difference'),
    ]),
  );
  const columns = [
    column('Rule', 'text', 130),
    column('Certainty', 'text', 70),
    column('Decided', 'text', 110),
    column('Matches', 'count', 40),
    column(slotTitle(report, 'bank'), 'amount', 58),
    column(slotTitle(report, 'books'), 'amount', 58),
    column('Difference', 'amount', 50),
  ];
  return table(columns, [group(rows)], {
    title: 'By rule and certainty',
    sheet: 'By rule',
    totals: rows.length === 0 ? [] : [totalOf('All matches', rows, [3, 4, 5, 6], 'table')],
    whenEmpty: 'Nothing is matched.',
  });
}

/** Returns the section of matches: first their numbers by rule and certainty, then each match with its lines. */
export function matchSection(report: CloseReport, groups: readonly MatchGroup[]): Section {
  const matches = groups.flatMap((each) => each.matches);
  const lines = groups.map(listed);
  const rows = lines.flatMap((each) => each.rows);
  const columns = [
    column('No.', 'count', 20),
    column(slotTitle(report, 'bank'), 'day', 53),
    column('Reference', 'text', 66),
    column('Amount', 'amount', 52),
    column(slotTitle(report, 'books'), 'day', 56),
    column('Voucher', 'text', 66),
    column('Particulars', 'text', 104),
    column('Amount', 'amount', 52),
    column('Difference', 'amount', 46),
  ];
  const list = table(columns, lines, {
    title: 'Each match',
    totals: [totalOf('Matched', rows, [3, 7, 8], 'table', ['matched_bank', 'matched_books', null])],
  });
  const of = (side: 'bank' | 'books'): number => matches.reduce((sum, match) => sum + match[side].length, 0);
  return {
    number: '3',
    name: 'Matches',
    heading: 'Matches',
    remark: `${counted(matches.length, 'match', 'matches')} of ${of('bank')} and ${counted(of('books'), 'line')}`,
    blocks: matches.length === 0 ? [summary(report, groups)] : [summary(report, groups), list],
    count: matches.length,
    isAppendix: false,
  };
}

function labels(records: readonly LedgerRecord[]): string {
  const shown = records.slice(0, LABELS_OF_MATCH).map(labelOrNone).join(', ');
  return records.length > LABELS_OF_MATCH ? `${shown} and ${records.length - LABELS_OF_MATCH} more` : shown;
}

function whatWasMatched({ decimalPlaces }: CloseReport['statement'], { bank, books, cleared }: NumberedMatch): string {
  const side = (records: readonly LedgerRecord[], net: number): string => `${labels(records)}, ${readableAmount(net, decimalPlaces)}`;
  if (bank.length === 0 || books.length === 0) return bank.length === 0 ? side(books, cleared.books) : side(bank, cleared.bank);
  return `${side(bank, cleared.bank)} with ${side(books, cleared.books)}`;
}

/** Returns the section of matches that people made, or confirmed one by one. */
export function decidedSection(report: CloseReport, groups: readonly MatchGroup[]): Section {
  const matches = groups.flatMap((each) => each.matches);
  const decided = matches.filter(({ made }) => made.origin === 'manual' || (made.origin === 'confirmed' && !made.isConfirmedInBulk));
  const bulk = matches.filter(({ made }) => made.isConfirmedInBulk).length;
  const rows = decided.map((match) => {
    const { made, cleared } = match;
    const reason = [
      cleared.reason === null ? '' : REASON_WORDS[cleared.reason],
      made.note ?? '',
      made.origin === 'confirmed' ? 'Proposal confirmed' : '',
    ];
    const given = reason.filter((text) => text !== '').join('. ');
    const by = made.by ?? '';
    return row([
      match.number,
      headOf(match).day,
      whatWasMatched(report.statement, match),
      given,
      by,
      made.at === null ? '' : momentText(made.at),
    ]);
  });
  const columns = [
    column('No.', 'count', 22),
    column('Date', 'day', 54),
    column('What was matched', 'text', 176),
    column('Reason', 'text', 126),
    column('By', 'text', 62),
    column('When', 'text', 74),
  ];
  const blocks: Block[] = [table(columns, [group(rows)], { whenEmpty: 'Nothing was matched or confirmed by hand.' })];
  if (bulk > 0) {
    const text = `${counted(bulk, 'match was', 'matches were')} confirmed in bulk, many in one step. Section 3 counts them on a line of their own.`;
    blocks.push({ kind: 'sentences', items: [{ lead: null, text }] });
  }
  return {
    number: '4',
    name: 'By hand',
    heading: 'Decided by hand',
    remark: `${counted(decided.length, 'match', 'matches')}, with the reason given at the time`,
    blocks,
    count: decided.length,
    isAppendix: false,
  };
}
