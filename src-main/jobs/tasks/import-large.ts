import { success } from '../../../src-shared/values/result.ts';
import type { LineTaker } from '../../domain/statement/large/early-lines.ts';
import type { ReadControl } from '../../domain/statement/types.ts';
import { streamByKey } from '../../store/streams.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { type ImportPayload, wholeFile } from '../protocol.ts';
import type { TaskContext } from '../task.ts';
import type { FactsOfLarge, UnderstoodLarge } from './large-file.ts';
import { type EndOfLarge, type LargeImport, resultOf } from './large-import.ts';
import { roomOfStage } from './line-stage.ts';
import { LineStaging, type StretchOfFile } from './line-staging.ts';
import { LinesOfFile } from './lines-of-file.ts';
import { notUnderstood, recipesFor, sumTooLarge, type Understanding } from './understanding.ts';

/** Stages lines in this thread, as they are read, and hands them over. */
function stagingHere({ stagedLines }: TaskContext, hand: (stretch: StretchOfFile) => void): LineStaging {
  const room = roomOfStage(stagedLines ?? Number.POSITIVE_INFINITY);
  return new LineStaging(() => room, hand);
}

/** Once the file was read to its end its rows are known, and progress is told in them. */
export function rowsControl(context: TaskContext, phase: string, { rows, byteLength }: FactsOfLarge, read: () => number): ReadControl {
  const file = wholeFile(rows, byteLength);
  const onProgress = () => context.report({ phase, processed: Math.min(read(), rows), total: rows, file });
  return { onProgress, isCancelled: context.isCancelled };
}

/** Looks at the lines of a large file and compares them with the stream; stores nothing. Only the first lines are listed. */
export function lookAtLarge(context: TaskContext, payload: ImportPayload, { facts, read: readLines }: UnderstoodLarge): Understanding {
  const { database, job } = context;
  const stream = payload.streamKey === null ? undefined : streamByKey(database, job.environment_id, payload.streamKey);
  const lines = new LinesOfFile(context, stream?.id ?? null);
  return database.snapshot(() => {
    const staging = stagingHere(context, ({ lines: some, rejected }) => {
      for (const row of rejected) lines.rowLog.reject(row, 1);
      lines.count(some);
      lines.look(some);
    });
    const read = readLines(
      rowsControl(context, 'comparing', facts, () => lines.sums.lines),
      (built) => staging.add(built),
    );
    if (!read.ok) return notUnderstood(payload, read.error);
    staging.end();
    const { statement, result, wishes } = resultOf(context, payload, stream, recipesFor(context, payload), facts, read.value, lines);
    if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
    const understood = {
      statement,
      stream,
      sha256: facts.sha256,
      byteLength: facts.byteLength,
      dedupeKeys: lines.listed.map(({ key }) => key),
      isDuplicate: lines.listed.map(({ isDuplicate }) => isDuplicate),
      isLeftOut: lines.listed.map(() => false),
      rowLog: lines.rowLog,
      wipes: wipesSeen(database, stream?.id ?? 0),
      wishes,
      result,
    };
    return { kind: 'understood', understood };
  });
}

/** Takes the lines of a file into an import while the file is still being understood, and tells when the last of them are to go in. */
export function takerInto(context: TaskContext, importing: LargeImport): LineTaker & { readonly end: () => void } {
  const staging = stagingHere(context, (stretch) => importing.take(stretch, () => undefined));
  return {
    take: (built) => staging.add(built),
    drop: () => {
      staging.drop();
      importing.drop();
    },
    end: () => staging.end(),
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
  const readHere = (): ReturnType<UnderstoodLarge['read']> => {
    const staging = stagingHere(context, (stretch) => importing.take(stretch, told));
    const read = readLines({ onProgress: () => undefined, isCancelled: () => importing.isCancelled }, (built) => staging.add(built));
    if (read.ok) staging.end();
    return read;
  };
  importing.heed(facts);
  if (facts.taken !== null) endTaking();
  for (let read = facts.taken === null ? readHere() : success(facts.taken); ; read = readHere()) {
    told();
    const ended = importing.end(facts, read);
    if (ended !== 'again') return ended;
  }
}
