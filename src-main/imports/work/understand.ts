import type { Problem, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { ALL_ACCOUNTS } from '../../../src-shared/contract/imports/imports.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import {
  type AcceptedCurrencies,
  byValueDate,
  type LineTaker,
  note,
  openHeld,
  type OpenStatement,
  type ReadControl,
  readLarge,
  type ReadOptions,
  type Statement,
  type StatementLine,
  type Unreadable,
} from '../../domain/statement/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { findBankAccount, findBankAccountByName } from '../../streams/store/bank-accounts.ts';
import { streamByKey, type StreamRow } from '../../streams/store/streams.ts';
import { currenciesOfBook, currenciesOfEnvironment, firstCurrencyOfStream, hasRecordsIn } from '../store/stream-currencies.ts';
import { type FileFault, folderOf, type OpenFile, openFile, packedAt, SpillFiles, type SpillPlace } from './decode.ts';
import { isBeyondDoubt, isWorse, type KeptRecipe, keptRecipes, missingSheetOf } from './recipes.ts';
import { FileStager, type RoomOfStage, type StretchOfFile } from './stage.ts';

/** What a file is read by; as plain data with a list of currencies, for a thread without the book. */
export interface ReadRequest<Accepted = AcceptedCurrencies> {
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

/** How a file was read. */
export interface WayOfReading {
  readonly state: UsedRecipe['state'];
  /** If it is doubtful whether the kept recipe fits: the statement as the recipe reads it, or null if it cannot read the file. Null where nothing is doubtful. */
  readonly followed: { readonly statement: Statement | null } | null;
}

/** What is known of a file that is understood. Plain data as well. */
export interface FactsOfFile extends WayOfReading, Pick<OpenStatement, 'rows' | 'proof' | 'accounts' | 'isHeld' | 'taken'> {
  /** It can be read in several ways, and a person is to choose. */
  readonly isAsked: boolean;
  /** Why it stays out as the wrong file for its stream, until that is agreed to. */
  readonly wrongCurrency: Problem | null;
  /** A file that names no currency was read in the one of the book. */
  readonly isCurrencyOfBook: boolean;
  readonly sha256: string;
  readonly byteLength: number;
}

/** Why a file was not read to its end; its code is `cancelled` where a person did not want that. */
export interface NotRead extends Pick<Unreadable, 'message' | 'row' | 'column' | 'seen' | 'sheets'> {
  readonly code: string;
}

/** The request for a file in an archive, by its own name: the one that is shown and kept. */
export function ofPackedFile(payload: ImportPayload): ImportPayload {
  const packed = packedAt(payload);
  return packed === null ? payload : { ...payload, filename: packed.name, packedIn: payload.filename };
}

/** The stream that a file goes into; undefined where nobody chose one, or it is still to be made. */
export function targetStream({ database, job }: TaskContext, { streamKey }: ImportPayload): StreamRow | undefined {
  return streamKey === null ? undefined : streamByKey(database, job.environment_id, streamKey);
}

export function readRequest(context: TaskContext, payload: ImportPayload): ReadRequest<AcceptedInBook> {
  const { database, job, wholeBytes, heldTexts } = context;
  const stream = targetStream(context, payload);
  return {
    payload,
    options: {
      filename: payload.filename,
      ...wishedCurrency(database, job.environment_id, payload, stream),
      account: payload.account === ALL_ACCOUNTS ? null : payload.account,
      recipe: payload.recipe,
      table: payload.table,
      answers: payload.answers,
      batchLines: payload.answers?.batch_lines ?? stream?.batch_lines,
    },
    accepted: acceptedCurrencies(database, job.environment_id, payload, stream),
    kept: payload.recipe || payload.table || payload.keptRecipe === 'guess' ? [] : keptRecipes(database, job.environment_id, payload),
    readBy: stream?.read_by ?? null,
    wholeBytes,
    // The imported rows go beside the book as well: without room on this disk the import fails anyway.
    spill: { folder: folderOf(database), heldTexts },
  };
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

/** How a stream takes the lines of a file. */
export function asTakenBy(readBy: StreamRow['read_by'] | null | undefined): (line: StatementLine) => StatementLine {
  return readBy === 'value_date' ? byValueDate : (line) => line;
}

/** Whoever gets the lines of a file, some thousands at a time. */
export interface LinesPort {
  /** Memory for the next lines, which stay as they are until it is given out again. */
  readonly nextRoom: () => RoomOfStage;
  readonly hand: (stretch: StretchOfFile) => void;
  /** What was handed over is not what the file says. */
  readonly drop: () => void;
}

/** Understands a file, and stages the lines of a large one: while it is understood, where its first rows show how they are to be read, and whenever `read` is called. */
export class FileReader {
  readonly #request: ReadRequest;
  readonly #control: ReadControl;
  readonly #spill: SpillFiles;
  /** One stager for all readings, so that a room that is partly filled is used again. */
  readonly #staging: FileStager;
  readonly #taker: LineTaker;
  #file: OpenFile | null = null;
  #open: OpenStatement | null = null;

  constructor(request: ReadRequest, control: ReadControl, { nextRoom, hand, drop }: LinesPort) {
    this.#request = request;
    this.#control = control;
    this.#spill = new SpillFiles(request.spill);
    const staging = new FileStager(nextRoom, hand, asTakenBy(request.readBy), this.#spill);
    this.#staging = staging;
    this.#taker = {
      take: (built) => staging.add(built),
      drop: () => {
        staging.drop();
        drop();
      },
    };
  }

  /** Null for a file that is to be read whole, where `holds` says that this is not wanted. */
  understand(holds: boolean): Result<FactsOfFile | null, NotRead> {
    const { payload, wholeBytes, options, accepted } = this.#request;
    const file = openFile(payload, wholeBytes);
    if (!file.ok) return this.#named(file);
    this.#file = file.value;
    const chosen = this.#chosen(file.value, holds);
    if (!chosen.ok) return this.#named(chosen);
    if (chosen.value === null) return success(null);
    const { open, ...way } = chosen.value;
    this.#open = open;
    if (open.taken !== null && !open.isHeld) this.#staging.end();
    const { rows, proof, accounts, isHeld, taken } = open;
    return success({
      ...way,
      rows,
      proof,
      accounts,
      isHeld,
      taken,
      isAsked: open.questions.length > 0,
      wrongCurrency: wrongCurrency(open.currencies, accepted),
      isCurrencyOfBook: options.isCurrencyOfBook === true,
      sha256: file.value.sha256(),
      byteLength: file.value.byteLength,
    });
  }

  /** Hands over all lines from the beginning. */
  read(control = this.#control): Result<Statement, NotRead> {
    this.#staging.drop();
    const read = present(this.#open, 'understood file').read(control, (built) => this.#staging.add(built));
    if (read.ok) this.#staging.end();
    return this.#named(read);
  }

  close(): void {
    this.#staging.close();
    this.#spill.close();
    this.#file?.close();
  }

  #named<T>(read: Result<T, Unreadable | FileFault>): Result<T, NotRead> {
    if (read.ok || read.error.code === 'file_unreadable' || read.error.code === 'cancelled') return read;
    return failed({ ...read.error, message: `${this.#request.payload.filename}: ${read.error.message}` });
  }

  /** Only the first reading hands over its lines. If another one is chosen, they are dropped. */
  #chosen(file: OpenFile, holds: boolean): Result<ChosenReading | null, Unreadable | FileFault> {
    const { payload, kept, accepted, options } = this.#request;
    // Decisions about single rows need the whole file.
    const isLarge = file.isLarge && (payload.overrules?.length ?? 0) === 0;
    let first: OpenStatement | null = null;
    let readings = 0;
    const read = (how: ReadOptions): Result<OpenStatement | null, Unreadable | FileFault> => {
      const large = isLarge ? readLarge(file, how, this.#control, readings === 0 ? this.#taker : null) : success(null);
      readings += 1;
      if (large.ok && large.value?.taken) first = large.value;
      if (!large.ok || large.value !== null || !holds) return large;
      const bytes = file.bytes();
      return bytes.ok ? openHeld(bytes.value, how, this.#control) : bytes;
    };
    const chosen = chosenReading(payload, kept, { ...options, accepted, spill: this.#spill }, this.#control, read);
    if (first !== null && !(chosen.ok && chosen.value?.open === first)) this.#taker.drop();
    return chosen;
  }
}

type ChosenReading = WayOfReading & { readonly open: OpenStatement };

/**
 * Reads a file by the recipe that is given, by the one that is kept for its header, or by what it shows. If a kept recipe does worse than
 * guessing, and nobody has chosen between them, the file is read by guessing, and the result says so. Null where `read` says that it reads no such file.
 */
function chosenReading(
  payload: ImportPayload,
  kept: readonly KeptRecipe[],
  options: ReadOptions,
  control: ReadControl,
  read: (options: ReadOptions) => Result<OpenStatement | null, Unreadable | FileFault>,
): Result<ChosenReading | null, Unreadable | FileFault> {
  const first = read({ ...options, known: kept });
  if (first.ok && first.value === null) return success(null);
  if (!first.ok && kept.length === 0) return first;
  const own = first.ok ? first.value : null;
  const asRead = (open: OpenStatement, state: UsedRecipe['state']) => success({ open, state, followed: null });
  const saidOf = ({ taken, read: readLines }: OpenStatement) => (taken === null ? readLines(control, () => undefined) : success(taken));
  if (own !== null && own.followed === null) return asRead(own, payload.recipe || payload.table ? 'given' : 'guessed');
  if (own !== null && payload.keptRecipe === 'use') return asRead(own, 'remembered');
  const said = own === null ? null : saidOf(own);
  if (said?.ok === false) return said;
  const followed = said?.value ?? null;
  if (own !== null && followed !== null && isBeyondDoubt(followed)) return asRead(own, 'remembered');
  const beside = read(besides(followed, options));
  const other = beside.ok && beside.value !== null ? saidOf(beside.value) : null;
  if (other?.ok === false) return other;
  const isSure = followed !== null && missingSheetOf(followed) === null && !(other !== null && isWorse(followed, other.value));
  if (own !== null && isSure) return asRead(own, 'remembered');
  const guessed = besides(followed, options) === options ? beside : read(options);
  const shown = (guessed.ok ? guessed.value : null) ?? own;
  if (shown === null) return guessed.ok ? success(null) : guessed;
  return success({ open: shown, state: 'doubtful', followed: { statement: followed } });
}

/** The options for a guess that is compared with a recipe: both must read the same sheet. */
function besides(followed: Statement | null, options: ReadOptions): ReadOptions {
  const sheet = followed?.table?.sheet ?? null;
  return sheet === null || sheet.missing !== null ? options : { ...options, table: { sheet: sheet.name } };
}

/** The problem of a file that has none of the currencies of its target; null where it has one. It stays out until somebody agrees. */
function wrongCurrency(currencies: readonly string[], accepted: AcceptedCurrencies | null): Problem | null {
  if (accepted === null || currencies.length === 0 || currencies.some((currency) => accepted.has(currency))) return null;
  const message = `The file is in ${currencies.join(', ')}, but ${accepted.words}. Choose the right file or another stream, or agree to import it nevertheless.`;
  return note('wrong_currency', message);
}

/** Accepted currencies that are looked up in the book as they come. */
interface AcceptedInBook extends AcceptedCurrencies {
  /** All of them, looked up at once: this may read all records of the stream. */
  readonly listed: () => ListedCurrencies;
}

/** Accepted currencies as plain data. */
export type ListedCurrencies = Pick<AcceptedCurrencies, 'words'> & { readonly currencies: readonly string[] };

type WishedCurrency = Pick<ReadOptions, 'currency' | 'isCurrencyOfBook' | 'likelyCurrencies'>;

/** The currency that a file without one is in: that of its target, else the only one of the book; else one of these is likely. */
function wishedCurrency(read: ReadHandle, environmentId: number, payload: ImportPayload, stream: StreamRow | undefined): WishedCurrency {
  const currency = currencyOfTarget(read, environmentId, payload, stream);
  if (currency !== null) return { currency };
  const likelyCurrencies = currenciesOfBook(read, environmentId);
  const [only] = likelyCurrencies;
  if (only === undefined || likelyCurrencies.length > 1) return { currency: null, likelyCurrencies };
  return { currency: only, isCurrencyOfBook: true };
}

/** The user's currency, the stream's, the bank account's, the recipe's, or that of records that are there. */
function currencyOfTarget(read: ReadHandle, environmentId: number, payload: ImportPayload, stream: StreamRow | undefined): string | null {
  const own = payload.currency ?? stream?.currency ?? null;
  const named = own ?? accountOf(read, environmentId, payload, stream)?.currency ?? payload.recipe?.currency ?? null;
  const known = named ?? (stream === undefined ? null : firstCurrencyOfStream(read, stream.id));
  return known === null ? null : namedCurrency(known);
}

/**
 * Currencies that a file may bring into a stream: its own, its bank account's, and those of records that are there already. Null where it has none yet, or
 * others were agreed to. Whether records of a currency are there is looked up when a file has one that is not known otherwise.
 */
function acceptedCurrencies(
  read: ReadHandle,
  environmentId: number,
  payload: ImportPayload,
  stream: StreamRow | undefined,
): AcceptedInBook | null {
  if (payload.acceptCurrency === true) return null;
  const account = accountOf(read, environmentId, payload, stream);
  const first = stream === undefined ? null : firstCurrencyOfStream(read, stream.id);
  // The currency of an empty stream says nothing about the records to come.
  const ofStream = first === null ? null : (stream?.currency ?? first);
  const ofAccount = account?.currency ?? null;
  if (ofStream === null && ofAccount === null) return null;
  const known = new Map([ofStream, first, ofAccount].flatMap((currency) => (currency === null ? [] : [[currency, true]])));
  const has = (currency: string): boolean => {
    const isKnown = known.get(currency) ?? (stream !== undefined && hasRecordsIn(read, stream.id, currency));
    known.set(currency, isKnown);
    return isKnown;
  };
  const words =
    ofStream !== null
      ? `the stream “${stream?.name ?? ''}” is in ${ofStream}`
      : `the bank account “${account?.name ?? ''}” is in ${ofAccount ?? ''}`;
  const listed = () => ({
    currencies: [...new Set([...known.keys(), ...currenciesOfEnvironment(read, environmentId)])].filter(has),
    words,
  });
  return { has, words, listed };
}

function accountOf(
  read: ReadHandle,
  environmentId: number,
  { bankAccountId, bankAccountName }: ImportPayload,
  stream: StreamRow | undefined,
) {
  const id = stream?.bank_account_id ?? bankAccountId ?? null;
  if (id !== null) return findBankAccount(read, environmentId, id);
  return bankAccountName ? findBankAccountByName(read, environmentId, bankAccountName) : undefined;
}
