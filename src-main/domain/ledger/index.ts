/** The public interface of the close. */
export {
  AGE_BOUNDS,
  type AgeBucket,
  ageBuckets,
  ageOf,
  type ClearingTime,
  type ClearingTimes,
  clearingTimes,
  type ItemAge,
  LEAST_OBSERVATIONS,
} from './ageing.ts';
export type { Cause, CauseKind, Causes, LookedAt } from './cause.ts';
export { causesOfAmount } from './causes-of-amount.ts';
export { causesOf } from './causes-of.ts';
export { CAUSE_LIMITS } from './limits.ts';
export {
  changesBetween,
  type CoverChange,
  type CoveredKind,
  type CoveredRow,
  coveringHash,
  coveringOf,
  coveringOfAll,
} from './covering.ts';
export { type Journal, type JournalAccounts, type JournalEntry, journalOf, type JournalPlan } from './journal.ts';
export type {
  AccountOff,
  BalanceBreak,
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
} from './input.ts';
export { closedPeriodOf, faultOfPeriod, nextPeriod } from './order.ts';
export { closedName, monthOf, parsePeriod, periodKey, periodText } from './period-text.ts';
export {
  type PeriodState,
  type Refusal,
  signed,
  type SignedFigures,
  type SignedPeriod,
  type SignOff,
  type SignOffKind,
} from './sign-off.ts';
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
} from './statement.ts';
export { doubtsOf } from './doubts.ts';
export type { Doubt, DoubtCode } from './statement.ts';
export { statementOf } from './statement-of.ts';
export { amountText, begun, counted, dayText, labelOf, missingTitle, ofWhich, sideName } from './ledger-words.ts';
export { listed } from '../../../src-shared/values/english.ts';
