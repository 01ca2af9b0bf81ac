import { createStore } from 'zustand/vanilla';
import type { Failure, ImportPreview, Job } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Connection } from '../api/use-operation.ts';
import { followJob } from '../api/follow-job.ts';
import { reasonToLook } from './import-flow.ts';

/** A file of a book that has no reconciliation yet: read, and not imported before a person agrees. */
export interface FirstFile {
  readonly file: ChosenFile;
  readonly state: 'reading' | 'read' | 'importing';
  readonly preview: ImportPreview | null;
  /** Why the file was not read or not imported. */
  readonly fault: string | null;
}

interface FirstHour {
  readonly files: readonly FirstFile[];
  /** Whether the person exchanged the sides that the files suggest. */
  readonly isSwapped: boolean;
  /** The currency of files that name none, as it is typed. */
  readonly currency: string;
}

const EMPTY: FirstHour = { files: [], isSwapped: false, currency: '' };

/** The files of the first hour. They outlast their screen, so that a person can look elsewhere and come back. */
export const firstHour = createStore<FirstHour>()(() => EMPTY);

export const MOST_FILES = 2;

function change(token: string, changed: Partial<FirstFile>): void {
  firstHour.setState(({ files }) => ({ files: files.map((each) => (each.file.token === token ? { ...each, ...changed } : each)) }));
}

export function leaveOut(token: string): void {
  firstHour.setState(({ files }) => ({ files: files.filter(({ file }) => file.token !== token), isSwapped: false }));
}

type Reached = Pick<Connection, 'client' | 'events'>;

async function ended(connection: Reached, asked: Promise<Outcome<Job>>): Promise<Outcome<Job>> {
  const started = await asked;
  return started.ok ? followJob(connection, started.value, () => undefined) : started;
}

function faultOf(answer: Outcome<Job>): string {
  return answer.ok ? (answer.value.error_message ?? say('imports.useImport.theFileCouldNotBeRead')) : answer.error.message;
}

/** Reads the files, and shows them as they arrive. */
export async function readFirst(connection: Reached, files: readonly ChosenFile[]): Promise<void> {
  const added = files.map((file): FirstFile => ({ file, state: 'reading', preview: null, fault: null }));
  firstHour.setState((before) => ({ files: [...before.files, ...added].slice(-MOST_FILES) }));
  for (const { token } of files) {
    const read = await ended(connection, connection.client.call('imports.preview', { file_token: token }));
    const preview = read.ok ? read.value.preview : null;
    change(token, { state: 'read', preview, fault: preview === null ? faultOf(read) : null });
  }
}

/** Returns whether all that a file lacks is the name of its currency. */
export function lacksCurrency({ result }: Pick<ImportPreview, 'result'>): boolean {
  return result.questions.some(({ about }) => about === 'currency');
}

/** Returns why a person must look at a file before it is imported; null when nothing but its currency can be missing. */
export function doubtOf(preview: ImportPreview): string | null {
  const { result, suggestion } = preview;
  const questions = result.questions.filter(({ about }) => about !== 'currency');
  return reasonToLook({ ...preview, result: { ...result, questions } }, suggestion.stream_key)?.words ?? null;
}

const OF_BANK = /bank|statement|kontoauszug|umsatz|umsätze|relev[eé]|extracto|estratto/i;
const OF_BOOKS = /ledger|cash.?book|\bbooks?\b|journal|nominal|\bgl\b|vouchers?|hauptbuch|kassenbuch|grand.?livre/i;
/** The headers by which ledgers name an account of their chart, and a voucher. */
const BOOK_HEADERS = /voucher|journal|nominal|ledger|document no|belegn|\baccount\b|gegenkonto/i;

/** Returns how much a file looks like a bank's rather than like the books: above 0 the bank's. */
export function bankLikeness({ result, columns, suggestion, file }: ImportPreview): number {
  const isOfFixedFormat = result.recipe === null;
  const hasBalances = result.balances.stated > 0 || result.opening_balance !== null || columns.some(({ role }) => role === 'balance');
  return (
    (isOfFixedFormat ? 4 : 0) +
    (hasBalances ? 3 : -1) +
    (suggestion.bank_account_name === null ? 0 : 2) +
    nameLikeness(file.name) -
    (columns.some(({ header }) => BOOK_HEADERS.test(header)) ? 2 : 0)
  );
}

/** Returns 2 for the name of a bank's file or account, -2 for one of the books, else 0. */
export function nameLikeness(name: string): number {
  if (OF_BOOKS.test(name)) return -2;
  return OF_BANK.test(name) ? 2 : 0;
}

