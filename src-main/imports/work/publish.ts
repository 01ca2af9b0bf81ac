import { counted } from '../../../src-shared/values/english.ts';
import type { ImportPreview, ImportResult } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { noteOwnChange } from '../../book/store/undo-entries.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import {
  type MarkedLine,
  MOST_DAYS_TO_RETURN,
  note,
  type Originals,
  originalsOf,
  type Statement,
  type StatementPeriod,
  type TellingLine,
} from '../../domain/statement/index.ts';
import type { ImportPayload, TaskContext } from '../../jobs/protocol.ts';
import { linkReversal, mayBeTakenBack, openReversals, recordsOfAmount, type TellingRow } from '../../records/store/reversals.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import { abandonImport, removeRowsOfJob, type UnpublishedImport } from '../../records/work/cleanup.ts';
import { insertStream, streamById, streamByKey, type StreamRow, updateStream } from '../../streams/store/streams.ts';
import { insertBatch, type NewImportBatch, publishBatch, writingBatchesOfStream } from '../store/import-batches.ts';
import { balancesOf, type Compared } from './compare.ts';
import { KEPT_BYTES, keepFile } from '../store/kept-files.ts';
import { openFile } from './understand.ts';
import { linkAccount, storeBalances } from './figures.ts';
import { rememberRecipe } from './recipes.ts';
import { BatchRows, type OnKnown, type StagedLines } from './store.ts';
import { joinLines } from './alternative-descriptions.ts';

/** One import links at most this many marked lines, the newest ones. */
const MOST_MARKED = 10_000;
/**
 * At most this many records of one amount are compared, the newest ones. If there are more, no line is linked by its amount alone, because another
 * record may fit.
 */
const MOST_OF_AMOUNT = 20_000;
/** At most this many lines of one amount on near days have their references compared. */
const MOST_COMPARED = 500;
/** Links per transaction. */
const LINKS_AT_ONCE = 500;

/** A batch whose lines are stored and not visible yet. */
interface BatchToLink {
  readonly environmentId: number;
  readonly streamId: number;
  readonly batchId: number;
}

/**
 * Links reversals to the lines that they reverse: marked lines of the batch, and earlier marked lines that waited for a line of the batch. `days`:
 * the day range of the batch, since 1970-01-01. The links become visible with the batch.
 */
function linkReversals(
  context: Pick<TaskContext, 'database' | 'isCancelled'>,
  batch: BatchToLink,
  days: { readonly firstDay: number; readonly lastDay: number } | null,
): void {
  if (days === null) return;
  const { database, isCancelled } = context;
  const { firstDay, lastDay } = { firstDay: days.firstDay, lastDay: days.lastDay + MOST_DAYS_TO_RETURN };
  const marked = openReversals(database, { ...batch, firstDay, lastDay }, MOST_MARKED);
  if (marked.length === 0) return;
  const lookUp = new LookUp(database, batch);
  const rows = new Map(marked.map((row) => [row.id, row]));
  // Lines of one amount follow each other, so that each amount is looked up once.
  const lines = marked
    .toSorted((one, other) => one.amount - other.amount || one.id - other.id)
    .map((row): MarkedLine => ({ ...tellingLine(row), mark: storedJson('reversals.mark', row.mark, row.id) }));
  const found = [
    ...originalsOf(lines, (line) => {
      const row = rows.get(line.id);
      return row === undefined || isCancelled() ? { lines: [], isAll: false } : lookUp.originalsOf(row);
    }),
  ];
  for (let start = 0; start < found.length && !isCancelled(); start += LINKS_AT_ONCE) {
    const links = found.slice(start, start + LINKS_AT_ONCE);
    database.write((write) => {
      for (const [recordId, originalId] of links) linkReversal(write, recordId, originalId);
    });
  }
}

/** Looks up records by amount, and caches the last amount. */
class LookUp {
  readonly #read: ReadHandle;
  readonly #batch: BatchToLink;
  #last: { readonly key: string; readonly found: ReturnType<typeof recordsOfAmount> } | null = null;

  constructor(read: ReadHandle, batch: BatchToLink) {
    this.#read = read;
    this.#batch = batch;
  }

