import { success } from '../../../src-shared/values/result.ts';
import type { LineTaker, ReadControl } from '../../domain/statement/index.ts';
import { type ImportPayload, wholeFile } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import { FileStager, type StretchOfFile } from './file-stager.ts';
import { roomOfStage } from './line-stage.ts';
import { LinesOfFile } from './lines-of-file.ts';
import { type FactsOfLarge, spillPlace, type UnderstoodLarge } from './open-streaming-file.ts';
import { SpillFiles } from './spill-files.ts';
import { type EndOfLarge, type LargeImport, resultOfLarge } from './streaming-import.ts';
import { asTakenBy, notUnderstood, recipesFor, sumTooLarge, targetStream, type Understanding } from './understanding.ts';

/** How a stream takes a line. */
type AsTaken = LargeImport['asTaken'];

/** Stages lines in this thread, as they are read, and hands them over. */
function stagingHere(context: TaskContext, asTaken: AsTaken, hand: (stretch: StretchOfFile) => void): FileStager {
  const room = roomOfStage(context.stagedLines ?? Number.POSITIVE_INFINITY);
  return new FileStager(() => room, hand, asTaken, new SpillFiles(spillPlace(context)));
}

/** Stages lines in this thread for as long as some work takes. */
function whileStaging<T>(
  context: TaskContext,
  asTaken: AsTaken,
  hand: (stretch: StretchOfFile) => void,
  work: (staging: FileStager) => T,
): T {
  const staging = stagingHere(context, asTaken, hand);
  try {
    return work(staging);
  } finally {
    staging.close();
  }
}

/** Reports progress in rows; their number is known once the file was read to its end. */
export function rowsControl(context: TaskContext, phase: string, { rows, byteLength }: FactsOfLarge, read: () => number): ReadControl {
  const file = wholeFile(rows, byteLength);
  const onProgress = () => context.report({ phase, processed: Math.min(read(), rows), total: rows, file });
  return { onProgress, isCancelled: context.isCancelled };
}

/** Looks at the lines of a large file and compares them with the stream; stores nothing. Only the first lines are listed. */
export function lookAtLarge(context: TaskContext, payload: ImportPayload, { facts, read: readLines }: UnderstoodLarge): Understanding {
  const { database } = context;
  const stream = targetStream(context, payload);
  const lines = new LinesOfFile(context, stream?.id ?? null);
  const take = ({ lines: some, rejected }: StretchOfFile): void => {
    for (const row of rejected) lines.rowLog.reject(row, 1);
    lines.count(some);
    lines.look(some);
  };
  return database.snapshot(() => {
    const control = rowsControl(context, 'comparing', facts, () => lines.sums.lines);
    const read = whileStaging(context, asTakenBy(stream), take, (staging) => {
      const all = readLines(control, (built) => staging.add(built));
      if (all.ok) staging.end();
      return all;
    });
    if (!read.ok) return notUnderstood(payload, read.error);
    const { statement, result, wishes } = resultOfLarge(context, payload, stream, recipesFor(context, payload), facts, read.value, lines);
    if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
    const understood = {
      statement,
      stream,
      sha256: facts.sha256,
      byteLength: facts.byteLength,
      dedupeKeys: lines.listed.map(({ key }) => key),
      isDuplicate: lines.listed.map(({ isDuplicate }) => isDuplicate),
      isLeftOut: lines.listed.map(() => false),
      same: new Map<number, number>(),
      instead: new Map(),
      otherwise: new Map(),
      rowLog: lines.rowLog,
      wipes: wipesSeen(database, stream?.id ?? 0),
      wishes,
      result,
    };
    return { kind: 'understood', understood };
  });
}

/** To be closed. */
export interface TakerHere extends LineTaker {
  readonly end: () => void;
  readonly close: () => void;
}

/** Takes the lines of a file into an import while the file is still being understood, and tells when the last of them are to go in. */
export function takerInto(context: TaskContext, importing: LargeImport): TakerHere {
  const staging = stagingHere(context, importing.asTaken, (stretch) => importing.take(stretch, () => undefined));
  return {
    take: (built) => staging.add(built),
    drop: () => {
      staging.drop();
      importing.drop();
    },
    end: () => staging.end(),
    close: () => staging.close(),
  };
}

/** Stores the new lines of a large file as one batch, or nothing where a person must look at it first: then the result says why. */
export function storeLarge(
  context: TaskContext,
  importing: LargeImport,
  { facts, read: readLines }: UnderstoodLarge,
  endTaking: () => void,
): EndOfLarge {
  const control = rowsControl(context, 'storing', facts, () => importing.rowsRead);
  const told = (): void => control.onProgress(0, 0);
  const take = (stretch: StretchOfFile): void => importing.take(stretch, told);
  const readHere = (): ReturnType<UnderstoodLarge['read']> =>
    whileStaging(context, importing.asTaken, take, (staging) => {
      const read = readLines({ onProgress: () => undefined, isCancelled: () => importing.isCancelled }, (built) => staging.add(built));
      if (read.ok) staging.end();
      return read;
    });
  importing.heed(facts);
  if (facts.taken !== null) endTaking();
  for (let read = facts.taken === null ? readHere() : success(facts.taken); ; read = readHere()) {
    told();
    const ended = importing.end(facts, read);
    if (ended !== 'again') return ended;
  }
}
