import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { itemAt } from '../../collections/typed-arrays.ts';
import type { ChoiceOfEquals } from '../../groups/sums.ts';

/** Records of the many side that add up to a single record. */
export interface SumOption {
  /** Rows of the many side, ascending. */
  readonly rows: readonly number[];
  readonly days: number;
  readonly choice: ChoiceOfEquals;
}

/** The combinations found for a single record. */
export interface Claim {
  /** Row of the single side. */
  readonly row: number;
  /** The best option first; at least one. */
  readonly options: readonly SumOption[];
  /** Rows of the many side that occur in some combination found. */
  readonly touched: readonly number[];
  /** Whether there are no other options. */
  readonly isComplete: boolean;
  /** All options of at most this many records are known. */
  readonly knownUpTo: number;
  /** Whether one record of the many side alone would fit, so that no combination is the only explanation. */
  readonly fitsAlone: boolean;
}

/** Returns equal texts for records that a person cannot distinguish. */
export interface Likeness {
  readonly many: (row: number) => string;
  readonly single: (row: number) => string;
}

export interface SumChoice {
  readonly row: number;
  readonly rows: readonly number[];
  readonly certainty: Certainty;
}

/** Most claims that are settled together by trying every way; if there are more, all are contested. */
const MOST_TOGETHER = 8;
const MOST_TRIES = 50_000;

/**
 * Decides which single record takes which records. Claims on the same records are settled together: the most single records, then the fewest records,
 * then the fewest days. A record is certain if every such way gives the same records to it and it has no other option. All others are contested, and
 * so is everything if there are too many claims to try all ways. Claims must be in content order, which decides what is still equal.
 */
export function settleClaims(claims: readonly Claim[], likeness: Likeness): SumChoice[] {
  const choices: SumChoice[] = [];
  for (const together of claimsTogether(claims)) {
    const [first] = together;
    if (together.length === 1 && first !== undefined) {
      choices.push({ row: first.row, rows: itemAt(first.options, 0).rows, certainty: certaintyAlone(first) });
      continue;
    }
    for (const choice of settle(together, likeness)) choices.push(choice);
  }
  return choices.toSorted((left, right) => left.row - right.row);
}

/** Returns sets of claims that compete for records, directly or through others. */
function claimsTogether(claims: readonly Claim[]): Claim[][] {
  const leader = claims.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (itemAt(leader, root) !== root) root = itemAt(leader, root);
    leader[index] = root;
    return root;
  };
  const firstOf = new Map<number, number>();
  for (const [index, claim] of claims.entries()) {
    for (const row of claim.touched) {
      const first = firstOf.get(row);
      if (first === undefined) firstOf.set(row, index);
      else leader[find(index)] = find(first);
    }
  }
  return [...Map.groupBy(claims, (_, index) => find(index)).values()];
}

function isRigid({ choice }: SumOption): boolean {
  return choice === 'whole' || choice === 'alike';
}

/** Returns whether there is no other option, apart from exchanging indistinguishable records. */
function isOnlyOption({ isComplete, fitsAlone, options }: Claim): boolean {
  return isComplete && !fitsAlone && options.length === 1 && options.every(isRigid);
}

function certaintyAlone(claim: Claim): Certainty {
  const [first, second] = claim.options;
  if (first === undefined) return 'contested';
  if (isOnlyOption(claim)) return first.choice === 'whole' ? 'unique' : 'interchangeable';
  const isBetter = second === undefined || second.rows.length > first.rows.length || second.days > first.days;
  const isKnown = first.rows.length <= claim.knownUpTo && first.choice !== 'open';
  return isBetter && isKnown && !claim.fitsAlone ? 'best' : 'contested';
}

/** One way to settle claims: the option of each, or -1 for none. */
interface Way {
  readonly picks: readonly number[];
  readonly settled: number;
  readonly records: number;
  readonly days: number;
}

interface Ways {
  readonly best: Way;
  /** By claim: its options over all ways that settle the same number of claims. */
  readonly picksOf: readonly ReadonlySet<number>[];
  /** Whether these ways differ only by exchanging indistinguishable records. */
  readonly isOne: boolean;
}

function settle(claims: readonly Claim[], likeness: Likeness): SumChoice[] {
  const demand = demandOf(claims, likeness);
  const ways = claims.length > MOST_TOGETHER ? null : tryAll(claims, likeness, demand);
  const picks = ways === null ? firstCome(claims, demand) : ways.best.picks;
  const isAllKnown = claims.every((claim) => claim.isComplete && !claim.fitsAlone && claim.options.every(isRigid));
  const dealt = dealer(claims, demand);
  return claims.flatMap((claim, index): SumChoice[] => {
    const option = claim.options[itemAt(picks, index)];
    if (option === undefined) return [];
    const rows = dealt(option);
    if (ways === null) return [{ row: claim.row, rows, certainty: 'contested' }];
    const isSettled = isAllKnown || ways.best.settled === claims.length;
    const isFixed = isSettled && itemAt(ways.picksOf, index).size === 1;
    if (isFixed && isOnlyOption(claim)) {
      return [{ row: claim.row, rows, certainty: option.choice === 'whole' ? 'unique' : 'interchangeable' }];
    }
    if (!isAllKnown) return [{ row: claim.row, rows, certainty: 'contested' }];
    // If a tie leaves one of several equal records without a match, a person must decide.
    const isExchange = ways.isOne && ways.best.settled === claims.length;
    return [{ row: claim.row, rows, certainty: isFixed ? 'best' : isExchange ? 'interchangeable' : 'contested' }];
  });
}