  originalsOf({ day, amount, direction, currency, decimal_places: places }: TellingRow): Originals {
    const { ofStream, isCut } = this.#ofAmount(amount, 1 - direction, currency);
    const near = ofStream.filter((row) => row.day <= day && row.day >= day - MOST_DAYS_TO_RETURN).map(({ id }) => id);
    const compared = near.slice(0, MOST_COMPARED);
    const rows = mayBeTakenBack(this.#read, compared, this.#batch.batchId).filter((row) => row.decimal_places === places);
    return { lines: rows.map(tellingLine), isAll: !isCut && compared.length === near.length };
  }

  #ofAmount(amount: number, direction: number, currency: string): ReturnType<typeof recordsOfAmount> {
    const key = `${amount} ${direction} ${currency}`;
    if (this.#last?.key !== key) {
      const { environmentId, streamId } = this.#batch;
      const found = recordsOfAmount(this.#read, { environmentId, streamId, currency, direction, amount }, MOST_OF_AMOUNT);
      this.#last = { key, found };
    }
    return this.#last.found;
  }
}

function tellingLine({ id, day, description, external_id: externalId, metadata }: TellingRow): TellingLine {
  return { id, day, description, externalId, metadata: storedJson('records.metadata', metadata, id) };
}

/** A small cache suffices: rows are appended to indices and lists in order, so few pages are needed again. */
const IMPORT_CACHE_KIB = 16_384;

/**
 * An import's batch, which stays invisible until it is published. Imports of files in memory and streamed imports both store through it.
 *
 * The caller must call `takeBack` if anything throws.
 */
export class ImportBatch {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly opened: UnpublishedImport;
  readonly rows: BatchRows;
  /** The wipes of the stream that were known when the lines were compared with it. */
  readonly #wipes: string;
  /** Ends the mode that `beginUnseenWrites` started. */
  #endWrites: (() => void) | null = null;

  constructor(context: TaskContext, payload: ImportPayload, stream: StreamRow | undefined, format: string, wipes: string) {
    this.#context = context;
    this.#payload = payload;
    this.#wipes = wipes;
    if (stream !== undefined) abandonHalfWritten(context, stream.id);
    this.opened = openBatch(context, payload, format);
    this.rows = new BatchRows(context, this.opened);
  }

  /** Writes the lines that the stream does not have, with the contract of `BatchRows.write`. Returns false if the job was cancelled. */
  write(lines: StagedLines, onWritten: (written: number) => void, onKnown: OnKnown): boolean {
    this.#endWrites ??= this.#context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
    return this.rows.write(lines, onWritten, onKnown) && this.rows.listMany();
  }

  #stopWrites(): void {
    const end = this.#endWrites;
    this.#endWrites = null;
    end?.();
  }

