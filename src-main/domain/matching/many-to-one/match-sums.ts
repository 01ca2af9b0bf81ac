import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { signedMinor } from '../../../../src-shared/values/money.ts';
import { failed, success } from '../../../../src-shared/values/result.ts';
import { floatAt, itemAt } from '../../collections/typed-arrays.ts';
import { type ChoiceOfEquals, findSums, SUM_LIMITS, type SumCandidate, type SumRange } from '../../groups/sums.ts';
import { visibleContent } from '../../records/content.ts';
import type { EngineRecord } from '../../records/record.ts';
import { eachAlone } from '../blocking/equivalence-classes.ts';
import type { LeafColumns } from '../comparison/condition-columns.ts';
import { ROUNDING } from '../comparison/tolerance-windows.ts';
import { separatedSets } from '../matches/separations.ts';
import { CANCELLED } from '../model/input.ts';
import type { FoundMatch } from '../model/match.ts';
import type { Tolerance } from '../rules/compile-leaf.ts';
import { rolledRule } from '../rules/grouping-rule.ts';
import { allowedDistances, shareOf } from '../rules/tolerances.ts';
import {
  balanceOf,
  daysOfMany,
  equalBlocks,
  type GroupMatcher,
  type GroupRun,
  groupTest,
  memberConditions,
  type RecordedView,
  recordedView,
  type RecordGroup,
  rolledSide,
  type RolledView,
  signedRanges,
  type TiedMatch,
  totalOf,
  totalsOf,
} from './groups.ts';

/** Least and most decimal places of the records that may add up. */
interface Places {
  readonly fewest: number;
  readonly most: number;
}

/**
 * Returns a function for the ranges in which records must sum up for a single record, credits minus debits in units at `scale`, by the widest
 * tolerance of the conditions that compare amounts. They are exact if there is one such condition and all records have the same places, otherwise a
 * superset. There are two ranges if only magnitudes count.
 */
function sumRanges({ rolled, convention }: RolledView, scale: number): (record: EngineRecord, places: Places) => SumRange[] {
  const tolerances = rolled.balances.flatMap((leaf): Tolerance[] => (leaf === null || leaf.tolerance === null ? [] : [leaf.tolerance]));
  return (record, { fewest, most }) => {
    const units = record.amountMinor * 10 ** (scale - record.decimalPlaces);
    const from = Math.max(fewest, record.decimalPlaces);
    const to = Math.max(most, record.decimalPlaces);
    let [low, high] = [units, units];
    for (const tolerance of tolerances) {
      const room = roomOf(tolerance, units, scale, from, to);
      low = Math.min(low, units - room.below);
      high = Math.max(high, units + room.above);
    }
    return signedRanges({ low, high }, record.direction, convention);
  };
}

/** Returns how far a sum may be from `units`, which is not negative. */
function roomOf(tolerance: Tolerance, units: number, scale: number, from: number, to: number): { below: number; above: number } {
  if (tolerance.unit === 'percent') {
    const share = shareOf(tolerance);
    if (share >= 1) return { below: Infinity, above: Infinity };
    const slack = units * ROUNDING;
    return { below: units * share + slack, above: units / (1 - share) - units + slack };
  }
  const widest = allowedDistances(tolerance, scale, from, to).reduce<number>((most, allowed) => Math.max(most, Number(allowed)), 0);
  return { below: widest, above: widest };
}

/** Steps of the search for one record: a few milliseconds. */
const WORK_PER_RECORD = 200_000;
/** Most combinations that are listed for a record. Those after the best one show which records are contested. */
const WANTED = 4;

/** Data shared by the search for all single records. */
interface Situation {
  readonly run: GroupRun;
  readonly given: RecordedView;
  readonly days: Float64Array;
  readonly units: readonly number[];
  readonly likeness: Likeness;
  /** Returns the rows of the many side that agree with a single row in everything that must be equal, ordered by day. */
  readonly rowsFor: (row: number) => readonly number[];
  readonly mayJoin: (member: number, row: number) => boolean;
  readonly rangesOf: ReturnType<typeof sumRanges>;
}

interface Searched {
  readonly claims: readonly Claim[];
  readonly gaveUp: number;
}

