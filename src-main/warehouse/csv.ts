import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { say } from '../../src-shared/words/say.ts';
import { readStatement, type Statement } from '../domain/statement/index.ts';
import { quoted, sqlText, WarehouseError } from './engine.ts';

/** Bytes at the beginning of a file by which it is understood. DuckDB then reads all of it. */
const SAMPLE_BYTES = 2_000_000;

/** What a person must settle before a file is read: the mapping asks the rest. */
const ABOUT_THE_TEXT: ReadonlySet<string> = new Set(['date_order', 'decimal_mark', 'year']);

const OF_MONEY: ReadonlySet<string> = new Set(['amount', 'paid_in', 'paid_out', 'balance']);

export function isCsv(name: string): boolean {
  return /\.(?:csv|tsv|txt)$/i.test(name);
}

/**
 * Returns the SQL by which DuckDB reads a CSV file, as the reader of files understands its beginning: the delimiter, the header, the order of days and the decimal
 * mark. Days and amounts become texts of the form that a table has them in. What does not fit stays as it is written, and is then refused as in any table.
 */
export function csvSource(file: string): string {
  const { dialect, columns } = understood(file);
  const names = columns.map(({ name }) => name);
  const read = `read_csv(${sqlText(file)}, auto_detect = false, delim = ${sqlText(dialect.delimiter)}, quote = '"', escape = '"', header = false, skip = ${dialect.headerRow ?? 0}, columns = {${names.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(', ')}})`;
  const cells = columns.map(({ name, role }) => {
    const cell = `nullif(trim(${quoted(name)}), '')`;
    if (role === 'date' || role === 'value_date') return `${dayText(cell, dialect.dateOrder ?? 'ymd')} AS ${quoted(name)}`;
    if (OF_MONEY.has(role)) return `${amountText(cell, dialect.decimalMark ?? '.')} AS ${quoted(name)}`;
    return `${cell} AS ${quoted(name)}`;
  });
  return `(SELECT ${cells.join(', ')} FROM ${read})`;
}

function understood(file: string): Statement {
  const refuse = (message: string): never => {
    throw new WarehouseError('csv_unreadable', message);
  };
  if (!existsSync(file)) throw new WarehouseError('no_such_table', say('warehouse.csv.thereIsNoFile', { file }));
  const read = readStatement(
    sampleOf(file),
    { filename: path.basename(file), currency: null },
    { onProgress: () => undefined, isCancelled: () => false },
  );
  if (!read.ok) return refuse(say('warehouse.csv.cannotBeRead', { file, why: read.error.message }));
  const { dialect, questions, columns } = read.value;
  if (dialect.encoding !== 'utf-8') return refuse(say('warehouse.csv.isNotInUtf8', { file, encoding: dialect.encoding }));
  if (dialect.headerRow === null || columns.length === 0) return refuse(say('warehouse.csv.hasNoHeader', { file }));
  const open = questions.find(({ about }) => ABOUT_THE_TEXT.has(about));
  return open === undefined ? read.value : refuse(say('warehouse.csv.isUnclear', { file, why: open.message }));
}

/** Returns the whole lines at the beginning of a file. */
function sampleOf(file: string): Uint8Array {
  const opened = openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    const bytes = Buffer.alloc(Math.min(size, SAMPLE_BYTES));
    const count = readSync(opened, bytes, 0, bytes.length, 0);
    const end = size > SAMPLE_BYTES ? bytes.lastIndexOf(0x0a) + 1 : count;
    return bytes.subarray(0, end);
  } finally {
    closeSync(opened);
  }
}

/** Returns a day as YYYY-MM-DD, in SQL, with a time where there is one; any other text as it is. */
function dayText(cell: string, order: 'ymd' | 'dmy' | 'mdy'): string {
  const [day, month, year] = ['([0-9]{1,2})', '([0-9]{1,2})', '([0-9]{4})'];
  const [first, second, third] = { ymd: [year, month, day], dmy: [day, month, year], mdy: [month, day, year] }[order];
  const pattern = sqlText(`^${first}[-./]${second}[-./]${third}($|[T ].*)`);
  const part = (letter: 'y' | 'm' | 'd'): string => `regexp_extract(${cell}, ${pattern}, ${order.indexOf(letter) + 1})`;
  const written = `${part('y')} || '-' || lpad(${part('m')}, 2, '0') || '-' || lpad(${part('d')}, 2, '0') || regexp_extract(${cell}, ${pattern}, 4)`;
  return `CASE WHEN regexp_matches(${cell}, ${pattern}) THEN ${written} ELSE ${cell} END`;
}

/** Which currency it is, the mapping says. */
const SYMBOL = '[£$€¥]';

/** Returns an amount such as 1234.50, in SQL, of one with a currency symbol or thousands set apart in threes; any other text as it is. */
function amountText(cell: string, mark: '.' | ','): string {
  const apart = mark === ',' ? "[.' \u00a0\u202f]" : "[,' \u00a0\u202f]";
  const pattern = sqlText(`^[+-]?${SYMBOL}?[+-]?([0-9]+|[0-9]{1,3}(${apart}[0-9]{3})+)([${mark}][0-9]+)?$`);
  const plain = `regexp_replace(${cell}, ${sqlText(`${apart}|${SYMBOL}`)}, '', 'g')`;
  const written = mark === ',' ? `replace(${plain}, ',', '.')` : plain;
  return `CASE WHEN regexp_matches(${cell}, ${pattern}) THEN ${written} ELSE ${cell} END`;
}
