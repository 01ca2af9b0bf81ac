import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run, serve, settled } from './product.ts';

/** The rules that the yardstick's tools match by. */
export const RULE_NAMES = ['near', 'ref', 'batch', 'tol'] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** One line of JSON of a script of the yardstick. */
export interface Measured {
  /** The timed part, in milliseconds. */
  readonly ms: number;
  /** Its largest resident set, in MiB. */
  readonly peak_mib: number;
  readonly matches: number;
}

/** Where generated files, databases and books are kept from one run of a bench to the next. */
const DATA = process.env['BENCH_DATA'] ?? path.join(os.tmpdir(), 'tieout-bench');
const SEED = '7';

/** The yardstick's folder, with its packages installed; null where `TIEOUT_YARDSTICK` does not name it. */
export const yardstickFolder = (): string | null => process.env['TIEOUT_YARDSTICK'] ?? null;

function script(folder: string, args: readonly string[], data: string): Promise<Measured> {
  return lastLineOf(process.execPath, folder, args, data);
}

async function lastLineOf(command: string, folder: string, args: readonly string[], data: string): Promise<Measured> {
  mkdirSync(data, { recursive: true });
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, BENCH_DATA: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args[0] ?? ''} of the yardstick ended with ${code}`);
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Measured;
}

/** The sqlite3 shell's import of the yardstick's own file into the yardstick's table with three indices. */
export async function importWithThreeIndices(folder: string, rows: number): Promise<Measured> {
  if (!existsSync(path.join(DATA, String(rows), 'truth.csv'))) await script(folder, ['gen.mjs', '--n', String(rows), '--seed', SEED], DATA);
  return lastLineOf('bash', folder, ['a_import_cli.sh', String(rows), 'indexed'], DATA);
}

/** A folder with a book that holds `rows` records on side A and what belongs to them on side B; made once, to be copied. */
export async function yardstickBook(folder: string, rows: number): Promise<string> {
  const decimal = path.join(DATA, 'decimal');
  const files = path.join(decimal, String(rows));
  const size = ['--n', String(rows)];
  if (!existsSync(path.join(files, 'truth.csv'))) await script(folder, ['gen.mjs', ...size, '--seed', SEED, '--decimal', '1'], decimal);
  if (!existsSync(path.join(DATA, String(rows), 'truth.csv'))) await script(folder, ['gen.mjs', ...size, '--seed', SEED], DATA);
  if (!existsSync(path.join(DATA, String(rows), 'base.duckdb'))) await script(folder, ['prep.mjs', ...size], DATA);
  const book = path.join(DATA, 'books', String(rows));
  if (existsSync(path.join(book, 'complete'))) return book;
  rmSync(book, { recursive: true, force: true });
  await run(['import', path.join(files, 'ledger.csv'), '--data', book, '--stream', 'ledger']);
  await run(['import', path.join(files, 'bank.csv'), '--data', book, '--stream', 'bank']);
  const served = await serve(book);
  await settled(served);
  await served.stop();
  mkdirSync(path.join(book, 'complete'));
  return book;
}

/** DuckDB's match of a rule, committed to SQLite; `tol` by its grid query. */
export function duckdb(folder: string, rule: RuleName, rows: number): Promise<Measured> {
  const how = rule === 'tol' ? 'grid' : 'passes';
  return script(folder, ['b_match_duckdb.mjs', '--n', String(rows), '--rule', rule, '--how', how, '--commit', 'sqlite'], DATA);
}

/** The same by SQL in SQLite. */
export function sqlite(folder: string, rule: Exclude<RuleName, 'tol'>, rows: number): Promise<Measured> {
  return script(folder, ['b_match_sqlite.mjs', '--n', String(rows), '--rule', rule], DATA);
}
