import { findBatch } from '../../../src-main/imports/store/import-batches.ts';
import { insertWipe } from '../../../src-main/records/store/wipes.ts';
import { openBatchWipe, publishBatchWipe, publishStreamWipe } from '../../../src-main/records/work/publish-stream-wipe.ts';
import { clearWipe, prepareWipe } from '../../../src-main/records/work/wiping.ts';
import { balancesOfBatch } from '../../../src-main/streams/store/bank-account-balances.ts';
import { openStreamOperations } from '../../../src-main/streams/store/stream-operations.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import type { QuietBook } from './quiet-book.ts';

/** The stage of a wipe after one of its transactions. */
export type WipeStep = 'preparing' | 'published' | 'clearing' | 'cleared';

/** Undoes an import transaction by transaction, so that a test can do other things between any two. */
export function* undoSteps({ database, clock }: QuietBook, batchId: number): Generator<WipeStep, void> {
  const batch = present(findBatch(database, 1, batchId), 'import batch');
  const wipe = database.write((write) => openBatchWipe(write, batch, 'app'));
  yield 'preparing';
  for (const seen of prepareWipe(database, clock, wipe)) if (seen >= 0) yield 'preparing';
  const end = database.write((write) => publishBatchWipe(write, wipe, balancesOfBatch(write, batchId), clock.nowMs()));
  assert(end === 'published', 'the batch is there');
  yield 'published';
  for (const cleared of clearWipe({ database, clock, wipeId: wipe.id, operation: null, jobId: null })) if (cleared > 0) yield 'clearing';
  yield 'cleared';
}

/** Undoes an import at once. */
export function undoHere(book: QuietBook, batchId: number): void {
  assert([...undoSteps(book, batchId)].at(-1) === 'cleared', 'the undo came to its end');
}

/** Deletes or resets a stream transaction by transaction, as its job does. */
export function* operationSteps(book: QuietBook, key: string, kind: 'delete' | 'reset'): Generator<WipeStep, void> {
  const { database, clock, client } = book;
  // The handler has already run when the call returns its promise.
  void (kind === 'delete' ? client.get('streams.remove', { key, async: true }) : client.get('streams.reset', { key }));
  const operation = present(openStreamOperations(database).at(-1), 'operation');
  const { environment_id, stream_id, stream_key, actor } = operation;
  const wipe = database.write((write) =>
    insertWipe(write, { environment_id, stream_id, stream_key, batch_id: null, operation_id: operation.id, actor }),
  );
  yield 'preparing';
  for (const seen of prepareWipe(database, clock, wipe)) if (seen >= 0) yield 'preparing';
  const wiped = database.write((write) => publishStreamWipe(write, operation.id, wipe, 0, clock.nowMs()));
  assert(wiped.end === 'published', 'the stream can be wiped');
  yield 'published';
  for (const cleared of clearWipe({ database, clock, wipeId: wipe.id, operation: wiped.operation, jobId: null }))
    if (cleared > 0) yield 'clearing';
  yield 'cleared';
}
