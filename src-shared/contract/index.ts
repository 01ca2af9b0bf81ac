import { apiKeys } from './api-keys.ts';
import { backtests } from './backtests.ts';
import { backups } from './backups.ts';
import { bankAccountBalances } from './bank-account-balances.ts';
import { bankAccounts } from './bank-accounts.ts';
import { bulkRequests } from './bulk-requests.ts';
import { confirmations } from './confirmations.ts';
import { coverages } from './coverage.ts';
import { events } from './events.ts';
import { evidence } from './evidence.ts';
import { exceptions } from './exceptions.ts';
import { importBatches } from './import-batches.ts';
import { importRecipes } from './import-recipes.ts';
import { imports } from './imports.ts';
import { localPort } from './local-port.ts';
import { matches } from './matches.ts';
import type { CallOf, ErrorsOf, InputOf, Operation, OutputOf } from './operation.ts';
import { proposals } from './proposals.ts';
import { propertyDefinitions } from './property-definitions.ts';
import { overdue } from './overdue.ts';
import { reconciliations } from './reconciliations.ts';
import { records } from './records.ts';
import { rulePreviews } from './rule-preview.ts';
import { rules } from './rules.ts';
import { runs } from './runs.ts';
import { streamOperations } from './stream-operations.ts';
import { stories } from './stories.ts';
import { streams } from './streams.ts';
import { separations } from './separations.ts';
import { sumSuggestions } from './sum-suggestions.ts';
import { wouldBeMatches } from './would-be-matches.ts';

/** Every operation of the service, by its id. IPC, HTTP, client and OpenAPI are derived from this table. */
export const contract = {
  ...streams,
  ...streamOperations,
  ...records,
  ...bulkRequests,
  ...overdue,
  ...exceptions,
  ...importBatches,
  ...coverages,
  ...reconciliations,
  ...rules,
  ...rulePreviews,
  ...backtests,
  ...proposals,
  ...runs,
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
  ...backups,
  ...events,
} as const satisfies Record<string, Operation>;

export type Contract = typeof contract;
export type OperationId = keyof Contract;
export type Input<K extends OperationId> = InputOf<Contract[K]>;
export type Call<K extends OperationId> = CallOf<Contract[K]>;
export type Output<K extends OperationId> = OutputOf<Contract[K]>;
export type Errors<K extends OperationId> = ErrorsOf<Contract[K]>;

export const OPERATION_IDS = Object.keys(contract) as OperationId[];

export * from './errors.ts';
export type { BacktestExample, RuleBacktest, Verdict } from './backtests.ts';
export type { Backup, BookCondition } from './backups.ts';
export type { Learned } from './evidence.ts';
export type { BankAccount } from './bank-accounts.ts';
export type { BankAccountBalance, BalanceType } from './bank-account-balances.ts';
export type { BulkItemError, BulkRequest, BulkRequestDetail, BulkRequestProgress, BulkResult, OnConflict } from './bulk-requests.ts';
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
} from './rule-language.ts';
export type { Certainty, MaxDifferenceInput, Rule, RuleBody } from './rules.ts';
export type { ImportAnswers, OpenQuestion, QuestionAbout } from './import-questions.ts';
export type { ColumnRole, FormerRecipe, ImportRecipe, StoredRecipe, TableByHand } from './import-recipes.ts';
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
} from './imports.ts';
export type { ApiKey } from './api-keys.ts';
export type { BookEvent } from './events.ts';
export type { Coverage } from './coverage.ts';
export type { DifferenceCode, DifferenceReason } from './difference-reasons.ts';
export type { ExceptionAggregates, ReconciliationException } from './exceptions.ts';
export type { CorrectedCurrency, ImportBatch } from './import-batches.ts';
export type { LocalPort, LocalPortSettings } from './local-port.ts';
export type { EvidenceItem, Line, Match, MatchGroup, SidedRecord } from './matches.ts';
export type { Operation, Permission, Surface } from './operation.ts';
export type { PropertyDefinition } from './property-definitions.ts';
export type { RecordItem } from './records.ts';
export type { Reconciliation, ReconciliationSummary, SignConvention } from './reconciliations.ts';
export type { RulePreview, SampleMatch } from './rule-preview.ts';
export type { Run } from './runs.ts';
export type { SeparatedRecord, Separation } from './separations.ts';
export type { StreamHealth, StreamOperation } from './stream-operations.ts';
export type { Story } from './stories.ts';
export type { Stream } from './streams.ts';
export type { SumSuggestion } from './sum-suggestions.ts';
export type { WouldBeMatch } from './would-be-matches.ts';
