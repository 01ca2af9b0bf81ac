import { expect, test } from 'vitest';
import { bookWith } from '../../support/books/book-with.ts';

interface Column {
  readonly name: string;
  readonly notnull: number;
  readonly pk: number;
}

/** Each table with its columns, `?` behind those that may be null, and the names of its indices and triggers. */
test('a book holds exactly these tables, columns, indices and triggers', () => {
  const { connection } = bookWith();
  const names = (type: string, table: string) =>
    connection
      .prepare<[string, string], string>(
        "SELECT name FROM sqlite_schema WHERE type = ? AND (tbl_name = ? OR type = 'table') AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .pluck()
      .all(type, table);
  const lines = names('table', '').flatMap((table) => {
    const columns = connection.pragma(`table_info("${table}")`) as Column[];
    return [
      `${table}: ${columns.map(({ name, notnull, pk }) => (notnull === 1 || pk > 0 ? name : `${name}?`)).join(' ')}`,
      ...['index', 'trigger'].flatMap((type) => (names(type, table).length > 0 ? [`  ${type}: ${names(type, table).join(' ')}`] : [])),
    ];
  });
  expect(lines.filter((line) => !line.startsWith('record_words_')).join('\n')).toMatchInlineSnapshot(`
    "api_keys: id environment_id name permission hash created_at last_used_at? revoked_at? reconciliation_id?
    audit_log: id environment_id at actor action detail content? previous_hash hash
      trigger: audit_log_no_delete audit_log_no_update
    bank_account_balances: id bank_account_id? batch_id? day balance_type amount currency? created_at updated_at
      index: bank_account_balances_newest bank_account_balances_stated
    bank_accounts: id environment_id name currency? created_at updated_at deleted_at? deleted_links?
      index: bank_accounts_name
    bulk_items: body_id first body
    bulk_request_streams: bulk_request_id stream_id batch_id?
      index: bulk_request_streams_stream
    bulk_requests: id environment_id status on_conflict actor idempotency_key? total processed successful failed skipped body_id sha256 byte_length error_message? created_at started_at? completed_at?
      index: bulk_requests_body bulk_requests_idempotency bulk_requests_newest bulk_requests_open
    bulk_results: bulk_request_id item items status record_id? error?
    changed_separations: id reconciliation_id record_key
      index: changed_separations_reconciliation
    column_changes: pack_id record_id
    column_packs: id stream_id first_id last_id ready format records changes reference_field? body checksum
      index: column_packs_stream
      trigger: column_packs_dropped column_packs_outdated
    column_parts: pack_id name chunk checksum body
    column_state: id through is_stale
    content_digests: tab chunk sha256 places fault?
    content_pending: tab first last
    content_state: id writes root sequences entries head schema_version checksum
    coverings: id period_id hash body
    database_connections: id environment_id name engine address last_choices? coming_home? created_at removed_at?
    dismissed_shapes: reconciliation_id shape dismissed_at
    dissolved_matches: match_id reconciliation_id displaced_by? body dissolved_at
      index: dissolved_matches_displaced
    due_runs: reconciliation_id cause changes
    environments: id name
    evidence_parameters: reconciliation_id rule_id version run_id format terms body sha256 lines decisions created_at
    evidence_reviews: match_id reconciliation_id run_id likelihood_before likelihood_now other_record_ids created_at
      index: evidence_reviews_reconciliation
    exceptions: id environment_id reconciliation_id stream_id title description? status created_at updated_at opened_at closed_at? assignee? comment?
      index: exceptions_environment exceptions_one_open exceptions_reconciliation exceptions_stream
    former_recipes: id recipe_id fingerprint body replaced_at
      index: former_recipes_of
    idempotent_answers: environment_id operation idempotency_key input_sha256 answer created_at
    import_batches: id environment_id stream_id writing wiped_by? source filename? format recipe? whose? sha256 byte_length kept skipped rejected totals date_start? date_end? periods? currency? opening_balance? closing_balance? proof problems created_at
      index: import_batches_sha256 import_batches_source import_batches_stream import_batches_wiped import_batches_writing
      trigger: due_runs_batch
    import_recipes: id environment_id name fingerprint body created_at updated_at last_used_at?
    import_rows: job_id kind first count body
    jobs: id environment_id kind status phase processed total payload result? error_message? run_id? created_at completed_at?
      index: jobs_open jobs_run
    kept_files: batch_id sha256 byte_length is_packed content
    listed_amounts: environment_id currency direction amount id stream_id batch_id? day created_at
    listed_keys: stream_id key_print record_id
    match_records: record_id reconciliation_id slot match_id side
      trigger: reconciled_days_let_go reconciled_days_lost
    matches: id reconciliation_id run_id? rule_id? status origin certainty? margin? likelihood? evidence? difference difference_code? difference_note? group_key? explanation cohort? record_count side_a_count a_record_id? b_record_id? members? adjustment_id? confirmed_at? confirmed_by? confirmed_in_bulk created_at
      index: matches_adjusted matches_differing matches_likelihood matches_status
      trigger: matches_counted matches_gone matches_gone_whole
    open_item_notes: reconciliation_id record_id status owner? comment? expected_on? updated_at updated_by
    overdue_records: record_id reconciliation_id overdue_at
      index: overdue_records_reconciliation
    period_balances: period_id currency side decimal_places opening? stated_closing?
    property_definitions: id stream_id key name type optional created_at
      trigger: due_runs_property due_runs_removed_property
    reconciled_days: stream_id day reconciliation_id through
    reconciliation_periods: id reconciliation_id first_day last_day state prepared_by? prepared_at? reviewed_by? reviewed_at? closed_by? closed_at? created_at
      index: reconciliation_periods_closed
    reconciliation_streams: reconciliation_id stream_id side
      index: reconciliation_streams_stream
      trigger: due_runs_side
    reconciliations: id environment_id name run_type sign_convention published_run_id? proposals_since? bank_side? created_at
      index: reconciliations_environment
      trigger: due_runs_on_request due_runs_reconciliation run_bases_on_request
    record_words: words?
    records: id environment_id stream_id batch_id? day value_day? amount direction currency decimal_places description? external_id? metadata dedupe_key? key_print? created_at
      index: records_all_amount records_all_created records_all_day records_batch_created records_batch_day records_day records_dedupe records_loose records_other_external records_stream_created
      trigger: column_packs_edited column_packs_left reconciled_days_moved records_held records_listed_edited records_listed_gone records_listed_key_edited records_unlisted records_words_edited records_words_gone run_bases_edited run_bases_gone
    removed_aliases: reconciliation_id a b removed_at
    removed_rules: rule_id reconciliation_id body removed_at
      index: removed_rules_reconciliation
    reversals: record_id stream_id mark reverses_record_id?
      index: reversals_stream
    rules: id reconciliation_id priority method filters description? source confidence? sample_match_rate? edited status paused paused_reason? outcome commit_certainty cardinality group_by rollup? budget? max_difference? created_at
      index: rules_reconciliation
      trigger: due_runs_new_rule due_runs_removed_rule due_runs_rule
    run_bases: run_id reconciliation_id facts records
      index: run_bases_reconciliation
    run_exclusions: run_id record_id
    run_facts: run_id body
    run_separations: run_id record_key
    runs: id reconciliation_id writing kind mode cause status total_records processed_records examined_records? matched_records matches matched_side_a matched_side_b proposed_matches first_match_id? last_match_id? rule_summary no_shared_currency? proposals? undone_at? error_message? created_at started_at? completed_at?
      index: runs_one_at_a_time runs_reconciliation runs_writing
    saved_views: id environment_id list name filter removed_at?
    search_changes: gone record_id
    search_state: id recipe through
    separations: id reconciliation_id record_key created_at cleared_at?
      index: separations_key separations_newest
      trigger: changed_separations_cleared changed_separations_gone changed_separations_new
    settings: key value
    sign_offs: id period_id kind signed_by signed_at reason? figures covering_hash audit_entries audit_head notation? account_names?
      index: sign_offs_period
    stories: id environment_id name created_at
      index: stories_environment
    story_links: id story_id position reconciliation_id shared_stream_id?
      index: story_links_reconciliation story_links_shared_stream
    stream_operations: id environment_id stream_id stream_key kind status actor processed total error_message? wiped_at? created_at started_at? completed_at?
      index: stream_operations_open stream_operations_stream
    streams: id environment_id key name description? type bank_account_id? currency? reference_field? read_by batch_lines literal_debit_credit created_at
      index: streams_bank_account
      trigger: due_runs_reference
    sync_conflicts: id remote_id kind resource local_id? remote_key? what local remote choices choice? decided_at? detail seen_at
      index: sync_conflicts_remote
    sync_intents: id remote_id resource local_id idempotency_key body_hash sent_at sent_as is_unsure choice? decided_at?
    sync_lines: run_id counted place act resource local_id? name reason
    sync_links: remote_id resource local_id remote_key local_hash remote_hash agreed?
    sync_moves: run_id way counted place count lines
    sync_remotes: id environment_id name base_url kind seed created_at last_synced_at? every_minutes? when_online verified? instance_id? book_id? remote_environment? agreed_entries? agreed_head? own_instance? key_suffix question? answer?
    sync_runs: id remote_id what started_by started_at ended_at? backup? result? verified? undone_at?
      index: sync_runs_remote
    sync_undone: remote_id resource local_id? remote_key remote_hash what
    undo_entries: id environment_id position label steps again? undone reconciliation_id? period_id? sign_offs actor done_at
      index: undo_entries_position
    undone_matches: run_id match_id rule_id? a_record_id? b_record_id? members?
    wiped_matches: match_id wipe_id adjustment_id?
      index: wiped_matches_adjusted wiped_matches_wipe
    wipes: id environment_id stream_id stream_key batch_id? operation_id? actor flipped_at? records matches proposals
      index: wipes_flipped
    wordings: id stream_id record_id batch_id dedupe_key day value_day? description? external_id? metadata added
      index: wordings_batch wordings_key wordings_record
    would_be_matches: run_id position body"
  `);
});

test('a new book has its environments and nothing else', () => {
  const { connection } = bookWith();
  expect(connection.prepare('SELECT id, name FROM environments ORDER BY id').raw().all()).toEqual([
    [0, 'removed'],
    [1, 'live'],
    [2, 'test'],
  ]);
  expect(connection.prepare('SELECT recipe, through FROM search_state').raw().all()).toEqual([[0, 0]]);
  expect(connection.prepare('SELECT through, is_stale FROM column_state').raw().all()).toEqual([[0, 0]]);
});

/** Such a trigger would make SQLite copy each page aside before it is written, row by row: three times the time of an insertion. */
test('no trigger watches the insertion of records, matches, or members of matches', () => {
  const { connection } = bookWith();
  const triggers = connection.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
  expect(triggers.length).toBeGreaterThan(30);
  expect(triggers.filter((sql) => /^CREATE TRIGGER \w+ (?:BEFORE|AFTER) INSERT ON (?:records|matches|match_records)\b/.test(sql))).toEqual(
    [],
  );
});
