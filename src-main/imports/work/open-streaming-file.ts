import type { Problem } from '../../../src-shared/contract/index.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import {
  type OpenTable,
  type LineTaker,
  type ReadControl,
  readLarge,
  type ReadOptions,
  type Statement,
  type Unreadable,
  type AcceptedCurrencies,
} from '../../domain/statement/index.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { unreadableResult } from './figures.ts';
import { type ChosenReading, chosenReading, type OneReading, type WayOfReading } from './chosen-reading.ts';
import type { KeptRecipe } from './recipes.ts';
import { type ListedCurrencies, type AcceptedInBook, acceptedOfList } from './accepted-currencies.ts';
import { type FileFault, openLargeFile } from './read-file.ts';
import { notUnderstood, type NotUnderstood, readOptionsOf, recipesFor, targetStream, wrongCurrency } from './understanding.ts';
import { SpillFiles, folderOf, type SpillPlace } from './spill-files.ts';

/** What a file is read by. */
export interface RequestOfFile<Accepted = AcceptedInBook | ListedCurrencies> {
  readonly payload: ImportPayload;
  readonly options: Omit<ReadOptions, 'accepted' | 'spill'>;
  readonly accepted: Accepted | null;
  readonly kept: readonly KeptRecipe[];
  /** Which day its stream takes as that of a line; null for a stream that is not there yet. */
  readonly readBy: StreamRow['read_by'] | null;
  /** Bytes up to which it is read whole; without them as `STATEMENT_LIMITS` says. */
  readonly wholeBytes: number | undefined;
  /** Where the ids and contents that were seen go when there are too many for memory. */
  readonly spill: SpillPlace;
}

/** What is known of a large file whose table is understood. Plain data as well. */
export interface FactsOfLarge extends WayOfReading {
  /** Transactions, those included that are rejected or left out in the end. */
  readonly rows: number;
  readonly proof: Statement['proof'];
  /** It can be read in several ways, and a person is to choose. */
  readonly isAsked: boolean;
  /** Several, or none. */
  readonly accounts: Statement['accounts'];
  /** The statement, if its lines were taken while the file was being understood. Null if they are still to be read. */
  readonly taken: Statement | null;
  /** Why it stays out as the wrong file for its stream, until that is agreed to. */
  readonly wrongCurrency: Problem | null;
  /** A file that names no currency was read in the one of the book. */
  readonly isCurrencyOfBook: boolean;
  readonly sha256: string;
  readonly byteLength: number;
}

/** A large file whose table is understood, and whose lines can be read. To be closed. */
export interface UnderstoodLarge {
  readonly facts: FactsOfLarge;
  readonly read: OpenTable['read'];
  readonly close: () => void;
}

/** Reports how far a file is read. Some files are read more than once, so the most rows and bytes that were reached so far are told. */
export function readingControl(context: TaskContext): ReadControl {
  let most = 0;
  let furthest = 0;
  return {
    onProgress: (bytes, totalBytes, rows = 0) => {
      most = Math.max(most, rows);
      furthest = Math.max(furthest, bytes);
      context.report({ phase: 'reading', processed: furthest, total: totalBytes, file: { rows: most, bytes: furthest, totalBytes } });
    },
    isCancelled: context.isCancelled,
    ...(context.longStep && { longStep: context.longStep }),
  };
}

/** Decisions about single rows are for files that are read whole. */
export function requestOfFile(context: TaskContext, payload: ImportPayload): RequestOfFile<AcceptedInBook> | null {
  if ((payload.overrules?.length ?? 0) > 0) return null;
  const stream = targetStream(context, payload);
  const { accepted, ...options } = readOptionsOf(context, payload, stream);
  const kept = recipesFor(context, payload);
  const readBy = stream?.read_by ?? null;
  return { payload, options, accepted, kept, readBy, wholeBytes: context.wholeBytes, spill: spillPlace(context) };
}