  /**
   * Publishes the batch, all of whose rows must be listed. Tries again if others added records in the meantime. Returns false if records of the
   * stream were wiped: a line that was skipped as known may be gone, so the file must be imported again.
   */
  publish(ready: ToPublish): boolean {
    this.#stopWrites();
    const { database, clock, job } = this.#context;
    const { opened, rows } = this;
    storeBalances(database, opened.batchId, ready.statement, clock.nowMs());
    ready.rowLog.store(database, job.id);
    rows.deleteOvertakenRows();
    linkReversals(this.#context, { ...opened, environmentId: job.environment_id }, rows.kept.days);
    const file = this.#payload.keepFile === true ? fileToKeep(this.#payload, ready.sha256) : null;
    const noted = typeof file === 'string' ? withNote(ready, file) : ready;
    const kept = typeof file === 'string' ? null : file;
    for (;;) {
      rows.deleteOvertakenRows();
      const end = publishOnce(this.#context, this.#payload, { opened, rows, wipes: this.#wipes, file: kept }, noted);
      if (end !== 'overtaken') return end === 'published';
    }
  }

  /** Removes everything that was written. A large batch is only hidden, and cleared later. */
  takeBack(): void {
    this.#stopWrites();
    abandonImport(this.#context.database, this.opened);
    removeRowsOfJob(this.#context.database, this.#context.job.id);
  }
}

/** Abandons batches that an import left half-written on a full disk, because their rows would count as duplicates. */
function abandonHalfWritten({ database }: TaskContext, streamId: number): void {
  for (const batchId of writingBatchesOfStream(database, streamId)) abandonImport(database, { batchId, streamId, streamIsNew: false });
}

/** Creates an unpublished batch, and its stream if that is missing. The facts of the file are added when the batch is published. */
function openBatch(context: TaskContext, payload: ImportPayload, format: string): UnpublishedImport {
  const environmentId = context.job.environment_id;
  const nowMs = context.clock.nowMs();
  const streamKey = present(payload.streamKey, 'stream key');
  return context.database.write((write) => {
    const existing = streamByKey(write, environmentId, streamKey);
    const streamId =
      existing?.id ??
      insertStream(write, {
        environmentId,
        key: streamKey,
        name: payload.streamName ?? suggestedStream(streamKey).stream_name,
        description: null,
        type: 'csv',
        currency: null,
        referenceField: null,
        literalDebitCredit: false,
        createdAtMs: nowMs,
      });
    const batchId = insertBatch(write, {
      environment_id: environmentId,
      stream_id: streamId,
      writing: 1,
      source: format === 'nacha' ? 'nacha_upload' : 'csv_upload',
      filename: payload.filename,
      format,
      sha256: '',
      byte_length: 0,
      created_at: nowMs,
    });
    // The job's row names the batch, so that a start after a crash can remove it.
    updateJob(write, context.job.id, { result: JSON.stringify({ open: { batchId, streamId, streamIsNew: existing === undefined } }) });
    return { streamId, batchId, streamIsNew: existing === undefined };
  });
}

/** Removes what was written after an error, and ignores a failure to do so. */
export function takeBackAfter(takeAllBack: () => void): void {
  try {
    takeAllBack();
  } catch {
    // The disk may still be full. The rows stay unpublished, and the next start removes them.
  }
}

/** The facts that are published with the rows of a file. */
type ToPublish = Pick<Compared, 'statement' | 'result' | 'wishes' | 'sha256' | 'byteLength' | 'rowLog' | 'same'>;

/** Returns the bytes of the file that was imported, to be kept with it, or why they are not kept. The lines are imported in any case. */
function fileToKeep(place: ImportPayload, sha256: string): Uint8Array | string {
  const opened = openFile(place);
  if (!opened.ok) return phrase('imports.kept.notReadAgain', { why: opened.error.message });
  try {
    if (opened.value.byteLength > KEPT_BYTES) return phrase('imports.kept.tooLarge', { most: KEPT_BYTES / 1_048_576 });
    const bytes = opened.value.bytes();
    if (!bytes.ok) return phrase('imports.kept.notReadAgain', { why: bytes.error.message });
    return opened.value.sha256() === sha256 ? bytes.value : phrase('imports.kept.changedMeanwhile');
  } finally {
    opened.value.close();
  }
}

function withNote(ready: ToPublish, message: string): ToPublish {
  const { problems, problems_total: total } = ready.result;
  return { ...ready, result: { ...ready.result, problems: [note('file_not_kept', message), ...problems], problems_total: total + 1 } };
}

/** A batch whose rows are all stored and listed. */
interface StoredBatch {
  readonly opened: UnpublishedImport;
  readonly rows: BatchRows;
  /** The wipes of the stream that were known when the lines were compared with it. */
  readonly wipes: string;
  /** The file that is kept with the batch; null if none is. */
  readonly file: Uint8Array | null;
}

/** Throws if the rows of a file do not add up, or if some are in a currency that the user still has to name. */
function checkFigures(rows: BatchRows, read: ImportResult, skipped: number): void {
  rows.check();
  assert(rows.kept.lines + skipped + read.rejected === read.rows, 'each row of a file is kept, skipped or rejected');
  const totals = present(rows.kept.totals(), 'totals');
  assert(
    totals.every(({ currency }) => namedCurrency(currency) !== null),
    'nothing is stored in a currency that is asked for',
  );
}

/**
 * The publish step: updates batch and stream, writes the audit entry and ends the job, in one transaction. Writes nothing if the stream has changed.
 */
function publishOnce(
  context: TaskContext,
  payload: ImportPayload,
  { opened, rows, wipes, file }: StoredBatch,
  { statement, result: read, wishes, sha256, byteLength, same }: ToPublish,
): 'published' | 'wiped' | 'overtaken' {
  const { kept, rowsSha256 } = rows;
  const skipped = read.kept + read.skipped - kept.lines;
  const nowMs = context.clock.nowMs();
  const stream = streamById(context.database, opened.streamId);
  const balances = balancesOf(context, wishes, stream, statement);
  return context.database.write((write) => {
    if (wipesSeen(write, opened.streamId) !== wipes) return 'wiped';
    if (!rows.isUnique(write)) return 'overtaken';
    checkFigures(rows, read, skipped);
    publishBatch(write, opened.batchId, {
      ...factsOfBatch(context, statement, read),
      sha256,
      byte_length: byteLength,
      kept: kept.lines,
      skipped,
      totals: JSON.stringify(kept.totals()),
      date_start: kept.days?.firstDay ?? null,
      date_end: kept.days?.lastDay ?? null,
    });
    if (file !== null) keepFile(write, opened.batchId, file, sha256);
    joinLines(write, opened, same);
    updateStream(write, opened.streamId, {
      ...(stream?.currency ? {} : { currency: statement.currency }),
      ...(stream?.reference_field ? {} : { reference_field: statement.referenceField }),
      ...(statement.literalDebitCredit ? { literal_debit_credit: 1 } : {}),
      ...(payload.answers?.batch_lines === undefined ? {} : { batch_lines: payload.answers.batch_lines }),
    });
    const by = { environmentId: context.job.environment_id, atMs: nowMs, actor: payload.actor };
    const accountId = linkAccount(write, by, opened.streamId, wishes, statement.currency);
    const remembered = rememberRecipe(write, by, read.recipe, payload.rememberRecipe ?? null);
    const result: ImportResult = {
      ...read,
      kept: kept.lines,
      skipped,
      balances: { ...balances, bank_account: balances.bank_account === null ? null : { ...balances.bank_account, id: accountId } },
      remembered,
      batch_id: opened.batchId,
    };
    appendAudit(write, {
      ...by,
      action: 'import_batch.created',
      detail: {
        batch_id: opened.batchId,
        stream: payload.streamKey,
        filename: payload.filename,
        sha256,
        kept: kept.lines,
        skipped,
        ...(same.length === 0 ? {} : { joined: same.length }),
        rejected: statement.rejectedRows,
        balances: statement.balances.length,
        overrules: payload.overrules ?? [],
        ...(read.misfits.length === 0 ? {} : { accepted_misfits: read.misfits }),
        rows_sha256: rowsSha256,
        ...(file === null ? {} : { file_kept: file.length }),
        date_start: read.date_range_start === null ? null : dayFromIso(read.date_range_start),
      },
    });
    noteUndoOfImport(write, by, payload, opened.batchId, kept.lines);
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ import_result: result }), completed_at: nowMs });
    return 'published';
  });
}

