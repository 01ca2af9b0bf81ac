import type { ImportedBalances, ImportResult, Problem } from '../../../src-shared/contract/index.ts';
import { ALL_ACCOUNTS } from '../../../src-shared/contract/imports/imports.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import {
  byValueDate,
  byValueDateNote,
  counted,
  namesOf,
  note,
  quoted,
  type ReadOptions,
  type Statement,
  type StatementLine,
  type Unreadable,
} from '../../domain/statement/index.ts';
import { streamByKey, type StreamRow } from '../../streams/store/streams.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { balancesFound, NO_BALANCES, targetAccount, type Wishes } from './balances.ts';
import type { SameLine } from './wordings.ts';
import { changedNote, sameFileSentence } from './duplicates.ts';
import type { KnownOtherwise } from './other-reading.ts';
import { unreadableResult } from './figures.ts';
import { type KeptRecipe, keptRecipes, missingSheetOf } from './recipes.ts';
import type { RowLog } from './import-rows.ts';
import { acceptedCurrencies, type AcceptedInBook, wishedCurrency } from './accepted-currencies.ts';
import { packedAt } from './read-file.ts';

/** A file read, with its lines compared to what the stream already has. */
export interface Understood {
  readonly statement: Statement;
  readonly stream: StreamRow | undefined;
  readonly sha256: string;
  readonly byteLength: number;
  /** One per line, in the order of the lines. */
  readonly dedupeKeys: readonly string[];
  readonly isDuplicate: readonly boolean[];
  /** Lines that a person left out. */
  readonly isLeftOut: readonly boolean[];
  /** Lines that somebody said are those of records that are here in other words: ids of the records, by the places of the lines. */
  readonly same: ReadonlyMap<number, number>;
  /** Of those among them whose entry the stream has by its other reading: the lines of that reading, which the records are known by. */
  readonly instead: ReadonlyMap<number, readonly SameLine[]>;
  /** Lines that the stream has by the other reading of their entry, which it names itself. */
  readonly otherwise: ReadonlyMap<number, Pick<KnownOtherwise, 'records'>>;
  /** Its rows that would not go in. */
  readonly rowLog: RowLog;
  /** What was being wiped of the stream when the lines were compared with it. */
  readonly wipes: string;
  readonly wishes: Wishes;
  readonly result: ImportResult;
}

export type NotUnderstood =
  | ({ readonly kind: 'unreadable'; readonly result: ImportResult } & Pick<Unreadable, 'seen' | 'sheets'>)
  | { readonly kind: 'cancelled' };
export type Understanding = { readonly kind: 'understood'; readonly understood: Understood } | NotUnderstood;

/** Why a file was not understood, or that reading was cancelled. */
export function notUnderstood(payload: ImportPayload, error: Unreadable): NotUnderstood {
  if (error.code === 'cancelled') return { kind: 'cancelled' };
  const reason = { ...error, message: `${payload.filename}: ${error.message}` };
  const { seen, sheets } = error;
  return {
    kind: 'unreadable',
    result: unreadableResult(payload.streamKey ?? '', reason),
    ...(seen && { seen }),
    ...(sheets && { sheets }),
  };
}

