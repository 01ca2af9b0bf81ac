import type { StatementPeriod } from '../model/statement.ts';

/** A file as the book keeps it, as far as its statements are concerned. `periods` is null where the book does not know them. */
interface StatementFile {
  readonly id: number;
  readonly sha256: string;
  readonly date_start: number | null;
  readonly date_end: number | null;
  readonly opening_balance: number | null;
  readonly closing_balance: number | null;
  readonly periods: readonly StatementPeriod[] | null;
  /** Currency of its balances; null where none was given. */
  readonly currency: string | null;
}

/** A statement in a file. */
interface StatedPeriod<File> extends StatementPeriod {
  readonly batchId: number;
  readonly file: File;
}

/** The statements of one account in one currency, as the account is kept in it. */
interface StatedAccount<File> {
  /** The account as the files write it; null unless a file holds several. */
  readonly account: string | null;
  readonly currency: string | null;
  readonly statements: readonly StatedPeriod<File>[];
}

/** Returns the statements in a file; where the book does not have them, one statement from its record days. */
function statementsIn<File extends StatementFile>(file: File): StatedPeriod<File>[] {
  if (file.periods !== null) {
    return file.periods.map((period) => ({ ...period, batchId: file.id, file }));
  }
  if (file.date_start === null || file.date_end === null) return [];
  const balances = { openingMinor: file.opening_balance, closingMinor: file.closing_balance };
  return [{ account: null, firstDay: file.date_start, lastDay: file.date_end, ...balances, batchId: file.id, file }];
}

/**
 * Groups the statements of a stream by account and currency: balances of two currencies never follow from each other. A repeated file counts once.
 * `own`: the stream's currency, for files that name none.
 */
export function statedAccounts<File extends StatementFile>(files: readonly File[], own: string | null): StatedAccount<File>[] {
  const seen = new Set<string>();
  const statements = files.filter(({ sha256 }) => !seen.has(sha256) && seen.add(sha256)).flatMap(statementsIn);
  const currencyOf = ({ file }: StatedPeriod<File>): string | null => file.currency ?? own;
  return [...Map.groupBy(statements, (statement) => JSON.stringify([statement.account, currencyOf(statement)])).values()].flatMap((of) => {
    const [first] = of;
    return first === undefined ? [] : [{ account: first.account, currency: currencyOf(first), statements: of }];
  });
}
