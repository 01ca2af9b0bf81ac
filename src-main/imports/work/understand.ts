import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, rmSync, type Stats, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ALL_ACCOUNTS } from '../../../src-shared/contract/imports/imports.ts';
import type { Problem, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import type { SpilledBytes, SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { HELD_TEXTS } from '../../domain/collections/text-counts.ts';
import {
  type AcceptedCurrencies,
  beginsAsPdf,
  beginsPacked,
  byValueDate,
  type FileSource,
  type LineTaker,
  note,
  openHeld,
  openPdf,
  type OpenStatement,
  PACKED_HEAD,
  type PackedFile,
  partsOfZip,
  PDF_LIMITS,
  type PdfFault,
  type PackedText,
  type PdfText,
  unpackedText,
  type ReadControl,
  readLarge,
  type ReadOptions,
  type Statement,
  STATEMENT_LIMITS,
  type StatementLine,
  unpackedFile,
  type Unreadable,
} from '../../domain/statement/index.ts';
import type { ImportPayload, TaskContext, ThreadStart } from '../../jobs/protocol.ts';
import { watchedWorker } from '../../jobs/threads.ts';
import { systemClock, systemRandom } from '../../platform/system.ts';
import { findBankAccount, findBankAccountByName } from '../../streams/store/bank-accounts.ts';
import { streamByKey, type StreamRow } from '../../streams/store/streams.ts';
import { currenciesOfBook, currenciesOfEnvironment, firstCurrencyOfStream, hasRecordsIn } from '../store/batch-currency.ts';
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

/** The reason why a file could not be read at all. */
export interface FileFault {
  readonly code: 'file_unreadable' | 'too_large';
  readonly message: string;
  readonly row: null;
  readonly column: null;
}

/** The location of a file: on the disk, or within an archive on the disk. */
interface PlaceOfFile {
  readonly path: string;
  readonly filename: string;
  /** The name of the file within a zip archive of several files. */
  readonly part?: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: phrase('imports.decode.gone'),
  EISDIR: phrase('imports.decode.isFolder'),
  EACCES: phrase('imports.decode.denied'),
  EPERM: phrase('imports.decode.denied'),
};
const HEAD_BYTES = 1024 * 1024;
const STRETCH_BYTES = 16 * 1024;

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface GivenBytes {
  /** The file that the archive holds; null if the given file is no archive. */
  readonly packed: PackedFile | null;
  /** The bytes of a file that begins like an archive but is none, such as a workbook; null if they were not read. */
  readonly given: Uint8Array | null;
}

/** The file that was unpacked last. First its name is asked for and later its content, so one unpacking serves both as long as memory keeps it. */
let latest: { readonly key: string; readonly file: WeakRef<PackedFile> } | null = null;

function unpackedAt(descriptor: number, { filename, part = null }: PlaceOfFile): Result<GivenBytes, Unreadable> {
  const { dev, ino, size, mtimeMs } = fstatSync(descriptor);
  const key = [dev, ino, size, mtimeMs, part ?? ''].join('/');
  const known = latest?.key === key ? latest.file.deref() : undefined;
  if (known !== undefined) return success({ packed: known, given: null });
  const given = packedBytes(descriptor);
  if (given === null) return success({ packed: null, given });
  const unpacked = unpackedFile(given, filename, part);
  if (!unpacked.ok) return unpacked;
  if (unpacked.value !== null) latest = { key, file: new WeakRef(unpacked.value) };
  return success({ packed: unpacked.value, given });
}

/**
 * Returns the file within a chosen archive. Null if the file is no archive, or cannot be opened or unpacked; in that case reading it reports the
 * reason.
 */
export function packedAt(place: PlaceOfFile): PackedFile | null {
  const opened = orUnreadable<PackedFile | null, Unreadable>(place.filename, () => {
    const descriptor = openSync(place.path, 'r');
    try {
      const unpacked = unpackedAt(descriptor, place);
      return unpacked.ok ? success(unpacked.value.packed) : unpacked;
    } finally {
      closeSync(descriptor);
    }
  });
  return opened.ok ? opened.value : null;
}

/** Each file of an archive becomes an import of its own. */
const MOST_PARTS = 100;

/**
 * Returns the names of the files in a zip archive of several files, sorted; none for any other file. Fails with a sentence for the user if there are
 * too many.
 */
export function partsAt(path: string, name: string): Result<readonly string[], string> {
  const parts = orUnreadable<readonly string[], never>(path, () => {
    const descriptor = openSync(path, 'r');
    try {
      const given = packedBytes(descriptor);
      return success(given === null ? [] : partsOfZip(given));
    } finally {
      closeSync(descriptor);
    }
  });
  if (!parts.ok) return success([]);
  if (parts.value.length <= MOST_PARTS) return success(parts.value);
  return failed(phrase('imports.decode.tooManyParts', { name, files: parts.value.length, most: MOST_PARTS }));
}

/** Returns the bytes of a file that begins like an archive; null for other files and for those that are too large to be read whole. */
function packedBytes(descriptor: number): Uint8Array | null {
  const begun = fstatSync(descriptor);
  const head = Buffer.alloc(PACKED_HEAD);
  if (!begun.isFile() || begun.size > STATEMENT_LIMITS.fileBytes || readSync(descriptor, head, 0, PACKED_HEAD, 0) < PACKED_HEAD)
    return null;
  return beginsPacked(head) ? readFileSync(descriptor) : null;
}

function tooLarge(): FileFault {
  const megabytes = Math.round(STATEMENT_LIMITS.fileBytes / 1024 / 1024);
  const message = phrase('imports.decode.tooLarge', { megabytes: String(megabytes) });
  return { code: 'too_large', message, row: null, column: null };
}

function orUnreadable<T, E>(filename: string, work: () => Result<T, E | FileFault>): Result<T, E | FileFault> {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
    const message = phrase('imports.decode.unreadable', { filename, reason });
    return failed({ code: 'file_unreadable', message, row: null, column: null });
  }
}

/** An open file that can be read in pieces or whole, any number of times. The caller must close it. */
export interface OpenFile extends FileSource {
  /** Whether the file is streamed if it is a text table. */
  readonly isLarge: boolean;
  /** Returns the whole content. */
  readonly bytes: () => Result<Uint8Array, Unreadable | FileFault>;
  /** Returns the SHA-256 of the content. It is known after the file was read to its end once. */
  readonly sha256: () => string;
  readonly close: () => void;
}

/**
 * Returns whether a file is too large on the disk to be read whole. A packed file may be smaller than this limit and exceed it once it is unpacked.
 */
export function isLargeAt({ path }: Pick<PlaceOfFile, 'path'>, wholeBytes: number = STATEMENT_LIMITS.wholeBytes): boolean {
  try {
    return statSync(path).size > wholeBytes;
  } catch {
    return false;
  }
}

/** Opens a chosen file, from its archive if it is in one. Fails with a message for the user if that is impossible. */
export function openFile(place: PlaceOfFile, wholeBytes: number = STATEMENT_LIMITS.wholeBytes): Result<OpenFile, Unreadable | FileFault> {
  return orUnreadable<OpenFile, Unreadable>(place.filename, () => {
    const descriptor = openSync(place.path, 'r');
    let isTaken = false;
    try {
      const begun = fstatSync(descriptor);
      const unpacked = unpackedAt(descriptor, place);
      if (!unpacked.ok) return unpacked;
      const held = unpacked.value.packed?.bytes ?? unpacked.value.given;
      isTaken = held === null && begun.isFile() && begun.size > wholeBytes;
      return success(isTaken ? onDisk(descriptor, begun, place.filename) : inMemory(held ?? readFileSync(descriptor), wholeBytes));
    } finally {
      if (!isTaken) closeSync(descriptor);
    }
  });
}

function inMemory(bytes: Uint8Array, wholeBytes: number): OpenFile {
  return {
    byteLength: bytes.length,
    head: bytes.subarray(0, HEAD_BYTES),
    isLarge: bytes.length > wholeBytes,
    *stretches() {
      for (let at = 0; at < bytes.length; at += STRETCH_BYTES) yield bytes.subarray(at, at + STRETCH_BYTES);
    },
    bytes: () => success(bytes),
    sha256: () => sha256Of(bytes),
    close: () => undefined,
  };
}

function onDisk(descriptor: number, begun: Stats, filename: string): OpenFile {
  const buffer = Buffer.alloc(STRETCH_BYTES);
  const head = Buffer.alloc(HEAD_BYTES);
  let digest = '';
  let whole: Uint8Array | null = null;
  return {
    byteLength: begun.size,
    head: head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0)),
    isLarge: true,
    *stretches() {
      const hash = digest === '' ? createHash('sha256') : null;
      for (let at = 0; ;) {
        const length = readSync(descriptor, buffer, 0, STRETCH_BYTES, at);
        if (length === 0) break;
        at += length;
        const stretch = buffer.subarray(0, length);
        hash?.update(stretch);
        yield stretch;
      }
      const { size, mtimeMs } = fstatSync(descriptor);
      // The file is read more than once, and each reading must see the same content.
      if (size !== begun.size || mtimeMs !== begun.mtimeMs) throw new Error(`${filename} was changed while it was read`);
      if (hash !== null) digest = hash.digest('hex');
    },
    bytes: () => {
      if (begun.size > STATEMENT_LIMITS.fileBytes) return failed(tooLarge());
      return orUnreadable<Uint8Array, Unreadable>(filename, () => success((whole ??= readFileSync(descriptor))));
    },
    sha256: () => (whole === null ? digest : sha256Of(whole)),
    close: () => closeSync(descriptor),
  };
}

