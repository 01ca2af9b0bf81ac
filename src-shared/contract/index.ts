import { instances } from './book/instance.ts';
import { apiKeys } from './book/api-keys.ts';
import { backups } from './book/backups.ts';
import { books } from './book/books.ts';
import { history } from './book/history.ts';
import { home } from './book/home.ts';
import { localPort } from './book/local-port.ts';
import { notations } from './book/notation.ts';
import { undo } from './book/undo.ts';
import { views } from './book/views.ts';
import { figures } from './close/figures.ts';
import { openItems, periods, reports } from './close/periods.ts';
import { connections } from './databases/connections.ts';
import { tableRuns } from './databases/table-runs.ts';
import { events } from './events.ts';
import { importBatches } from './imports/import-batches.ts';
import { importRecipes } from './imports/import-recipes.ts';
import { importedFiles } from './imports/imported-files.ts';
import { imports } from './imports/imports.ts';
import { confirmations, matches } from './matches/matches.ts';
import { separations } from './matches/separations.ts';
import { sumSuggestions } from './matches/sum-suggestions.ts';
import { wouldBeMatches } from './matches/would-be-matches.ts';
import type { CallOf, ErrorsOf, InputOf, Operation, OutputOf } from './operation.ts';
import { listExports } from './records/list-exports.ts';
import { reconciliations } from './reconciliations/reconciliations.ts';
import { bulkRequests } from './records/bulk-requests.ts';
import { exceptions, overdue } from './records/exceptions.ts';
import { records } from './records/records.ts';
import { backtests } from './rules/backtests.ts';
import { evidence } from './rules/evidence.ts';
import { proposals } from './rules/proposals.ts';
import { rulePreviews } from './rules/rule-preview.ts';
import { rules } from './rules/rules.ts';
import { runs } from './runs/runs.ts';
import { bankAccountBalances } from './streams/bank-account-balances.ts';
import { bankAccounts } from './streams/bank-accounts.ts';
import { coverages } from './streams/coverage.ts';
import { propertyDefinitions } from './streams/property-definitions.ts';
import { stories } from './streams/stories.ts';
import { streamOperations } from './streams/stream-operations.ts';
import { streams } from './streams/streams.ts';
import { syncConflicts, syncUnsure } from './sync/sync-conflicts.ts';
import { syncHistory, syncs } from './sync/sync-history.ts';
import { syncRemotes } from './sync/sync-remotes.ts';

/** Every operation of the service, by its id. IPC, HTTP, client and OpenAPI are derived from this table. */
export const contract = {
  ...streams,
  ...streamOperations,
  ...records,
  ...bulkRequests,
  ...overdue,
  ...listExports,
  ...exceptions,
  ...importBatches,
  ...importedFiles,
  ...coverages,
  ...reconciliations,
  ...home,
  ...history,
  ...rules,
  ...rulePreviews,
  ...backtests,
  ...proposals,
  ...runs,
  ...periods,
  ...reports,
  ...openItems,
  ...figures,
  ...wouldBeMatches,
  ...matches,
  ...confirmations,
  ...evidence,
  ...separations,
  ...sumSuggestions,
  ...importRecipes,
  ...imports,
  ...bankAccounts,
  ...bankAccountBalances,
  ...stories,
  ...propertyDefinitions,
  ...apiKeys,
  ...localPort,
  ...notations,
  ...views,
  ...instances,
  ...backups,
  ...books,
  ...syncRemotes,
  ...syncs,
  ...syncConflicts,
  ...syncUnsure,
  ...syncHistory,
  ...connections,
  ...tableRuns,
  ...undo,
  ...events,
} as const satisfies Record<string, Operation>;

type Contract = typeof contract;
export type OperationId = keyof Contract;
export type Input<K extends OperationId> = InputOf<Contract[K]>;
export type Call<K extends OperationId> = CallOf<Contract[K]>;
export type Output<K extends OperationId> = OutputOf<Contract[K]>;
export type Errors<K extends OperationId> = ErrorsOf<Contract[K]>;

export const OPERATION_IDS = Object.keys(contract) as OperationId[];

/** Returns the read that answers what an operation creates: the address of the list with one member more; null where nothing is read by itself. */
export function readOfCreated(spec: Operation): Operation | null {
  if (spec.status !== 201 || spec.surface !== 'public') return null;
  const isOneOf = ({ method, path }: Operation) =>
    method === 'GET' && /^\/\{[a-z_]+\}$/.test(path.slice(spec.path.length)) && path.startsWith(spec.path);
  return Object.values<Operation>(contract).find(isOneOf) ?? null;
}

