/** What the rest of Tieout may use of the close. */
export type {
  ChainBreak,
  LedgerImport,
  LedgerInput,
  LedgerMatch,
  LedgerRecord,
  LedgerSide,
  OpenItemNote,
  OpenItemStatus,
  PeriodSpan,
  SideBalances,
} from './model/input.ts';
export type { Cause, CauseKind, Causes, LookedAt } from './causes/cause.ts';
export { causesOf } from './causes/causes-of.ts';
export { CAUSE_LIMITS } from './causes/limits.ts';
export type {
  ClearedMatch,
  GroupTotal,
  LedgerWarning,
  OpenGroup,
  OpenItem,
  OpenReason,
  SideFigures,
  Statement,
  TotalOutOfRange,
  WarningCode,
} from './statement/statement.ts';
export { statementOf } from './statement/statement-of.ts';
export { amountText, dayText, sideName } from './words/ledger-words.ts';