/** Matches several records with a single one that is their sum, without a key or day that identifies them. */
export const matchSubsets: GroupMatcher = (run) => {
  const { rule, watch } = run;
  watch.beginStage(rule.id, run.sideA.count);
  const situation = situationOf(run);
  watch.finishStage();
  watch.beginStage(rule.id, run.sideB.count);
  const found = search(situation);
  if (found === null) return failed(CANCELLED);
  const { given, likeness } = situation;
  const choices = settleClaims(verified(situation, found.claims), likeness);
  const groups = choices.map((choice) => groupOfTotal(situation, choice.rows));
  const totals = totalsOfGroups(given, groups);
  const matches = choices.map((choice, place): TiedMatch => {
    const single = itemAt(given.single, choice.row);
    const manyIds = choice.rows.map((row) => itemAt(given.many, row).id);
    const [aIds, bIds] = given.rolled.manySide === 'a' ? [manyIds, [single.id]] : [[single.id], manyIds];
    const match: FoundMatch = {
      ruleId: rule.id,
      aIds,
      bIds,
      status: commits(run, choice) ? 'matched' : 'proposed',
      certainty: choice.certainty,
      differenceMinor: present(balanceOf(given, itemAt(totals, place), single), 'balance of a sum that fits'),
    };
    // The explanation lists all records of the match, which are few.
    return { match, group: null };
  });
  watch.finishStage();
  return success({ matches, outsideWindow: 0, gaveUp: found.gaveUp });
};

/** A sum that is not the only one waits for a person, whatever the rule commits otherwise. */
function commits({ rule }: GroupRun, { certainty }: SumChoice): boolean {
  const isOnly = certainty === 'unique' || certainty === 'interchangeable';
  return rule.outcome === 'match' && isOnly && rule.commitCertainty.includes(certainty);
}

function situationOf(run: GroupRun): Situation {
  const rolled = rolledRule(run.rule, run.compiled, run.types, run.signConvention);
  const [ofMany, ofSingle] = rolled.manySide === 'a' ? [run.sideA, run.sideB] : [run.sideB, run.sideA];
  const given = recordedView(rolled, rolledSide(ofMany), rolledSide(ofSingle), run.signConvention);
  const { many, single } = given;
  const members = memberConditions(given);
  const days = daysOfMany(rolled, ofMany);
  const scale = [...many, ...single].reduce((finest, record) => Math.max(finest, record.decimalPlaces), 0);
  const separated = separatedSets(run.separations);
  const content = (record: EngineRecord): string => visibleContent(record) + (separated.concerns(record.id) ? `#${record.id}` : '');
  return {
    run,
    given,
    days,
    units: many.map((record) => unitsOf(record, scale)),
    likeness: { many: (row) => content(itemAt(many, row)), single: (row) => content(itemAt(single, row)) },
    rowsFor: rowsByBlock(given, days, members.exact),
    mayJoin: (member, row) =>
      itemAt(many, member).currency === itemAt(single, row).currency && (members.rest === null || members.rest(member, row)),
    rangesOf: sumRanges(given, scale),
  };
}

function unitsOf(record: EngineRecord, scale: number): number {
  return signedMinor(record.amountMinor, record.direction) * 10 ** (scale - record.decimalPlaces);
}

function rowsByBlock(given: RecordedView, days: Float64Array, exact: readonly LeafColumns[]): Situation['rowsFor'] {
  const { blocks, ofSingle } = equalBlocks(given, days, eachAlone(given.single.length), exact);
  for (const { rows } of blocks) rows.sort((left, right) => floatAt(days, left) - floatAt(days, right) || left - right);
  return (row) => {
    const key = ofSingle[row] ?? -1;
    return key < 0 ? [] : itemAt(blocks, key).rows;
  };
}

/** Returns null when cancelled. */
function search(situation: Situation): Searched | null {
  const { given, run } = situation;
  const claims: Claim[] = [];
  let gaveUp = 0;
  for (let row = 0; row < given.single.length; row += 1) {
    if (row % 16 === 0 && run.watch.isCancelled()) return null;
    run.watch.advance(1);
    const { claim, isUnfinished } = claimOf(situation, row);
    if (isUnfinished) gaveUp += 1;
    if (claim !== null) claims.push(claim);
  }
  return { claims, gaveUp };
}

/** Returns the rows within the window, the latest days first; rows beyond the limit are cut off. */
function windowOf({ given, days, rowsFor, mayJoin, units }: Situation, row: number): { readonly rows: number[]; readonly isCut: boolean } {
  const { day } = itemAt(given.single, row);
  const from = day - (given.rolled.lookbackDays ?? 0);
  const block = rowsFor(row);
  let [low, end] = [0, block.length];
  while (low < end) {
    const middle = (low + end) >> 1;
    if (floatAt(days, itemAt(block, middle)) <= day) low = middle + 1;
    else end = middle;
  }
  const rows: number[] = [];
  for (let place = low - 1; place >= 0; place -= 1) {
    const member = itemAt(block, place);
    if (floatAt(days, member) < from) break;
    if (itemAt(units, member) === 0 || !mayJoin(member, row)) continue;
    if (rows.length === SUM_LIMITS.candidates) return { rows, isCut: true };
    rows.push(member);
  }
  return { rows, isCut: false };
}