/** The location and limits of temporary files that are used when a file has very many rows. Plain data, so that another thread can get it. */
export interface SpillPlace {
  /** The data folder. The imported rows are stored there too, so an import that finds no space on this disk would fail anyway. */
  readonly folder: string;
  /** Number of texts that are kept in memory; undefined for the default of `TextCounts`. */
  readonly heldTexts: number | undefined;
}

const NAME_BYTES = 16;
const NAME = /^tieout-reading-[\da-f]{32}\.tmp$/;

/** Returns the folder of a book. */
export function folderOf({ path: book }: Database): string {
  return path.dirname(book);
}

/**
 * Temporary files that only this process can see. Each loses its name as soon as it is open, so that the system frees its space however the process
 * ends. On a system that does not allow this, a file is removed when it is closed, or after a crash by `clearSpillFiles` at the next start.
 */
export class SpillFiles implements SpillRoom {
  readonly #folder: string;
  readonly #open = new Set<SpillFile>();
  readonly heldTexts: number;

  constructor({ folder, heldTexts = HELD_TEXTS }: SpillPlace) {
    this.#folder = folder;
    this.heldTexts = heldTexts;
  }

  readonly open = (): SpilledBytes => {
    const name = `tieout-reading-${Buffer.from(systemRandom.bytes(NAME_BYTES)).toString('hex')}.tmp`;
    const file = new SpillFile(path.join(this.#folder, name), (closed) => this.#open.delete(closed));
    this.#open.add(file);
    return file;
  };

  /** Closes all files that are still open. */
  close(): void {
    for (const file of this.#open) file.close();
  }
}

class SpillFile implements SpilledBytes {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #onClosed: (file: SpillFile) => void;
  #isNamed = true;
  #isOpen = true;

  constructor(file: string, onClosed: (file: SpillFile) => void) {
    this.#file = file;
    this.#onClosed = onClosed;
    this.#descriptor = withPurpose(file, () => openSync(file, 'wx+', 0o600));
    this.#removeName();
  }

  #removeName(): void {
    try {
      rmSync(this.#file, { force: true });
      this.#isNamed = false;
    } catch {
      // This system does not remove an open file. It is removed when it is closed, or at the next start.
    }
  }

  readonly write = (bytes: Uint8Array, at: number): void => {
    withPurpose(this.#file, () => {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    });
  };

  readonly read = (into: Uint8Array, at: number): void => {
    withPurpose(this.#file, () => {
      for (let done = 0; done < into.length;) {
        const length = readSync(this.#descriptor, into, done, into.length - done, at + done);
        if (length === 0) throw new Error('it has become shorter');
        done += length;
      }
    });
  };

  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onClosed(this);
    closeSync(this.#descriptor);
    if (this.#isNamed) this.#removeName();
  };
}

/**
 * Runs work on a temporary file. An error gets a message that names the purpose of the file, and keeps the code of the system, which identifies a
 * full disk.
 */
function withPurpose<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = phrase('imports.decode.noTemporaryFile', { folder: path.dirname(file), reason });
    throw Object.assign(new Error(message, { cause: error }), error instanceof Error && 'code' in error ? { code: error.code } : {});
  }
}

/** Removes temporary files that a process left when it died. */
export function clearSpillFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!NAME.test(name)) continue;
    try {
      rmSync(path.join(folder, name), { force: true });
    } catch {
      // Another process has it open. The next start removes it.
    }
  }
}

