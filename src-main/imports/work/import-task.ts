import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { isWithoutMovement } from '../../domain/statement/index.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { wordsOfRecords } from '../../records/store/same-money.ts';
import { type ImportPayload, wholeFile } from '../../jobs/protocol.ts';
import type { TaskContext, TaskEnd } from '../../jobs/task.ts';
import { LineStager } from './file-stager.ts';
import { ImportBatch, orTakenBack } from './import-batch.ts';
import { roomOfStage } from './line-stage.ts';
import type { SameLine } from './wordings.ts';
import { type RowLog, rowLogOf } from './import-rows.ts';
import { ofPackedFile, recipesFor, type Understanding, type Understood } from './understanding.ts';
import { findingsOf, isAdmitted } from './admission.ts';
import { lookAtLarge, storeLarge, type TakerHere, takerInto } from './import-on-one-thread.ts';
import { type EndOfLarge, LargeImport } from './streaming-import.ts';
import { readAndCompare, compareHeld } from './read-and-compare.ts';

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

/** Writes those of the lines at `places` that the stream does not have. Answers the places of the others; null when cancelled. */
function writeLines(context: TaskContext, batch: ImportBatch, understood: Understood, places: readonly number[]): number[] | null {
  const { statement, byteLength, dedupeKeys } = understood;
  const file = wholeFile(statement.rows, byteLength);
  const there: number[] = [];
  let before = 0;
  let isCancelled = false;
  const report = (processed: number): void => context.report({ phase: 'storing', processed, total: places.length, file });
  const onWritten = (written: number): void => {
    if (before + written < places.length) report(before + written);
  };
  const room = roomOfStage(places.length);
  const stager = new LineStager(
    () => room,
    ({ lines }) => {
      isCancelled ||= !batch.write(lines, onWritten, (ids) => {
        for (const id of ids) there.push(present(places[before + id - 1], 'place'));
      });
      before += lines.count;
    },
  );
  for (const place of places) {
    if (isCancelled) return null;
    stager.add(present(statement.lines[place], 'line'), present(dedupeKeys[place], 'dedupe key'));
  }
  stager.end();
  if (isCancelled || !batch.rows.listAll(file)) return null;
  // Reported last of all: from here on it is too late to cancel.
  report(places.length);
  return there;
}

/** Stores what is new and publishes it; false when cancelled. If the record that a line duplicates is wiped meanwhile, the line goes in after all. */
function store(context: TaskContext, batch: ImportBatch, understood: Understood): boolean {
  let duplicates: number[] = [];
  let places: number[] = [];
  for (const [place, isDuplicate] of understood.isDuplicate.entries()) {
    if (understood.isLeftOut[place] !== true) (isDuplicate ? duplicates : places).push(place);
  }
  for (;;) {
    const others = writeLines(context, batch, understood, places);
    if (others === null) return false;
    duplicates.push(...others);
    const same = sameLines(understood, duplicates);
    if (batch.publish({ ...understood, rowLog: rowsLeft(understood, duplicates), same })) return true;
    const here = stillHere(context, understood);
    places = duplicates.filter((place) => !here.has(place));
    duplicates = duplicates.filter((place) => here.has(place));
  }
}

/** Of the lines that do not go in, those that a record says in other words. */
function sameLines({ same, instead, statement, dedupeKeys }: Understood, duplicates: readonly number[]): SameLine[] {
  // All lines of an entry name the same lines of its other reading.
  const others = new Set(duplicates.flatMap((place) => (same.has(place) ? (instead.get(place) ?? []) : [])));
  const own = duplicates.flatMap((place) => {
    if (instead.has(place)) return [];
    const recordId = same.get(place);
    if (recordId === undefined) return [];
    return { line: present(statement.lines[place], 'line'), dedupeKey: present(dedupeKeys[place], 'dedupe key'), recordId };
  });
  return [...own, ...others];
}

/** The places of lines whose record is still there. */
function stillHere({ database }: TaskContext, { same, otherwise }: Understood): ReadonlySet<number> {
  const records = [...same.values(), ...[...otherwise.values()].flatMap((each) => each.records)];
  const there = new Set(wordsOfRecords(database, records).map(({ id }) => id));
  const places = [...same].filter(([, recordId]) => there.has(recordId)).map(([place]) => place);
  const others = [...otherwise].filter((each) => each[1].records.some((id) => there.has(id))).map(([place]) => place);
  return new Set([...places, ...others]);
}

/** The rows that did not go in, with those that others stored meanwhile. */
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

/** As `importTask`, for a file that is known to be held in memory. */
export function importHeld(context: TaskContext, asked: ImportPayload): TaskEnd {
  const payload = ofPackedFile(asked);
  return importWhole(context, payload, compareHeld(context, payload));
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
  const understanding = readAndCompare(context, payload, taker);
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
  if (understanding.kind !== 'understood' || payload.dryRun) return finish(context, lookedAt(understanding));
  const { understood } = understanding;
  const { statement, result, stream, wipes } = understood;
  const isEmpty = statement.lines.length === 0 && !isWithoutMovement(statement);
  if (isEmpty || !isAdmitted(payload, findingsOf(statement, result))) return finish(context, { ...result, kept: 0 });
  const batch = new ImportBatch(context, payload, stream, statement.format, wipes);
  const takeBack = (): void => batch.takeBack();
  const isStored = orTakenBack(takeBack, () => store(context, batch, understood));
  if (!isStored) takeBack();
  return { end: isStored ? 'completed' : 'cancelled' };
}

/** The result for a file that is only looked at; null when cancelled. */
function lookedAt(understanding: Understanding): ImportResult | null {
  if (understanding.kind === 'cancelled') return null;
  return understanding.kind === 'understood' ? understanding.understood.result : understanding.result;
}

export function endOfLarge(context: TaskContext, end: EndOfLarge): TaskEnd {
  return end === 'stored' ? { end: 'completed' } : finish(context, end === 'cancelled' ? null : end);
}
