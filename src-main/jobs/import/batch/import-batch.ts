import type { ImportResult } from '../../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { assert, present } from '../../../../src-shared/values/assert.ts';
import { namedCurrency } from '../../../../src-shared/values/money.ts';
import type { Statement, StatementPeriod } from '../../../domain/statement/index.ts';
import { appendAudit } from '../../../store/book/audit.ts';
import { insertBatch, type NewImportBatch, publishBatch, writingBatchesOfStream } from '../../../store/imports/import-batches.ts';
import { updateJob } from '../../../store/book/jobs.ts';
import { insertStream, streamById, streamByKey, type StreamRow, updateStream } from '../../../store/streams/streams.ts';
import { wipesSeen } from '../../../store/wipes/wipes.ts';
import { abandonImport, removeRowsOfJob } from '../../wiping/cleanup.ts';
import type { ImportPayload } from '../../worker/protocol.ts';
import type { TaskContext } from '../../worker/task.ts';
import { linkAccount, type Wishes } from '../reading/balances.ts';
import { rememberRecipe } from '../reading/recipes.ts';
import { linkReversals } from '../reading/reversals.ts';
import { suggestedStream } from '../reading/suggested-stream.ts';
import { balancesOf } from '../reading/understanding.ts';
import { joinLines, type SameLine } from './wordings.ts';
import type { BatchRows } from './batch-rows.ts';
import type { Opened } from './opened-batch.ts';

/** The file that a batch is of. */
interface FileOfBatch {
  readonly format: string;
  readonly sha256: string;
  readonly byteLength: number;
}

/** What a batch says of the statement, as far as it is known. */
type FactsOfBatch = Pick<
  NewImportBatch,
  'rejected' | 'opening_balance' | 'closing_balance' | 'proof' | 'problems' | 'periods' | 'recipe' | 'whose'
>;

export const NO_FACTS: FactsOfBatch = {
  rejected: 0,
  opening_balance: null,
  closing_balance: null,
  proof: 'unproved',
  problems: '[]',
  periods: '[]',
  recipe: null,
  whose: null,
};

/** What the statements of a file cover. Files name days to come as well, which no statement can cover yet. */
function periodsUntil({ periods }: Statement, newestDay: number): StatementPeriod[] {
  return periods
    .filter((period) => period.firstDay <= newestDay)
    .map((period) => ({ ...period, lastDay: Math.min(period.lastDay, newestDay) }));
}

/** `lastDay`: of the file's lines. */
export function factsOfBatch(context: TaskContext, statement: Statement, result: ImportResult, lastDay: number): FactsOfBatch {
  const { whose } = statement;
  return {
    rejected: statement.rejectedRows,
    opening_balance: statement.openingBalanceMinor,
    closing_balance: statement.closingBalanceMinor,
    proof: statement.proof,
    problems: JSON.stringify(result.problems),
    periods: JSON.stringify(periodsUntil(statement, Math.max(context.clock.today(), lastDay))),
    recipe: result.recipe === null ? null : JSON.stringify(result.recipe.recipe),
    whose: whose.accounts.length + whose.holders.length === 0 ? null : JSON.stringify(whose),
  };
}

/** The stream (made when missing) and an unpublished batch. */
export function openBatch(context: TaskContext, payload: ImportPayload, file: FileOfBatch, facts: FactsOfBatch): Opened {
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
      source: file.format === 'nacha' ? 'nacha_upload' : 'csv_upload',
      filename: payload.filename,
      format: file.format,
      sha256: file.sha256,
      byte_length: file.byteLength,
      kept: 0,
      skipped: 0,
      totals: '[]',
      date_start: null,
      date_end: null,
      ...facts,
      created_at: nowMs,
    });
    // Kept in the job's row, so that a start after a crash knows what to take back.
    updateJob(write, context.job.id, { result: JSON.stringify({ open: { batchId, streamId, streamIsNew: existing === undefined } }) });
    return { streamId, batchId, streamIsNew: existing === undefined };
  });
}

/** What is to be published. */
interface ToPublish {
  readonly statement: Statement;
  readonly stream: StreamRow | undefined;
  readonly file: Omit<FileOfBatch, 'format'>;
  readonly result: ImportResult;
  readonly facts: FactsOfBatch;
  readonly rows: BatchRows;
  /** Lines that are records in other words. */
  readonly same: readonly SameLine[];
  readonly wishes: Wishes;
  /** Lines of the file, whether they went in or not. */
  readonly lines: number;
  /** What was being wiped of the stream when its lines were looked at. */
  readonly wipes: string;
}

