import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
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

/** One of the two slots of a close, as people know it. */
export interface ReportSide {
  /** Of the account, such as `Northgate Bank Business Current`; else the name of the stream. */
  readonly accountName: string;
  readonly accountNumber: string | null;
  /** Files and other sources that its records of the period came from. */
  readonly sources: readonly string[];
}

/** An open item of the statement with what is known about it. Status, owner and comment are those of `item.note`. */
export interface ReportOpenItem {
  readonly item: OpenItem;
  /** The likeliest first. */
  readonly causes: readonly Cause[];
  readonly age: ItemAge;
  /** Day that a person expects; goes before the one of `age`. */
  readonly expectedOn: number | null;
  /** It was open at the end of the period before. */
  readonly isCarriedForward: boolean;
}

export type ReportCertainty = 'unique' | 'best' | 'interchangeable' | 'contested';

/** How a match came to be: a rule made it, a person confirmed what a rule proposed, or a person made it. */
export type MatchOrigin = 'rule' | 'confirmed' | 'manual';

/** A match that is cleared as of the last day. Its figures are those of the statement's cleared match of this id. */
export interface ReportMatch {
  readonly id: number;
  readonly origin: MatchOrigin;
  /** Name of the rule; null for one made by hand. */
  readonly rule: string | null;
  readonly certainty: ReportCertainty | null;
  /** Many were confirmed in one step: they are counted on a line of their own. */
  readonly isConfirmedInBulk: boolean;
  /** Who made or confirmed it; null for a rule. */
  readonly by: string | null;
  readonly at: Moment | null;
  /** What the person wrote. */
  readonly note: string | null;
}

export interface ReportException {
  readonly title: string;
  readonly status: string;
  /** Of the record it is about; null for none. */
  readonly recordId: number | null;
  readonly amount: number | null;
  readonly openedAt: Moment;
  readonly owner: string | null;
  readonly comment: string | null;
}

export interface ReportImport {
  readonly side: LedgerSide;
  readonly fileName: string;
  /** SHA-256 of the file's bytes in hexadecimal; null where there was no file. */
  readonly contentHash: string | null;
  readonly bytes: number | null;
  /** Rows taken into the book. */
  readonly rows: number;
  readonly refusedRows: number;
  /** First and last day of its rows; null where it has none. */
  readonly from: number | null;
  readonly to: number | null;
  readonly importedAt: Moment;
  readonly by: string | null;
  /** What was found about its balances, in one sentence; null where it states none. */
  readonly proof: string | null;
  /** What was read with care, in sentences. */
  readonly remarks: readonly string[];
}

/** Something that was changed, in words. */
export interface ReportChange {
  readonly at: Moment | null;
  readonly by: string | null;
  readonly what: string;
  /** Null where it was not there, or is gone. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface ReportSignOff {
  readonly kind: SignOffKind;
  readonly by: string;
  readonly at: Moment;
  readonly reason: string | null;
  /** Minor units as they stood when it was signed. */
  readonly adjustedBank: number | null;
  readonly adjustedBooks: number | null;
  readonly unexplained: number | null;
  /** Hash over all that it covers: the `coveringHash` of then. */
  readonly hash: string;
  /** Hash of the newest entry of the audit log when it was signed. */
  readonly auditHead: string | null;
  /** False once it was reopened, prepared again, or something beneath it changed; only one whose hash is `coveringHash` stands. */
  readonly stands: boolean;
}

/** An entry of the audit log, whole, so that its hash can be worked out again (`src-main/book/store/audit.ts`). */
export interface ReportAuditEntry {
  readonly id: number;
  readonly environmentId: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  /** JSON text, as it is stored. */
  readonly detail: string;
  /** Hash of all that the book then held; null for entries older than that. */
  readonly content: string | null;
  readonly previousHash: string;
  readonly hash: string;
}

/** Everything that a report of one period and one currency says. Amounts are minor units of the statement's currency. */
export interface CloseReport {
  /** Name of the book, such as that of the company; null where it has none. */
  readonly bookName: string | null;
  readonly reconciliation: string;
  /** No side is a bank: the report speaks of side A and side B. */
  readonly isNeutral: boolean;
  /** Which side of the reconciliation stands in the slot `bank`. */
  readonly bankSide: 'a' | 'b';
  readonly sides: Readonly<Record<LedgerSide, ReportSide>>;
  /** Who states the balances. */
  readonly balanceSources: PeriodStatement['balance_sources'];
  readonly state: PeriodState;
  readonly preparedBy: string | null;
  readonly reviewedBy: string | null;
  readonly isStale: boolean;
  /** What the book says beside the figures, in sentences: days that no file covers, work that is not done. */
  readonly bookWarnings: readonly string[];
  /** What changed since it was prepared; empty unless it is stale. */
  readonly staleChanges: readonly ReportChange[];
  /** Period, currency, decimal places and all figures. */
  readonly statement: Statement;
  /** All records dated on or before the last day, adjustments included: those of the open items and of the cleared matches at least. */
  readonly records: readonly LedgerRecord[];
  /** One for each open item of the statement; an item without one is listed with what the statement knows. */
  readonly openItems: readonly ReportOpenItem[];
  /** One for each cleared match of the statement that has a record in the period or a difference. */
  readonly matches: readonly ReportMatch[];
  readonly journal: Journal;
  readonly exceptions: readonly ReportException[];
  readonly imports: readonly ReportImport[];
  /** Name and figures of the close before; null for the first. */
  readonly lastClose: { readonly period: string; readonly at: Moment } | null;
  readonly changesSinceLastClose: readonly ReportChange[];
  /** The oldest first. */
  readonly signOffs: readonly ReportSignOff[];
  /** What a sign-off of the period covers now, all its currencies (`coveringOfAll`), so that its hash can be worked out again. */
  readonly covered: readonly CoveredRow[];
  /** `coveringHash` of `covered`: the hash that the signatures name. */
  readonly coveringHash: string;
  /** Entries of the audit log of the period, one after the other without gaps. */
  readonly auditEntries: readonly ReportAuditEntry[];
  readonly printedAt: Moment;
  /** Of Tieout. */
  readonly version: string;
}
