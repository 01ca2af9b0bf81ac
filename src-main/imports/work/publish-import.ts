import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { updateJob } from '../../book/store/jobs.ts';
import type { Statement, StatementPeriod } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import type { UnpublishedImport } from '../../records/work/cleanup.ts';
import { streamById, updateStream } from '../../streams/store/streams.ts';
import { type NewImportBatch, publishBatch } from '../store/import-batches.ts';
import { linkAccount } from './balances.ts';
import type { BatchRows } from './batch-rows.ts';
import { rememberRecipe } from './recipes.ts';
import { balancesOf, type Understood } from './understanding.ts';
import { joinLines, type SameLine } from './wordings.ts';

/** What is published with the rows of a file. */
export interface ToPublish extends Pick<Understood, 'statement' | 'result' | 'wishes' | 'sha256' | 'byteLength' | 'rowLog'> {
  /** Lines that are records in other words. */
  readonly same: readonly SameLine[];
}

/** A batch whose rows are stored and listed. */
interface StoredBatch {
  readonly opened: UnpublishedImport;
  readonly rows: BatchRows;
  /** What was being wiped of the stream when the lines were compared with it. */
  readonly wipes: string;
}

/** The publish step: batch, stream, audit entry and the job's end in one transaction. If the stream has changed meanwhile, nothing is written. */
export function publishOnce(
  context: TaskContext,
  payload: ImportPayload,
  { opened, rows, wipes }: StoredBatch,
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
    assert(
      present(kept.totals(), 'totals').every(({ currency }) => namedCurrency(currency) !== null),
      'nothing is stored in a currency that is asked for',
    );
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
    const account = balances.bank_account === null ? null : { ...balances.bank_account, id: accountId };
    const result: ImportResult = {
      ...read,
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
        sha256,
        kept: kept.lines,
        skipped,
        ...(same.length === 0 ? {} : { joined: same.length }),
        rejected: statement.rejectedRows,
        balances: statement.balances.length,
        overrules: payload.overrules ?? [],
        ...(read.misfits.length === 0 ? {} : { accepted_misfits: read.misfits }),
        rows_sha256: rowsSha256,
        date_start: read.date_range_start === null ? null : dayFromIso(read.date_range_start),
      },
    });
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ import_result: result }), completed_at: nowMs });
    return 'published';
  });
}

/** What a batch keeps of its statement. */
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

/** What the statements of a file cover. A file can name days to come, which no statement covers yet. */
function periodsUntil({ periods }: Statement, newestDay: number): StatementPeriod[] {
  return periods
    .filter((period) => period.firstDay <= newestDay)
    .map((period) => ({ ...period, lastDay: Math.min(period.lastDay, newestDay) }));
}
