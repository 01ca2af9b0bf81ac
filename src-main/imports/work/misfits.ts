import type { ImportRecipe, Misfit } from '../../../src-shared/contract/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { fingerprintOf, isSameAccount, isSameHolder, NOBODY, type Statement, type WhoseFile } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { type StreamRow, streamById } from '../../streams/store/streams.ts';
import { type FileOfStream, filesOfEnvironment, filesOfStream } from '../store/files-of-streams.ts';
import { type KeptRecipe, recipeOfFile } from './recipes.ts';

/** Headers of a layout that a sentence names. */
const SHOWN_HEADERS = 6;

type Looked = Pick<Statement, 'format' | 'table' | 'whose'>;
type Layout = Pick<ImportRecipe, 'has_header' | 'columns'>;

/**
 * By what a file differs from those that its stream has been filled from. Where both name accounts, only these count, so that another format of the account fits.
 * A layout says nothing where somebody gave or kept a recipe of this stream for it. That lines are in the stream already says nothing either: a bank
 * and a ledger tell of the same payments.
 */
export function misfitsOf(
  read: ReadHandle,
  stream: StreamRow | undefined,
  statement: Looked,
  known: { readonly payload: ImportPayload; readonly kept: readonly KeptRecipe[] },
): Misfit[] {
  const files = stream === undefined ? [] : filesOfStream(read, stream.id);
  if (stream === undefined || files.length === 0) return [];
  const { isSameAccount: isSame, misfits } = ownersApart(stream, statement.whose, files.map(whoseOf));
  const isOfRecipe = recipeOfFile(statement.table, known.payload, known.kept)?.stream_key === stream.key;
  return isSame !== null || isOfRecipe ? misfits : [...misfits, ...otherLayout(stream, statement, files)];
}

/** Whether a stream has been filled from files of other accounts or holders than a file is of. */
export function isOfOthers(read: ReadHandle, stream: StreamRow, { whose }: Looked): boolean {
  return ownersApart(stream, whose, filesOfStream(read, stream.id).map(whoseOf)).misfits.length > 0;
}

/** Whether a file and a stream are of one account, null where either names none; and by what their owners differ. */
function ownersApart(stream: StreamRow, own: WhoseFile, held: readonly WhoseFile[]) {
  const accounts = held.flatMap((whose) => whose.accounts);
  const holders = held.flatMap((whose) => whose.holders);
  if (accounts.length === 0 || own.accounts.length === 0) {
    return { isSameAccount: null, misfits: otherHolder(stream, own.holders, holders) };
  }
  const isSame = own.accounts.some((one) => accounts.some((other) => isSameAccount(one, other)));
  const misfits = isSame ? [] : [otherAccount(stream, own.accounts, accounts), ...otherHolder(stream, own.holders, holders)];
  return { isSameAccount: isSame, misfits };
}

/** The stream that has been filled from a file of this account; of several the newest. */
export function streamOfAccount(read: ReadHandle, environmentId: number, { accounts }: WhoseFile): StreamRow | undefined {
  if (accounts.length === 0) return undefined;
  const same = (file: FileOfStream): boolean =>
    whoseOf(file).accounts.some((other) => accounts.some((account) => isSameAccount(account, other)));
  const found = filesOfEnvironment(read, environmentId).find(same);
  return found === undefined ? undefined : streamById(read, found.stream_id);
}

function whoseOf({ whose }: FileOfStream): WhoseFile {
  return whose === null ? NOBODY : (JSON.parse(whose) as WhoseFile);
}

function otherAccount({ name }: StreamRow, own: readonly string[], held: readonly string[]): Misfit {
  const [file, stream] = [listed(own), listed(held)];
  const message = `The file is of account ${file}, but the stream “${name}” holds lines of account ${stream}.`;
  return { about: 'account_number', file, stream, message };
}

function otherHolder({ name }: StreamRow, own: readonly string[], held: readonly string[]): Misfit[] {
  if (own.length === 0 || held.length === 0 || own.some((one) => held.some((other) => isSameHolder(one, other)))) return [];
  const [file, stream] = [listed(own), listed(held)];
  const message = `The account holder of the file is ${file}, but that of the stream “${name}” is ${stream}.`;
  return [{ about: 'account_holder', file, stream, message }];
}

function otherLayout({ name }: StreamRow, { format, table }: Looked, files: readonly FileOfStream[]): Misfit[] {
  const own = table?.recipe ?? null;
  const layoutOf = (recipe: Layout | null, ofFormat: string): string => (recipe === null ? ofFormat : fingerprintOf(recipe));
  const recipeOfFile = ({ recipe }: FileOfStream): Layout | null => (recipe === null ? null : (JSON.parse(recipe) as Layout));
  if (files.some((file) => layoutOf(recipeOfFile(file), file.format) === layoutOf(own, format))) return [];
  const [newest] = files;
  const file = wordsOfLayout(own, format);
  const stream = newest === undefined ? '' : wordsOfLayout(recipeOfFile(newest), newest.format);
  const message = `The file is ${file}, but the newest file of the stream “${name}” is ${stream}, and nothing says that both are of one account.`;
  return [{ about: 'layout', file, stream, message }];
}

function wordsOfLayout(recipe: Layout | null, format: string): string {
  if (recipe === null) return `of the format ${format.toUpperCase()}`;
  const headers = recipe.columns.map(({ header }) => header).filter((header) => header !== '');
  if (!recipe.has_header || headers.length === 0) return `a table of ${recipe.columns.length} columns without a header`;
  return `a table with the columns ${headers.slice(0, SHOWN_HEADERS).join(', ')}${headers.length > SHOWN_HEADERS ? ' ...' : ''}`;
}

function listed(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  return `${distinct.slice(0, 3).join(', ')}${distinct.length > 3 ? ` and ${distinct.length - 3} more` : ''}`;
}
