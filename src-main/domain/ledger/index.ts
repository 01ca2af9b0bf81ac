/** The public interface of the close. */
export { AGE_BOUNDS, type AgeBucket, ageBuckets, ageOf, clearingTimes, type ItemAge } from './ageing.ts';
export type { Cause, CauseKind, LookedAt } from './cause.ts';
export { causesOfAmount } from './plain-causes.ts';
export { causesOf } from './causes-of.ts';
export { CAUSE_LIMITS } from './cause.ts';
export { changesBetween, type CoverChange, type CoveredRow, coveringHash, coveringOf, coveringOfAll } from './covering.ts';
export { type Journal, type JournalEntry, journalOf } from './journal.ts';
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
export { closedPeriodOf, faultOfPeriod, nextPeriod } from './sign-off.ts';
export { closedName, monthOf, parsePeriod, periodKey, periodText } from './period-text.ts';
export { type PeriodState, type Refusal, signed, type SignedPeriod, type SignOff, type SignOffKind } from './sign-off.ts';
export type { ClearedMatch, LedgerWarning, OpenItem, SideFigures, Statement, TotalOutOfRange } from './statement.ts';
export type { Doubt } from './statement.ts';
export { explanationsOf, type FilesOfPeriod, undoneSteps, undoneWork } from './steps.ts';
export { statementOf } from './statement-of.ts';
export { amountText, labelOf, ofWhich, sideName } from './ledger-words.ts';
