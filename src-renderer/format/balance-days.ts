import type { BalanceType, BankAccountBalance } from '../../src-shared/contract/index.ts';
import { BALANCE_LABELS } from './balances.ts';

/** The known balances of an account on one day. */
export interface BalanceDay {
  readonly date: string;
  readonly byType: ReadonlyMap<BalanceType, BankAccountBalance>;
  /** The imports whose statements state the balances, in the order of import. Null means that a person or a program entered one. */
  readonly sources: readonly (number | null)[];
}

/** Groups the balances of an account by currency. An account without balances has one empty group in its own currency. */
export function balancesByCurrency(
  balances: readonly BankAccountBalance[],
  own: string | null,
): (readonly [string | null, readonly BankAccountBalance[]])[] {
  return balances.length === 0 ? [[own, []]] : [...Map.groupBy(balances, ({ currency }) => currency)];
}

/** Returns the balances grouped by day, the newest day first. */
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

/** Returns the types of an account's balances, in the order of their time of day. */
export function typesAmong(balances: readonly BankAccountBalance[]): BalanceType[] {
  const found = new Set(balances.map(({ balance_type: type }) => type));
  return TYPES.filter((type) => found.has(type));
}

const BOOKED: readonly BalanceType[] = ['closing_ledger', 'current_ledger', 'opening_ledger'];
const AVAILABLE: readonly BalanceType[] = ['closing_available', 'current_available', 'opening_available'];

/** Returns the newest balance of the given types. On the same day the type that is later in the day wins. */
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

/** Returns the newest booked and the newest available balance. */
export function newestBalances(balances: readonly BankAccountBalance[]): {
  readonly booked: BankAccountBalance | null;
  readonly available: BankAccountBalance | null;
} {
  return { booked: newestOf(balances, BOOKED), available: newestOf(balances, AVAILABLE) };
}