/** By appearance: how many records an option takes, and how many there are. */
interface Demand {
  readonly keyOf: ReadonlyMap<number, string>;
  readonly stock: ReadonlyMap<string, number>;
}

function demandOf(claims: readonly Claim[], likeness: Likeness): Demand {
  const keyOf = new Map<number, string>();
  for (const row of new Set(claims.flatMap((claim) => claim.touched))) keyOf.set(row, likeness.many(row));
  const stock = new Map<string, number>();
  for (const key of keyOf.values()) stock.set(key, (stock.get(key) ?? 0) + 1);
  return { keyOf, stock };
}

/** Takes the records of an option from the stock; returns false and takes nothing if one is missing. */
function take(stock: Map<string, number>, option: SumOption, { keyOf }: Demand): boolean {
  const taken: string[] = [];
  for (const row of option.rows) {
    const key = keyOf.get(row) ?? '';
    const left = stock.get(key) ?? 0;
    if (left === 0) {
      for (const back of taken) stock.set(back, (stock.get(back) ?? 0) + 1);
      return false;
    }
    stock.set(key, left - 1);
    taken.push(key);
  }
  return true;
}

function giveBack(stock: Map<string, number>, option: SumOption, { keyOf }: Demand): void {
  for (const row of option.rows) {
    const key = keyOf.get(row) ?? '';
    stock.set(key, (stock.get(key) ?? 0) + 1);
  }
}

/** Returns null if there are too many ways. */
function tryAll(claims: readonly Claim[], likeness: Likeness, demand: Demand): Ways | null {
  const stock = new Map(demand.stock);
  const picks: number[] = [];
  let best: Way | null = null;
  let picksOf: Set<number>[] = [];
  let looks = new Set<string>();
  let tries = 0;
  const look = (): string =>
    picks
      .map((pick, index) => {
        const claim = itemAt(claims, index);
        const rows = claim.options[pick]?.rows ?? [];
        return JSON.stringify([likeness.single(claim.row), rows.map((row) => demand.keyOf.get(row) ?? '').toSorted()]);
      })
      .toSorted()
      .join();
  const note = (way: Way): void => {
    if (best !== null && way.settled < best.settled) return;
    if (best === null || way.settled > best.settled) {
      picksOf = claims.map(() => new Set());
      looks = new Set();
      best = way;
    } else if (way.records < best.records || (way.records === best.records && way.days < best.days)) best = way;
    for (const [index, pick] of way.picks.entries()) itemAt(picksOf, index).add(pick);
    if (looks.size < 2) looks.add(look());
  };
  const walk = (settled: number, records: number, days: number): boolean => {
    tries += 1;
    if (tries > MOST_TRIES) return false;
    const claim = claims[picks.length];
    if (claim === undefined) {
      note({ picks: [...picks], settled, records, days });
      return true;
    }
    // Even all remaining claims could not settle as many.
    if (best !== null && settled + claims.length - picks.length < best.settled) return true;
    for (const [pick, option] of claim.options.entries()) {
      if (!take(stock, option, demand)) continue;
      picks.push(pick);
      const goesOn = walk(settled + 1, records + option.rows.length, days + option.days);
      picks.pop();
      giveBack(stock, option, demand);
      if (!goesOn) return false;
    }
    picks.push(-1);
    const goesOn = walk(settled, records, days);
    picks.pop();
    return goesOn;
  };
  if (!walk(0, 0, 0) || best === null) return null;
  return { best, picksOf, isOne: looks.size === 1 };
}

/** Lets each claim in turn take its first option that is available. */
function firstCome(claims: readonly Claim[], demand: Demand): number[] {
  const stock = new Map(demand.stock);
  return claims.map((claim) => claim.options.findIndex((option) => take(stock, option, demand)));
}

/** Returns a function that hands out the rows of each appearance in order. */
function dealer(claims: readonly Claim[], { keyOf }: Demand): (option: SumOption) => number[] {
  const pool = new Map<string, number[]>();
  const touched = [...new Set(claims.flatMap((claim) => claim.touched))].toSorted((left, right) => left - right);
  for (const row of touched) {
    const key = keyOf.get(row) ?? '';
    pool.set(key, [...(pool.get(key) ?? []), row]);
  }
  return ({ rows }) => rows.map((row) => pool.get(keyOf.get(row) ?? '')?.shift() ?? row).toSorted((left, right) => left - right);
}
