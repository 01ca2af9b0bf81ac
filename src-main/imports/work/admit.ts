import { needsProof } from '../../../src-shared/contract/imports/imports.ts';
import type { ImportRecipe, ImportResult, Misfit, Problem } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { type ClosedSpan, closedSpansOfStream } from '../../close/store/closed-spans.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { closedName } from '../../domain/ledger/index.ts';
import { fingerprintOf, isSameAccount, isSameHolder, NOBODY, note, type Statement, type WhoseFile } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { streamById, type StreamRow } from '../../streams/store/streams.ts';
import { type FileOfStream, filesOfEnvironment, filesOfStream } from '../store/statement-periods.ts';
import { type KeptRecipe, recipeOfFile } from './recipes.ts';
import { dayText } from '../../../src-shared/values/notation.ts';

/** The facts about a file that decide whether it is imported. */
interface Findings extends Pick<Statement, 'accounts' | 'format' | 'proof' | 'rejectedRows'> {
  /** Whether a kept recipe may not fit the file. */
  readonly isDoubtful: boolean;
  /** Whether a question about the file waits for an answer. */
  readonly isAsked: boolean;
  /** Whether the file seems to be the wrong one for its stream. */
  readonly isMismatch: boolean;
  /** Whether some of its new lines are dated within a closed period. */
  readonly isClosed: boolean;
  /** Whether it is a PDF with new lines that no balance proves. */
  readonly needsProof: boolean;
}

/** Returns whether a file may be imported without a decision of a person. */
export function isAdmitted(payload: ImportPayload, found: Findings): boolean {
  if (asksForAccount(found, payload) || found.isDoubtful || found.isAsked || found.isClosed) return false;
  if (found.isMismatch && payload.acceptTarget !== true) return false;
  if (found.rejectedRows > 0 && !payload.acceptRejected) return false;
  if (found.needsProof && payload.acceptUnproved !== true) return false;
  return found.proof !== 'broken' || payload.acceptBroken;
}

/** Returns whether a file is imported whose lines are all read and compared. */
export function isStatementAdmitted(payload: ImportPayload, statement: Statement, result: ImportResult): boolean {
  const { recipe, misfits } = result;
  const { accounts, format, proof, rejectedRows, questions, problems } = statement;
  return isAdmitted(payload, {
    accounts,
    format,
    proof,
    rejectedRows,
    isDoubtful: recipe?.state === 'doubtful',
    isAsked: questions.length > 0,
    isMismatch: misfits.length > 0 || problems.some(({ code }) => code === 'wrong_currency'),
    isClosed: isClosed(statement),
    needsProof: needsProof(result),
  });
}

/** Returns whether a person must first choose one of the accounts of a file. */
export function asksForAccount({ accounts }: Pick<Statement, 'accounts'>, payload: ImportPayload): boolean {
  return accounts.length > 1 && payload.account === null;
}

/** The number of new lines that are dated within closed periods of their stream. `span` is the last of these periods. */
export interface ClosedLines {
  readonly count: number;
  readonly span: ClosedSpan;
}

/** Returns the closed period of a stream that ends last. No new line may be dated on or before its last day. */
export function lastClosed(read: ReadHandle, streamId: number | null): ClosedSpan | undefined {
  return streamId === null ? undefined : closedSpansOfStream(read, streamId).at(-1);
}

function closedLinesText(lines: number, span: ClosedSpan): string {
  return phrase('imports.admit.closedLines', { lines, day: dayText(span.lastDay), period: closedName(span) });
}

/** Returns the problem of a file with new lines in a closed period; null if it has none. */
export function closedProblem({ count, span }: ClosedLines): Problem | null {
  return count === 0 ? null : note(PERIOD_CLOSED, closedLinesText(count, span));
}

const PERIOD_CLOSED = 'period_closed';

function isClosed({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ code }) => code === PERIOD_CLOSED);
}

/** A message names at most this many headers of a layout. */
const SHOWN_HEADERS = 6;

type Looked = Pick<Statement, 'format' | 'table' | 'whose'>;
type Layout = Pick<ImportRecipe, 'has_header' | 'columns'>;

/**
 * Returns in which respects a file differs from the earlier files of its stream: account number, account holder or layout.
 *
 * If both name accounts, only these are compared, so that a file of the same account in another format fits. The layout is not compared if a recipe
 * of this stream was given or kept for it. Lines that the stream has already prove nothing, because a bank and a ledger report the same payments.
 */