/** Returns the two things with the bank's first. `likeness` is compared where there are two; one alone is the bank's when it is above 0. */
export function bySide<Thing>(
  things: readonly { readonly thing: Thing; readonly likeness: number }[],
  isSwapped: boolean,
): { readonly bank: Thing | null; readonly books: Thing | null } {
  const [first, second] = things;
  if (first === undefined) return { bank: null, books: null };
  const isFirstBank = second === undefined ? first.likeness > 0 : first.likeness >= second.likeness;
  const [bank, books] = isFirstBank === isSwapped ? [second, first] : [first, second];
  return { bank: bank?.thing ?? null, books: books?.thing ?? null };
}

export interface Side {
  /** The account in the book, or null for a file that is still to be imported. */
  readonly key: string | null;
  readonly name: string;
  readonly file: FirstFile | null;
}

/** Returns a key that no other account has: two files of one name would otherwise go into one account. */
function freeKey(key: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? key : `${key}-${number}`;
    if (!taken.includes(next)) return next;
  }
}

interface Tied {
  readonly reconciliationId: number;
  /** Why its first run did not start; null when it did. */
  readonly notRun: Failure | null;
}

/** Imports one side where it is a file. Returns the key of its account, or null where it was refused and says why. */
async function imported(connection: Reached, side: Side, isBank: boolean, taken: readonly string[]): Promise<string | null> {
  const preview = side.file?.preview ?? null;
  if (side.file === null || preview === null) return side.key;
  const { token } = side.file.file;
  const { suggestion } = preview;
  const key = suggestion.is_known ? suggestion.stream_key : freeKey(suggestion.stream_key, taken);
  const currency = firstHour.getState().currency.trim().toUpperCase();
  const account = suggestion.bank_account_id === null ? { bank_account_name: suggestion.bank_account_name ?? side.name } : {};
  change(token, { state: 'importing', fault: null });
  const stored = await ended(
    connection,
    connection.client.call('imports.start', {
      file_token: token,
      stream_key: key,
      ...(suggestion.is_known ? {} : { stream_name: side.name }),
      ...(lacksCurrency(preview) && currency !== '' ? { currency } : {}),
      ...(isBank && !suggestion.is_known ? account : {}),
    }),
  );
  const kept = stored.ok && stored.value.status === 'completed' ? stored.value.import_result : null;
  if (kept !== null && kept.batch_id !== null) {
    leaveOut(token);
    return key;
  }
  const fault = kept?.questions[0]?.message ?? kept?.misfits[0]?.message ?? kept?.problems[0]?.message ?? faultOf(stored);
  change(token, { state: 'read', fault });
  return null;
}

/**
 * Imports what is not in the book yet, makes the reconciliation, and runs it. Returns null where a file was refused, which its card says; a failure of
 * the set-up is returned.
 */
export async function tieTogether(
  connection: Reached,
  { bank, books }: { readonly bank: Side; readonly books: Side },
  taken: readonly string[],
): Promise<Outcome<Tied> | null> {
  const { client } = connection;
  // A file that names its currency goes first: the other one then takes the only currency of the book.
  const ofBank = bank.file?.preview ?? null;
  const isBooksFirst = ofBank !== null && lacksCurrency(ofBank);
  let [bankKey, booksKey]: [string | null, string | null] = [null, null];
  for (const isBank of isBooksFirst ? [false, true] : [true, false]) {
    const key = await imported(connection, isBank ? bank : books, isBank, [...taken, bankKey ?? '', booksKey ?? '']);
    if (key === null) return null;
    if (isBank) bankKey = key;
    else booksKey = key;
  }
  if (bankKey === null || booksKey === null) return null;
  const name = `${books.name} / ${bank.name}`.slice(0, 255);
  const made = await client.call('reconciliations.set_up', {
    name,
    side_a_keys: [booksKey],
    side_b_keys: [bankKey],
    run_type: 'continuous',
  });
  if (!made.ok) return made;
  const { id } = made.value.reconciliation;
  firstHour.setState(EMPTY);
  const now = await client.call('reconciliations.get', { id });
  const hasRun = now.ok && (now.value.current_run !== null || now.value.last_run !== null);
  const run = hasRun ? null : await client.call('runs.start', { id });
  const notRun = run === null || run.ok || run.error.code === 'run_in_progress' ? null : run.error;
  return { ok: true, value: { reconciliationId: id, notRun } };
}
