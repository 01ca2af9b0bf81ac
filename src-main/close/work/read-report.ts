import { success, type Result } from '../../../src-shared/values/result.ts';
import { setting } from '../../book/store/settings.ts';
import type { ReadHandle } from '../../database/database.ts';
import { type CoveredRow, coveringHash, journalOf, type LedgerRecord, type TotalOutOfRange } from '../../domain/ledger/index.ts';
import type { CloseReport, ReportChange, ReportOpenItem, ReportSide } from '../../domain/report/index.ts';
import { coveringText, signOffsOf } from '../store/sign-offs.ts';
import { reportChanges } from './change-words.ts';
import { changesSince } from './changes.ts';
import type { CloseSource } from './close-source.ts';
import { coveredRows } from './covering-text.ts';
import { bookWarningsOf, chosen, type Close, closeOf, type CurrencyClose, openItemsOf, staleness } from './read-close.ts';
import { reportExceptions } from './report-exceptions.ts';
import { reportImports } from './report-imports.ts';
import { reportMatches } from './report-matches.ts';
import { reportSides } from './report-sides.ts';
import { type LastClose, lastCloseOf, lastCloseText, reportAudit, reportSignOffs } from './report-sign-offs.ts';
import { momentOf } from './words.ts';

/** When a report is made, and by which Tieout. */
export interface Made {
  /** Milliseconds UTC. */
  readonly atMs: number;
  readonly version: string;
}

/** What changed beneath the close before, since it was closed. */
function changesBefore(read: ReadHandle, last: LastClose | null, currency: string): ReportChange[] {
  if (last === null) return [];
  const close = closeOf(read, last.period.id);
  if (!close.ok) return [];
  const changes = changesSince(read, close.value.source, last.signOff, close.value.covering());
  return changes === null ? [] : reportChanges(changes, close.value.source, currency);
}

/** What changed in the period between its first signature and its last one; of an open one until now. */
function changesBetweenSignatures(read: ReadHandle, { source, covering }: Close, currency: string): ReportChange[] {
  const { id, state } = source.period;
  const rows = signOffsOf(read, id);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const kept = state === 'open' ? null : coveringText(read, id, last.covering_hash);
  const until: readonly CoveredRow[] = kept === null ? covering() : coveredRows(kept);
  const changes = changesSince(read, source, first, until);
  return changes === null ? [] : reportChanges(changes, source, currency);
}

/** What the books must take over. It is dated the day after the period, whose own days are closed. */
function journalOfClose({ input, statement }: CurrencyClose, books: ReportSide, items: readonly ReportOpenItem[]) {
  const firstCause = new Map(items.map(({ item, causes }) => [item.record.id, causes[0]?.kind]));
  const bank = books.accountNumber === null ? books.accountName : `${books.accountNumber} ${books.accountName}`;
  return journalOf(input, statement, {
    day: input.period.to + 1,
    accounts: { bank, byReason: {} },
    reasonOf: ({ record }) => {
      const kind = firstCause.get(record.id);
      return kind === 'bank_charge' || kind === 'interest' ? kind : null;
    },
  });
}

/** Those up to the last day, and all adjustments, since matches name them. */
function recordsOf({ period }: CloseSource, { lines }: CurrencyClose): LedgerRecord[] {
  return lines.records.filter(({ day, isAdjustment }) => isAdjustment || day <= period.last_day);
}

/** The report of a period in a currency as the book has it; null where it has nothing in that currency. The caller gives one snapshot. */
export function readReport(
  read: ReadHandle,
  periodId: number,
  currency: string | null,
  { atMs, version }: Made,
): Result<CloseReport | null, TotalOutOfRange> {
  const close = closeOf(read, periodId);
  if (!close.ok) return close;
  const { source, covering } = close.value;
  const { period, reconciliation } = source;
  const one = chosen(close.value, currency);
  if (one === null) return success(null);
  const { statement, lines } = one;
  const items = openItemsOf(one, source).items.map(({ causes, age, expectedOn, ...item }): ReportOpenItem => ({
    item,
    causes,
    age,
    expectedOn,
    isCarriedForward: item.record.day < period.first_day,
  }));
  const covered = covering();
  const hash = coveringHash(covered);
  const { isStale, changes } = staleness(read, close.value);
  const last = lastCloseOf(read, period);
  const sides = reportSides(read, source, lines);
  const records = recordsOf(source, one);
  return success({
    bookName: setting(read, 'book_name'),
    reconciliation: reconciliation.name,
    isNeutral: source.isNeutral,
    bankSide: source.bankSide,
    sides,
    state: period.state,
    preparedBy: period.prepared_by,
    reviewedBy: period.reviewed_by,
    isStale,
    bookWarnings: bookWarningsOf(read, source, one).map(({ message }) => message),
    staleChanges: changes === null ? [] : reportChanges(changes, source, lines.currency),
    statement,
    records,
    openItems: items,
    matches: reportMatches(read, source, statement, records),
    journal: journalOfClose(one, sides.books, items),
    exceptions: reportExceptions(read, source, lines),
    imports: reportImports(read, source, statement.openItems),
    lastClose: lastCloseText(last),
    changesSinceLastClose: [...changesBefore(read, last, lines.currency), ...changesBetweenSignatures(read, close.value, lines.currency)],
    signOffs: reportSignOffs(read, period, lines, hash),
    covered,
    coveringHash: hash,
    auditEntries: reportAudit(read, period, last),
    printedAt: momentOf(atMs),
    version,
  });
}
