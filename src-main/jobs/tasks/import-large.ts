import type { ImportResult, SkippedRow } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed } from '../../../src-shared/values/result.ts';
import { DedupeKeys } from '../../domain/statement/fingerprint.ts';
import { LISTED_LINES } from '../../domain/statement/large/read-large.ts';
import { cancelled } from '../../domain/statement/read-table.ts';
import type { BuiltLine } from '../../domain/statement/lines.ts';
import type { Statement, StatementLine } from '../../domain/statement/types.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { storeBalances } from '../import-balances.ts';
import { KnownKeys, sameFile, SHOWN_SKIPPED, whySkipped } from '../import-duplicates.ts';
import { importResultOf, LineSums } from '../import-figures.ts';
import { usedRecipe } from '../import-recipes.ts';
import { RowLog } from '../import-rows.ts';
import type { ImportPayload } from '../protocol.ts';
import type { TaskContext } from '../task.ts';
import { BatchRows, type KeyedLine } from './batch-rows.ts';
import {
  factsOfBatch,
  IMPORT_CACHE_KIB,
  NO_FACTS,
  openBatch,
  type Opened,
  orTakenBack,
  publish,
  removeHalfWritten,
} from './import-batch.ts';
import { type UnderstoodLarge, withDoubtOf } from './large-file.ts';
import { balancesOf, notUnderstood, sumTooLarge, type Understanding, withNotes } from './understanding.ts';

/** What becomes of the lines of a large file, one after another; nothing of it grows with the file but what counts contents. */
class Lines {
  readonly #context: TaskContext;
  readonly #streamId: number | null;
  readonly #keys = new DedupeKeys();
  #known: KnownKeys | null = null;
  readonly sums = new LineSums();
  readonly listed: { readonly key: string; readonly isDuplicate: boolean }[] = [];
  readonly skippedRows: SkippedRow[] = [];
  readonly rowLog = new RowLog();
  skipped = 0;

  constructor(context: TaskContext, streamId: number | null) {
    this.#context = context;
    this.#streamId = streamId;
  }

  /** The key of the next line of the file. */
  next(line: StatementLine): string {
    this.sums.add(line);
    return this.#keys.next(line);
  }

