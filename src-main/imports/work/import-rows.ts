import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SkippedRow } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText, type Direction, signedMinor } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { placesOf, type RejectedRow, type Statement, type StatementLine } from '../../domain/statement/index.ts';
import { recordOfDedupeKey } from '../../records/store/records.ts';
import { removeRowsOfJob } from '../../records/work/cleanup.ts';
import { deleteImportRows, importRows, insertImportRows, type RowsKind } from '../store/import-rows.ts';

/** At most this many rows of each kind can be listed for one file. All of them are counted. */
const MOST_ROWS = 100_000;
/** Rows per stored body, and bodies per transaction. */
const BODY_ROWS = 500;
const BODIES_PER_WRITE = 20;

/** A row that was not imported, as it is stored with its job. */
export interface KeptRow {
  readonly row: number;
  readonly occurrence: number;
  /** The dedupe key of the record that is there already; null for a row that was left out by hand or cannot be read. */
  readonly key: string | null;
  /** Why the row cannot be read; null for a skipped row. */
  readonly code: string | null;
  readonly message: string | null;
  /** Days since 1970-01-01. */
  readonly day: number | null;
  readonly valueDay: number | null;
  readonly amountMinor: number | null;
  readonly direction: Direction | null;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly description: string | null;
  readonly externalId: string | null;
}

/** The part of the row that comes from the file itself. */
export type ContentOfRow = Omit<KeptRow, 'occurrence' | 'key' | 'code' | 'message'>;

interface Body {
  readonly kind: RowsKind;
  readonly first: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** The rows of a file that are not imported. They are compressed as they come, so that they take some megabytes of memory at most. */
export class RowLog {
  readonly #bodies: Body[] = [];
  readonly #open: Record<RowsKind, KeptRow[]> = { skipped: [], rejected: [] };
  readonly #counts: Record<RowsKind, number> = { skipped: 0, rejected: 0 };

  /** `key`: the dedupe key of the record that is there already; null for a line that was left out by hand. */
  skip(line: ContentOfRow, occurrence: number, key: string | null): void {
    this.#add('skipped', { ...contentOf(line), occurrence, key, code: null, message: null });
  }

  reject(rejected: RejectedRow, occurrence: number): void {
    const { problems } = rejected;
    const message = problems.map((problem) => problem.message).join(' ');
    this.#add('rejected', { ...contentOf(rejected), occurrence, key: null, code: problems[0]?.code ?? null, message });
  }

  /** The number of further skipped rows that can be kept. */
  get roomForSkipped(): number {
    return MOST_ROWS - this.#counts.skipped;
  }

  #add(kind: RowsKind, row: KeptRow): void {
    if (this.#counts[kind] === MOST_ROWS) return;
    this.#counts[kind] += 1;
    this.#open[kind].push(row);
    if (this.#open[kind].length === BODY_ROWS) this.#pack(kind);
  }

  #pack(kind: RowsKind): void {
    const rows = this.#open[kind];
    if (rows.length === 0) return;
    const bytes = deflateRawSync(JSON.stringify(rows), { level: 1 });
    this.#bodies.push({ kind, first: this.#counts[kind] - rows.length, count: rows.length, bytes });
    this.#open[kind] = [];
  }

