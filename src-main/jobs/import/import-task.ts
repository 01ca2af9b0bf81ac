import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { updateJob } from '../../store/book/jobs.ts';
import { wordsOfRecords } from '../../store/records/same-money.ts';
import { wipesSeen } from '../../store/wipes/wipes.ts';
import { type ImportPayload, wholeFile } from '../worker/protocol.ts';
import type { TaskContext, TaskEnd } from '../worker/task.ts';
import { BatchRows, type Told } from './batch/batch-rows.ts';
import { abandonHalfWritten, factsOfBatch, openBatch, orTakenBack, publish, takeBack } from './batch/import-batch.ts';
import { LineStage, roomOfStage } from './batch/line-stage.ts';
import { IMPORT_CACHE_KIB, type Opened } from './batch/opened-batch.ts';
import type { SameLine } from './batch/wordings.ts';
import { storeBalances } from './reading/balances.ts';
import { isClosed } from './reading/closed-lines.ts';
import { type RowLog, rowLogOf } from './reading/import-rows.ts';
import { asksForAccount, ofPackedFile, recipesFor, type Understanding, type Understood } from './reading/understanding.ts';
import { lookAtLarge, storeLarge, type TakerHere, takerInto } from './streaming/import-on-one-thread.ts';
import { type EndOfLarge, LargeImport } from './streaming/streaming-import.ts';
import { understandFile, understandHeld } from './understand.ts';

/** A result that stores nothing; null when cancelled. */
export function finish(context: TaskContext, result: ImportResult | null): TaskEnd {
  if (result === null) return { end: 'cancelled' };
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
  if (understood.statement.questions.length > 0) return false;
  const isOther = understood.result.misfits.length > 0 || understood.statement.problems.some(({ code }) => code === 'wrong_currency');
  if ((isOther && payload.acceptTarget !== true) || isClosed(understood.statement)) return false;
  if (understood.statement.rejectedRows > 0 && !payload.acceptRejected) return false;
  return understood.statement.proof !== 'broken' || payload.acceptBroken;
}

/** Stores those of the lines at `places` that the stream does not have. Answers the places of the others; null when cancelled. */
function insertLines(context: TaskContext, rows: BatchRows, understood: Understood, places: readonly number[]): number[] | null {
  const duplicates: number[] = [];
  const stage = new LineStage(roomOfStage(places.length));
  const { statement, byteLength } = understood;
  const file = wholeFile(statement.rows, byteLength);
  for (let start = 0; start < places.length;) {
    const from = start;
    for (; start < places.length && !stage.isFull; start += 1) {
      const place = present(places[start], 'place');
      stage.add(present(understood.statement.lines[place], 'line'), present(understood.dedupeKeys[place], 'dedupe key'));
    }
    const report = (processed: number): void => context.report({ phase: 'storing', processed, total: places.length, file });
    const onWritten = (written: number): void => {
      if (from + written < places.length) report(from + written);
    };
    const told: Told = (there) => {
      for (const id of there) duplicates.push(present(places[from + id - 1], 'place'));
    };
    if (!rows.write(stage.lines, onWritten, told)) return null;
    stage.clear();
    if (!(start < places.length ? rows.listMany() : rows.listAll(file))) return null;
    report(start);
  }
  return duplicates;
}

/** Stores what is new and publishes it; false when cancelled. If the record that a line duplicates is wiped meanwhile, the line goes in after all. */
function store(context: TaskContext, payload: ImportPayload, opened: Opened, understood: Understood): boolean {
  const rows = new BatchRows(context, opened);
  const { statement, result, sha256, byteLength, stream, wishes } = understood;
  storeBalances(context.database, opened.batchId, statement, context.clock.nowMs());
  let { wipes } = understood;
  let duplicates: number[] = [];
  let places: number[] = [];
  for (const [place, isDuplicate] of understood.isDuplicate.entries()) {
    if (understood.isLeftOut[place] !== true) (isDuplicate ? duplicates : places).push(place);
  }
  for (;;) {
    const end = context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
    try {
      const others = insertLines(context, rows, understood, places);
      if (others === null) return false;
      duplicates.push(...others);
    } finally {
      end();
    }
    const facts = factsOf(context, understood);
    rowsLeft(understood, duplicates).store(context.database, context.job.id);
    if (
      publish(context, payload, opened, {
        statement,
        stream,
        file: { sha256, byteLength },
        result,
        facts,
        rows,
        same: sameLines(understood, duplicates),
        wishes,
        lines: statement.lines.length,
        wipes,
      })
    )
      return true;
    wipes = wipesSeen(context.database, opened.streamId);
    rows.again();
    const here = stillHere(context, understood);
    places = duplicates.filter((place) => !here.has(place));
    duplicates = duplicates.filter((place) => here.has(place));
  }
}

