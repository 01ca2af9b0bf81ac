import { createHash, type Hash } from 'node:crypto';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayRangeOf } from '../../domain/statement/periods.ts';
import type { Statement, StatementLine, StatementPeriod } from '../../domain/statement/types.ts';
import { appendAudit } from '../../store/audit.ts';
import type { WriteHandle } from '../../store/database.ts';
import { insertBatch, publishBatch, writingBatchesOfStream } from '../../store/import-batches.ts';
import { updateJob } from '../../store/jobs.ts';
import { insertRecord } from '../../store/records.ts';
import { streamById, streamByKey, insertStream, updateStream } from '../../store/streams.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { removeEmptyStream, removeUnpublishedBatch } from '../cleanup.ts';
import { rememberRecipe } from '../import-recipes.ts';
import { linkAccount, storeBalances } from '../import-balances.ts';
import { totalsByCurrency } from '../import-figures.ts';
import type { ImportPayload } from '../protocol.ts';
import { type Share, Slices } from '../slices.ts';
import type { TaskContext, TaskEnd } from '../task.ts';
import { suggestedStream } from './preview-task.ts';
import { asksForAccount, balancesOf, type Understood, understandFile } from './understand.ts';

/** How long a transaction of rows holds the write lock. */
const SHARE: Share = { milliseconds: 30, firstRows: 500, fewestRows: 100, mostRows: 5_000 };
/** Rows go all over their indices, so a page is written again and again: the log takes up many transactions before the book does. */
const SLICES_PER_CARRY = 12;

interface Opened {
  readonly streamId: number;
  readonly batchId: number;
  readonly streamIsNew: boolean;
}

function finish(context: TaskContext, result: ImportResult): TaskEnd {
  context.database.write((write) =>
    updateJob(write, context.job.id, {
      status: 'completed',
      result: JSON.stringify({ import_result: result }),
      completed_at: context.clock.nowMs(),
    }),
  );
  return { end: 'completed' };
}

/** Whether the file goes in, or stays out until the user says so. */
function isWelcome(understood: Understood, payload: ImportPayload): boolean {
  if (payload.dryRun || understood.statement.lines.length === 0) return false;
  if (asksForAccount(understood.statement, payload) || understood.result.recipe?.state === 'doubtful') return false;
  if (understood.statement.rejectedRows > 0 && !payload.acceptRejected) return false;
  return understood.statement.proof !== 'broken' || payload.acceptBroken;
}

/** What the statements of a file cover. Files name days to come as well, which no statement can cover yet. */
function periodsUntil(statement: Statement, today: number): StatementPeriod[] {
  const newest = statement.lines.reduce((latest, line) => Math.max(latest, line.day), today);
  return statement.periods
    .filter((period) => period.firstDay <= newest)
    .map((period) => ({ ...period, lastDay: Math.min(period.lastDay, newest) }));
}

/** The stream (made when missing) and an unpublished batch. */
function openBatch(context: TaskContext, payload: ImportPayload, understood: Understood): Opened {
  const { statement, result } = understood;
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
      source: statement.format === 'nacha' ? 'nacha_upload' : 'csv_upload',
      filename: payload.filename,
      format: statement.format,
      sha256: understood.sha256,
      byte_length: understood.byteLength,
      kept: 0,
      skipped: 0,
      rejected: statement.rejectedRows,
      totals: '[]',
      date_start: null,
      date_end: null,
      opening_balance: statement.openingBalanceMinor,
      closing_balance: statement.closingBalanceMinor,
      proof: statement.proof,
      problems: JSON.stringify(result.problems),
      periods: JSON.stringify(periodsUntil(statement, context.clock.today())),
      recipe: result.recipe === null ? null : JSON.stringify(result.recipe.recipe),
      created_at: nowMs,
    });
    // Kept in the job's row, so that a start after a crash knows what to take back.
    updateJob(write, context.job.id, { result: JSON.stringify({ open: { batchId, streamId, streamIsNew: existing === undefined } }) });
    return { streamId, batchId, streamIsNew: existing === undefined };
  });
}

function insertLine(write: WriteHandle, context: TaskContext, opened: Opened, line: StatementLine, dedupeKey: string): boolean {
  return (
    insertRecord(write, {
      environment_id: context.job.environment_id,
      stream_id: opened.streamId,
      batch_id: opened.batchId,
      day: line.day,
      amount: line.amountMinor,
      direction: line.direction === 'credit' ? 1 : 0,
      currency: line.currency,
      decimal_places: line.decimalPlaces,
      description: line.description,
      external_id: line.externalId,
      metadata: JSON.stringify(line.metadata),
      dedupe_key: dedupeKey,
      created_at: context.clock.nowMs(),
    }) !== null
  );
}

/** What an import has stored so far. */
interface Stored {
  readonly kept: StatementLine[];
  readonly rowsHash: Hash;
  /** Places of the lines that the stream had already. */
  duplicates: number[];
}

