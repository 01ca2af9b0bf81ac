import { createHash } from 'node:crypto';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { updateJob } from '../../store/jobs.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { storeBalances } from '../import-balances.ts';
import { LineSums } from '../import-figures.ts';
import type { ImportPayload } from '../protocol.ts';
import { rest, Slices } from '../slices.ts';
import type { TaskContext, TaskEnd } from '../task.ts';
import {
  factsOfBatch,
  insertLine,
  openBatch,
  type Opened,
  orTakenBack,
  publish,
  removeHalfWritten,
  SHARE,
  ROWS_PER_CARRY,
} from './import-batch.ts';
import { storeLarge } from './import-large.ts';
import { understandFile } from './understand.ts';
import { asksForAccount, type Understood } from './understanding.ts';

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

/** What an import has stored so far. */
interface Stored {
  readonly kept: LineSums;
  readonly rowsHash: ReturnType<typeof createHash>;
  /** Places of the lines that the stream had already. */
  duplicates: number[];
}

/** Stores the lines at some places that the stream has not; false when cancelled. */
function insertLines(context: TaskContext, opened: Opened, understood: Understood, stored: Stored, places: readonly number[]): boolean {
  const slices = new Slices(context.database, context.clock, SHARE);
  for (let start = 0, carried = 0; start < places.length;) {
    if (context.isCancelled()) return false;
    start += slices.write((write, rows) => {
      const chunk = places.slice(start, start + rows);
      for (const place of chunk) {
        const line = present(understood.statement.lines[place], 'line');
        const key = present(understood.dedupeKeys[place], 'dedupe key');
        if (!insertLine(write, context, opened, line, key, context.clock.nowMs())) {
          stored.duplicates.push(place);
          continue;
        }
        stored.kept.add(line);
        stored.rowsHash.update(`${key}\n`);
      }
      return chunk.length;
    });
    rest();
    if (start - carried >= ROWS_PER_CARRY) {
      context.database.carryOver();
      carried = start;
    }
    context.report({ phase: 'storing', processed: start, total: places.length });
  }
  return true;
}

/** Stores what is new and publishes it; false when cancelled. Lines that were duplicates of what is wiped meanwhile go in after all. */
function store(context: TaskContext, payload: ImportPayload, opened: Opened, understood: Understood): boolean {
  const stored: Stored = { kept: new LineSums(), rowsHash: createHash('sha256'), duplicates: [] };
  const { statement, result, sha256, stream } = understood;
  storeBalances(context.database, opened.batchId, statement, context.clock.nowMs());
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
    const rowsSha256 = stored.rowsHash.copy().digest('hex');
    const skipped = statement.lines.length - stored.kept.lines;
    const facts = factsOf(context, understood);
    if (publish(context, payload, opened, { statement, stream, sha256, result, facts, kept: stored.kept, rowsSha256, skipped, wipes }))
      return true;
    wipes = wipesSeen(context.database, opened.streamId);
    places = stored.duplicates;
    stored.duplicates = [];
  }
}

function factsOf(context: TaskContext, { statement, result }: Understood) {
  const lastDay = statement.lines.reduce((latest, line) => Math.max(latest, line.day), -Infinity);
  return factsOfBatch(context, statement, result, lastDay);
}

/** Reads a file and stores its new lines as one batch: all of them become visible by one flip, or none. */
export function importTask(context: TaskContext, payload: ImportPayload): TaskEnd {
  const understanding = understandFile(context, payload);
  if (understanding.kind === 'cancelled') return { end: 'cancelled' };
  if (understanding.kind === 'unreadable') return finish(context, understanding.result);
  if (understanding.kind === 'large') {
    const large = storeLarge(context, payload, understanding.large);
    return large === 'stored' ? { end: 'completed' } : large === 'cancelled' ? { end: 'cancelled' } : finish(context, large);
  }
  const { understood } = understanding;
  if (!isWelcome(understood, payload)) {
    const held = !payload.dryRun && understood.statement.lines.length > 0;
    return finish(context, held ? { ...understood.result, kept: 0 } : understood.result);
  }
  return whileOpen(context, payload, understood) ? { end: 'completed' } : { end: 'cancelled' };
}

function whileOpen(context: TaskContext, payload: ImportPayload, understood: Understood): boolean {
  removeHalfWritten(context, understood.stream?.id ?? null);
  const file = { format: understood.statement.format, sha256: understood.sha256, byteLength: understood.byteLength };
  const opened = openBatch(context, payload, file, factsOf(context, understood));
  return orTakenBack(context, opened, () => store(context, payload, opened, understood));
}