/** Publishes a batch whose rows are listed; false when something of the stream was wiped meanwhile. What others add while it is tried gives it another try. */
export function publish(context: TaskContext, payload: ImportPayload, opened: Opened, ready: ToPublish): boolean {
  ready.rows.giveWay();
  linkReversals(context, { ...opened, environmentId: context.job.environment_id }, ready.rows.kept.days);
  for (;;) {
    ready.rows.giveWay();
    const end = publishOnce(context, payload, opened, ready);
    if (end !== 'overtaken') return end === 'published';
  }
}

/** The publish step: batch, stream, audit entry and the job's end in one transaction; or what happened to the stream meanwhile. */
function publishOnce(context: TaskContext, payload: ImportPayload, opened: Opened, ready: ToPublish): 'published' | 'wiped' | 'overtaken' {
  const { statement, rows } = ready;
  const { kept, rowsSha256 } = rows;
  const skipped = ready.lines - kept.lines;
  const nowMs = context.clock.nowMs();
  const balances = balancesOf(context, ready.wishes, streamById(context.database, opened.streamId), statement);
  return context.database.write((write) => {
    if (wipesSeen(write, opened.streamId) !== ready.wipes) return 'wiped';
    if (!rows.isUnique(write)) return 'overtaken';
    assert(
      present(kept.totals(), 'totals').every(({ currency }) => namedCurrency(currency) !== null),
      'nothing is stored in a currency that is asked for',
    );
    publishBatch(write, opened.batchId, {
      ...ready.facts,
      sha256: ready.file.sha256,
      byte_length: ready.file.byteLength,
      kept: kept.lines,
      skipped,
      totals: JSON.stringify(kept.totals()),
      date_start: kept.days?.firstDay ?? null,
      date_end: kept.days?.lastDay ?? null,
    });
    joinLines(write, opened, ready.same);
    updateStream(write, opened.streamId, {
      ...(ready.stream?.currency ? {} : { currency: statement.currency }),
      ...(ready.stream?.reference_field ? {} : { reference_field: statement.referenceField }),
      ...(statement.literalDebitCredit ? { literal_debit_credit: 1 } : {}),
    });
    const by = { environmentId: context.job.environment_id, atMs: nowMs, actor: payload.actor };
    const accountId = linkAccount(write, by, opened.streamId, ready.wishes, statement.currency);
    const remembered = rememberRecipe(write, by, ready.result.recipe, payload.rememberRecipe ?? null);
    const account = balances.bank_account === null ? null : { ...balances.bank_account, id: accountId };
    const result: ImportResult = {
      ...ready.result,
      kept: kept.lines,
      skipped,
      balances: { ...balances, bank_account: account },
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
        sha256: ready.file.sha256,
        kept: kept.lines,
        skipped,
        ...(ready.same.length === 0 ? {} : { joined: ready.same.length }),
        rejected: statement.rejectedRows,
        balances: statement.balances.length,
        overrules: payload.overrules ?? [],
        ...(ready.result.misfits.length === 0 ? {} : { accepted_misfits: ready.result.misfits }),
        rows_sha256: rowsSha256,
        date_start: result.date_range_start === null ? null : dayFromIso(result.date_range_start),
      },
    });
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ import_result: result }), completed_at: nowMs });
    return 'published';
  });
}

/** Rows that an import left half-written, on a full disk, would pass for duplicates: they are out of the way first. */
export function abandonHalfWritten({ database }: TaskContext, streamId: number | null): void {
  if (streamId === null) return;
  for (const batchId of writingBatchesOfStream(database, streamId)) abandonImport(database, { batchId, streamId, streamIsNew: false });
}

/** Takes back all that was written of a batch that nobody sees: much of it is only out of the way, and cleared later. */
export function takeBack(context: TaskContext, opened: Opened): void {
  abandonImport(context.database, opened);
  removeRowsOfJob(context.database, context.job.id);
}

/** Does some work; where it throws, all that was written is taken back first. */
export function orTakenBack<T>(takeAllBack: () => void, work: () => T): T {
  try {
    return work();
  } catch (error) {
    takeBackAfter(takeAllBack);
    throw error;
  }
}

export function takeBackAfter(takeAllBack: () => void): void {
  try {
    takeAllBack();
  } catch {
    // The disk may still be full: the next start takes it back. What was written stays unpublished until then.
  }
}