/** Of the lines that do not go in, those that a record says in other words. */
function sameLines({ same, statement, dedupeKeys }: Understood, duplicates: readonly number[]): SameLine[] {
  return duplicates.flatMap((place) => {
    const recordId = same.get(place);
    if (recordId === undefined) return [];
    return { line: present(statement.lines[place], 'line'), dedupeKey: present(dedupeKeys[place], 'dedupe key'), recordId };
  });
}

/** The places of lines whose record is still there. */
function stillHere({ database }: TaskContext, { same }: Understood): ReadonlySet<number> {
  const there = new Set(wordsOfRecords(database, [...same.values()]).map(({ id }) => id));
  return new Set([...same].filter(([, recordId]) => there.has(recordId)).map(([place]) => place));
}

/** The rows that did not go in; what was stored by others meanwhile is among them. */
function rowsLeft(understood: Understood, duplicates: readonly number[]): RowLog {
  const { statement, dedupeKeys, isDuplicate, isLeftOut, rowLog } = understood;
  if (duplicates.length === isDuplicate.filter((is, place) => is && isLeftOut[place] !== true).length) return rowLog;
  const there = new Set(duplicates);
  return rowLogOf(
    statement,
    dedupeKeys,
    (place) => there.has(place),
    (place) => isLeftOut[place] === true,
  );
}

function factsOf(context: TaskContext, { statement, result }: Understood) {
  const lastDay = statement.lines.reduce((latest, line) => Math.max(latest, line.day), -Infinity);
  return factsOfBatch(context, statement, result, lastDay);
}

/** As `importTask`, for a file that is known to be held in memory. */
export function importHeld(context: TaskContext, asked: ImportPayload): TaskEnd {
  const payload = ofPackedFile(asked);
  return importWhole(context, payload, understandHeld(context, payload));
}

/** Reads a file and stores its new lines as one batch: one publish step makes all of them visible, or none. */
export function importTask(context: TaskContext, asked: ImportPayload): TaskEnd {
  const payload = ofPackedFile(asked);
  const importing = new LargeImport(context, payload, recipesFor(context, payload));
  return orTakenBack(
    () => importing.takeBack(),
    () => {
      const taker = payload.dryRun ? null : takerInto(context, importing);
      try {
        return understoodTask(context, payload, importing, taker);
      } finally {
        taker?.close();
      }
    },
  );
}

function understoodTask(context: TaskContext, payload: ImportPayload, importing: LargeImport, taker: TakerHere | null): TaskEnd {
  const understanding = understandFile(context, payload, taker);
  if (understanding.kind !== 'large') return importWhole(context, payload, understanding);
  const { large } = understanding;
  try {
    if (taker === null) return finish(context, lookedAt(lookAtLarge(context, payload, large)));
    return endOfLarge(context, storeLarge(context, importing, large, taker.end));
  } finally {
    large.close();
  }
}

function importWhole(context: TaskContext, payload: ImportPayload, understanding: Understanding): TaskEnd {
  if (understanding.kind !== 'understood') return finish(context, lookedAt(understanding));
  const { understood } = understanding;
  if (!isWelcome(understood, payload)) {
    const held = !payload.dryRun && understood.statement.lines.length > 0;
    return finish(context, held ? { ...understood.result, kept: 0 } : understood.result);
  }
  return whileOpen(context, payload, understood) ? { end: 'completed' } : { end: 'cancelled' };
}

/** The result for a file that is only looked at; null when cancelled. */
function lookedAt(understanding: Understanding): ImportResult | null {
  if (understanding.kind === 'cancelled') return null;
  return understanding.kind === 'understood' ? understanding.understood.result : understanding.result;
}

export function endOfLarge(context: TaskContext, end: EndOfLarge): TaskEnd {
  return end === 'stored' ? { end: 'completed' } : finish(context, end === 'cancelled' ? null : end);
}

function whileOpen(context: TaskContext, payload: ImportPayload, understood: Understood): boolean {
  abandonHalfWritten(context, understood.stream?.id ?? null);
  const file = { format: understood.statement.format, sha256: understood.sha256, byteLength: understood.byteLength };
  const opened = openBatch(context, payload, file, factsOf(context, understood));
  const takeAllBack = (): void => takeBack(context, opened);
  const isStored = orTakenBack(takeAllBack, () => store(context, payload, opened, understood));
  if (!isStored) takeAllBack();
  return isStored;
}
