import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { BOOK_FILE } from '../../src-main/book/store/book-folder.ts';
import { benchFiles } from './data/data.ts';
import { peakOf, rounded, run } from './product.ts';
import { importWithThreeIndices, yardstickFolder } from './yardstick.ts';

const LINES = 1_000_000;
/** The table of records with its indices as the product has them, without triggers and what it refers to. */
function schemaOf(book: string): string {
  const database = new SqliteDatabase(path.join(book, BOOK_FILE), { readonly: true });
  const wanted = "SELECT sql FROM sqlite_schema WHERE tbl_name = 'records' AND type IN ('table', 'index') AND sql IS NOT NULL";
  const statements = database.prepare(wanted).pluck().all() as string[];
  database.close();
  return statements.map((statement) => `${statement.replaceAll(/ REFERENCES \w+\(id\)/g, '')};`).join('\n');
}

/** The sqlite3 shell: the file into a table without indices, and from there into the product's own table; null where there is no shell. */
function shell(folder: string, file: string, book: string): { readonly ms: number } | null {
  const database = path.join(folder, 'shell.sqlite');
  for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
  const script = path.join(folder, 'shell.sql');
  writeFileSync(
    script,
    `PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-262144; PRAGMA temp_store=MEMORY;
${schemaOf(book)}
CREATE TEMP TABLE t(date TEXT, amount TEXT, currency TEXT, description TEXT, external_id TEXT, reference TEXT);
BEGIN;
.import --csv --skip 1 ${file} t
INSERT OR IGNORE INTO records(environment_id, stream_id, batch_id, day, amount, direction, currency, decimal_places, description, external_id, metadata, dedupe_key, created_at)
  SELECT 1, 1, 1, unixepoch(date) / 86400, abs(CAST(round(amount * 100) AS INTEGER)), amount > 0, currency, 2, description, external_id,
    json_object('reference', reference), 'x:' || external_id, 1790000000000 FROM t;
COMMIT;
`,
  );
  const startedMs = performance.now();
  const ended = spawnSync('sqlite3', [database, `.read ${script}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  return ended.error === undefined && ended.status === 0 ? { ms: performance.now() - startedMs } : null;
}

async function product(file: string, book: string) {
  const { ended, peakMib } = await peakOf((onStarted) => run(['import', file, '--data', book, '--stream', 'ledger'], onStarted));
  return { ...ended, peak: peakMib };
}

function oneLine(folder: string, day: string): string {
  const file = path.join(folder, `${day}.csv`);
  writeFileSync(file, `Date,Amount,Currency,Description,External ID,Reference\n${day},1.00,GBP,One more,M1,M-1\n`);
  return file;
}

/** How long a command takes that imports one more line and packs all, in milliseconds: nearly all of it is the packing. */
async function packing(folder: string, book: string): Promise<number> {
  return (await run(['import', oneLine(folder, '2026-01-01'), '--data', book, '--stream', 'ledger', '--pack'])).elapsedMs;
}

/**
 * A million lines from file to committed and indexed records, whole process against whole process, and the same file once more. The ratio is to the
 * shell's import into the product's own columns and indices; where the yardstick is, its table with three indices stands beside.
 */
export async function importingLarge(): Promise<Record<string, unknown>> {
  const files = benchFiles(LINES);
  const book = path.join(files.folder, 'book');
  // Builds what is stale, and makes the book whose table the shell fills.
  await run(['import', oneLine(files.folder, '2026-01-02'), '--data', book, '--stream', 'other']);
  const first = await product(files.ledger, book);
  const second = await product(files.ledger, book);
  const again = second.document as { kept: number; skipped: number };
  const baseline = shell(files.folder, files.ledger, book);
  const yardstick = yardstickFolder();
  const three = yardstick === null ? null : await importWithThreeIndices(yardstick, LINES);
  const packedMs = await packing(files.folder, book);
  return {
    bench: 'import-large',
    lines: LINES,
    shell_ms: baseline === null ? null : rounded(baseline.ms),
    shell_three_indices_ms: three === null ? null : rounded(three.ms),
    first_ms: rounded(first.elapsedMs),
    first_peak_mib: rounded(first.peak),
    second_ms: rounded(second.elapsedMs),
    second_peak_mib: rounded(second.peak),
    second_kept: again.kept,
    first_ratio: baseline === null ? null : rounded(first.elapsedMs / baseline.ms),
    first_ratio_target: 1.5,
    first_to_three_indices: three === null ? null : rounded(first.elapsedMs / three.ms),
    packing_ms: rounded(packedMs),
    second_to_first: rounded(second.elapsedMs / first.elapsedMs),
  };
}
