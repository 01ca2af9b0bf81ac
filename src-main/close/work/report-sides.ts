import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { LedgerSide } from '../../domain/ledger/index.ts';
import type { ReportSide } from '../../domain/report/index.ts';
import { filesOfStream } from '../../imports/store/statement-periods.ts';
import { lastSignOff } from '../store/sign-offs.ts';
import { findBankAccount } from '../../streams/store/bank-accounts.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';
import { distinct } from './words.ts';

/** A side with more account numbers than this shows none, since so many do not identify it. */
const MOST_NUMBERS = 3;
const SINGLE_LINES = phrase('report.reportSides.linesAddedOneByOne');

interface Named {
  /** Null if the file writes only a number. */
  readonly name: string | null;
  readonly number: string | null;
}

/** Splits an account as files write it, such as `Northgate Current 40-12-88 71449302`, into its name and the digits at its end. */
function accountOf(written: string): Named {
  const words = written.trim().split(/\s+/);
  const last = words.findLastIndex((word) => !/^[\d./-]+$/.test(word));
  const [name, number] = [words.slice(0, last + 1).join(' '), words.slice(last + 1).join(' ')];
  // An IBAN is a single word with letters in it.
  return number === '' ? { name: null, number: written } : { name: name || null, number };
}

/** Returns the name of the bank account of a stream, else of the stream itself. */
function nameOf(read: ReadHandle, { environment_id: environmentId, bank_account_id: accountId, name }: StreamRow): string {
  return (accountId === null ? undefined : findBankAccount(read, environmentId, accountId))?.name ?? name;
}

/** Returns the accounts that the files of streams name. */
function writtenAccounts(read: ReadHandle, streams: readonly StreamRow[]): string[] {
  const files = streams.flatMap(({ id }) => filesOfStream(read, id));
  return distinct(files.flatMap(({ id, whose }) => storedJson('import_batches.whose', whose, id)?.accounts ?? []));
}

/** Returns the files and other sources of the period's records, in the order of their imports. */
function sourcesOf({ imports, period }: CloseSource, { records }: CurrencyLines, side: LedgerSide): string[] {
  const used = new Set<number | null>();
  for (const record of records) {
    const isInPeriod = record.day >= period.first_day && record.day <= period.last_day;
    if (isInPeriod && record.side === side && !record.isAdjustment) used.add(record.importId);
  }
  const brought = imports.filter(({ id }) => used.has(id));
  const names = brought.map(
    ({ id, source, filename }) =>
      filename ?? (source === 'bulk_api' ? phrase('report.reportSides.bulkRequestImport', { id }) : `import ${id}`),
  );
  return distinct(used.has(null) ? [...names, SINGLE_LINES] : names);
}

/** Returns the name of the accounts of each side, as they are called now. */
export function accountNames(read: ReadHandle, streams: CloseSource['streams']): Readonly<Record<LedgerSide, string>> {
  const of = (side: LedgerSide): string => {
    const accounts = writtenAccounts(read, streams[side]).map(accountOf);
    const [only] = accounts;
    const isLinked = streams[side].some(({ bank_account_id: accountId }) => accountId !== null);
    const written = accounts.length === 1 && only !== undefined && !isLinked ? only.name : null;
    return written ?? distinct(streams[side].map((stream) => nameOf(read, stream))).join(', ');
  };
  return { bank: of('bank'), books: of('books') };
}

/** Returns the names with which a period was signed last; null where it is not signed. */
function signedNames(read: ReadHandle, periodId: number): Readonly<Record<LedgerSide, string>> | null {
  const last = lastSignOff(read, periodId);
  if (last === undefined || last.kind === 'reopen' || last.account_names === null) return null;
  return storedJson('sign_offs.account_names', last.account_names, last.id);
}

/** Returns the names, numbers and sources of both sides. A document that was signed keeps the names that it was signed with. */
export function reportSides(read: ReadHandle, source: CloseSource, lines: CurrencyLines): Readonly<Record<LedgerSide, ReportSide>> {
  const names = signedNames(read, source.period.id) ?? accountNames(read, source.streams);
  const of = (side: LedgerSide): ReportSide => {
    const accounts = writtenAccounts(read, source.streams[side]).map(accountOf);
    const numbers = distinct(accounts.flatMap(({ number }) => number ?? []));
    return {
      accountName: names[side],
      accountNumber: numbers.length === 0 || numbers.length > MOST_NUMBERS ? null : numbers.join(', '),
      sources: sourcesOf(source, lines, side),
    };
  };
  return { bank: of('bank'), books: of('books') };
}
