import type { Generated } from 'kysely';
import type { ViewedList } from '../../src-shared/contract/book/views.ts';

/** Rows as SQLite holds them; see migrations/0001-first-book.ts for units. */
interface StreamRow {
  id: Generated<number>;
  environment_id: number;
  key: string;
  name: string;
  description: string | null;
  type: string;
  bank_account_id: number | null;
  currency: string | null;
  reference_field: string | null;
  literal_debit_credit: Generated<number>;
  created_at: number;
  read_by: Generated<'booking_date' | 'value_date'>;
  batch_lines: Generated<'entry' | 'parts'>;
}

interface ImportBatchRow {
  id: Generated<number>;
  environment_id: number;
  stream_id: number;
  writing: number;
  source: string;
  filename: string | null;
  format: string;
  sha256: string;
  byte_length: number;
  kept: number;
  skipped: number;
  rejected: number;
  totals: string;
  date_start: number | null;
  date_end: number | null;
  opening_balance: number | null;
  closing_balance: number | null;
  proof: string;
  problems: string;
  created_at: number;
  wiped_by: Generated<number | null>;
  periods: Generated<string | null>;
  /** The currency of its balances and of those in `periods`; null for a batch without balances. */
  currency: Generated<string | null>;
  recipe: string | null;
  /** JSON: `accounts` and `holders` that the file names; null where it names none. */
  whose: Generated<string | null>;
}

