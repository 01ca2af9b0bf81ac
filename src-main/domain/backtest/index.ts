import type { Certainty, Verdict } from '../../../src-shared/contract/index.ts';
import { VERDICTS } from '../../../src-shared/contract/rules/backtests.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { IntList } from '../collections/growable-array.ts';
import { intAt, itemAt } from '../collections/typed-arrays.ts';
import { CERTAINTIES, type FoundMatch, type FoundMatches, separationKey } from '../matching/index.ts';

/** Number of matches by verdict. */
export type Verdicts = Readonly<Record<Verdict, number>>;

/** Counts of the matches of one certainty. */
interface CertaintyTally {
  readonly certainty: Certainty;
  readonly verdicts: Verdicts;
  /** Number of matches that would wait for a person. */
  readonly waiting: number;
}

export interface Tally {
  /** Counts of the matches that take effect, see `tallyOf`. */
  readonly verdicts: Verdicts;
  /** Number of further matches, which would wait for a person. */
  readonly waiting: number;
  /** Counts of all matches, in the order of `CERTAINTIES`. */
  readonly byCertainty: readonly CertaintyTally[];
  /** Indexes of matches to show, by verdict and ascending within one. */
  readonly examples: readonly { readonly verdict: Verdict; readonly place: number }[];
}

interface TallyLimits {
  /** Most examples of a verdict. */
  readonly examples: number;
  /** Most records in all examples of a verdict together. */
  readonly records: number;
}

/** Matches processed between two checks of the cancel flag. */
const MATCHES_PER_LOOK = 1 << 14;

/**
 * Compares matches with the existing ones; returns null when cancelled. The tally counts matches that would take effect at once or, for a rule that
 * proposes all of its matches (`isProposing`), all matches.
 */
export function tallyOf(
  matches: FoundMatches,
  history: History,
  isProposing: boolean,
  limits: TallyLimits,
  isCancelled: () => boolean,
): Tally | null {
  const counted = noVerdicts();
  const places = new Map<Verdict, number[]>(VERDICTS.map((verdict) => [verdict, []]));
  const byCertainty = CERTAINTIES.map((certainty) => ({ certainty, verdicts: noVerdicts(), waiting: 0 }));
  let waiting = 0;
  let place = 0;
  for (const match of matches) {
    if (place % MATCHES_PER_LOOK === 0 && isCancelled()) return null;
    const verdict = history.verdictOn(match);
    const own = byCertainty[CERTAINTIES.indexOf(match.certainty)];
    const isWaiting = match.status === 'proposed';
    if (own !== undefined) {
      own.verdicts[verdict] += 1;
      if (isWaiting) own.waiting += 1;
    }
    if (isWaiting && !isProposing) waiting += 1;
    else {
      counted[verdict] += 1;
      places.get(verdict)?.push(place);
    }
    place += 1;
  }
  const examples = VERDICTS.flatMap((verdict) =>
    spread(places.get(verdict) ?? [], matches, limits).map((shown) => ({ verdict, place: shown })),
  );
  return { verdicts: counted, waiting, byCertainty, examples };
}

function noVerdicts(): Record<Verdict, number> {
  return {
    agreement: 0,
    partial_agreement: 0,
    tied_otherwise: 0,
    taken_apart: 0,
    same_as_automatic: 0,
    differs_from_automatic: 0,
    outside_period: 0,
    new: 0,
  };
}

/** Returns some of the indexes, evenly spread, as long as their matches stay within the limit of records. */
function spread(places: readonly number[], matches: FoundMatches, limits: TallyLimits): number[] {
  const count = Math.min(limits.examples, places.length);
  const shown: number[] = [];
  let records = 0;
  for (let index = 0; index < count; index += 1) {
    const place = places[Math.floor((index * places.length) / count)];
    if (place === undefined) break;
    records += matches.sizeAt(place);
    if (records > limits.records && shown.length > 0) break;
    shown.push(place);
  }
  return shown;
}

/** An existing match. */
interface EarlierMatch {
  readonly id: number;
  /** Its records of both sides, without adjustments. */
  readonly recordIds: readonly number[];
  /** Whether a person made or confirmed it. */
  readonly isJudged: boolean;
  /** Whether all of its records are in the test, so that a rule could make it again. */
  readonly isWhole: boolean;
}

const JUDGED = 1;
const WHOLE = 2;

/** Existing matches by record. A record is in at most one of them. */
export class History {
  readonly #placeOf = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #sizes = new IntList();
  readonly #facts = new IntList();
  readonly #separations: ReadonlySet<string>;
  /** Number of people's matches that a rule could make again, and of the others. */
  readonly judged = { whole: 0, outside: 0 };

  /** `separations` holds keys by `separationKey` of the records that people separated. */
  constructor(separations: ReadonlySet<string>) {
    this.#separations = separations;
  }

  add(match: EarlierMatch): void {
    const place = this.#ids.push(match.id) - 1;
    this.#sizes.push(match.recordIds.length);
    this.#facts.push((match.isJudged ? JUDGED : 0) + (match.isWhole ? WHOLE : 0));
    for (const id of match.recordIds) this.#placeOf.set(id, place);
    if (match.isJudged) this.judged[match.isWhole ? 'whole' : 'outside'] += 1;
  }

