import type { BalanceType, BankAccountBalance, Coverage, ImportedBalances, Stream } from '../../src-shared/contract/index.ts';
import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { say } from '../../src-shared/words/say.ts';
import { listText } from './counts.ts';

export const BALANCE_LABELS: Readonly<Record<BalanceType, string>> = {
  opening_ledger: say('imports.balanceLabels.openingLedger'),
  closing_ledger: say('imports.balanceLabels.closingLedger'),
  current_ledger: say('imports.balanceLabels.currentLedger'),
  opening_available: say('imports.balanceLabels.openingAvailable'),
  opening_available_next_business_day: say('imports.balanceLabels.openingAvailableNextBusiness'),
  closing_available: say('imports.balanceLabels.closingAvailable'),
  current_available: say('imports.balanceLabels.currentAvailable'),
  previously_closed_book: say('imports.balanceLabels.previouslyClosedBook'),
  other: say('imports.balanceLabels.other'),
};

/** Returns a sentence about a statement's balances and where they are stored. */
export function balancesSentence({ bank_account: account, stated, new: made, same, conflicts }: ImportedBalances): string {
  if (account === null) {
    return say('imports.balances.theStatementSaysBalances', { stated });
  }
  const parts = [
    ...(made > 0 ? [say('imports.balances.balancesNewFor', { made, name: account.name })] : []),
    ...(same > 0 ? [say('imports.balances.balancesThereAlready', { same })] : []),
    ...(conflicts > 0 ? [say('imports.balances.balancesThereWithAnotherAmount', { conflicts })] : []),
  ];
  return parts.length === 0 ? say('imports.balances.hasAnotherCurrencyItsBalances', { name: account.name }) : `${parts.join(', ')}.`;
}

/** Returns a sentence about the balances that undoing an import removes and keeps; null when the import had none. */
export function undoneBalancesSentence(removed: number, kept: number): string | null {
  if (removed === 0 && kept === 0) return null;
  const gone =
    removed === 0 ? say('imports.balances.noBalanceOfTheBankAccountGoes') : say('imports.balances.balancesOfTheBank', { removed });
  return `${[gone, ...(kept === 0 ? [] : [say('imports.balances.balancesThatWereChanged', { kept })])].join('; ')}.`;
}

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

/** The balance of an account at the end of a day. */
interface BalancePoint {
  readonly date: string;
  readonly value: number;
  /** `square`: entered by a person or a program. `diamond`: the first day on which the statements do not follow each other. */
  readonly shape: 'dot' | 'square' | 'diamond';
}

const ENDS = ['closing_ledger', 'current_ledger', 'closing_available', 'current_available'] as const;

/**
 * Returns the first day that does not follow the day before it: days are missing, or a statement opens with another balance than the last one closed
 * with. Null when there is none.
 */
function firstBreak(coverages: readonly Coverage[]): string | null {
  const days = coverages.flatMap(({ gaps, breaks }) => [
    ...gaps.filter(({ kind }) => kind === 'missing').map(({ date_start: start }) => start),
    ...breaks.map(({ date }) => date),
  ]);
  return days.toSorted()[0] ?? null;
}

/** Returns the balances of an account as a line, the oldest first. All points have one balance type: booked where it is known. */
export function balanceLine(balances: readonly BankAccountBalance[], coverages: readonly Coverage[]): BalancePoint[] {
  const type = ENDS.find((each) => balances.some(({ balance_type: own }) => own === each));
  if (type === undefined) return [];
  const broken = firstBreak(coverages);
  const points = balanceDays(balances)
    .toReversed()
    .flatMap(({ date, byType }): BalancePoint[] => {
      const balance = byType.get(type);
      if (balance === undefined) return [];
      const shape = date === broken ? 'diamond' : balance.import_batch_id === null ? 'square' : 'dot';
      return [{ date, value: balance.amount_cents, shape }];
    });
  if (broken === null || points.some(({ date }) => date === broken)) return points;
  // The line goes on to the day of the break.
  const before = points.findLast(({ date }) => date < broken);
  if (before === undefined) return points;
  return [...points, { date: broken, value: before.value, shape: 'diamond' as const }].toSorted((one, other) =>
    one.date < other.date ? -1 : 1,
  );
}

/** The number of accounts that a sentence names. */
const NAMED_STREAMS = 5;
/** The longest name in a notification, which has little room. */
const NAME_CHARACTERS = 60;

interface Balances {
  /** The number of balances that a person or a program entered. */
  readonly given: number;
  /** The number of balances that only statements state. */
  readonly stated: number;
}

export function balanceCounts(balances: readonly Pick<BankAccountBalance, 'import_batch_id'>[]): Balances {
  const given = balances.filter(({ import_batch_id: batch }) => batch === null).length;
  return { given, stated: balances.length - given };
}

/** Returns one sentence for each thing that depends on a bank account before it is deleted. */
export function hangingOn(streams: readonly Pick<Stream, 'name'>[], { given, stated }: Balances): string[] {
  const names = streams.slice(0, NAMED_STREAMS).map(({ name }) => `“${name}”`);
  const more = streams.length - names.length;
  const named = more > 0 ? say('streams.account.andMore', { names: names.join(', '), more }) : listText(names);
  return [
    ...(streams.length > 0
      ? [
          streams.length === 1
            ? say('streams.account.oneAccountIsLinkedToIt', { named })
            : say('streams.account.accountsAreLinkedToIt', { named }),
        ]
      : []),
    ...(stated > 0 ? [say('streams.account.balancesThatStatementsState', { stated })] : []),
    ...(given > 0 ? [say('streams.account.balancesGivenByHand', { given })] : []),
  ];
}

/** Returns sentences about the balances of an account when its currency changes, or none when nothing follows from it. */
export function otherCurrencyNotes(before: string | null, after: string | null, { given, stated }: Balances): string[] {
  if (before === after) return [];
  const [from, to] = [before ?? 'USD', after ?? 'USD'];
  const isRescaled = given > 0 && decimalPlacesOf(from) !== decimalPlacesOf(to);
  return [
    ...(given > 0
      ? [say('streams.account.balancesGivenByHandOrByAProgram', { given, after: after ?? say('streams.account.noNamedCurrency') })]
      : []),
    ...(isRescaled
      ? [
          say('streams.account.hasDecimalsWhereHasTheirDecimal', {
            to,
            decimalPlaces: decimalPlacesOf(to),
            from,
            decimalPlaces2: decimalPlacesOf(from),
          }),
        ]
      : []),
    ...(stated > 0 && after !== null ? [say('streams.account.ofTheBalancesThatStatementsState', { after })] : []),
  ];
}

export function shortName(name: string): string {
  return name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name;
}
