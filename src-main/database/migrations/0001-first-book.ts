import { BULK_REQUESTS, IMPORT_BATCHES, IMPORT_RECIPES, IMPORT_ROWS } from './first-book/imports.ts';
import { DISSOLVED_MATCHES, MATCHES, MATCH_RECORDS, RECONCILED_DAYS, WIPES } from './first-book/matches.ts';
import { DUE_RUNS, OVERDUE, RECONCILIATIONS, RULES, SEPARATIONS } from './first-book/reconciliations.ts';
import { OPEN_ITEM_NOTES, PERIODS, SIGN_OFFS } from './first-book/periods.ts';
import { COLUMN_PACKS, LISTED_RECORDS, RECORDS, RECORD_WORDS, REVERSALS, WORDINGS } from './first-book/records.ts';
import { EVIDENCE, RUNS, RUN_BASES } from './first-book/runs.ts';
import { BANK_ACCOUNTS, STORIES, STREAMS, STREAM_OPERATIONS } from './first-book/streams.ts';
import { SYNC } from './first-book/sync.ts';
import { ANSWERS, AUDIT_LOG, CONTENT, ENVIRONMENTS, JOBS, UNDO } from './first-book/whole-book.ts';

/**
 * The first schema, with one file of `first-book/` for each part. Frozen: a change of the schema is a new migration.
 *
 * Amounts are magnitudes in minor units unless a table says otherwise; direction 1 is credit, 0 debit; days count from 1970-01-01; instants are
 * milliseconds UTC. `writing = 1` marks a batch or run whose rows are not yet visible.
 */
export const firstBook = {
  version: 1,
  name: 'first book',
  sql: [
    ENVIRONMENTS,
    JOBS,
    ANSWERS,
    UNDO,
    AUDIT_LOG,
    CONTENT,
    STREAMS,
    STREAM_OPERATIONS,
    BANK_ACCOUNTS,
    STORIES,
    IMPORT_BATCHES,
    IMPORT_RECIPES,
    IMPORT_ROWS,
    BULK_REQUESTS,
    RECORDS,
    LISTED_RECORDS,
    REVERSALS,
    WORDINGS,
    RECORD_WORDS,
    COLUMN_PACKS,
    RECONCILIATIONS,
    RULES,
    SEPARATIONS,
    OVERDUE,
    PERIODS,
    SIGN_OFFS,
    OPEN_ITEM_NOTES,
    DUE_RUNS,
    RUNS,
    RUN_BASES,
    EVIDENCE,
    MATCHES,
    MATCH_RECORDS,
    DISSOLVED_MATCHES,
    RECONCILED_DAYS,
    WIPES,
    SYNC,
  ].join(''),
} as const;