  /** Lines that stay out, or are only looked at. */
  look(lines: readonly KeyedLine[]): void {
    const { database } = this.#context;
    if (this.#streamId !== null) this.#known ??= new KnownKeys(database, this.#streamId);
    const isKnown = this.#known?.ofThem(lines.map(({ key }) => key)) ?? [];
    for (const [at, { line, key }] of lines.entries()) this.settle(line, key, isKnown[at] === true);
  }

  /** Notes of the first of some lines whether they went in. */
  settleAll(lines: readonly KeyedLine[], isNew: readonly boolean[]): void {
    for (let at = 0; at < isNew.length; at += 1) {
      const { line, key } = present(lines[at], 'line');
      this.settle(line, key, isNew[at] !== true);
    }
  }

  /** Notes whether the stream has a line already. */
  settle(line: StatementLine, key: string, isDuplicate: boolean): void {
    if (this.listed.length < LISTED_LINES) this.listed.push({ key, isDuplicate });
    if (!isDuplicate) return;
    this.skipped += 1;
    this.rowLog.skip(line, 1, key);
    if (this.skippedRows.length === SHOWN_SKIPPED || this.#streamId === null) return;
    this.skippedRows.push({ row: line.row, occurrence: 1, ...whySkipped(this.#context.database, this.#streamId, line, key) });
  }
}

/** The result of a large file; null where a sum is too large. */
function resultOf(
  context: TaskContext,
  payload: ImportPayload,
  large: UnderstoodLarge,
  read: Statement,
  lines: Lines,
): { readonly statement: Statement; readonly result: ImportResult | null } {
  const found = {
    balances: balancesOf(context, payload, large.stream, read),
    skipped_rows: lines.skippedRows,
    same_file: sameFile(context.database, context.job.environment_id, large.file.sha256()),
    overruled: 0,
  };
  const statement = withNotes(withDoubtOf(large, read), payload, found.same_file);
  const recipe = usedRecipe(statement, payload, large.kept, large.state, found.balances.bank_account?.name ?? null);
  const counts = { kept: lines.sums.lines - lines.skipped, skipped: lines.skipped };
  return { statement, result: importResultOf(payload.streamKey ?? '', statement, counts, { ...found, recipe }, lines.sums) };
}

/** Looks at the lines of a large file and compares them with the stream; stores nothing. Only the first lines are listed. */
export function lookAtLarge(context: TaskContext, payload: ImportPayload, large: UnderstoodLarge): Understanding {
  const { database } = context;
  const streamId = large.stream?.id ?? null;
  const lines = new Lines(context, streamId);
  return database.snapshot(() => {
    const read = large.table.read(
      rowsControl(context, 'comparing', large, () => lines.sums.lines),
      (built) => {
        for (const { rejected } of built) if (rejected !== null) lines.rowLog.reject(rejected, 1);
        lines.look(built.flatMap(({ line }) => (line === null ? [] : [{ line, key: lines.next(line) }])));
      },
    );
    if (!read.ok) return notUnderstood(payload, read.error);
    const { statement, result } = resultOf(context, payload, large, read.value, lines);
    if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
    const understood = {
      statement,
      stream: large.stream,
      sha256: large.file.sha256(),
      byteLength: large.file.byteLength,
      dedupeKeys: lines.listed.map(({ key }) => key),
      isDuplicate: lines.listed.map(({ isDuplicate }) => isDuplicate),
      isLeftOut: lines.listed.map(() => false),
      rowLog: lines.rowLog,
      wipes: wipesSeen(database, streamId ?? 0),
      result,
    };
    return { kind: 'understood', understood };
  });
}

/** Stores lines as they are read, until one is rejected that must not be; from then on they are only looked at. */
class Storing {
  readonly #context: TaskContext;
  readonly #opened: Opened;
  readonly #mayReject: boolean;
  readonly rows: BatchRows;
  #lines: Lines;
  #waiting: KeyedLine[] = [];
  #isAgain = false;
  /** Rows that were read, those included that are rejected. */
  read = 0;
  isStopped = false;
  isCancelled = false;

  constructor(context: TaskContext, opened: Opened, mayReject: boolean) {
    this.#context = context;
    this.#opened = opened;
    this.#mayReject = mayReject;
    this.rows = new BatchRows(context, opened);
    this.#lines = new Lines(context, opened.streamId);
  }

  get lines(): Lines {
    return this.#lines;
  }

  /** The file is read once more, since what the stream had of it may be gone: only lines that are not there yet go in. */
  again(): void {
    this.#isAgain = true;
    this.read = 0;
    this.rows.again();
    this.#lines = new Lines(this.#context, this.#opened.streamId);
  }

  add(built: readonly BuiltLine[]): void {
    this.read += built.length;
    for (const { line, rejected } of built) {
      if (rejected !== null && !this.#mayReject) this.isStopped = true;
      if (line !== null) this.#waiting.push({ line, key: this.#lines.next(line) });
      else if (rejected !== null) this.#lines.rowLog.reject(rejected, 1);
    }
    while (this.#waiting.length >= this.rows.room) this.#write();
    if (!this.isStopped) this.isCancelled ||= !this.rows.listMany();
  }

  /** The last lines; false when cancelled. */
  end(): boolean {
    while (this.#waiting.length > 0) this.#write();
    return this.isStopped || this.rows.listAll();
  }

  #write(): void {
    if (this.isStopped) {
      this.#lines.look(this.#waiting);
      this.#waiting = [];
      return;
    }
    const isNew = this.rows.write(this.#waiting);
    if (!this.#isAgain) this.#lines.settleAll(this.#waiting, isNew);
    this.#waiting = this.#waiting.slice(isNew.length);
  }
}

/**
 * Stores the new lines of a large file as one batch, or nothing where a person must look at it first: then the result says why. Its rows are
 * written while it is read, and taken back where it turns out that it must stay out.
 */
export function storeLarge(context: TaskContext, payload: ImportPayload, large: UnderstoodLarge): 'stored' | 'cancelled' | ImportResult {
  try {
    const isDoubtful = large.state === 'doubtful' || (large.table.proof === 'broken' && !payload.acceptBroken);
    if (payload.dryRun || isDoubtful) {
      const looked = lookAtLarge(context, payload, large);
      if (looked.kind === 'cancelled') return 'cancelled';
      if (looked.kind === 'unreadable') return looked.result;
      return payload.dryRun ? looked.understood.result : { ...looked.understood.result, kept: 0 };
    }
    return storeAsRead(context, payload, large);
  } finally {
    large.file.close();
  }
}

function storeAsRead(context: TaskContext, payload: ImportPayload, large: UnderstoodLarge): 'stored' | 'cancelled' | ImportResult {
  const { file, stream } = large;
  removeHalfWritten(context, stream?.id ?? null);
  let wipes = wipesSeen(context.database, stream?.id ?? 0);
  const ofBatch = { format: 'csv', sha256: file.sha256(), byteLength: file.byteLength };
  const opened = openBatch(context, payload, ofBatch, NO_FACTS);
  const storing = new Storing(context, opened, payload.acceptRejected);
  let outcome: 'cancelled' | ImportResult = 'cancelled';
  let hasBalances = false;
  const isStored = orTakenBack(context, opened, () => {
    for (;;) {
      const read = readInto(context, large, storing);
      if (!read.ok) {
        const end = notUnderstood(payload, read.error);
        outcome = end.kind === 'cancelled' ? 'cancelled' : end.result;
        return false;
      }
      const first = outcome;
      const { statement, result } = resultOf(context, payload, large, read.value, storing.lines);
      outcome = result === null ? sumTooLarge(payload) : { ...result, kept: 0 };
      if (result === null || storing.isStopped || storing.lines.sums.lines === 0) return false;
      if (!hasBalances) {
        storeBalances(context.database, opened.batchId, statement, context.clock.nowMs());
        storing.lines.rowLog.store(context.database, context.job.id);
      }
      hasBalances = true;
      const facts = factsOfBatch(context, statement, result, storing.lines.sums.days?.lastDay ?? 0);
      const told = first === 'cancelled' ? result : { ...result, skipped_rows: first.skipped_rows };
      const ready = {
        statement,
        stream,
        sha256: file.sha256(),
        result: told,
        facts,
        rows: storing.rows,
        lines: storing.lines.sums.lines,
        wipes,
      };
      if (publish(context, payload, opened, ready)) return true;
      wipes = wipesSeen(context.database, opened.streamId);
      storing.again();
    }
  });
  return isStored ? 'stored' : outcome;
}

/** Once the file was read to its end its rows are known, and progress is told in them. */
function rowsControl(context: TaskContext, phase: string, { table }: UnderstoodLarge, read: () => number) {
  const onProgress = () => context.report({ phase, processed: Math.min(read(), table.rows), total: table.rows });
  return { onProgress, isCancelled: context.isCancelled };
}

/** One reading of the file into the batch. */
function readInto(context: TaskContext, large: UnderstoodLarge, storing: Storing): ReturnType<UnderstoodLarge['table']['read']> {
  const end = context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
  try {
    const control = rowsControl(context, 'storing', large, () => storing.read);
    const read = large.table.read(control, (built) => storing.add(built));
    if (read.ok && (storing.isCancelled || !storing.end())) return failed(cancelled());
    control.onProgress();
    return read;
  } finally {
    end();
  }
}