/** Makes an import by the window or the command line undoable there. */
function noteUndoOfImport(
  write: WriteHandle,
  by: Parameters<typeof noteOwnChange>[1],
  payload: ImportPayload,
  batchId: number,
  kept: number,
): void {
  const label = `Imported ${counted(kept, 'line')} of “${payload.filename}”`;
  noteOwnChange(write, by, { label, steps: [{ operation: 'import_batches.remove', input: { id: batchId } }] });
}

/** Returns the facts of a statement that its batch keeps. */
function factsOfBatch({ clock }: TaskContext, statement: Statement, result: ImportResult): Partial<NewImportBatch> {
  const { whose } = statement;
  const lastDay = result.date_range_end === null ? null : dayFromIso(result.date_range_end);
  return {
    rejected: statement.rejectedRows,
    currency: statement.currency,
    opening_balance: statement.openingBalanceMinor,
    closing_balance: statement.closingBalanceMinor,
    proof: statement.proof,
    problems: JSON.stringify(result.problems),
    periods: JSON.stringify(periodsUntil(statement, Math.max(clock.today(), lastDay ?? 0))),
    recipe: result.recipe === null ? null : JSON.stringify(result.recipe.recipe),
    whose: whose.accounts.length + whose.holders.length === 0 ? null : JSON.stringify(whose),
  };
}

/** Returns the periods of the statements, cut at `newestDay`. A file can name days to come, which no statement covers yet. */
function periodsUntil({ periods }: Statement, newestDay: number): StatementPeriod[] {
  return periods
    .filter((period) => period.firstDay <= newestDay)
    .map((period) => ({ ...period, lastDay: Math.min(period.lastDay, newestDay) }));
}

/**
 * Derives key and name of a stream from a filename: `Bank statement June.csv` -> `bank-statement-june`. The key never equals that of Tieout's own
 * stream.
 */
export function suggestedStream(filename: string): Pick<ImportPreview['suggestion'], 'stream_key' | 'stream_name'> {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '').trim();
  const key = stem
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const words = stem.replaceAll(/[_-]+/g, ' ').trim();
  const own = key === ADJUSTMENTS_KEY ? `${key}-file` : key;
  return { stream_key: own === '' ? 'statement' : own, stream_name: words === '' ? 'Statement' : words[0]?.toUpperCase() + words.slice(1) };
}