  /** Returns the ids of existing matches that share a record with a match, ascending. */
  heldBy(match: Pick<FoundMatch, 'aIds' | 'bIds'>): number[] {
    return [...this.#placesOf([...match.aIds, ...match.bIds])]
      .map((place) => itemAt(this.#ids, place))
      .toSorted((left, right) => left - right);
  }

  /** Returns the verdict of the existing matches on a match that a rule would make. */
  verdictOn(match: Pick<FoundMatch, 'aIds' | 'bIds'>): Verdict {
    const ids = [...match.aIds, ...match.bIds];
    const places = this.#placesOf(ids);
    const [first] = places;
    // The existing match that contains all records, if there is one.
    const only = places.size === 1 && ids.every((id) => this.#placeOf.has(id)) ? first : undefined;
    const onlyFacts = only === undefined ? 0 : intAt(this.#facts.items, only);
    const isSame = only !== undefined && intAt(this.#sizes.items, only) === ids.length;
    if (isSame && onlyFacts === JUDGED + WHOLE) return 'agreement';
    if (this.#separations.size > 0 && this.#separations.has(separationKey(ids))) return 'taken_apart';
    if (onlyFacts === JUDGED + WHOLE) return 'partial_agreement';
    const facts = Array.from(places, (place) => intAt(this.#facts.items, place));
    if (facts.includes(JUDGED + WHOLE)) return 'tied_otherwise';
    if (facts.some((each) => (each & WHOLE) === 0)) return 'outside_period';
    if (isSame) return 'same_as_automatic';
    return facts.length > 0 ? 'differs_from_automatic' : 'new';
  }

  #placesOf(recordIds: readonly number[]): Set<number> {
    const places = new Set<number>();
    for (const id of recordIds) {
      const place = this.#placeOf.get(id);
      if (place !== undefined) places.add(place);
    }
    return places;
  }
}

/** A share of a count with its 95 % Wilson score interval; each rounded exactly to four decimals, halves up. */
interface Share {
  readonly count: number;
  readonly of: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const TEN_THOUSANDTHS = 10_000n;
/** Scale of the fixed-point arithmetic, with many more digits than are kept. */
const ONE = 10n ** 40n;
/**
 * The square of the 97.5 % quantile of the normal distribution, 1.959963984540054235..., between whose negative and positive value 95 % of it lie.
 */
const Z_SQUARED = 3_841_458_820_694_125_958_361n * 10n ** 19n;

/** Returns the greatest integer whose square is at most `value`. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Returns `numerator/denominator` as a decimal with four fraction digits. */
function rounded(numerator: bigint, denominator: bigint): number {
  return Number((2n * TEN_THOUSANDTHS * numerator + denominator) / (2n * denominator)) / Number(TEN_THOUSANDTHS);
}

/** Returns the share of `count` in `of`, or null if `of` is 0. Both are integers, and `count` is at most `of`. */
export function shareOf(count: number, of: number): Share | null {
  if (of === 0) return null;
  const [k, n] = [BigInt(count), BigInt(of)];
  // (2k + z² ± z √(z² + 4k(n-k)/n)) / (2 (n + z²)), with every term multiplied by ONE.
  const middle = 2n * k * ONE + Z_SQUARED;
  const reach = squareRoot(Z_SQUARED * (Z_SQUARED + (4n * k * (n - k) * ONE) / n));
  const whole = 2n * (n * ONE + Z_SQUARED);
  return { count, of, value: rounded(k, n), low: rounded(middle - reach, whole), high: rounded(middle + reach, whole) };
}

interface Figures {
  readonly agreements: number;
  readonly contradictions: number;
  readonly takenApart: number;
  /** Number of people's matches that the rule could have made. */
  readonly judged: number;
  /** Number of people's matches that reach outside the period. */
  readonly judgedOutside: number;
  /** Number of the rule's matches that are compared. */
  readonly matches: number;
  readonly precision: Share | null;
  readonly recall: Share | null;
}

/** Returns a share with four decimals as a percentage: `97.06 %` for 0.9706, `100 %` for 1. */
function percentText(value: number): string {
  return `${String(Math.round(value * 10_000) / 100)} %`;
}

function withInterval({ value, low, high }: Share): string {
  return `${percentText(value)} (95 % interval: ${percentText(low)} to ${percentText(high)})`;
}

/** Returns the result in words: how often the rule is right, and how much of people's work it would have done. */
export function summaryOf(figures: Figures): string {
  const { agreements, contradictions, takenApart, judged, judgedOutside, matches, precision, recall } = figures;
  const outside = judgedOutside === 0 ? [] : [phrase('rules.backtest.outsideThePeriod', { judgedOutside })];
  const saying = (...sentences: readonly string[]): string => [...sentences, ...outside].join(' ');
  if (matches === 0 && judged === 0) return saying(phrase('rules.backtest.ruleWouldMakeNoMatch'));
  if (precision === null && judged === 0) {
    return saying(phrase('rules.backtest.nothingWasMatchedByPeople', { matches }));
  }
  const found = recall === null ? [] : [phrase('rules.backtest.recall', { judged, made: recall.count, recall: withInterval(recall) })];
  if (precision === null) return saying(phrase('rules.backtest.noMatchOfThisRule'), ...found);
  const touched = agreements + contradictions;
  const apart = contradictions === 0 ? 0 : takenApart;
  return saying(
    phrase('rules.backtest.ofTheOfThisRule', { touched, agreements, contradictions, apart, precision: withInterval(precision) }),
    ...found,
  );
}
