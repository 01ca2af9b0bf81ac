import { expect, test } from 'vitest';
import { testFolder } from '../../support/backend.ts';
import { shapeOfVersion } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 1 makes exactly these tables, keys, indices and triggers', () => {
  expect(shapeOfVersion(1).join('\n')).toMatchInlineSnapshot(`
    "api_keys
      id INTEGER key 1
      environment_id INTEGER not null
      name TEXT not null
      permission TEXT not null
      hash TEXT not null
      created_at INTEGER not null
      last_used_at INTEGER
      revoked_at INTEGER
      environment_id -> environments
    audit_log
      id INTEGER key 1
      environment_id INTEGER not null
      at INTEGER not null
      actor TEXT not null
      action TEXT not null
      detail TEXT not null
      previous_hash TEXT not null
      hash TEXT not null
    dissolved_matches
      match_id INTEGER key 1
      reconciliation_id INTEGER not null
      displaced_by INTEGER
      body TEXT not null
      dissolved_at INTEGER not null
    environments
      id INTEGER key 1
      name TEXT not null
    import_batches
      id INTEGER key 1
      environment_id INTEGER not null
      stream_id INTEGER not null
      writing INTEGER not null
      source TEXT not null
      filename TEXT
      format TEXT not null
      sha256 TEXT not null
      byte_length INTEGER not null
      kept INTEGER not null
      skipped INTEGER not null
      rejected INTEGER not null
      totals TEXT not null
      date_start INTEGER
      date_end INTEGER
      opening_balance INTEGER
      closing_balance INTEGER
      proof TEXT not null
      problems TEXT not null
      created_at INTEGER not null
      stream_id -> streams
      environment_id -> environments
    jobs
      id INTEGER key 1
      environment_id INTEGER not null
      kind TEXT not null
      status TEXT not null
      phase TEXT not null ''
      processed INTEGER not null 0
      total INTEGER not null 0
      payload TEXT not null
      result TEXT
      error_message TEXT
      run_id INTEGER
      created_at INTEGER not null
      completed_at INTEGER
      run_id -> runs
      environment_id -> environments
    match_records
      match_id INTEGER not null key 1
      record_id INTEGER not null key 2
      reconciliation_id INTEGER not null
      side TEXT not null
      counted INTEGER not null
      record_id -> records
      match_id -> matches on delete cascade
    matches
      id INTEGER key 1
      reconciliation_id INTEGER not null
      run_id INTEGER
      rule_id INTEGER
      status TEXT not null
      origin TEXT not null
      certainty TEXT
      difference INTEGER not null
      group_key TEXT
      explanation TEXT not null
      record_count INTEGER not null
      confirmed_at INTEGER
      created_at INTEGER not null
      run_id -> runs
      reconciliation_id -> reconciliations
    reconciliation_streams
      reconciliation_id INTEGER not null key 1
      stream_id INTEGER not null key 2
      side TEXT not null
      stream_id -> streams
      reconciliation_id -> reconciliations
    reconciliations
      id INTEGER key 1
      environment_id INTEGER not null
      name TEXT not null
      run_type TEXT not null
      sign_convention TEXT not null
      published_run_id INTEGER
      created_at INTEGER not null
      environment_id -> environments
    records
      id INTEGER key 1
      environment_id INTEGER not null
      stream_id INTEGER not null
      batch_id INTEGER
      day INTEGER not null
      amount INTEGER not null
      direction INTEGER not null
      currency TEXT not null
      decimal_places INTEGER not null
      description TEXT
      external_id TEXT
      metadata TEXT not null
      dedupe_key TEXT
      created_at INTEGER not null
      batch_id -> import_batches
      stream_id -> streams
    rules
      id INTEGER key 1
      reconciliation_id INTEGER not null
      priority INTEGER not null
      filters TEXT not null
      description TEXT
      source TEXT not null
      status TEXT not null
      outcome TEXT not null
      commit_certainty TEXT not null
      cardinality TEXT not null
      group_by TEXT not null
      rollup TEXT
      created_at INTEGER not null
      reconciliation_id -> reconciliations
    run_exclusions
      run_id INTEGER not null key 1
      record_id INTEGER not null key 2
      run_id -> runs
    runs
      id INTEGER key 1
      reconciliation_id INTEGER not null
      writing INTEGER not null 0
      kind TEXT not null
      mode TEXT not null
      cause TEXT not null
      status TEXT not null
      total_records INTEGER not null 0
      processed_records INTEGER not null 0
      matched_records INTEGER not null 0
      matches INTEGER not null 0
      matched_side_a INTEGER not null 0
      matched_side_b INTEGER not null 0
      proposed_matches INTEGER not null 0
      rule_summary TEXT not null '{}'
      error_message TEXT
      created_at INTEGER not null
      started_at INTEGER
      completed_at INTEGER
      reconciliation_id -> reconciliations
    separations
      reconciliation_id INTEGER not null key 1
      record_key TEXT not null key 2
      created_at INTEGER not null
      reconciliation_id -> reconciliations
    settings
      key TEXT not null key 1
      value TEXT not null
    streams
      id INTEGER key 1
      environment_id INTEGER not null
      key TEXT not null
      name TEXT not null
      description TEXT
      type TEXT not null
      bank_account_id INTEGER
      currency TEXT
      reference_field TEXT
      literal_debit_credit INTEGER not null 0
      created_at INTEGER not null
      environment_id -> environments
    CREATE INDEX dissolved_matches_displaced ON dissolved_matches(displaced_by) WHERE displaced_by IS NOT NULL
    CREATE INDEX import_batches_stream ON import_batches(stream_id, created_at, id)
    CREATE INDEX import_batches_writing ON import_batches(id) WHERE writing = 1
    CREATE INDEX jobs_open ON jobs(id) WHERE status IN ('pending', 'running')
    CREATE INDEX jobs_run ON jobs(run_id) WHERE run_id IS NOT NULL
    CREATE UNIQUE INDEX match_records_counted ON match_records(record_id, reconciliation_id) WHERE counted = 1
    CREATE INDEX match_records_record ON match_records(record_id, reconciliation_id)
    CREATE INDEX matches_newest ON matches(reconciliation_id, id)
    CREATE INDEX matches_reconciliation ON matches(reconciliation_id, status, id)
    CREATE INDEX matches_run ON matches(run_id)
    CREATE INDEX reconciliation_streams_stream ON reconciliation_streams(stream_id)
    CREATE INDEX reconciliations_environment ON reconciliations(environment_id, created_at, id)
    CREATE INDEX records_batch ON records(batch_id, id)
    CREATE INDEX records_created ON records(environment_id, created_at, id)
    CREATE INDEX records_day ON records(stream_id, day, id)
    CREATE UNIQUE INDEX records_dedupe ON records(stream_id, dedupe_key)
    CREATE INDEX records_external ON records(stream_id, external_id) WHERE external_id IS NOT NULL
    CREATE INDEX rules_reconciliation ON rules(reconciliation_id, priority, id)
    CREATE UNIQUE INDEX runs_one_at_a_time ON runs(reconciliation_id) WHERE status IN ('pending', 'running')
    CREATE INDEX runs_reconciliation ON runs(reconciliation_id, id)
    CREATE INDEX runs_writing ON runs(id) WHERE writing = 1
    CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
    CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
  `);
});

test('migration 1 makes the two environments', () => {
  const { connection } = openTestDatabase(testFolder());
  expect(connection.prepare('SELECT * FROM environments WHERE id > 0').all()).toEqual([
    { id: 1, name: 'live' },
    { id: 2, name: 'test' },
  ]);
});
