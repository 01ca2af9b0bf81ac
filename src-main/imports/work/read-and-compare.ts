import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, signedMinor } from '../../../src-shared/values/money.ts';
import { success } from '../../../src-shared/values/result.ts';
import type { ReadHandle } from '../../database/database.ts';
import {
  type BalancedPeriod,
  type DayRange,
  decidedByBalances,
  type LineTaker,
  type Overlap,
  overruled,
  readStatement,
  type Statement,
  type StatementPeriod,
} from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { sumOfDays } from '../../records/store/same-money.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import { statementFiles } from '../store/statement-periods.ts';
import { chosenReading, type OneReading, type WayOfReading } from './chosen-reading.ts';
import { lastClosed } from './closed-lines.ts';
import { SHOWN_SKIPPED, skippedRows, type Sorted, sortLines } from './duplicates.ts';
import { unreadableResult } from './figures.ts';
import { resultOf } from './file-result.ts';
import { rowLogOf } from './import-rows.ts';
import { notRead, readingControl, understandLarge, type UnderstoodLarge } from './open-streaming-file.ts';
import { knownOtherwise, ofBothReadings, partlyThere, whyOtherwise } from './other-reading.ts';
import { decidedOverlap, overlapsOf } from './overlap.ts';
import { type FileBytes, readFileBytes } from './read-file.ts';
import { type KeptRecipe, overlapAnswer } from './recipes.ts';
import {
  asTakenBy,
  notUnderstood,
  readOptionsOf,
  recipesFor,
  sumTooLarge,
  targetStream,
  type Understanding,
  wrongCurrency,
} from './understanding.ts';

/** How many lines a slow and busy machine compares with a stream in a millisecond. No progress is told meanwhile. */
const SLOWEST_LINES_PER_MS = 20;

/** The lines of a large file are not held: they are read when they are looked at or stored. */
type UnderstoodFile = Understanding | { readonly kind: 'large'; readonly large: UnderstoodLarge };

/** Reads the file of a job. Nothing is stored, unless `taker` does so, which gets the lines of a large file while it is read (see `readLarge`). */
export function readAndCompare(context: TaskContext, payload: ImportPayload, taker: LineTaker | null = null): UnderstoodFile {
  const large = understandLarge(context, payload, taker);
  return large ?? compareHeld(context, payload);
}

/** A file that is held in memory, whole. */
interface HeldFile extends WayOfReading {
  readonly statement: Statement;
  readonly file: FileBytes;
  readonly stream: StreamRow | undefined;
  readonly kept: readonly KeptRecipe[];
}

/** Reads a file that is held in memory, and compares its lines with what the stream has. */
export function compareHeld(context: TaskContext, payload: ImportPayload): Understanding {
  const file = readFileBytes(payload);
  if (!file.ok) return notRead(payload, file.error);
  const stream = targetStream(context, payload);
  const kept = recipesFor(context, payload);
  const control = readingControl(context);
  const chosen = chosenReading(payload, kept, readOptionsOf(context, payload, stream), (options) => {
    const read = readStatement(file.value.bytes, options, control);
    return read.ok ? success(readingOf(read.value)) : read;
  });
  if (!chosen.ok) return notUnderstood(payload, chosen.error);
  const { read, ...way } = present(chosen.value, 'reading');
  const { longStep = (_milliseconds, work) => work() } = context;
  return longStep(read.held.lines.length / SLOWEST_LINES_PER_MS, () =>
    comparedWithStream(context, payload, { ...way, statement: read.held, file: file.value, stream, kept }),
  );
}

function readingOf(held: Statement): OneReading & { readonly held: Statement } {
  return { held, followed: held.table?.followed ?? null, statement: () => success(held) };
}

