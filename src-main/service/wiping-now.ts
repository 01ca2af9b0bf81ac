import type { WriteHandle } from '../database/database.ts';
import type { WipeRow } from '../records/store/wipes.ts';
import { abandonWipe, clearWipe, prepareWipe } from '../records/work/wiping.ts';
import type { StreamOperationRow } from '../streams/store/stream-operations.ts';
import type { ServiceContext } from './context.ts';

const BREATH_MS = 2;

/** Pauses between two short transactions, for other requests and for jobs that wait for the write lock. */
export const breathe = () => new Promise<void>((resolve) => setTimeout(resolve, BREATH_MS));

/** Runs all steps with a pause after each, and returns the result. */
async function breathing<R>(steps: Iterator<unknown, R>): Promise<R> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}

async function takeBack(context: ServiceContext, wipe: WipeRow): Promise<void> {
  try {
    await breathing(abandonWipe(context.database, wipe));
  } catch (error) {
    // Nothing has been hidden yet. The next start reverts the preparation.
    context.log.error('a preparation could not be taken back', { wipe: wipe.id, error: String(error) });
  }
}

/**
 * Prepares and publishes a wipe within a request. `publish` is one transaction; it returns null if more records came in than it may gather itself. A
 * refusal or failure reverts the preparation.
 */
export async function wipeNow<T extends { readonly ok: boolean }>(
  context: ServiceContext,
  wipe: WipeRow,
  publish: (write: WriteHandle) => T | null,
): Promise<T> {
  const { database, clock } = context;
  let outcome: T | null = null;
  try {
    while (outcome === null) {
      await breathing(prepareWipe(database, clock, wipe));
      ({ outcome } = database.write((write) => ({ outcome: publish(write) })));
    }
  } catch (error) {
    await takeBack(context, wipe);
    throw error;
  }
  if (!outcome.ok) await takeBack(context, wipe);
  return outcome;
}

/** Clears what a publish step hid; returns null if that failed, and the next start continues it. */
export async function clearNow(context: ServiceContext, wipeId: number, operation: StreamOperationRow | null): Promise<WipeRow | null> {
  const { database, clock, log } = context;
  try {
    return await breathing(clearWipe({ database, clock, wipeId, operation, jobId: null }));
  } catch (error) {
    log.error('what was deleted could not be cleared away', {
      wipe: wipeId,
      error: error instanceof Error ? error.message : String(error),
    });
    return null;
  }
}
