import type { Problem, UsedRecipe } from '../../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import {
  type OpenTable,
  type LineTaker,
  type ReadControl,
  readLarge,
  type ReadOptions,
  type Statement,
  type Unreadable,
  type WelcomeCurrencies,
} from '../../../domain/statement/index.ts';
import { streamByKey, type StreamRow } from '../../../store/streams/streams.ts';
import type { ImportPayload } from '../../worker/protocol.ts';
import type { TaskContext } from '../../worker/task.ts';
import { unreadableResult } from '../reading/figures.ts';
import { isBeyondDoubt, isWorse, type KeptRecipe } from '../reading/recipes.ts';
import { type ListedWelcome, type WelcomeOfBook, welcomeOfList } from '../reading/accepted-currencies.ts';
import { type FileFault, openLargeFile } from '../reading/read-file.ts';
import { notUnderstood, type NotUnderstood, readOptionsOf, recipesFor, withDoubt, wrongCurrency } from '../reading/understanding.ts';
import { SpillFiles, folderOf, type SpillPlace } from './spill-files.ts';

/** What a file is read by. */
export interface RequestOfFile<Welcome = WelcomeOfBook | ListedWelcome> {
  readonly payload: ImportPayload;
  readonly options: Omit<ReadOptions, 'welcome' | 'aside'>;
  readonly welcome: Welcome | null;
  readonly kept: readonly KeptRecipe[];
  /** Which day its stream takes as that of a line; null for a stream that is not there yet. */
  readonly readBy: StreamRow['read_by'] | null;
  /** Bytes up to which it is read whole; without them as `STATEMENT_LIMITS` says. */
  readonly wholeBytes: number | undefined;
  /** Where what is seen of its rows goes when it is too much for memory. */
  readonly aside: SpillPlace;
}

/** What is known of a large file whose table is understood. Plain data as well. */
export interface FactsOfLarge {
  /** Transactions, those included that are rejected or left out in the end. */
  readonly rows: number;
  readonly proof: Statement['proof'];
  /** It can be read in several ways, and a person is to choose. */
  readonly isAsked: boolean;
  /** Several, or none. */
  readonly accounts: Statement['accounts'];
  /** Of the lines that were taken while it was understood; null where they are still to be read. */
  readonly taken: Statement | null;
  readonly state: UsedRecipe['state'];
  /** Why it stays out as the wrong file for its stream, until that is agreed to. */
  readonly wrongCurrency: Problem | null;
  /** A file that names no currency was read in the one of the book. */
  readonly isCurrencyOfBook: boolean;
  /** What its reading by a kept recipe makes doubtful; null where nothing is. */
  readonly followed: { readonly statement: Statement | null } | null;
  readonly sha256: string;
  readonly byteLength: number;
}

/** A large file whose table is understood, and whose lines can be read. To be closed. */
export interface UnderstoodLarge {
  readonly facts: FactsOfLarge;
  readonly read: OpenTable['read'];
  readonly close: () => void;
}

/** Tells how far a file is read: some are read more than once, so rows and bytes are the most of them that were reached so far. */
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
export function requestOfFile(context: TaskContext, payload: ImportPayload): RequestOfFile<WelcomeOfBook> | null {
  if ((payload.overrules?.length ?? 0) > 0) return null;
  const stream = payload.streamKey === null ? undefined : streamByKey(context.database, context.job.environment_id, payload.streamKey);
  const { welcome, ...options } = readOptionsOf(context, payload, stream);
  const kept = recipesFor(context, payload);
  const readBy = stream?.read_by ?? null;
  return { payload, options, welcome, kept, readBy, wholeBytes: context.wholeBytes, aside: spillPlace(context) };
}

/** Beside the book that the file goes into. */
export function spillPlace({ database, heldTexts }: TaskContext): SpillPlace {
  return { folder: folderOf(database), heldTexts };
}

/** The same as plain data, for another thread. */
export function plainRequest(request: RequestOfFile<WelcomeOfBook>): RequestOfFile<ListedWelcome> {
  return { ...request, welcome: request.welcome?.listed() ?? null };
}

function welcomeOf({ welcome }: RequestOfFile): WelcomeCurrencies | null {
  return welcome === null || 'has' in welcome ? welcome : welcomeOfList(welcome);
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
  const aside = new SpillFiles(request.aside);
  const close = (): void => {
    aside.close();
    file.close();
  };
  let isTaken = false;
  try {
    const read = readByRecipe(request, file, aside, control, taker);
    if (!read.ok) return read;
    if (read.value === null) return success(null);
    isTaken = true;
    const { table, state, followed, taken } = read.value;
    const facts = {
      rows: table.rows,
      proof: table.proof,
      accounts: table.accounts,
      isAsked: table.questions.length > 0,
      taken,
      state,
      followed,
      wrongCurrency: wrongCurrency(table.currencies, welcomeOf(request)),
      isCurrencyOfBook: request.options.isCurrencyOfBook === true,
      sha256: file.sha256(),
      byteLength: file.byteLength,
    };
    return success({ facts, read: table.read, close });
  } finally {
    if (!isTaken) close();
  }
}

type ReadByRecipe = Pick<FactsOfLarge, 'state' | 'followed' | 'taken'> & { readonly table: OpenTable };

/** As files that are read whole are: by the recipe given, the one kept for the header, or what the file shows, whichever does better. */
function readByRecipe(
  request: RequestOfFile,
  file: Parameters<typeof readLarge>[0],
  aside: SpillFiles,
  control: ReadControl,
  taker: LineTaker | null,
): Result<ReadByRecipe | null, Unreadable> {
  const { payload, kept } = request;
  const options = { ...request.options, welcome: welcomeOf(request), aside };
  const first = readLarge(file, { ...options, known: kept }, control, taker);
  if (first.ok && first.value === null) return success(null);
  if (!first.ok && kept.length === 0) return first;
  const table = first.ok ? first.value : null;
  const asRead = (state: UsedRecipe['state']): Result<ReadByRecipe | null, Unreadable> =>
    success(table === null ? null : { table, state, followed: null, taken: table.taken });
  if (table !== null && table.followed === null) return asRead(payload.recipe || payload.table ? 'given' : 'guessed');
  if (table !== null && payload.keptRecipe === 'use') return asRead('remembered');
  const read = table === null ? null : table.taken === null ? table.read(control, () => undefined) : success(table.taken);
  if (read?.ok === false) return read;
  if (read !== null && isBeyondDoubt(read.value)) return asRead('remembered');
  const guessed = readLarge(file, options, control);
  if (!guessed.ok || guessed.value === null) {
    if (table !== null) return asRead('remembered');
    return guessed.ok ? success(null) : failed(guessed.error);
  }
  const other = guessed.value.read(control, () => undefined);
  if (!other.ok) return other;
  if (read !== null && !isWorse(read.value, other.value)) return asRead('remembered');
  if (table !== null && table.taken !== null) taker?.drop();
  return success({ table: guessed.value, state: 'doubtful', followed: { statement: read?.value ?? null }, taken: null });
}

/** The statement with the words that a kept recipe may not fit, where that is so. */
export function withDoubtOf({ followed }: FactsOfLarge, kept: readonly KeptRecipe[], statement: Statement): Statement {
  return followed === null ? statement : withDoubt(statement, followed.statement, kept);
}