export function sumTooLarge({ streamKey, filename }: ImportPayload): ImportResult {
  const message = `The sum of the amounts in ${filename} is beyond ${Number.MAX_SAFE_INTEGER} minor units: split the file.`;
  return unreadableResult(streamKey ?? '', { code: 'total_out_of_range', message, row: null, column: null });
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

/** What a file is read with, where the book is at hand. */
type OptionsOfBook = ReadOptions & { readonly accepted: AcceptedInBook | null };

/** What a file is read with, but for recipes that are kept. */
export function readOptionsOf({ database, job }: TaskContext, payload: ImportPayload, stream: StreamRow | undefined): OptionsOfBook {
  return {
    filename: payload.filename,
    ...wishedCurrency(database, job.environment_id, payload, stream),
    accepted: acceptedCurrencies(database, job.environment_id, payload, stream),
    account: payload.account === ALL_ACCOUNTS ? null : payload.account,
    recipe: payload.recipe,
    table: payload.table,
    answers: payload.answers,
    batchLines: payload.answers?.batch_lines ?? stream?.batch_lines,
  };
}

/** Recipes by which a file may be read. */
export function recipesFor(context: TaskContext, payload: ImportPayload): KeptRecipe[] {
  return payload.recipe || payload.table || payload.keptRecipe === 'guess'
    ? []
    : keptRecipes(context.database, context.job.environment_id, payload);
}

/** A statement with the note that a kept recipe may not fit it. */
export function withDoubt(guessed: Statement, followed: Statement | null, kept: readonly KeptRecipe[]): Statement {
  const id = followed?.table?.followed ?? null;
  const name = kept.find((each) => each.id === id)?.recipe.name;
  const why =
    followed === null
      ? 'the file cannot be read by it any more'
      : missingSheetOf(followed) !== null
        ? `it reads the sheet ${quoted(missingSheetOf(followed) ?? '')}, which is not there or holds no such table`
        : followed.rejectedRows > guessed.rejectedRows
          ? `${counted(followed.rejectedRows, 'row')} cannot be read by it, and ${guessed.rejectedRows} without it`
          : `the balances are ${followed.proof} by it, and ${guessed.proof} without it`;
  const message = `The recipe ${name === undefined ? 'kept for this header' : quoted(name)} does not seem to fit this file: ${why}. Choose whether to read it by the recipe or by what the file shows.`;
  return { ...guessed, problems: [note('recipe_doubtful', message), ...guessed.problems] };
}

/** What would become of the statement's balances now. */
export function balancesOf(context: TaskContext, wishes: Wishes, stream: StreamRow | undefined, statement: Statement): ImportedBalances {
  // While the currency is still asked for, there are no balances to compare.
  if (namedCurrency(statement.currency) === null) return NO_BALANCES;
  const account = targetAccount(context.database, context.job.environment_id, stream, wishes, statement.currency);
  return balancesFound(context.database, account, statement.balances);
}

/** The problem of a file that has none of the currencies of its target; null where it has one. It stays out until somebody agrees. */
export function wrongCurrency(currencies: readonly string[], accepted: ReadOptions['accepted']): Problem | null {
  if (!accepted || currencies.length === 0 || currencies.some((currency) => accepted.has(currency))) return null;
  const message = `The file is in ${currencies.join(', ')}, but ${accepted.words}. Choose the right file or another stream, or agree to import it nevertheless.`;
  return note('wrong_currency', message);
}

/** A note that the file names no currency and was read in that of the book; or null. */
function currencyOfBook(
  { currency, namesCurrency }: Statement,
  { isCurrencyOfBook }: Pick<ReadOptions, 'isCurrencyOfBook'>,
): Problem | null {
  if (isCurrencyOfBook !== true || namesCurrency) return null;
  return note(
    'currency_of_book',
    `The file names no currency; it was read in ${currency}, the only one of this book. Name another one if that is wrong.`,
  );
}

function isByValueDate({ read_by: readBy }: Pick<StreamRow, 'read_by'>): boolean {
  return readBy === 'value_date';
}

/** How a stream takes the lines of a file. */
export function asTakenBy(stream: Pick<StreamRow, 'read_by'> | undefined): (line: StatementLine) => StatementLine {
  return stream !== undefined && isByValueDate(stream) ? byValueDate : asItIs;
}

const asItIs = (line: StatementLine): StatementLine => line;

/** What the user is told before anything else. */
export function withNotes(
  statement: Statement,
  payload: ImportPayload,
  stream: StreamRow | undefined,
  options: Pick<ReadOptions, 'isCurrencyOfBook'>,
  found: Pick<ImportResult, 'same_file' | 'skipped_rows'>,
  currency: Problem | null,
): Statement {
  const notes: Problem[] = found.same_file === null ? [] : [note('same_file', sameFileSentence(found.same_file))];
  const changed = changedNote(found.skipped_rows);
  if (changed !== null) notes.push(changed);
  if (payload.packedIn !== undefined) notes.push(note('unpacked', `${payload.filename} was read out of the archive ${payload.packedIn}.`));
  const ofBook = currencyOfBook(statement, options);
  if (ofBook !== null) notes.push(ofBook);
  if (currency !== null) notes.push(currency);
  if (stream !== undefined && isByValueDate(stream)) notes.push(byValueDateNote(stream.name));
  if (asksForAccount(statement, payload)) {
    // Lines of several accounts in one stream can hardly be reconciled.
    const message = `The file holds ${statement.accounts.length} accounts (${namesOf(statement.accounts)}). Choose the one to import, or all of them.`;
    notes.push(note('several_accounts', message));
  }
  return notes.length === 0 ? statement : { ...statement, problems: [...notes, ...statement.problems] };
}

/** Whether the file waits for the user to choose one of its accounts. */
export function asksForAccount({ accounts }: Pick<Statement, 'accounts'>, payload: ImportPayload): boolean {
  return accounts.length > 1 && payload.account === null;
}
