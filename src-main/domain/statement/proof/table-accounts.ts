import type { Problem } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { Layout } from '../columns/table-columns.ts';
import { note, quoted, unreadable } from '../model/problems.ts';
import type { StatementAccount, StatementPeriod, Unreadable, WhoseFile } from '../model/statement.ts';
import { type BalanceSides, cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { ownText } from '../text/grid.ts';
import type { ChainCheck, ChosenReading } from './chain.ts';

/** A column with more values, or longer ones, does not name the book's own accounts. */
const MOST_ACCOUNTS = 1_000;
const LONGEST_ACCOUNT = 200;
/** Least average number of rows per account: the counterparty's account changes with nearly every row. */
const ROWS_OF_ACCOUNT = 2;
/** Most own accounts where only their form suggests that they are own accounts. */
const MOST_OWN = 20;
/** Rows that balances must confirm across all accounts before the column counts as the counterparties'. */
const CONFIRMED = 2;

/** Collects the accounts that the rows of a table name, in the order of the file. */
export class AccountFacts {
  readonly #column: number | null;
  readonly #currencyOf: (row: WrittenRow) => string | null;
  /** Null once the column cannot name accounts. */
  #accounts: Map<string, { rows: number; readonly currency: string | null }> | null = new Map();

  /** `currencyOf`: the currency that the row itself names. */
  constructor({ account }: Pick<Layout, 'account'>, currencyOf: (row: WrittenRow) => string | null) {
    this.#column = account;
    this.#currencyOf = currencyOf;
  }

  add(row: WrittenRow): void {
    if (this.#column === null || this.#accounts === null) return;
    const account = cellOf(row, this.#column);
    const known = this.#accounts.get(account);
    if (known !== undefined) known.rows += 1;
    else if (account.length > LONGEST_ACCOUNT || this.#accounts.size === MOST_ACCOUNTS) this.#accounts = null;
    else this.#accounts.set(ownText(account), { rows: 1, currency: this.#currencyOf(row) });
  }

  /** Returns the accounts; rows without one are left out. */
  list(settled: (own: string | null) => string): readonly NamedAccount[] {
    return [...(this.#accounts ?? [])]
      .filter(([account]) => account !== '')
      .map(([account, { rows, currency }]) => ({ account, rows, currency: settled(currency) }));
  }
}

export interface NamedAccount {
  readonly account: string;
  readonly rows: number;
  readonly currency: string;
}

/**
 * Returns the accounts of a table that holds several; else none. The column may name counterparties, or the contra accounts of a ledger. They are
 * accounts of the file where the balances hold for each of them and not over all rows together; or where they are at most twenty account numbers,
 * each with several rows, and no balance contradicts it.
 */
export function accountsOfTable(named: readonly NamedAccount[], chosen: ChosenReading): readonly StatementAccount[] {
  const { check, groups } = chosen.reading;
  const isByGroup = groups !== null && check.verified > 0;
  if (named.length < 2 || !(isByGroup || (mayBeOwn(named, chosen) && named.every(({ account }) => isNumber(account))))) return [];
  return named.map((each) => {
    const balances = isByGroup ? checkOf(groups, each.account) : null;
    return { ...each, openingBalanceMinor: balances?.opening ?? null, closingBalanceMinor: balances?.closing ?? null };
  });
}

/** Returns a note that rows of possibly several accounts were read together. */
export function mixedAccounts(
  named: readonly NamedAccount[],
  chosen: ChosenReading,
  { names, account }: Pick<Layout, 'names' | 'account'>,
): readonly Problem[] {
  if (account === null || named.length < 2 || !mayBeOwn(named, chosen)) return [];
  const column = names[account] ?? '';
  const message = phrase('statement.tableAccounts.columnNamesAccounts', { column, named: named.length, named2: namesOf(named) });
  return [note('accounts_together', message, null, column)];
}

function mayBeOwn(named: readonly NamedAccount[], { reading, proof }: ChosenReading): boolean {
  const rows = named.reduce((sum, each) => sum + each.rows, 0);
  const areOthers = reading.groups === null && proof !== 'broken' && reading.check.verified >= CONFIRMED;
  return !areOthers && named.length <= MOST_OWN && rows >= ROWS_OF_ACCOUNT * named.length;
}

/** Whether a text is an account number, some digits of which may be hidden: a ledger's accounts have fewer digits. */
function isNumber(account: string): boolean {
  return account.replaceAll(/\D/g, '').length >= 6 || /^[*x#•.]{2,}\s?\d{3,5}$/i.test(account);
}

/** Returns the group within which a row's balance is checked. */
export function groupOf(row: WrittenRow, currency: string, { account }: Pick<Layout, 'account'>): string {
  return account === null ? currency : `${currency} ${cellOf(row, account)}`;
}

/** Returns the owner of the rows: the account that is read alone, or all accounts of the file, else the one named for all rows or above them. */
export function whoseRows({
  account,
  accounts,
  named,
  whose,
}: {
  readonly account: string | null;
  readonly accounts: readonly StatementAccount[];
  readonly named: readonly NamedAccount[];
  readonly whose: WhoseFile;
}): WhoseFile {
  if (account !== null || accounts.length > 0)
    return { ...whose, accounts: account === null ? accounts.map((each) => each.account) : [account] };
  const [only, ...others] = named;
  if (whose.accounts.length > 0 || only === undefined || others.length > 0) return whose;
  return only.rows >= ROWS_OF_ACCOUNT && isNumber(only.account) ? { ...whose, accounts: [only.account] } : whose;
}

/** Returns the balances of an account; null where it is kept in several currencies. */
function checkOf(groups: ReadonlyMap<string, ChainCheck>, account: string): ChainCheck | null {
  const [only, ...others] = [...groups].filter(([group]) => group.slice(group.indexOf(' ') + 1) === account);
  return only === undefined || others.length > 0 || only[1].broken > 0 ? null : only[1];
}

/** Whether a row belongs to the account that is read; without one all do. */
export function isOfAccount(row: WrittenRow, account: string | null, layout: Pick<Layout, 'account'>): boolean {
  return account === null || cellOf(row, layout.account) === account;
}

/** No balances: those around the rows of several accounts belong to none of them. */
export const NO_SIDES: BalanceSides = { openingSide: [], closingSide: [] };

/** Returns a note that rows of other accounts were left out. */
export function othersLeftOut(account: string, rows: number): readonly Problem[] {
  const message = phrase('statement.tableAccounts.rowsOfOtherAccounts', { rows, account: quoted(account) });
  return rows === 0 ? [] : [note('other_accounts_left_out', message)];
}

/** Returns why one account of a table cannot be read, or null. */
export function mismatchOfAccount(
  account: string,
  layout: Pick<Layout, 'account' | 'names'>,
  named: readonly NamedAccount[],
): Unreadable | null {
  if (layout.account === null) {
    const message = phrase('statement.tableAccounts.noColumnOfTheFile', { account: quoted(account) });
    return unreadable('no_such_account', message);
  }
  if (named.some((each) => each.account === account)) return null;
  const column = layout.names[layout.account] ?? '';
  const message = phrase('statement.tableAccounts.theColumnHoldsNoAccount', { column, account: quoted(account), named: namesOf(named) });
  return unreadable('no_such_account', message, null, column);
}

/** Collects the days of each account's lines. */
export class AccountDays {
  readonly #days = new Map<string, { firstDay: number; lastDay: number }>();

  add(account: string, day: number): void {
    const days = this.#days.get(account);
    if (days !== undefined) {
      if (day < days.firstDay) days.firstDay = day;
      if (day > days.lastDay) days.lastDay = day;
    } else if (this.#days.size < MOST_ACCOUNTS) this.#days.set(ownText(account), { firstDay: day, lastDay: day });
  }

  /** Returns the covered days of each account of a file. */
  periods(accounts: readonly StatementAccount[]): StatementPeriod[] {
    return accounts.flatMap(({ account, openingBalanceMinor: openingMinor, closingBalanceMinor: closingMinor }) => {
      const days = this.#days.get(account);
      return days === undefined ? [] : [{ account, ...days, openingMinor, closingMinor }];
    });
  }
}

const SHOWN = 10;

/** Returns account names for use in a message. */
export function namesOf(named: readonly Pick<NamedAccount, 'account'>[]): string {
  const shown = named.slice(0, SHOWN).map(({ account }) => quoted(account));
  const more = named.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
