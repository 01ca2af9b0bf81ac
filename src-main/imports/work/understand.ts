import { ALL_ACCOUNTS } from '../../../src-shared/contract/imports/imports.ts';
import type { Problem, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import {
  type AcceptedCurrencies,
  byValueDate,
  type LineTaker,
  note,
  openHeld,
  openPdf,
  type OpenStatement,
  type ReadControl,
  readLarge,
  type ReadOptions,
  type Statement,
  type StatementLine,
  type Unreadable,
} from '../../domain/statement/index.ts';
import type { ImportPayload, TaskContext } from '../../jobs/protocol.ts';
import { findBankAccount, findBankAccountByName } from '../../streams/store/bank-accounts.ts';
import { streamByKey, type StreamRow } from '../../streams/store/streams.ts';
import { currenciesOfBook, currenciesOfEnvironment, firstCurrencyOfStream, hasRecordsIn } from '../store/batch-currency.ts';
import { type FileFault, folderOf, type OpenFile, openFile, packedAt, SpillFiles, type SpillPlace } from './decode.ts';
import type { PdfOfFile } from './pdf-thread.ts';
import { isBeyondDoubt, isWorse, type KeptRecipe, keptRecipes, missingSheetOf } from './recipes.ts';
import { FileStager, type RoomOfStage, type StretchOfFile } from './stage.ts';

/** The request to read a file. With a list of accepted currencies it is plain data, so that a thread without the book can get it. */
export interface ReadRequest<Accepted = AcceptedCurrencies> {
  readonly payload: ImportPayload;
  readonly options: Omit<ReadOptions, 'accepted' | 'spill'>;
  readonly accepted: Accepted | null;
  readonly kept: readonly KeptRecipe[];
  /** The day that the stream takes as the day of a line; null if the stream does not exist yet. */
  readonly readBy: StreamRow['read_by'] | null;
  /** Files up to this number of bytes are read whole; undefined for the limit of `STATEMENT_LIMITS`. */
  readonly wholeBytes: number | undefined;
  /** The text of a PDF, which was taken out of it before; null for any other file. */
  readonly pdf?: PdfOfFile;
  /** Location of temporary files for ids and contents that do not fit into memory. */
  readonly spill: SpillPlace;
}

/** The recipe that a file was read by, and the doubt about it. */
interface WayOfReading {
  readonly state: UsedRecipe['state'];
  /** Set if the kept recipe may not fit: its statement is what the recipe reads, or null if the recipe cannot read the file. Null without a doubt. */
  readonly followed: { readonly statement: Statement | null } | null;
}

/** The facts about a file that is understood. Plain data. */
export interface FactsOfFile extends WayOfReading, Pick<OpenStatement, 'rows' | 'proof' | 'accounts' | 'isHeld' | 'taken'> {
  /** Whether the file can be read in several ways and a person must choose. */
  readonly isAsked: boolean;
  /** The problem of a file in the wrong currency, which is not imported until the user accepts it; null if there is none. */
  readonly wrongCurrency: Problem | null;
  /** Whether the file names no currency and was read in the only one of the book. */
  readonly isCurrencyOfBook: boolean;
  readonly sha256: string;
  readonly byteLength: number;
}

/** The reason why a file was not read to its end. The code is `cancelled` if a person cancelled it. */
export interface NotRead extends Pick<Unreadable, 'message' | 'row' | 'column' | 'seen' | 'sheets'> {
  readonly code: string;
}

/** Returns the request with the name of the file within its archive, which is the name that is shown and stored. */
export function ofPackedFile(payload: ImportPayload): ImportPayload {
  const packed = packedAt(payload);
  return packed === null ? payload : { ...payload, filename: packed.name, packedIn: payload.filename };
}

/** Returns the stream that a file goes into; undefined if none is chosen or it does not exist yet. */
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
    // Imported rows are stored in the same folder, so an import that finds no space on this disk would fail anyway.
    spill: { folder: folderOf(database), heldTexts },
  };
}

/** Returns a control that reports the progress of reading. A file may be read more than once, so it reports the highest values so far. */
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

/** Returns the function that converts lines to the form in which a stream takes them. */
export function asTakenBy(readBy: StreamRow['read_by'] | null | undefined): (line: StatementLine) => StatementLine {
  return readBy === 'value_date' ? byValueDate : (line) => line;
}

/** Receives the lines of a file, some thousands at a time. */
export interface LinesPort {
  /** Returns memory for the next lines. Their content must stay unchanged until the same room is returned again. */
  readonly nextRoom: () => RoomOfStage;
  readonly hand: (stretch: StretchOfFile) => void;
  /** Revokes all lines that were handed over so far, because the file is read differently. */
  readonly drop: () => void;
}

/**
 * Understands a file and stages the lines of a large one: already while it is being understood, if its first rows show how they are to be read, and
 * on each `read`. The caller must call `close`.
 */
export class FileReader {
  readonly #request: ReadRequest;
  readonly #control: ReadControl;
  readonly #spill: SpillFiles;
  /** One stager serves all readings, so that a partly filled room is used again. */
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

  /** Understands the file. Returns null if the file must be read whole and `holds` is false. */
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

  /** Hands over all lines from the beginning. The file must be understood. */
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

