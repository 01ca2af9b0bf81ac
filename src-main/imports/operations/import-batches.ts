import type { Output } from '../../../src-shared/contract/index.ts';
import type { Database } from '../../database/database.ts';
import { matchedByBatch, type PlaceInBatch } from '../../matches/store/matches.ts';
import { pageRecords } from '../../records/store/record-pages.ts';
import { figuresOfWipe } from '../../records/store/wipe-clearing.ts';
import { openBatchWipe, publishBatchWipe } from '../../records/work/publish-stream-wipe.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { refusedBatch } from '../../service/period-lock.ts';
import { batchView, recordViews } from '../../service/views.ts';
import { breathe, clearNow, wipeNow } from '../../service/wiping-now.ts';
import { balancesOfBatch } from '../../streams/store/bank-account-balances.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { countKeptByOthers } from '../store/alternative-descriptions.ts';
import { countBatchRecords, findBatch, type ImportBatchRow, pageBatches } from '../store/import-batches.ts';

/** Records read at a time. */
const LOOKED_AT = 5_000;

/** Returns how many matches the undo of a batch would dissolve. */
async function countDissolved(database: Database, batchId: number): Promise<number> {
  const dissolved = new Set<number>();
  let after: PlaceInBatch | null = { day: Number.MIN_SAFE_INTEGER, id: 0 };
  while (after !== null) {
    const found: ReturnType<typeof matchedByBatch> = matchedByBatch(database, batchId, after, LOOKED_AT);
    for (const id of found.matchIds) dissolved.add(id);
    after = found.last;
    await breathe();
  }
  return dissolved.size;
}

async function previewUndo({ database }: ServiceContext, batch: ImportBatchRow) {
  const balances = balancesOfBatch(database, batch.id);
  const kept = countKeptByOthers(database, batch.id);
  const undone: Output<'import_batches.remove'> = {
    import_batch_id: batch.id,
    records: countBatchRecords(database, batch.id) - kept.records,
    records_kept: kept.records + kept.alternatives,
    matches_dissolved: await countDissolved(database, batch.id),
    balances_removed: balances.removed,
    balances_kept: balances.kept,
    preview: true,
  };
  return answer(undone);
}

/**
 * Undoes an import. One publish step hides the batch and the matches with its records; no separation of a match is remembered for later runs. Then
 * the rows are deleted in short transactions. If the process ends early, the next start deletes the rest.
 */
function removeBatch(context: ServiceContext): Handlers['import_batches.remove'] {
  return async (caller, input) => {
    const { database } = context;
    const batch = findBatch(database, caller.environmentId, input.id);
    if (batch === undefined) return missing('import batch', input.id);
    const closed = refusedBatch(database, batch);
    if (closed !== null) return closed;
    if (input.preview) return previewUndo(context, batch);
    const balances = balancesOfBatch(database, batch.id);
    const kept = countKeptByOthers(database, batch.id);
    const wipe = database.write((write) => openBatchWipe(write, batch, caller.actor));
    const wiped = await wipeNow(context, wipe, (write) => {
      const lock = refusedBatch(write, batch);
      if (lock !== null) return lock;
      const end = publishBatchWipe(write, wipe, balances, context.clock.nowMs());
      return end === 'unprepared' ? null : end === 'gone' ? missing('import batch', input.id) : answer(null);
    });
    if (!wiped.ok) return wiped;
    // The batch is invisible from the publish step on, while clearing takes longer.
    context.changed(['imports', 'records', 'streams', 'matches', 'bank_accounts']);
    const { records, matches } = (await clearNow(context, wipe.id, null)) ?? figuresOfWipe(database, wipe.id);
    context.changed(['imports', 'records', 'streams', 'matches']);
    return answer({
      import_batch_id: batch.id,
      records,
      records_kept: kept.records + kept.alternatives,
      matches_dissolved: matches,
      balances_removed: balances.removed,
      balances_kept: balances.kept,
      preview: false,
    });
  };
}

export function importBatchHandlers(
  context: ServiceContext,
): Pick<Handlers, 'import_batches.list' | 'import_batches.get' | 'import_batches.records' | 'import_batches.remove'> {
  const { database } = context;
  const newest = (row: { created_at: number; id: number }) => ({ value: row.created_at, id: row.id });
  return {
    'import_batches.list': (caller, input) => {
      const stream = streamByKey(database, caller.environmentId, input.key);
      if (stream === undefined) return missing('data stream', input.key);
      const start = pageStart(input, 'import_batches -created_at');
      if (!start.ok) return start;
      const rows = pageBatches(database, caller.environmentId, stream.id, start.value);
      return answer(pageAnswer(rows, start.value, 'import_batches -created_at', newest, (shown) => shown.map(batchView)));
    },
    'import_batches.get': (caller, input) => {
      const found = findBatch(database, caller.environmentId, input.id);
      return found === undefined ? missing('import batch', input.id) : answer(batchView(found));
    },
    'import_batches.records': (caller, input) => {
      if (findBatch(database, caller.environmentId, input.id) === undefined) return missing('import batch', input.id);
      const start = pageStart(input, 'batch_records -created_at');
      if (!start.ok) return start;
      const filter = { environmentId: caller.environmentId, batchId: input.id };
      const rows = database.snapshot(() => pageRecords(database, filter, { ...start.value, sort: 'created_at', descending: true }));
      const today = context.clock.today();
      return answer(
        pageAnswer(rows, start.value, 'batch_records -created_at', newest, (shown) => recordViews(database, shown, null, today)),
      );
    },
    'import_batches.remove': removeBatch(context),
  };
}