interface StreamOperationRow {
  id: Generated<number>;
  environment_id: number;
  stream_id: number;
  stream_key: string;
  kind: 'delete' | 'reset';
  status: 'pending' | 'running' | 'completed' | 'failed';
  actor: string;
  processed: Generated<number>;
  total: Generated<number>;
  error_message: string | null;
  wiped_at: number | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

interface RecordRow {
  id: Generated<number>;
  environment_id: number;
  stream_id: number;
  batch_id: number | null;
  day: number;
  amount: number;
  direction: number;
  currency: string;
  decimal_places: number;
  description: string | null;
  external_id: string | null;
  metadata: string;
  dedupe_key: string | null;
  created_at: number;
  /** For a listed record, `fingerprintOf` its dedupe key; else null. */
  key_print: Generated<number | null>;
  /** Days since 1970-01-01; null if unknown. */
  value_day: Generated<number | null>;
}

interface ReconciliationRow {
  id: Generated<number>;
  environment_id: number;
  name: string;
  run_type: string;
  sign_convention: string;
  published_run_id: number | null;
  /** The last run that computed all proposals: those of it and later runs are valid. */
  proposals_since: Generated<number | null>;
  /** Null until a person says which side is the bank. */
  bank_side: Generated<'a' | 'b' | 'none' | null>;
  created_at: number;
}

interface ReconciliationStreamRow {
  reconciliation_id: number;
  stream_id: number;
  side: 'a' | 'b';
}

interface RuleRow {
  id: Generated<number>;
  reconciliation_id: number;
  priority: number;
  filters: string;
  description: string | null;
  source: string;
  status: string;
  outcome: string;
  commit_certainty: string;
  /** `conditions` or `evidence`. */
  method: Generated<string>;
  /** For a rule of evidence: the accepted number of expected wrong links per 10,000. */
  budget: Generated<number | null>;
  /** For a rule of evidence: JSON, `{minor}` or `{percent}`; null for none. */
  max_difference: Generated<string | null>;
  /** 1: kept but not used. */
  paused: Generated<number>;
  paused_reason: Generated<string | null>;
  cardinality: string;
  group_by: string;
  rollup: string | null;
  /** 1 once a person changed the rule; new proposals then leave it alone. */
  edited: Generated<number>;
  confidence: Generated<string | null>;
  sample_match_rate: Generated<string | null>;
  created_at: number;
}

interface RunRow {
  id: Generated<number>;
  reconciliation_id: number;
  writing: Generated<number>;
  kind: string;
  mode: string;
  cause: string;
  status: string;
  total_records: Generated<number>;
  processed_records: Generated<number>;
  matched_records: Generated<number>;
  matches: Generated<number>;
  matched_side_a: Generated<number>;
  matched_side_b: Generated<number>;
  proposed_matches: Generated<number>;
  rule_summary: Generated<string>;
  error_message: string | null;
  /** The number of records that the run compared; null before it is complete. */
  examined_records: Generated<number | null>;
  /** For a run that proposes rules, JSON: `rules`, `nothing`; null for one that matches. */
  proposals: Generated<string | null>;
  /** When a person undid the run as a whole. */
  undone_at: Generated<number | null>;
  /** The id range of the run's matches; other matches may lie in between. */
  first_match_id: Generated<number | null>;
  last_match_id: Generated<number | null>;
  /** JSON: `side_a` and `side_b`, the currencies of sides that share none; else null. */
  no_shared_currency: Generated<string | null>;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

interface MatchRow {
  id: Generated<number>;
  reconciliation_id: number;
  run_id: number | null;
  rule_id: number | null;
  status: 'matched' | 'proposed';
  origin: string;
  certainty: string | null;
  difference: number;
  group_key: string | null;
  explanation: string;
  record_count: number;
  confirmed_at: number | null;
  adjustment_id: Generated<number | null>;
  created_at: number;
  side_a_count: number;
  a_record_id: number | null;
  b_record_id: number | null;
  members: string | null;
  /** Explains a many-to-one match of a run without all of its records, see `cohortText`. */
  cohort: Generated<string | null>;
  /** For a pair that is `best`, if known: JSON, see `marginText`. */
  margin: Generated<string | null>;
  /** The reason for a difference: one of the contract's codes, and a note. */
  difference_code: Generated<string | null>;
  difference_note: Generated<string | null>;
  /** Who confirmed a proposal, and whether in bulk by its likelihood. */
  confirmed_by: Generated<string | null>;
  confirmed_in_bulk: Generated<number>;
  /** For a match of evidence: log2 of the odds that it is right, in 1/64 bit. */
  likelihood: Generated<number | null>;
  /** For a match of evidence: what each kind adds, see `packWeight` of the engine. */
  evidence: Generated<number | null>;
}

interface EvidenceParametersRow {
  reconciliation_id: number;
  rule_id: number;
  version: number;
  run_id: number;
  /** The version of the body's format; 0 means that what was learned before is forgotten, and there is no body. */
  format: number;
  /** The conditions of learning: filters, sign convention and fields, as JSON. */
  terms: string;
  /** JSON. */
  body: string;
  sha256: string;
  /** The numbers of lines of both sides, and of people's decisions, from which it was learned. */
  lines: number;
  decisions: number;
  created_at: number;
}

interface EvidenceReviewRow {
  match_id: number;
  reconciliation_id: number;
  run_id: number;
  likelihood_before: number;
  likelihood_now: number;
  /** JSON: the records that fit better now; empty if none do. */
  other_record_ids: string;
  created_at: number;
}

interface MatchRecordRow {
  record_id: number;
  reconciliation_id: number;
  slot: number;
  match_id: number;
  side: 'a' | 'b';
}

interface JobRow {
  id: Generated<number>;
  environment_id: number;
  kind: string;
  status: string;
  phase: Generated<string>;
  processed: Generated<number>;
  total: Generated<number>;
  payload: string;
  result: string | null;
  error_message: string | null;
  run_id: number | null;
  created_at: number;
  completed_at: number | null;
}

interface ApiKeyRow {
  id: Generated<number>;
  environment_id: number;
  name: string;
  /** The only reconciliation that a sheet link shows, which may be deleted by now. Null for a key. */
  reconciliation_id: number | null;
  permission: 'read' | 'read_write';
  hash: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

interface BankAccountRow {
  id: Generated<number>;
  environment_id: number;
  name: string;
  currency: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: Generated<number | null>;
  /** JSON: `streams`, the ids of formerly linked ones, and `to`, the id of the account that they were moved to, or null. */
  deleted_links: Generated<string | null>;
}

interface ImportRecipeRow {
  id: Generated<number>;
  environment_id: number;
  name: string;
  fingerprint: string;
  body: string;
  created_at: number;
  updated_at: number;
  last_used_at: number | null;
}

interface FormerRecipeRow {
  id: Generated<number>;
  recipe_id: number;
  fingerprint: string;
  body: string;
  replaced_at: number;
}

/** Rows of a file that were not imported, some hundred of them: deflated JSON. */
interface ImportRowsRow {
  job_id: number;
  kind: string;
  first: number;
  count: number;
  body: Uint8Array;
}

interface KeptFileRow {
  batch_id: number;
  sha256: string;
  /** The length of the file before it was packed. */
  byte_length: number;
  is_packed: number;
  content: Uint8Array;
}

/** Belongs to an account, or to the batch whose statement states it. */
interface BankAccountBalanceRow {
  id: Generated<number>;
  bank_account_id: number | null;
  batch_id: number | null;
  day: number;
  balance_type: string;
  amount: number;
  currency: string | null;
  created_at: number;
  updated_at: number;
}

interface StoryLinkRow {
  id: Generated<number>;
  story_id: number;
  position: number;
  reconciliation_id: number;
  shared_stream_id: number | null;
}

interface PropertyDefinitionRow {
  id: Generated<number>;
  stream_id: number;
  key: string;
  name: string;
  type: string;
  optional: number;
  created_at: number;
}

interface BulkRequestRow {
  id: Generated<number>;
  environment_id: number;
  status: string;
  on_conflict: string;
  actor: string;
  idempotency_key: string | null;
  total: number;
  processed: Generated<number>;
  successful: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  body_id: number;
  sha256: string;
  byte_length: number;
  error_message: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

interface BulkResultRow {
  bulk_request_id: number;
  item: number;
  items: number;
  status: string;
  record_id: number | null;
  error: string | null;
}

interface ExceptionRow {
  id: Generated<number>;
  environment_id: number;
  reconciliation_id: number;
  stream_id: number;
  title: string;
  description: string | null;
  status: 'open' | 'investigating' | 'dismissed' | 'resolved';
  created_at: number;
  updated_at: number;
  opened_at: number;
  closed_at: number | null;
  assignee: string | null;
  comment: string | null;
}

interface IdempotentAnswerRow {
  environment_id: number;
  operation: string;
  idempotency_key: string;
  input_sha256: string;
  answer: string;
  created_at: number;
}

interface WipeRow {
  id: Generated<number>;
  environment_id: number;
  stream_id: number;
  stream_key: string;
  batch_id: number | null;
  operation_id: number | null;
  actor: string;
  flipped_at: number | null;
  records: Generated<number>;
  matches: Generated<number>;
  proposals: Generated<number>;
}

interface SeparationRow {
  id: Generated<number>;
  reconciliation_id: number;
  record_key: string;
  created_at: number;
  cleared_at: number | null;
}

export interface Tables extends PackTables, PeriodTables, SyncTables {
  environments: { id: number; name: string };
  settings: { key: string; value: string };
  streams: StreamRow;
  import_batches: ImportBatchRow;
  stream_operations: StreamOperationRow;
  records: RecordRow;
  reversals: { record_id: number; stream_id: number; mark: string; reverses_record_id: number | null };
  wordings: Pick<RecordRow, 'stream_id' | 'day' | 'value_day' | 'description' | 'external_id' | 'metadata'> & {
    id: Generated<number>;
    record_id: number;
    batch_id: number;
    dedupe_key: string;
    added: string;
  };
  search_state: { id: number; recipe: number; through: number };
  search_changes: { gone: number; record_id: number };
  reconciled_days: { stream_id: number; day: number; reconciliation_id: number; through: number };
  reconciliations: ReconciliationRow;
  reconciliation_streams: ReconciliationStreamRow;
  rules: RuleRow;
  dismissed_shapes: { reconciliation_id: number; shape: string; dismissed_at: number };
  removed_rules: { rule_id: number; reconciliation_id: number; body: string; removed_at: number };
  would_be_matches: { run_id: number; position: number; body: string };
  undone_matches: Pick<MatchRow, 'rule_id' | 'a_record_id' | 'b_record_id' | 'members'> & { run_id: number; match_id: number };
  runs: RunRow;
  matches: MatchRow;
  evidence_parameters: EvidenceParametersRow;
  evidence_reviews: EvidenceReviewRow;
  removed_aliases: { reconciliation_id: number; a: string; b: string; removed_at: number };
  match_records: MatchRecordRow;
  dissolved_matches: { match_id: number; reconciliation_id: number; displaced_by: number | null; body: string; dissolved_at: number };
  separations: SeparationRow;
  wipes: WipeRow;
  wiped_matches: { match_id: number; wipe_id: number; adjustment_id: number | null };
  run_exclusions: { run_id: number; record_id: number };
  run_separations: { run_id: number; record_key: string };
  run_facts: { run_id: number; body: string };
  run_bases: { run_id: number; reconciliation_id: number; facts: string; records: Buffer };
  changed_separations: { id: Generated<number>; reconciliation_id: number; record_key: string };
  overdue_records: { record_id: number; reconciliation_id: number; overdue_at: number };
  due_runs: { reconciliation_id: number; cause: 'record_created' | 'rule_activated'; changes: number };
  exceptions: ExceptionRow;
  jobs: JobRow;
  api_keys: ApiKeyRow;
  database_connections: {
    id: Generated<number>;
    environment_id: number;
    name: string;
    engine: 'duckdb' | 'postgres' | 'spark';
    address: string;
    /** JSON: what a person chose for the last run. */
    last_choices: string | null;
    /** JSON: the keys of the accounts that a run under way makes. */
    coming_home: string | null;
    created_at: number;
    removed_at: number | null;
  };
  saved_views: {
    id: Generated<number>;
    environment_id: number;
    list: ViewedList;
    name: string;
    /** JSON: the fields of the filter by name. */
    filter: string;
    removed_at: number | null;
  };
  bank_accounts: BankAccountRow;
  bank_account_balances: BankAccountBalanceRow;
  import_recipes: ImportRecipeRow;
  former_recipes: FormerRecipeRow;
  import_rows: ImportRowsRow;
  kept_files: KeptFileRow;
  stories: { id: Generated<number>; environment_id: number; name: string; created_at: number };
  story_links: StoryLinkRow;
  property_definitions: PropertyDefinitionRow;
  bulk_requests: BulkRequestRow;
  bulk_items: { body_id: number; first: number; body: string };
  bulk_results: BulkResultRow;
  bulk_request_streams: { bulk_request_id: number; stream_id: number; batch_id: number | null };
  idempotent_answers: IdempotentAnswerRow;
  undo_entries: UndoEntryRow;
  audit_log: {
    id: Generated<number>;
    environment_id: number;
    at: number;
    actor: string;
    action: string;
    detail: string;
    previous_hash: string;
    hash: string;
    /** The hash of everything that the book then held. */
    content: string | null;
  };
}

interface UndoEntryRow {
  id: Generated<number>;
  environment_id: number;
  /** Grows with every change, undo and redo, so that the newest of each kind is the last. */
  position: number;
  label: string;
  /** JSON: the operations that undo it, in order. */
  steps: string;
  /** JSON: the operation that redoes it; null if none does. */
  again: string | null;
  /** 1 if it was undone and can be redone. */
  undone: Generated<number>;
  reconciliation_id: number | null;
  period_id: number | null;
  /** The id of the newest sign-off at that time; 0 if there was none. */
  sign_offs: number;
  actor: string;
  done_at: number;
}

interface ColumnPackRow {
  id: Generated<number>;
  stream_id: number;
  first_id: number;
  last_id: number;
  ready: number;
  format: number;
  records: number;
  changes: number;
  reference_field: string | null;
  body: string;
  checksum: number;
}

/** The records of streams as compressed columns. */
interface PackTables {
  column_packs: ColumnPackRow;
  column_parts: { pack_id: number; name: string; chunk: number; checksum: number; body: Uint8Array };
  column_changes: { pack_id: number; record_id: number };
  column_state: { id: number; through: number; is_stale: number };
}

interface ReconciliationPeriodRow {
  id: Generated<number>;
  reconciliation_id: number;
  first_day: number;
  last_day: number;
  state: 'open' | 'prepared' | 'reviewed' | 'closed';
  prepared_by: string | null;
  prepared_at: number | null;
  reviewed_by: string | null;
  reviewed_at: number | null;
  closed_by: string | null;
  closed_at: number | null;
  created_at: number;
}

/** Signed minor units. */
interface PeriodBalanceRow {
  period_id: number;
  currency: string;
  side: 'a' | 'b';
  decimal_places: number;
  opening: number | null;
  stated_closing: number | null;
}

interface SignOffRow {
  id: Generated<number>;
  period_id: number;
  kind: 'prepare' | 'review' | 'close' | 'reopen';
  signed_by: string;
  signed_at: number;
  reason: string | null;
  /** JSON. */
  figures: string;
  covering_hash: string;
  /** The audit log just before the sign-off. */
  audit_entries: number;
  audit_head: string;
  /** JSON; null where it was signed before a book had a notation. */
  notation: string | null;
  /** JSON: the names of the accounts of both sides; null where it was signed before they were kept. */
  account_names: string | null;
}

interface OpenItemNoteRow {
  reconciliation_id: number;
  record_id: number;
  status: 'open' | 'in_transit' | 'outstanding' | 'to_be_booked' | 'bank_error' | 'book_error' | 'timing' | 'disputed';
  owner: string | null;
  comment: string | null;
  expected_on: number | null;
  updated_at: number;
  updated_by: string;
}

/** Rows of the close as SQLite holds them; see migrations/first-book/reconciliations.ts for units. */
interface PeriodTables {
  reconciliation_periods: ReconciliationPeriodRow;
  period_balances: PeriodBalanceRow;
  coverings: { id: Generated<number>; period_id: number; hash: string; body: Buffer };
  sign_offs: SignOffRow;
  open_item_notes: OpenItemNoteRow;
}

/** Rows of sync as SQLite holds them; see migrations/0001-first-book.ts. */
interface SyncTables {
  sync_remotes: {
    id: Generated<number>;
    environment_id: number;
    name: string;
    base_url: string;
    kind: 'specification' | 'live' | 'tieout';
    seed: string;
    created_at: number;
    last_synced_at: number | null;
    every_minutes: Generated<number | null>;
    when_online: Generated<0 | 1>;
    /** JSON: the last comparison of both sides. */
    verified: Generated<string | null>;
    /** Null if the remote states no identity, or was never synced. */
    instance_id: Generated<string | null>;
    /** The remote's book id, which copies and restored books share. */
    book_id: Generated<string | null>;
    remote_environment: Generated<string | null>;
    /** The state of its history when both sides last agreed. */
    agreed_entries: Generated<number | null>;
    agreed_head: Generated<string | null>;
    /** The copy of this book that synced last. */
    own_instance: Generated<string | null>;
    /** Empty unless another remote has the same address. */
    key_suffix: Generated<string>;
    /** JSON: the question with which a sync stopped, and a person's answers. */
    question: Generated<string | null>;
    answer: Generated<string | null>;
  };
  sync_links: {
    remote_id: number;
    resource: string;
    local_id: number;
    remote_key: string;
    local_hash: string;
    remote_hash: string;
    agreed: string | null;
  };
  sync_intents: {
    id: Generated<number>;
    remote_id: number;
    resource: string;
    local_id: number;
    idempotency_key: string;
    body_hash: string;
    sent_at: number;
    /** A description by which a person finds it. */
    sent_as: string;
    is_unsure: Generated<0 | 1>;
    /** `send_again`, or the remote id. */
    choice: Generated<string | null>;
    decided_at: Generated<number | null>;
  };
  sync_conflicts: {
    id: number;
    remote_id: number;
    kind: 'match' | 'rule' | 'name' | 'balance' | 'record' | 'closed_period' | 'overlap';
    resource: string;
    local_id: number | null;
    remote_key: string | null;
    what: string;
    local: string;
    remote: string;
    /** JSON. */
    choices: string;
    choice: string | null;
    decided_at: number | null;
    /** JSON: both sides as they were seen. */
    detail: string;
    seen_at: number;
  };
  /** `result` and `verified` are JSON; `backup` is the name of the backup made before. */
  sync_runs: {
    id: Generated<number>;
    remote_id: number;
    what: 'sync' | 'repair';
    started_by: 'by_hand' | 'schedule' | 'network' | 'command';
    started_at: number;
    ended_at: number | null;
    backup: string | null;
    result: string | null;
    verified: string | null;
    undone_at: Generated<number | null>;
  };
  /** The changes that an undone sync had made here, until a person decides about them. */
  sync_undone: {
    remote_id: number;
    resource: string;
    local_id: number | null;
    remote_key: string;
    remote_hash: string;
    what: 'made' | 'gone' | 'changed';
  };
  /** The lines that one sync moved: `count` lines from `place` on, as JSON. `counted` is the figure in which they count. */
  sync_moves: { run_id: number; way: 'sent' | 'received'; counted: string; place: number; count: number; lines: string };
  /**
   * The objects that one sync did not move, in the order of `place`. `resource` is the kind of the object, `counted` the figure in which it counts.
   */
  sync_lines: {
    run_id: number;
    counted: string;
    place: number;
    act: 'stays' | 'refused' | 'unsure';
    resource: string;
    local_id: number | null;
    name: string;
    reason: string;
  };
}