export * from './errors.ts';
export type { BacktestExample, RuleBacktest, Verdict } from './rules/backtests.ts';
export type { Backup, BookCondition } from './book/backups.ts';
export type { UndoEntry } from './book/undo.ts';
export type { SavedView, ViewedList } from './book/views.ts';
export type { HistoryEntry, HistoryKind } from './book/history.ts';
export type { HomeImport, HomeRow } from './book/home.ts';
export type { Learned } from './rules/evidence.ts';
export type { BankAccount } from './streams/bank-accounts.ts';
export type { BankAccountBalance, BalanceType } from './streams/bank-account-balances.ts';
export type {
  BulkItemError,
  BulkRequest,
  BulkRequestDetail,
  BulkRequestProgress,
  BulkResult,
  OnConflict,
} from './records/bulk-requests.ts';
export type {
  Cardinality,
  Condition,
  ConditionOperand,
  Rollup,
  RollupInput,
  RuleGroup,
  ToleranceUnit,
  TransformInput,
  TransformName,
} from './rules/rule-language.ts';
export type { Certainty, MaxDifferenceInput, Rule, RuleBody } from './rules/rules.ts';
export type { ImportAnswers, OpenQuestion, QuestionAbout } from './imports/imports.ts';
export type { ColumnRole, FormerRecipe, ImportRecipe, StoredRecipe, TableByHand } from './imports/import-recipes.ts';
export type {
  BalanceOutcome,
  ImportedBalances,
  ImportOverrule,
  ImportRow,
  ImportPreview,
  ImportResult,
  Misfit,
  SkippedRow,
  Job,
  Problem,
  UsedRecipe,
} from './imports/imports.ts';
export type { ApiKey } from './book/api-keys.ts';
export type { BookEvent } from './events.ts';
export type { Coverage } from './streams/coverage.ts';
export type { DifferenceCode, DifferenceReason } from './matches/difference-reasons.ts';
export type { ExceptionAggregates, ReconciliationException } from './records/exceptions.ts';
export type { CorrectedCurrency, ImportBatch } from './imports/import-batches.ts';
export type { ImportedFile } from './imports/imported-files.ts';
export type { LocalPort, LocalPortSettings } from './book/local-port.ts';
export type { DatabaseConnection, DatabaseLook } from './databases/connections.ts';
export type { TablePlan, TableProposal, TableRun } from './databases/table-runs.ts';
export type { EvidenceItem, Line, Match, MatchGroup, SidedRecord } from './matches/matches.ts';
export type { Operation, Permission, Surface } from './operation.ts';
export type { OpenItemNote } from './close/periods.ts';
export type { JournalLayoutId, ReportFormat } from './close/report-choices.ts';
export type {
  PeriodFigures,
  UndoneStep,
  PeriodMatchDifference,
  PeriodOpenItem,
  PeriodSignOff,
  PeriodStatement,
  StatementDocument,
  StatementGroup,
  StatementLine,
  StatementRow,
  StatementSide,
} from './close/period-statement.ts';
export type { ReconciliationPeriod } from './close/periods.ts';
export type { PropertyDefinition } from './streams/property-definitions.ts';
export type { RecordItem, RecordTotals } from './records/records.ts';
export type { Reconciliation, ReconciliationSummary, SignConvention } from './reconciliations/reconciliations.ts';
export type { RulePreview, SampleMatch } from './rules/rule-preview.ts';
export type { ComparedMatch, Run, RunComparison } from './runs/runs.ts';
export type { SeparatedRecord, Separation } from './matches/separations.ts';
export type { StreamOperation } from './streams/stream-operations.ts';
export type { Story, StoryLink } from './streams/stories.ts';
export type { Stream } from './streams/streams.ts';
export type { LineSuggestion, SumSuggestion } from './matches/sum-suggestions.ts';
export type { SyncActivity } from './sync/sync-history.ts';
export type { SyncConflict, SyncConflictLine, SyncConflictSide } from './sync/sync-conflicts.ts';
export type { SyncRun } from './sync/sync-history.ts';
export type { SyncPlan, SyncPlanRow } from './sync/sync-history.ts';
export type { SyncUndoPlan } from './sync/sync-history.ts';
export type { SyncProbe, SyncRemote } from './sync/sync-remotes.ts';
export type { SyncUnsure } from './sync/sync-conflicts.ts';
export type { SyncVerified } from './sync/sync-history.ts';
export type { SyncDeletions, SyncLine, SyncResource } from './sync/sync-words.ts';
export type { WouldBeMatch } from './matches/would-be-matches.ts';