function comparedWithStream(context: TaskContext, payload: ImportPayload, { file, stream, kept, ...way }: HeldFile): Understanding {
  const decided = overruled(way.statement, payload.overrules ?? []);
  if (!decided.ok) return { kind: 'unreadable', result: unreadableResult(payload.streamKey ?? '', decided.error) };
  const { forced, leftOut, statement: asked } = decided.value;
  const { database, job } = context;
  const streamId = stream?.id ?? null;
  const options = readOptionsOf(context, payload, stream);
  // One snapshot, so that an import that is undone meanwhile is seen either whole or not at all.
  return database.snapshot(() => {
    const otherwise = knownOtherwise(database, streamId, asked.lines, asked.batches);
    const asFileSays = sortLines(database, streamId, asked.lines, forced, leftOut, (place) => otherwise.has(place));
    // Keys are those of the lines as the file says them.
    const sorting = { ...asFileSays, lines: asFileSays.lines.map(asTakenBy(stream)) };
    const target = { environmentId: job.environment_id, streamId, format: asked.format };
    const isForced = (place: number): boolean => forced.has(present(asked.lines[place], 'line'));
    const { overlaps, instead } = ofBothReadings(overlapsOf(database, target, sorting, isForced), sorting, asked.lines, asked.batches, {
      taken: asTakenBy(stream),
      overlapsOf: (others) => overlapsOf(database, target, others, () => false),
    });
    const overlap = decidedOverlap(
      overlaps,
      sorting,
      { said: overlapAnswer(asked.table, payload, kept), isOfRecipe: payload.answers?.overlap === undefined },
      (pairs) => overlapByBalances(database, stream, asked, sorting, pairs),
    );
    const { lines, dedupeKeys, isDuplicate, isLeftOut } = overlap.sorted;
    const isNew = (place: number): boolean => isDuplicate[place] !== true && isLeftOut[place] !== true;
    const skipped = lines.filter((_, place) => !isNew(place)).length;
    const whyThere = (place: number) => {
      const known = otherwise.get(place);
      return known === undefined ? null : whyOtherwise(known);
    };
    const span = lastClosed(database, streamId);
    const closed =
      span === undefined ? null : { span, count: lines.filter(({ day }, place) => isNew(place) && day <= span.lastDay).length };
    const { statement, result, wishes } = resultOf(context, payload, stream, kept, {
      ...way,
      statement: { ...asked, lines, problems: [...partlyThere(overlap.sorted, otherwise), ...asked.problems] },
      sha256: file.sha256,
      wrongCurrency: wrongCurrency(asked.currencies, options.accepted),
      isCurrencyOfBook: options.isCurrencyOfBook === true,
      overlap,
      closed,
      skippedRows: [...overlap.skipped, ...skippedRows(database, streamId, sorting, whyThere)].slice(0, SHOWN_SKIPPED),
      counts: { kept: lines.length - skipped, skipped },
      sums: null,
    });
    if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
    const rowLog = rowLogOf(
      statement,
      dedupeKeys,
      (place) => isDuplicate[place] === true,
      (place) => isLeftOut[place] === true,
    );
    const wipes = wipesSeen(database, stream?.id ?? 0);
    const { sha256, bytes } = file;
    const compared = { dedupeKeys, isDuplicate, isLeftOut, same: overlap.same, instead, otherwise, rowLog, wipes, wishes };
    return { kind: 'understood', understood: { statement, stream, sha256, byteLength: bytes.length, ...compared, result } };
  });
}

/** What stated balances say of lines that coincide with stored ones; null where they leave it open. */
function overlapByBalances(
  read: ReadHandle,
  stream: StreamRow | undefined,
  statement: Statement,
  sorted: Sorted,
  pairs: readonly Overlap[],
): 'same' | 'new' | null {
  // Balances follow booking days, of one account in one currency.
  if (stream === undefined || stream.read_by === 'value_date' || statement.currencies.length > 1) return null;
  const { currency } = statement;
  const places = decimalPlacesOf(currency);
  const { lines, isDuplicate, isLeftOut } = sorted;
  const fresh = lines.filter((_, place) => isDuplicate[place] !== true && isLeftOut[place] !== true);
  if (fresh.some((line) => line.currency !== currency || line.decimalPlaces !== places)) return null;
  const periods = [
    ...balanced(statement, true),
    ...statementFiles(read, stream.environment_id, stream.id)
      .filter((file) => (file.currency ?? stream.currency) === currency)
      .flatMap(({ periods: stated, proof }) =>
        balanced({ periods: stated === null ? [] : (JSON.parse(stated) as StatementPeriod[]), proof }, false),
      ),
  ];
  const paired = pairs.flatMap(({ place }) => {
    const line = lines[place];
    return line === undefined ? [] : [{ day: line.day, signedMinor: signedMinor(line.amountMinor, line.direction) }];
  });
  return decidedByBalances(periods, paired, ({ firstDay, lastDay }: DayRange) => {
    const stored = sumOfDays(read, stream.id, { firstDay, lastDay, currency, decimalPlaces: places });
    if (stored === null) return null;
    const own = fresh.reduce(
      (sum, { day, amountMinor, direction }) => (day < firstDay || day > lastDay ? sum : sum + signedMinor(amountMinor, direction)),
      0,
    );
    return { stored, fresh: own };
  });
}

/** Periods of one account with both balances. */
function balanced(
  { periods, proof }: { readonly periods: readonly StatementPeriod[]; readonly proof: string },
  isOfFile: boolean,
): BalancedPeriod[] {
  if (periods.some(({ account }) => account !== null)) return [];
  return periods.flatMap(({ firstDay, lastDay, openingMinor, closingMinor }) =>
    openingMinor === null || closingMinor === null
      ? []
      : [{ firstDay, lastDay, openingMinor, closingMinor, isOfFile, isBroken: proof === 'broken' }],
  );
}