function claimOf(situation: Situation, row: number): { readonly claim: Claim | null; readonly isUnfinished: boolean } {
  const { given, days, units, likeness, rangesOf } = situation;
  const record = itemAt(given.single, row);
  const window = windowOf(situation, row);
  if (record.amountMinor === 0 || window.rows.length < 2) return { claim: null, isUnfinished: false };
  const rows = window.rows.toSorted((left, right) => left - right);
  const places = rows.map((member) => itemAt(given.many, member).decimalPlaces);
  const ranges = rangesOf(record, { fewest: Math.min(...places), most: Math.max(...places) });
  const candidates = rows.map<SumCandidate>((member) => ({
    units: itemAt(units, member),
    days: record.day - floatAt(days, member),
    likeness: () => likeness.many(member),
  }));
  const most = given.rolled.maxRecords;
  const found = findSums({ candidates, ranges, least: 2, most, work: WORK_PER_RECORD, wanted: WANTED });
  const isUnfinished = found.gaveUp || window.isCut;
  if (found.count === 0) return { claim: null, isUnfinished };
  return {
    isUnfinished,
    claim: {
      row,
      options: found.combinations.map(({ members, days: apart, choice }) => ({
        rows: members.map((member) => itemAt(rows, member)),
        days: apart,
        choice,
      })),
      touched: rows.filter((_, place) => found.touched[place] === 1),
      isComplete: !isUnfinished && found.knownUpTo === most && found.count === found.combinations.length,
      knownUpTo: window.isCut ? 0 : found.knownUpTo,
      fitsAlone: candidates.some((candidate) => ranges.some(({ low, high }) => candidate.units >= low && candidate.units <= high)),
    },
  };
}

/** Returns the options that pass the exact test of the whole rule and that no person separated. */
function verified(situation: Situation, claims: readonly Claim[]): Claim[] {
  const { given, run } = situation;
  const separated = separatedSets(run.separations);
  const options = claims.flatMap((claim) => claim.options.map((option) => ({ row: claim.row, option })));
  const formed = options.map(({ option }) => groupOfTotal(situation, option.rows));
  const fits = groupTest(given, totalsOf(given, formed, totalsOfGroups(given, formed)), formed);
  const held = new Set<SumOption>();
  for (const [place, { row, option }] of options.entries()) {
    const ids = [itemAt(given.single, row).id, ...option.rows.map((member) => itemAt(given.many, member).id)];
    if (fits(place, row) && !separated.holds(ids)) held.add(option);
  }
  return claims
    .map((claim) => ({
      ...claim,
      options: claim.options.filter((option) => held.has(option)),
      // With other records of the same amounts, a rejected option might hold.
      isComplete: claim.isComplete && claim.options.every((option) => held.has(option) || option.choice === 'whole'),
    }))
    .filter((claim) => claim.options.length > 0);
}

function totalsOfGroups({ many }: RecordedView, groups: readonly RecordGroup[]): EngineRecord[] {
  return groups.map((group) => present(totalOf(Array.from(group.rows(), (row) => itemAt(many, row))), 'total of records of one currency'));
}

function groupOfTotal({ days }: Situation, rows: readonly number[]): RecordGroup {
  const first = itemAt(rows, 0);
  const ofRecords = Int32Array.from(rows);
  const ofRows = rows.map((row) => floatAt(days, row));
  return {
    first,
    rows: () => ofRecords,
    untested: () => ofRecords,
    cells: () => rows,
    firstDay: Math.min(...ofRows),
    lastDay: Math.max(...ofRows),
  };
}

/** Records of the many side that add up to a single record. */
interface SumOption {
  /** Rows of the many side, ascending. */
  readonly rows: readonly number[];
  readonly days: number;
  readonly choice: ChoiceOfEquals;
}

/** The combinations found for a single record. */
interface Claim {
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
interface Likeness {
  readonly many: (row: number) => string;
  readonly single: (row: number) => string;
}

interface SumChoice {
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
function settleClaims(claims: readonly Claim[], likeness: Likeness): SumChoice[] {
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
