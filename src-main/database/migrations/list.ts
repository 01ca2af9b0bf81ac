import { firstBook } from './0001-first-book.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A sheet link is a key of one reconciliation; null for a key of everything. */
const sheetLinks: Migration = {
  version: 2,
  name: 'sheet links',
  sql: 'ALTER TABLE api_keys ADD COLUMN reconciliation_id INTEGER',
};

/** How days and numbers were written when a period was signed: its report keeps that. Null for signatures from before a book had a notation. */
const signedNotation: Migration = {
  version: 3,
  name: 'notation of signatures',
  sql: 'ALTER TABLE sign_offs ADD COLUMN notation TEXT',
};

/** Who looks into an exception, and what they found; null for nobody and nothing. */
const exceptionWork: Migration = {
  version: 4,
  name: 'owner and comment of exceptions',
  sql: 'ALTER TABLE exceptions ADD COLUMN assignee TEXT; ALTER TABLE exceptions ADD COLUMN comment TEXT',
};

/** Filters that people keep under a name; `removed_at` is null for those that are listed. */
const savedViews: Migration = {
  version: 5,
  name: 'saved views',
  sql: `CREATE TABLE saved_views(
  id INTEGER PRIMARY KEY,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  filter TEXT NOT NULL,
  removed_at INTEGER
) STRICT`,
};

/** What a run had matched when a person undid it, so that it can still be compared with other runs. Members as in `matches`. */
const undoneMatches: Migration = {
  version: 6,
  name: 'matches of undone runs',
  sql: `CREATE TABLE undone_matches(
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    match_id INTEGER NOT NULL,
    rule_id INTEGER,
    a_record_id INTEGER,
    b_record_id INTEGER,
    members TEXT,
    PRIMARY KEY(run_id, match_id)
  ) STRICT, WITHOUT ROWID`,
};

/** The names of both sides' accounts when a period was signed: its statement keeps them. Null for signatures of before. */
const signedNames: Migration = {
  version: 7,
  name: 'account names of signatures',
  sql: 'ALTER TABLE sign_offs ADD COLUMN account_names TEXT',
};

/**
 * The files that people keep with their imports, packed where that makes them smaller. A file is in the book itself, so that a backup, a restore and a
 * copy of the book have it, and an import and its file come and go in one transaction.
 */
const keptFiles: Migration = {
  version: 8,
  name: 'files kept with imports',
  sql: `CREATE TABLE kept_files(
    batch_id INTEGER PRIMARY KEY REFERENCES import_batches(id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    byte_length INTEGER NOT NULL,
    is_packed INTEGER NOT NULL CHECK (is_packed IN (0, 1)),
    content BLOB NOT NULL
  ) STRICT`,
};

/**
 * Connections to databases. `last_choices` are the tables, columns and rules of the last run; `coming_home` names the accounts that a run under way makes,
 * which are removed if its process is killed. A removed connection stays, so that it comes back under its id. Passwords are outside of the book.
 */
const databaseConnections: Migration = {
  version: 9,
  name: 'connections to databases',
  sql: `CREATE TABLE database_connections(
    id INTEGER PRIMARY KEY,
    environment_id INTEGER NOT NULL REFERENCES environments(id),
    name TEXT NOT NULL,
    engine TEXT NOT NULL CHECK (engine IN ('duckdb', 'postgres', 'spark')),
    address TEXT NOT NULL,
    last_choices TEXT,
    coming_home TEXT,
    created_at INTEGER NOT NULL,
    removed_at INTEGER
  ) STRICT`,
};

/** All migrations. Versions are contiguous from 1, and the last is the version of books that this Tieout writes. */
export const MIGRATIONS: readonly Migration[] = [
  firstBook,
  sheetLinks,
  signedNotation,
  exceptionWork,
  savedViews,
  undoneMatches,
  signedNames,
  keptFiles,
  databaseConnections,
];
export const BOOK_VERSION = MIGRATIONS.length;