export function mismatchesOf(
  read: ReadHandle,
  stream: StreamRow | undefined,
  statement: Looked,
  known: { readonly payload: ImportPayload; readonly kept: readonly KeptRecipe[] },
): Misfit[] {
  const files = stream === undefined ? [] : filesOfStream(read, stream.id);
  if (stream === undefined || files.length === 0) return [];
  const { isSameAccount: isSame, misfits } = compareOwners(stream, statement.whose, files.map(whoseOf));
  const isOfRecipe = recipeOfFile(statement.table, known.payload, known.kept)?.stream_key === stream.key;
  return isSame !== null || isOfRecipe ? misfits : [...misfits, ...otherLayout(stream, statement, files)];
}

/** Returns whether a stream was filled from files of other accounts or holders than those of this file. */
export function isOfOthers(read: ReadHandle, stream: StreamRow, { whose }: Looked): boolean {
  return compareOwners(stream, whose, filesOfStream(read, stream.id).map(whoseOf)).misfits.length > 0;
}

/** Compares the accounts and holders of a file with those of a stream. `isSameAccount` is null if either of them names no account. */
function compareOwners(stream: StreamRow, own: WhoseFile, held: readonly WhoseFile[]) {
  const accounts = held.flatMap((whose) => whose.accounts);
  const holders = held.flatMap((whose) => whose.holders);
  if (accounts.length === 0 || own.accounts.length === 0) {
    return { isSameAccount: null, misfits: otherHolder(stream, own.holders, holders) };
  }
  const isSame = own.accounts.some((one) => accounts.some((other) => isSameAccount(one, other)));
  const misfits = isSame ? [] : [otherAccount(stream, own.accounts, accounts), ...otherHolder(stream, own.holders, holders)];
  return { isSameAccount: isSame, misfits };
}

/** Returns the stream into which a file of this account was imported last. */
export function streamOfAccount(read: ReadHandle, environmentId: number, { accounts }: WhoseFile): StreamRow | undefined {
  if (accounts.length === 0) return undefined;
  const same = (file: FileOfStream): boolean =>
    whoseOf(file).accounts.some((other) => accounts.some((account) => isSameAccount(account, other)));
  const found = filesOfEnvironment(read, environmentId).find(same);
  return found === undefined ? undefined : streamById(read, found.stream_id);
}

function whoseOf({ id, whose }: FileOfStream): WhoseFile {
  return storedJson('import_batches.whose', whose, id) ?? NOBODY;
}

function otherAccount({ name }: StreamRow, own: readonly string[], held: readonly string[]): Misfit {
  const [file, stream] = [listed(own), listed(held)];
  const message = phrase('imports.admit.otherAccount', { file, name, held: stream });
  return { about: 'account_number', file, stream, message };
}

function otherHolder({ name }: StreamRow, own: readonly string[], held: readonly string[]): Misfit[] {
  if (own.length === 0 || held.length === 0 || own.some((one) => held.some((other) => isSameHolder(one, other)))) return [];
  const [file, stream] = [listed(own), listed(held)];
  const message = phrase('imports.admit.otherHolder', { file, name, held: stream });
  return [{ about: 'account_holder', file, stream, message }];
}

function otherLayout({ name }: StreamRow, { format, table }: Looked, files: readonly FileOfStream[]): Misfit[] {
  const own = table?.recipe ?? null;
  const layoutOf = (recipe: Layout | null, ofFormat: string): string => (recipe === null ? ofFormat : fingerprintOf(recipe));
  const recipeOfFile = ({ id, recipe }: FileOfStream): Layout | null => storedJson('import_batches.recipe', recipe, id);
  if (files.some((file) => layoutOf(recipeOfFile(file), file.format) === layoutOf(own, format))) return [];
  const [newest] = files;
  const file = wordsOfLayout(own, format);
  const stream = newest === undefined ? '' : wordsOfLayout(recipeOfFile(newest), newest.format);
  const message = phrase('imports.admit.otherLayout', { file, name, held: stream });
  return [{ about: 'layout', file, stream, message }];
}

function wordsOfLayout(recipe: Layout | null, format: string): string {
  if (recipe === null) return phrase('imports.admit.format', { format: format.toUpperCase() });
  const headers = recipe.columns.map(({ header }) => header).filter((header) => header !== '');
  if (!recipe.has_header || headers.length === 0) return phrase('imports.admit.noHeader', { columns: recipe.columns.length });
  const shown = headers.slice(0, SHOWN_HEADERS).join(', ');
  return phrase('imports.admit.columns', { columns: headers.length > SHOWN_HEADERS ? `${shown} ...` : shown });
}

function listed(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  return `${distinct.slice(0, 3).join(', ')}${distinct.length > 3 ? ` and ${distinct.length - 3} more` : ''}`;
}
