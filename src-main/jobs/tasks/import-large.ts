import { createHash } from 'node:crypto';
import type { ImportResult, SkippedRow } from '../../../src-shared/contract/index.ts';
import { DedupeKeys } from '../../domain/statement/fingerprint.ts';
import { LISTED_LINES } from '../../domain/statement/large/read-large.ts';
import type { BuiltLine } from '../../domain/statement/lines.ts';
import type { Statement, StatementLine } from '../../domain/statement/types.ts';
import { hasDedupeKey } from '../../store/records.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { storeBalances } from '../import-balances.ts';
import { sameFile, SHOWN_SKIPPED, whySkipped } from '../import-duplicates.ts';
import { importResultOf, LineSums } from '../import-figures.ts';
import { usedRecipe } from '../import-recipes.ts';
import type { ImportPayload } from '../protocol.ts';
import { rest, Slices } from '../slices.ts';
import type { TaskContext } from '../task.ts';
import {
  factsOfBatch,
  insertLine,
  NO_FACTS,
  openBatch,
  type Opened,
  orTakenBack,
  publish,
  removeHalfWritten,
  SHARE,
  ROWS_PER_CARRY,
} from './import-batch.ts';
import { readingControl, type UnderstoodLarge, withDoubtOf } from './large-file.ts';
import { balancesOf, notUnderstood, sumTooLarge, type Understanding, withNotes } from './understanding.ts';

/** What becomes of the lines of a large file, one after another; nothing of it grows with the file but what counts contents. */
class Lines {
  readonly #context: TaskContext;
  readonly #streamId: number | null;
  readonly #keys = new DedupeKeys();
  readonly sums = new LineSums();
  readonly listed: { readonly key: string; readonly isDuplicate: boolean }[] = [];
  readonly skippedRows: SkippedRow[] = [];
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

  look(line: StatementLine): void {
    const key = this.next(line);
    this.settle(line, key, this.#streamId !== null && hasDedupeKey(this.#context.database, this.#streamId, key));
  }

  /** Notes whether the stream has a line already. */
  settle(line: StatementLine, key: string, isDuplicate: boolean): void {
    if (this.listed.length < LISTED_LINES) this.listed.push({ key, isDuplicate });
    if (!isDuplicate) return;
    this.skipped += 1;
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
    const read = large.table.read(readingControl(context, 'comparing'), (built) => {
      for (const { line } of built) if (line !== null) lines.look(line);
    });
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
  readonly #slices: Slices;
  readonly #rowsHash = createHash('sha256');
  #lines: Lines;
  #waiting: StatementLine[] = [];
  #uncarried = 0;
  #isAgain = false;
  isStopped = false;
  readonly kept = new LineSums();

  constructor(context: TaskContext, opened: Opened, mayReject: boolean) {
    this.#context = context;
    this.#opened = opened;
    this.#mayReject = mayReject;
    this.#slices = new Slices(context.database, context.clock, SHARE);
    this.#lines = new Lines(context, opened.streamId);
  }

  get lines(): Lines {
    return this.#lines;
  }

  get rowsSha256(): string {
    return this.#rowsHash.copy().digest('hex');
  }

  /** The file is read once more, since what the stream had of it may be gone: only lines that are not there yet go in. */
  again(): void {
    this.#isAgain = true;
    this.#lines = new Lines(this.#context, this.#opened.streamId);
  }

  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      if (rejected !== null && !this.#mayReject) this.isStopped = true;
      if (line !== null) this.#waiting.push(line);
    }
    while (this.#waiting.length >= this.#slices.length) this.#write();
  }

  flush(): void {
    while (this.#waiting.length > 0) this.#write();
  }

  #write(): void {
    if (this.isStopped) {
      for (const line of this.#waiting) this.#lines.look(line);
      this.#waiting = [];
      return;
    }
    const { database, clock } = this.#context;
    const written = this.#slices.write((write, rows) => {
      const slice = this.#waiting.slice(0, rows);
      const nowMs = clock.nowMs();
      for (const line of slice) {
        const key = this.#lines.next(line);
        const isNew = insertLine(write, this.#context, this.#opened, line, key, nowMs);
        if (!this.#isAgain) this.#lines.settle(line, key, !isNew);
        if (!isNew) continue;
        this.kept.add(line);
        this.#rowsHash.update(`${key}\n`);
      }
      return slice.length;
    });
    this.#waiting = this.#waiting.slice(written);
    rest();
    this.#uncarried += written;
    if (this.#uncarried < ROWS_PER_CARRY) return;
    database.carryOver();
    this.#uncarried = 0;
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
      if (!hasBalances) storeBalances(context.database, opened.batchId, statement, context.clock.nowMs());
      hasBalances = true;
      const facts = factsOfBatch(context, statement, result, storing.lines.sums.days?.lastDay ?? 0);
      const { kept, rowsSha256 } = storing;
      const skipped = storing.lines.sums.lines - kept.lines;
      const told = first === 'cancelled' ? result : { ...result, skipped_rows: first.skipped_rows };
      const ready = { statement, stream, sha256: file.sha256(), result: told, facts, kept, rowsSha256, skipped, wipes };
      if (publish(context, payload, opened, ready)) return true;
      wipes = wipesSeen(context.database, opened.streamId);
      storing.again();
    }
  });
  return isStored ? 'stored' : outcome;
}

/** One reading of the file into the batch. */
function readInto(context: TaskContext, { table }: UnderstoodLarge, storing: Storing): ReturnType<UnderstoodLarge['table']['read']> {
  const end = context.database.beginUnseenWrites();
  try {
    const read = table.read(readingControl(context, 'storing'), (built) => storing.add(built));
    if (read.ok) storing.flush();
    return read;
  } finally {
    end();
  }
}