/** Stores the lines at some places that the stream has not; false when cancelled. */
function insertLines(context: TaskContext, opened: Opened, understood: Understood, stored: Stored, places: readonly number[]): boolean {
  const slices = new Slices(context.database, context.clock, SHARE);
  for (let start = 0, count = 1; start < places.length; count += 1) {
    if (context.isCancelled()) return false;
    start += slices.write((write, rows) => {
      const chunk = places.slice(start, start + rows);
      for (const place of chunk) {
        const line = present(understood.statement.lines[place], 'line');
        const key = present(understood.dedupeKeys[place], 'dedupe key');
        if (!insertLine(write, context, opened, line, key)) {
          stored.duplicates.push(place);
          continue;
        }
        stored.kept.push(line);
        stored.rowsHash.update(`${key}\n`);
      }
      return chunk.length;
    });
    if (count % SLICES_PER_CARRY === 0) context.database.carryOver();
    context.report({ phase: 'storing', processed: start, total: places.length });
  }
  return true;
}

/** Stores what is new and publishes it; false when cancelled. Lines that were duplicates of what is wiped meanwhile go in after all. */
function store(context: TaskContext, payload: ImportPayload, opened: Opened, understood: Understood): boolean {
  const stored: Stored = { kept: [], rowsHash: createHash('sha256'), duplicates: [] };
  storeBalances(context.database, opened.batchId, understood.statement, context.clock.nowMs());
  let { wipes } = understood;
  let places: number[] = [];
  for (const [place, isDuplicate] of understood.isDuplicate.entries()) {
    if (understood.isLeftOut[place] !== true) (isDuplicate ? stored.duplicates : places).push(place);
  }
  for (;;) {
    const end = context.database.beginUnseenWrites();
    try {
      if (!insertLines(context, opened, understood, stored, places)) return false;
    } finally {
      end();
    }
    if (publish(context, payload, opened, understood, stored, wipes)) return true;
    wipes = wipesSeen(context.database, opened.streamId);
    places = stored.duplicates;
    stored.duplicates = [];
  }
}

/** The flip: batch, stream, audit entry and the job's end in one transaction; false when something of the stream was wiped meanwhile. */
function publish(
  context: TaskContext,
  payload: ImportPayload,
  opened: Opened,
  understood: Understood,
  stored: Stored,
  wipes: string,
): boolean {
  const { statement } = understood;
  const { kept } = stored;
  const skipped = statement.lines.length - kept.length;
  const nowMs = context.clock.nowMs();
  const balances = balancesOf(context, payload, streamById(context.database, opened.streamId), statement);
  const days = dayRangeOf(kept.map(({ day }) => day));
  return context.database.write((write) => {
    if (wipesSeen(write, opened.streamId) !== wipes) return false;
    publishBatch(write, opened.batchId, {
      kept: kept.length,
      skipped,
      totals: JSON.stringify(totalsByCurrency(kept)),
      date_start: days?.firstDay ?? null,
      date_end: days?.lastDay ?? null,
    });
    updateStream(write, opened.streamId, {
      ...(understood.stream?.currency ? {} : { currency: statement.currency }),
      ...(understood.stream?.reference_field ? {} : { reference_field: statement.referenceField }),
      ...(statement.literalDebitCredit ? { literal_debit_credit: 1 } : {}),
    });
    const by = { environmentId: context.job.environment_id, atMs: nowMs, actor: payload.actor };
    const accountId = linkAccount(write, by, opened.streamId, payload, statement.currency);
    rememberRecipe(write, by, understood.result.recipe, payload.rememberRecipe ?? null);
    const account = balances.bank_account === null ? null : { ...balances.bank_account, id: accountId };
    const result: ImportResult = {
      ...understood.result,
      kept: kept.length,
      skipped,
      balances: { ...balances, bank_account: account },
      batch_id: opened.batchId,
    };
    appendAudit(write, {
      ...by,
      action: 'import_batch.created',
      detail: {
        batch_id: opened.batchId,
        stream: payload.streamKey,
        filename: payload.filename,
        sha256: understood.sha256,
        kept: kept.length,
        skipped,
        rejected: statement.rejectedRows,
        balances: statement.balances.length,
        overrules: payload.overrules ?? [],
        rows_sha256: stored.rowsHash.copy().digest('hex'),
        date_start: result.date_range_start === null ? null : dayFromIso(result.date_range_start),
      },
    });
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ import_result: result }), completed_at: nowMs });
    return true;
  });
}

/** Reads a file and stores its new lines as one batch: all of them become visible by one flip, or none. */
export function importTask(context: TaskContext, payload: ImportPayload): TaskEnd {
  const understanding = understandFile(context, payload);
  if (understanding.kind === 'cancelled') return { end: 'cancelled' };
  if (understanding.kind === 'unreadable') return finish(context, understanding.result);
  const { understood } = understanding;
  if (!isWelcome(understood, payload)) {
    const held = !payload.dryRun && understood.statement.lines.length > 0;
    return finish(context, held ? { ...understood.result, kept: 0 } : understood.result);
  }
  // Rows that an import left half-written, on a full disk, would pass for duplicates: they go first.
  if (understood.stream !== undefined) {
    for (const batchId of writingBatchesOfStream(context.database, understood.stream.id)) removeUnpublishedBatch(context.database, batchId);
  }
  const opened = openBatch(context, payload, understood);
  const takeBack = () => {
    removeUnpublishedBatch(context.database, opened.batchId);
    if (opened.streamIsNew) removeEmptyStream(context.database, opened.streamId);
  };
  try {
    if (store(context, payload, opened, understood)) return { end: 'completed' };
    takeBack();
    return { end: 'cancelled' };
  } catch (error) {
    try {
      takeBack();
    } catch {
      // The disk may still be full: the next start takes it back. What was written stays unpublished until then.
    }
    throw error;
  }
}
