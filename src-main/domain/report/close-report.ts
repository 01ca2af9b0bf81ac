import type { PeriodStatement, UndoneStep } from '../../../src-shared/contract/index.ts';
import type {
  Cause,
  CoveredRow,
  ItemAge,
  Journal,
  LedgerRecord,
  LedgerSide,
  OpenItem,
  PeriodState,
  SignOffKind,
  Statement,
} from '../ledger/index.ts';

/** A moment as ISO 8601 text in UTC, such as `2026-07-02T09:14:00.000Z`. */
export type Moment = string;

/** One of the two sides of a close, with its names for people. */
export interface ReportSide {
  /** The name of the account, such as `Northgate Bank Business Current`, else that of the stream. */
  readonly accountName: string;
  readonly accountNumber: string | null;
  /** The files and other sources of its records in the period. */
  readonly sources: readonly string[];
}

/** An open item with its causes and age. Status, owner and comment are in `item.note`. */
export interface ReportOpenItem {
  readonly item: OpenItem;
  /** The most likely cause first. */
  readonly causes: readonly Cause[];
  readonly age: ItemAge;
  /** The day on which a person expects the item to clear. It takes precedence over that of `age`. */
  readonly expectedOn: number | null;
  /** Whether it was already open at the end of the previous period. */
  readonly isCarriedForward: boolean;
}

export type ReportCertainty = 'unique' | 'best' | 'interchangeable' | 'contested';

/** Whether a rule made the match, a person confirmed a proposal of a rule, or a person made it. */
export type MatchOrigin = 'rule' | 'confirmed' | 'manual';

/** The origin of a match that is cleared on the last day. Its figures are in the statement's cleared match with this id. */
export interface ReportMatch {
  readonly id: number;
  readonly origin: MatchOrigin;
  /** The name of the rule; null if a person made the match. */
  readonly rule: string | null;
  readonly certainty: ReportCertainty | null;
  /** Whether it was confirmed in one step with others. Such matches are counted on a line of their own. */
  readonly isConfirmedInBulk: boolean;
  /** The person who made or confirmed it; null if a rule made it. */
  readonly by: string | null;
  readonly at: Moment | null;
  /** The note of the person. */
  readonly note: string | null;
}

export interface ReportException {
  readonly title: string;
  readonly status: string;
  /** The record that it is about; null if there is none. */
  readonly recordId: number | null;
  readonly amount: number | null;
  readonly openedAt: Moment;
  readonly owner: string | null;
  readonly comment: string | null;
}

export interface ReportImport {
  readonly side: LedgerSide;
  readonly fileName: string;
  /** SHA-256 of the file's bytes in hexadecimal; null if there was no file. */
  readonly contentHash: string | null;
  readonly bytes: number | null;
  /** Number of rows stored in the book. */
  readonly rows: number;
  readonly refusedRows: number;
  /** First and last day of its rows, since 1970-01-01; null if it has none. */
  readonly from: number | null;
  readonly to: number | null;
  readonly importedAt: Moment;
  readonly by: string | null;
  /** A sentence on whether its balances add up; null if it states none. */
  readonly proof: string | null;
  /** Remarks from the import, in sentences. */
  readonly remarks: readonly string[];
}

/** A change, described for people. */
export interface ReportChange {
  readonly at: Moment | null;
  readonly by: string | null;
  readonly what: string;
  /** Null if the thing did not exist before; `after` is null if it does not exist now. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface ReportSignOff {
  readonly kind: SignOffKind;
  readonly by: string;
  readonly at: Moment;
  readonly reason: string | null;
  /** Minor units at the time of the signature. */
  readonly adjustedBank: number | null;
  readonly adjustedBooks: number | null;
  readonly unexplained: number | null;
  /** The `coveringHash` at the time of the signature. */
  readonly hash: string;
  /** Hash of the newest entry of the audit log at the time of the signature; null if the log was empty. */
  readonly auditHead: string | null;
  /**
   * Whether it is still valid. It is not once the period was reopened or prepared again, or a covered row has changed; so its hash must equal
   * `coveringHash`.
   */
  readonly stands: boolean;
}

/** A whole entry of the audit log, so that its hash can be recomputed (`src-main/book/store/audit.ts`). */
export interface ReportAuditEntry {
  readonly id: number;
  readonly environmentId: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  /** JSON text exactly as it is stored. */
  readonly detail: string;
  /** Hash of the whole content of the book at that time; null for entries that are older than this column. */
  readonly content: string | null;
  readonly previousHash: string;
  readonly hash: string;
}

/** The content of a report on one period and currency. Amounts are minor units of the statement's currency. */
export interface CloseReport {
  /** Name of the book, such as that of the company; null if it has none. */
  readonly bookName: string | null;
  readonly reconciliation: string;
  /** Whether neither side is a bank. The report then calls them side A and side B. */
  readonly isNeutral: boolean;
  /** The side of the reconciliation that takes the place of the bank. */
  readonly bankSide: 'a' | 'b';
  readonly sides: Readonly<Record<LedgerSide, ReportSide>>;
  /** The sources of the balances. */
  readonly balanceSources: PeriodStatement['balance_sources'];
  readonly state: PeriodState;
  readonly preparedBy: string | null;
  readonly reviewedBy: string | null;
  readonly isStale: boolean;
  /** Warnings that do not follow from the figures, in sentences, such as days that no file covers or work that is not finished. */
  readonly bookWarnings: readonly string[];
  /** The changes since it was prepared; empty unless it is stale. */
  readonly staleChanges: readonly ReportChange[];
  /** Period, currency, decimal places and all figures. */
  readonly statement: Statement;
  /** The steps of the close that are not done in the currency of the statement. */
  readonly undone: readonly UndoneStep[];
  /** The records dated on or before the last day, and all adjustments. They must include those of the open items and cleared matches. */
  readonly records: readonly LedgerRecord[];
  /** At most one for each open item of the statement. An item without one is listed with the facts of the statement. */
  readonly openItems: readonly ReportOpenItem[];
  /** One for each cleared match of the statement that has a record in the period or a difference. */
  readonly matches: readonly ReportMatch[];
  readonly journal: Journal;
  readonly exceptions: readonly ReportException[];
  readonly imports: readonly ReportImport[];
  /** Name and time of the previous close; null if there is none. */
  readonly lastClose: { readonly period: string; readonly at: Moment } | null;
  readonly changesSinceLastClose: readonly ReportChange[];
  /** Oldest first. */
  readonly signOffs: readonly ReportSignOff[];
  /** The rows that a sign-off of the period covers now, in all currencies (`coveringOfAll`), so that their hash can be recomputed. */
  readonly covered: readonly CoveredRow[];
  /** `coveringHash` of `covered`, which valid signatures contain. */
  readonly coveringHash: string;
  /** Consecutive entries of the audit log, without gaps. */
  readonly auditEntries: readonly ReportAuditEntry[];
  readonly printedAt: Moment;
  /** The version of Tieout. */
  readonly version: string;
}
