import type { BalanceType, BankAccountBalance } from '../../src-shared/contract/index.ts';
import { BALANCE_LABELS } from './balances.ts';

/** What is known of an account's balances on one day. */
export interface BalanceDay {
  readonly date: string;
  readonly byType: ReadonlyMap<BalanceType, BankAccountBalance>;
  /** Imports whose statements say them, in the order of import; null among them for what a person or a program gave. */
  readonly sources: readonly (number | null)[];
}

/** The balances of an account apart for each currency, in that of the account where there is none. */
export function balancesByCurrency(
  balances: readonly BankAccountBalance[],
  own: string | null,
): (readonly [string | null, readonly BankAccountBalance[]])[] {
  return balances.length === 0 ? [[own, []]] : [...Map.groupBy(balances, ({ currency }) => currency)];
}

/** Balances by day, the newest first. */
export function balanceDays(balances: readonly BankAccountBalance[]): BalanceDay[] {
  const days = Map.groupBy(balances, ({ date }) => date);
  return [...days]
    .map(([date, of]) => ({
      date,
      byType: new Map(of.map((balance) => [balance.balance_type, balance] as const)),
      sources: [...new Set(of.map(({ import_batch_id: id }) => id))].toSorted((one, other) => (one ?? 0) - (other ?? 0)),
    }))
    .toSorted((one, other) => (one.date < other.date ? 1 : -1));
}

const TYPES = Object.keys(BALANCE_LABELS) as BalanceType[];

/** The types that an account has balances of, in the order of a day. */
export function typesAmong(balances: readonly BankAccountBalance[]): BalanceType[] {
  const found = new Set(balances.map(({ balance_type: type }) => type));
  return TYPES.filter((type) => found.has(type));
}

const BOOKED: readonly BalanceType[] = ['closing_ledger', 'current_ledger', 'opening_ledger'];
const AVAILABLE: readonly BalanceType[] = ['closing_available', 'current_available', 'opening_available'];

/** The newest balance of those kinds: of one day the one that is latest in the day. */
function newestOf(balances: readonly BankAccountBalance[], types: readonly BalanceType[]): BankAccountBalance | null {
  let newest: BankAccountBalance | null = null;
  const rank = ({ balance_type: type }: BankAccountBalance): number => types.indexOf(type);
  for (const balance of balances) {
    if (rank(balance) < 0) continue;
    const isNewer = newest === null || balance.date > newest.date || (balance.date === newest.date && rank(balance) < rank(newest));
    if (isNewer) newest = balance;
  }
  return newest;
}

/** What is on the account, as far as its balances say: booked, and available. */
export function newestBalances(balances: readonly BankAccountBalance[]): {
  readonly booked: BankAccountBalance | null;
  readonly available: BankAccountBalance | null;
} {
  return { booked: newestOf(balances, BOOKED), available: newestOf(balances, AVAILABLE) };
}