  /** Chooses how to read the file. Only the first reading hands over its lines; they are dropped if another one is chosen. */
  #chosen(file: OpenFile, holds: boolean): Result<ChosenReading | null, Unreadable | FileFault> {
    const { payload, kept, accepted, options, pdf = null } = this.#request;
    // A file with decisions about single rows is read whole.
    const isLarge = file.isLarge && (payload.overrules?.length ?? 0) === 0;
    let first: OpenStatement | null = null;
    let readings = 0;
    if (pdf !== null) {
      const open = openPdf(pdf, { ...options, accepted });
      return open.ok ? success({ open: open.value, state: 'guessed', followed: null }) : open;
    }
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
 * Reads a file by the given recipe, by the one kept for its header, or by guessing. If a kept recipe does worse than guessing and the user has not
 * chosen between them, the file is read by guessing and the state is `doubtful`. Returns null if `read` does so.
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
  const statementOf = ({ taken, read: readLines }: OpenStatement) =>
    taken === null ? readLines(control, () => undefined) : success(taken);
  if (own !== null && own.followed === null) return asRead(own, payload.recipe || payload.table ? 'given' : 'guessed');
  if (own !== null && payload.keptRecipe === 'use') return asRead(own, 'remembered');
  const said = own === null ? null : statementOf(own);
  if (said?.ok === false) return said;
  const followed = said?.value ?? null;
  if (own !== null && followed !== null && isBeyondDoubt(followed)) return asRead(own, 'remembered');
  const beside = read(onSameSheet(followed, options));
  const other = beside.ok && beside.value !== null ? statementOf(beside.value) : null;
  if (other?.ok === false) return other;
  const isSure = followed !== null && missingSheetOf(followed) === null && !(other !== null && isWorse(followed, other.value));
  if (own !== null && isSure) return asRead(own, 'remembered');
  const guessed = onSameSheet(followed, options) === options ? beside : read(options);
  const shown = (guessed.ok ? guessed.value : null) ?? own;
  if (shown === null) return guessed.ok ? success(null) : guessed;
  return success({ open: shown, state: 'doubtful', followed: { statement: followed } });
}

/** Returns the options for a guess that is compared with a recipe. Both must read the same sheet. */
function onSameSheet(followed: Statement | null, options: ReadOptions): ReadOptions {
  const sheet = followed?.table?.sheet ?? null;
  return sheet === null || sheet.missing !== null ? options : { ...options, table: { sheet: sheet.name } };
}

/** Returns the problem of a file with none of the accepted currencies; null if it has one. Such a file is not imported until the user accepts it. */
function wrongCurrency(currencies: readonly string[], accepted: AcceptedCurrencies | null): Problem | null {
  if (accepted === null || currencies.length === 0 || currencies.some((currency) => accepted.has(currency))) return null;
  const message = phrase('imports.understand.wrongCurrency', { currencies: currencies.join(', '), why: accepted.words });
  return note('wrong_currency', message);
}

/** Accepted currencies that are looked up in the book one by one. */
interface AcceptedInBook extends AcceptedCurrencies {
  /** Returns all of them. This may read all records of the stream. */
  readonly listed: () => ListedCurrencies;
}

/** Accepted currencies as plain data. */
export type ListedCurrencies = Pick<AcceptedCurrencies, 'words'> & { readonly currencies: readonly string[] };

type WishedCurrency = Pick<ReadOptions, 'currency' | 'isCurrencyOfBook' | 'likelyCurrencies'>;

/**
 * Returns the currency for a file that names none: that of its target, else the only one of the book. If the book has several, they are returned as
 * likely ones.
 */
function wishedCurrency(read: ReadHandle, environmentId: number, payload: ImportPayload, stream: StreamRow | undefined): WishedCurrency {
  const currency = currencyOfTarget(read, environmentId, payload, stream);
  if (currency !== null) return { currency };
  const likelyCurrencies = currenciesOfBook(read, environmentId);
  const [only] = likelyCurrencies;
  if (only === undefined || likelyCurrencies.length > 1) return { currency: null, likelyCurrencies };
  return { currency: only, isCurrencyOfBook: true };
}

/** Returns the currency that the user, the stream, its bank account, the recipe or the records name, in this order; null if none does. */
function currencyOfTarget(read: ReadHandle, environmentId: number, payload: ImportPayload, stream: StreamRow | undefined): string | null {
  const own = payload.currency ?? stream?.currency ?? null;
  const named = own ?? accountOf(read, environmentId, payload, stream)?.currency ?? payload.recipe?.currency ?? null;
  const known = named ?? (stream === undefined ? null : firstCurrencyOfStream(read, stream.id));
  return known === null ? null : namedCurrency(known);
}

/**
 * Returns the currencies that a file may bring into a stream: those of the stream, of its bank account and of its records. Null if the stream has
 * none yet, or if the user accepted another one. Records are searched only for a currency that is not known otherwise.
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
  // The currency of an empty stream does not limit the records to come.
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
      ? phrase('imports.understand.currencyOfAccount', { name: stream?.name ?? '', currency: ofStream })
      : phrase('imports.understand.currencyOfBankAccount', { name: account?.name ?? '', currency: ofAccount ?? '' });
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