/** Beside the book that the file goes into. */
export function spillPlace({ database, heldTexts }: TaskContext): SpillPlace {
  return { folder: folderOf(database), heldTexts };
}

/** The same as plain data, for another thread. */
export function plainRequest(request: RequestOfFile<AcceptedInBook>): RequestOfFile<ListedCurrencies> {
  return { ...request, accepted: request.accepted?.listed() ?? null };
}

function acceptedOf({ accepted }: RequestOfFile): AcceptedCurrencies | null {
  return accepted === null || 'has' in accepted ? accepted : acceptedOfList(accepted);
}

/** Understands a table that is too large to be held; null for any other file. */
export function understandLarge(
  context: TaskContext,
  payload: ImportPayload,
  taker: LineTaker | null,
): { readonly kind: 'large'; readonly large: UnderstoodLarge } | NotUnderstood | null {
  const request = requestOfFile(context, payload);
  const large = request === null ? success(null) : openedLarge(request, readingControl(context), taker);
  if (!large.ok) return notRead(payload, large.error);
  return large.value === null ? null : { kind: 'large', large: large.value };
}

/** The end of an import whose file could not be read. */
export function notRead(payload: ImportPayload, error: Unreadable | FileFault): NotUnderstood {
  if (error.code !== 'file_unreadable') return notUnderstood(payload, error as Unreadable);
  return { kind: 'unreadable', result: unreadableResult(payload.streamKey ?? '', error) };
}

/** Opens a file and understands its table; null where it is to be read whole. `taker` as `readLarge` has it. */
export function openedLarge(
  request: RequestOfFile,
  control: ReadControl,
  taker: LineTaker | null,
): Result<UnderstoodLarge | null, Unreadable | FileFault> {
  const { payload, wholeBytes } = request;
  const opened = openLargeFile(payload, wholeBytes);
  if (!opened.ok) return opened;
  const file = opened.value;
  if (file === null) return success(null);
  const spill = new SpillFiles(request.spill);
  const close = (): void => {
    spill.close();
    file.close();
  };
  let isTaken = false;
  try {
    const chosen = chosenTable(request, file, spill, control, taker);
    if (!chosen.ok) return chosen;
    if (chosen.value === null) return success(null);
    isTaken = true;
    const { state, followed } = chosen.value;
    const { table } = chosen.value.read;
    const facts = {
      rows: table.rows,
      proof: table.proof,
      accounts: table.accounts,
      isAsked: table.questions.length > 0,
      taken: table.taken,
      state,
      followed,
      wrongCurrency: wrongCurrency(table.currencies, acceptedOf(request)),
      isCurrencyOfBook: request.options.isCurrencyOfBook === true,
      sha256: file.sha256(),
      byteLength: file.byteLength,
    };
    return success({ facts, read: table.read, close });
  } finally {
    if (!isTaken) close();
  }
}

type ReadingOfTable = OneReading & { readonly table: OpenTable };

/** Chooses how the table is read. `taker` gets the lines of the first reading alone. */
function chosenTable(
  request: RequestOfFile,
  file: Parameters<typeof readLarge>[0],
  spill: SpillFiles,
  control: ReadControl,
  taker: LineTaker | null,
): Result<ChosenReading<ReadingOfTable> | null, Unreadable> {
  const { payload, kept } = request;
  const options = { ...request.options, accepted: acceptedOf(request), spill };
  let readings = 0;
  let isTaken = false;
  const chosen = chosenReading(payload, kept, options, (how) => {
    const read = readLarge(file, how, control, readings === 0 ? taker : null);
    readings += 1;
    if (!read.ok || read.value === null) return read.ok ? success(null) : read;
    const table = read.value;
    isTaken ||= table.taken !== null;
    const statement = () => (table.taken === null ? table.read(control, () => undefined) : success(table.taken));
    return success({ table, followed: table.followed, statement });
  });
  const isChosen = chosen.ok && chosen.value !== null && chosen.value.read.table.taken !== null;
  if (isTaken && !isChosen) taker?.drop();
  return chosen;
}