/** The text of a PDF, or why it cannot be taken out of it; null for a file that is no PDF. */
export type PdfOfFile = Result<PdfText, PdfFault> | null;

/** The start message of a thread that takes the text out of a PDF. */
export interface PdfStart extends ThreadStart {
  readonly kind: 'read_pdf';
  readonly bytes: Uint8Array;
  readonly password: string | null;
}

export interface PdfProgress {
  readonly done: number;
  readonly all: number;
}

export interface PdfEnd {
  readonly read: Result<PackedText, PdfFault>;
}

/** Letters live shortly: with the nursery of its own choice the thread needed 510 MB for 178 pages, with this one 410, and it was no slower. */
const PDF_NURSERY_MB = 8;

const GIVEN_UP: PdfEnd['read'] = failed({ code: 'took_too_long' });

function withFile<T>(place: Pick<ImportPayload, 'path' | 'filename' | 'part'>, use: (file: OpenFile) => T): T | null {
  const opened = openFile(place);
  if (!opened.ok) return null;
  try {
    return use(opened.value);
  } finally {
    opened.value.close();
  }
}

/** Returns the text of a file that is a PDF; null for any other file, and for one that cannot be opened, which its reader reports. */
export async function pdfOfFile(context: TaskContext, payload: ImportPayload): Promise<PdfOfFile> {
  const bytes = withFile(payload, (file) => (beginsAsPdf(file.head) ? file.bytes() : null));
  if (bytes === null) return null;
  if (!bytes.ok) return failed({ code: 'too_many_pages', pages: 0 });
  return readOnOwnThread(context, { kind: 'read_pdf', bytes: bytes.value, password: context.password ?? null });
}

/** Takes the text out of a PDF on a thread with bounded memory, which is ended when it is silent, takes too long or is cancelled. */
function readOnOwnThread(context: TaskContext, start: PdfStart): Promise<Result<PdfText, PdfFault>> {
  const endsAtMs = systemClock.monotonicMs() + PDF_LIMITS.milliseconds;
  return new Promise((resolve) => {
    let read = GIVEN_UP;
    const worker = watchedWorker(start, {
      resourceLimits: { maxOldGenerationSizeMb: PDF_LIMITS.megabytes, maxYoungGenerationSizeMb: PDF_NURSERY_MB },
      isMute: true,
      onSilent: () => undefined,
      onLook: () => {
        if (context.isCancelled() || systemClock.monotonicMs() > endsAtMs) void worker.terminate();
      },
    });
    worker.on('message', (message: PdfProgress | PdfEnd) => {
      if ('read' in message) read = message.read;
      else context.report({ phase: 'reading', processed: message.done, total: message.all });
    });
    // A thread that breaks or needs too much memory ends without a result.
    worker.on('error', () => undefined);
    worker.once('exit', () => resolve(read.ok ? success(unpackedText(read.value)) : read));
  });
}