  /**
   * Replaces the stored rows of the job, in short transactions. Readers see no half-written state because rows are listed only after the job has
   * ended.
   */
  store(database: Database, jobId: number): void {
    this.#pack('skipped');
    this.#pack('rejected');
    if (this.#bodies.length === 0) removeRowsOfJob(database, jobId);
    for (let start = 0; start < this.#bodies.length; start += BODIES_PER_WRITE) {
      database.write((write) => {
        if (start === 0) deleteImportRows(write, jobId);
        for (const { kind, first, count, bytes } of this.#bodies.slice(start, start + BODIES_PER_WRITE)) {
          insertImportRows(write, { job_id: jobId, kind, first, count, body: bytes });
        }
      });
    }
  }
}

function contentOf(row: ContentOfRow): ContentOfRow {
  const { day, valueDay, amountMinor, direction, currency, decimalPlaces, description, externalId } = row;
  return { row: row.row, day, valueDay, amountMinor, direction, currency, decimalPlaces, description, externalId };
}

/** Returns the rows of a file in memory that are not imported. `isThere` and `isLeftOut` get the place of a line. */
export function rowLogOf(
  { lines, rejected }: Pick<Statement, 'lines' | 'rejected'>,
  dedupeKeys: readonly string[],
  isThere: (place: number) => boolean,
  isLeftOut: (place: number) => boolean,
): RowLog {
  const log = new RowLog();
  let places: ReturnType<typeof placesOf> | null = null;
  for (const [place, line] of lines.entries()) {
    const isOut = isLeftOut(place);
    if (!isOut && !isThere(place)) continue;
    places ??= placesOf(lines);
    log.skip(line, places[place]?.occurrence ?? 1, isOut ? null : (dedupeKeys[place] ?? null));
  }
  for (const [index, { occurrence }] of placesOf(rejected).entries()) {
    const row = rejected[index];
    if (row !== undefined) log.reject(row, occurrence);
  }
  return log;
}

/** Returns stored rows of a job. `from` counts the rows of their kind from 0. */
export function keptRows(read: ReadHandle, jobId: number, kind: RowsKind, from: number, count: number): KeptRow[] {
  const bodies = importRows(read, jobId, kind, from, from + count);
  const rows = bodies.flatMap(({ body }) => storedJson('import_rows.body', inflateRawSync(body).toString('utf8'), jobId));
  const start = from - (bodies[0]?.first ?? from);
  return rows.slice(start, start + count);
}

/** A result lists at most this many skipped rows, and counts all of them. */
export const SHOWN_SKIPPED = 1_000;

const SHOWN_CHARACTERS = 60;

/** Returns the text of a line in quotes, cut if it is long. */
export function quotedText(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  if (flat === '') return phrase('imports.rows.noText');
  return `“${flat.length > SHOWN_CHARACTERS ? `${flat.slice(0, SHOWN_CHARACTERS - 1)}…` : flat}”`;
}

/** Returns why a line is skipped that the stream already has. */
export function whySkipped(
  read: ReadHandle,
  streamId: number,
  line: Pick<StatementLine, 'day' | 'amountMinor' | 'direction' | 'decimalPlaces' | 'externalId'>,
  key: string,
): Omit<SkippedRow, 'row' | 'occurrence'> {
  const found = recordOfDedupeKey(read, streamId, key);
  if (found === undefined) return { code: 'already_there', message: phrase('imports.rows.there'), record_id: null };
  const source = found.filename === null ? null : { filename: found.filename, day: dayOf(found.batch_created_at ?? found.created_at) };
  const text = (day: number, signed: number, places: number): string => `${isoFromDay(day)}, ${decimalText(signed, places)}`;
  const own = text(line.day, signedMinor(line.amountMinor, line.direction), line.decimalPlaces);
  const there = text(found.day, found.direction === 1 ? found.amount : -found.amount, found.decimal_places);
  // An alternative description may be dated on another day than its record.
  const amountOf = (line: string): string => line.slice(line.indexOf(' '));
  const isOther = found.isInOtherWords ? amountOf(own) !== amountOf(there) : own !== there;
  if (line.externalId !== null && isOther) {
    const values = { id: line.externalId, there, own };
    const message =
      source === null ? phrase('imports.rows.otherContent', values) : phrase('imports.rows.otherContentOfImport', { ...values, ...source });
    return { code: 'same_id_other_content', message, record_id: found.id };
  }
  if (found.isInOtherWords && isOther) {
    const message = phrase('imports.rows.otherAmount', { there, own });
    return { code: 'same_id_other_content', message, record_id: found.id };
  }
  if (found.isInOtherWords) {
    const message = phrase('imports.rows.inOtherWords', { text: quotedText(found.description ?? '') });
    return { code: 'same_line', message, record_id: found.id };
  }
  return {
    code: 'already_there',
    message: source === null ? phrase('imports.rows.there') : phrase('imports.rows.thereSinceImport', source),
    record_id: found.id,
  };
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
