/** The rows of a remote. Members have the names of the wire; those that the wire does not show are in camel case. */
export interface StreamRow {
  readonly id: number;
  readonly key: string;
  name: string;
  description: string | null;
  readonly type: string;
}

export type Direction = 'credit' | 'debit';
export type Metadata = Readonly<Record<string, unknown>>;

export interface RecordRow {
  readonly id: number;
  readonly streamId: number;
  amount: number;
  direction: Direction;
  date: string;
  currency: string;
  decimal_places: number;
  description: string | null;
  metadata: Metadata | null;
  external_id: string | null;
  readonly batchId: number | null;
  readonly bulkId: number | null;
  readonly created_at: string;
  updated_at: string;
}

export interface BatchRow {
  readonly id: number;
  readonly streamId: number;
  readonly source: 'csv_upload' | 'nacha_upload' | 'bulk_api';
  readonly filename: string | null;
  readonly created_at: string;
}

export interface BulkResult {
  readonly index: number;
  readonly status: 'successful' | 'failed' | 'skipped';
  readonly record_id: number | null;
  readonly error: string | null;
}

export interface BulkRow {
  readonly id: number;
  readonly idempotencyKey: string | null;
  readonly items: readonly unknown[];
  readonly on_conflict: 'skip' | 'error';
  status: 'pending' | 'processing' | 'completed';
  readonly results: BulkResult[];
  stepsLeft: number;
  readonly created_at: string;
}

export interface OperationRow {
  readonly id: number;
  readonly data_stream_id: number;
  readonly data_stream_key: string;
  readonly kind: 'delete' | 'reset';
  status: 'pending' | 'running' | 'completed' | 'failed';
  error_message: string | null;
  started_at: string | null;
  completed_at: string | null;
  readonly created_at: string;
}

export interface ReconciliationRow {
  readonly id: number;
  name: string;
  run_type: string;
  readonly sideA: readonly number[];
  readonly sideB: readonly number[];
  readonly created_at: string;
}

export interface RuleRow {
  readonly id: number;
  readonly reconciliation_id: number;
  filters: Metadata;
  priority: number;
  group_by: readonly string[];
  cardinality: 'one_to_one' | 'many_to_one';
  rollup: Metadata | null;
  description: string | null;
  readonly source: 'user' | 'ai' | 'default';
  status: 'active' | 'proposed';
  readonly confidence: string | null;
  readonly sample_match_rate: string | null;
  readonly created_at: string;
}

export interface MatchRow {
  readonly id: number;
  status: string;
  readonly group_key: string | null;
  readonly reconciliation_id: number;
  readonly reconciliation_rule_id: number | null;
  readonly recordIds: readonly number[];
  readonly created_at: string;
}

export interface OverdueRow {
  readonly recordId: number;
  readonly reconciliationId: number;
  readonly at: string;
}

export interface LinkRow {
  readonly id: number;
  readonly position: number;
  readonly reconciliation_id: number;
  readonly shared_data_stream_id: number | null;
}

export interface StoryRow {
  readonly id: number;
  name: string;
  links: readonly LinkRow[];
  readonly created_at: string;
}

export interface AccountRow {
  readonly id: number;
  name: string;
  currency: string | null;
  readonly created_at: string;
  updated_at: string;
}

export const BALANCE_TYPES: readonly string[] = [
  'opening_ledger',
  'closing_ledger',
  'current_ledger',
  'opening_available',
  'opening_available_next_business_day',
  'closing_available',
  'current_available',
  'previously_closed_book',
  'other',
];

export interface BalanceRow {
  readonly id: number;
  readonly bank_account_id: number;
  readonly date: string;
  readonly balance_type: string;
  amount_cents: number;
  readonly created_at: string;
  updated_at: string;
}

export interface DefinitionRow {
  readonly id: number;
  readonly key: string;
  name: string;
  readonly type: string;
  optional: boolean;
  readonly data_stream_key: string;
}
