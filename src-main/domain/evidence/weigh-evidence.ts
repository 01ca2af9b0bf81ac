import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { EngineFailure } from '../matching/model/input.ts';
import { decideLinks } from './budget/decide-links.ts';
import { FoundLinks } from './budget/found-links.ts';
import { calibrated, calibrationOf, correctedLogOdds, mayBeTried, type Trial } from './calibrate.ts';
import { type FreePairs, freePairs } from './comparison/free-lines.ts';
import type { Pairs } from './comparison/pairs.ts';
import { lowerContradicted } from './estimation/contradictions.ts';
import { countExplained, formulasOf } from './estimation/formulas.ts';
import { learn, type Learned, oddsOf } from './estimation/learn.ts';
import { type Book, readBook } from './estimation/read-book.ts';
import { parametersOf, restored } from './estimation/stored-parameters.ts';
import { verdictsOf } from './estimation/verdicts.ts';
import { Families, familyNames } from './groups/families.ts';
import { withGroups } from './groups/find-groups.ts';
import { closePaired, formulasOfSums } from './groups/net-groups.ts';
import { openLines } from './groups/open-lines.ts';
import { changedPairs, likelyPairs } from './marginals/likely-pairs.ts';
import type { EvidenceInput } from './model/input.ts';
import type { LinkSink, RuleEvidence } from './model/link.ts';
import { type Calibration, type EvidenceParameters, type Formula, PARAMETERS_FORMAT } from './model/parameters.ts';

const CANCELLED: EngineFailure = { code: 'cancelled', message: phrase('rules.weighEvidence.theRunWasCancelled') };

/** The book, its learned parameters, and the pairs of free lines. */
interface WeighedPairs {
  readonly book: Book;
  readonly learned: Learned;
  readonly free: FreePairs;
  /** Pairs of all lines; null if all lines are free. */
  readonly all: { readonly pairs: Pairs; readonly odds: Float64Array } | null;
}

/**
 * Returns null when cancelled. Pairs of lines that are not free, or practically impossible pairs, are released here unless earlier runs matched
 * something.
 */
function weighPairsOfBook(input: EvidenceInput, known: EvidenceParameters | null): WeighedPairs | null {
  const read = readBook(input, known);
  if (read === null) return null;
  const { book, pairs } = read;
  const learned = known === null ? learn(pairs, book.counted, verdictsOf(input), input.watch.isCancelled) : restored(known, book);
  if (learned === null) return null;
  const odds = new Float64Array(pairs.count);
  oddsOf(pairs, book.counted, learned, odds);
  if (known === null) learned.formulas = [...formulasOf(pairs, book, odds, placesOf(input)), ...sumsLess(input, book, pairs, odds)];
  if (learned.formulas.length > 0) {
    countExplained(pairs, book, learned.formulas);
    oddsOf(pairs, book.counted, learned, odds);
  }
  lowerContradicted(pairs, book, learned, odds);
  if (input.watch.isCancelled()) return null;
  const areAllFree = input.a.free === input.a.all && input.b.free === input.b.all;
  return { book, learned, free: freePairs(input, pairs, odds), all: areAllFree ? null : { pairs, odds } };
}

/** Returns the formulas of sums that reach the other side less a fee. */
function sumsLess(input: EvidenceInput, book: Book, pairs: Pairs, odds: Float64Array): Formula[] {
  const [freeA, freeB] = [book.a, book.b].map(({ count }) => Int32Array.from({ length: count }, (_, row) => row)) as [
    Int32Array,
    Int32Array,
  ];
  const open = openLines(input, book, { pairs, odds, freeA, freeB }, new FoundLinks());
  closePaired(open, pairs, odds);
  return formulasOfSums(open, book.weights, placesOf(input));
}

/** Returns the decimal places of the finest line. */
function placesOf({ a, b }: EvidenceInput): number {
  const most = ({ all }: EvidenceInput['a']): number => all.decimalPlaces.reduce((places, own) => Math.max(places, own), 0);
  return Math.max(most(a), most(b));
}

/** Matches lines by evidence. Passes links to `sink` in the order in which they are stored: by row of A, then of B. */
export function weighEvidence(input: EvidenceInput, sink: LinkSink): Result<RuleEvidence, EngineFailure> {
  const known = input.parameters?.format === PARAMETERS_FORMAT ? input.parameters : null;
  const weighed = weighPairsOfBook(input, known);
  if (weighed === null) return failed(CANCELLED);
  const { book, learned, free, all } = weighed;
  if (input.watch.isCancelled()) return failed(CANCELLED);
  const families = new Families(familyNames(input, book), known?.families ?? []);
  const found = foundLinks(input, book, learned, free, families);
  if (found === null) return failed(CANCELLED);
  const calibration = known?.calibration ?? calibrationOfBook(input, weighed, found);
  if (calibration === null) return failed(CANCELLED);
  const correct = (logOdds: number, alone: number, kind: number): number => correctedLogOdds(logOdds, alone, calibration[kind]);
  const changed = all === null ? [] : changedPairs(input, book, learned, all.pairs, all.odds, free, correct);
  const outcome = decideLinks(input, book, calibrated(found, calibration), sink);
  return success({ outcome, parameters: known ?? parametersOf(book, learned, families.learned(), calibration), changed });
}

/** Returns the pairs that are likely in competition with each other, and the groups among the remaining lines. Returns null when cancelled. */
function foundLinks(input: EvidenceInput, book: Book, learned: Learned, free: FreePairs, families: Families): FoundLinks | null {
  const likely = likelyPairs(input, book, learned, free.pairs, free.odds);
  return input.watch.isCancelled() ? null : withGroups(input, book, learned, free, likely, families);
}

/** Trials use all lines, because the lines that earlier runs left free are the hard ones. */
function calibrationOfBook(input: EvidenceInput, { book, learned, free, all }: WeighedPairs, found: FoundLinks): Calibration | null {
  if (!mayBeTried(book.counted)) return [];
  const whole: EvidenceInput =
    all === null
      ? input
      : { ...input, a: { ...input.a, free: input.a.all }, b: { ...input.b, free: input.b.all }, isBarred: input.isBarredOfAll() };
  const open = all === null ? free : freePairs(whole, all.pairs, all.odds);
  const weigh: Trial['weigh'] = (left) => foundLinks(whole, book, learned, left, new Families(familyNames(whole, book), []));
  const before = all === null ? found : weigh(open);
  return before === null ? null : calibrationOf({ book, learned, free: open, weigh }, before);
}
