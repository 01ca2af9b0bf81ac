import type { Output } from '../../src-shared/contract/index.ts';
import { CHUNK_ROWS } from '../jobs/task.ts';
import { appendAudit } from '../store/audit.ts';
import { countBatchRecords, deleteBatch, deleteBatchRecords, findBatch, hideBatch, pageBatches } from '../store/import-batches.ts';
import { deleteMatch, matchesOfBatch } from '../store/matches.ts';
import { pageRecords } from '../store/records.ts';
import { excludeFromRuns, writingRunsOfStream } from '../store/runs.ts';
import { streamByKey } from '../store/streams.ts';
import { answer, missing } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Handlers } from './handler.ts';
import { pageAnswer, pageStart } from './paging.ts';
import { batchView, recordViews } from './views.ts';

/** Lets other requests in between two bounded transactions. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** How many ids of adjustments, which go with their matches, the audit entry names. */
const AUDITED_ADJUSTMENTS = 1_000;

/**
 * Undo of an import: in one transaction the batch goes out of sight and its matches are dissolved (without a memory of a
 * separation); its rows then go in bounded transactions. A start after a crash removes what is left.
 */
function removeBatch(context: ServiceContext): Handlers['import_batches.remove'] {
  return async (caller, input) => {
    const { database, clock } = context;
    const outcome = database.write((write) => {
      const batch = findBatch(write, caller.environmentId, input.id);
      if (batch === undefined) return missing('import batch', input.id);
      const held = matchesOfBatch(write, batch.id);
      const undone: Output<'import_batches.remove'> = {
        import_batch_id: batch.id,
        records: countBatchRecords(write, batch.id),
        matches_dissolved: held.filter((match) => match.counts === 1).length,
        preview: input.preview,
      };
      if (input.preview) return answer(undone);
      const adjustments = held.map((match) => match.adjustment_id).filter((id) => id !== null);
      for (const match of held) deleteMatch(write, match.id);
      const runIds = writingRunsOfStream(write, batch.stream_id);
      if (runIds.length > 0) {
        for (const row of write.prepare<[number], { id: number }>('SELECT id FROM records WHERE batch_id = ?').all(batch.id)) {
          excludeFromRuns(write, runIds, row.id);
        }
      }
      hideBatch(write, batch.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: clock.nowMs(),
        actor: caller.actor,
        action: 'import_batch.undone',
        detail: {
          ...undone,
          filename: batch.filename,
          stream: batch.data_stream_key,
          sha256: batch.sha256,
          ...(adjustments.length === 0 ? {} : { adjustment_ids: adjustments.slice(0, AUDITED_ADJUSTMENTS) }),
        },
      });
      return answer(undone);
    });
    if (!outcome.ok || input.preview) return outcome;
    // From the flip on nobody sees the batch; the clearing away takes its time.
    context.changed(['imports', 'records', 'streams', 'matches']);
    while (database.write((write) => deleteBatchRecords(write, input.id, CHUNK_ROWS)) > 0) await breathe();
    database.write((write) => deleteBatch(write, input.id));
    context.changed(['imports', 'records', 'streams', 'matches']);
    return outcome;
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
      const rows = pageRecords(database, filter, { ...start.value, sort: 'created_at', descending: true });
      const today = context.clock.today();
      return answer(
        pageAnswer(rows, start.value, 'batch_records -created_at', newest, (shown) => recordViews(database, shown, null, today)),
      );
    },
    'import_batches.remove': removeBatch(context),
  };
}
