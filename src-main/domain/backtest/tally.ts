import type { Certainty, Verdict } from '../../../src-shared/contract/index.ts';
import { VERDICTS } from '../../../src-shared/contract/rules/backtests.ts';
import { CERTAINTIES, type FoundMatches } from '../matching/index.ts';
import type { History } from './history.ts';

/** Matches by verdict. */
export type Verdicts = Readonly<Record<Verdict, number>>;

/** Of the matches of one certainty. */
interface CertaintyTally {
  readonly certainty: Certainty;
  readonly verdicts: Verdicts;
  /** Those that would wait for a person. */
  readonly waiting: number;
}

export interface Tally {
  /** Of the matches that count: see `tallyOf`. */
  readonly verdicts: Verdicts;
  /** Further matches, which would wait for a person. */
  readonly waiting: number;
  /** All matches, in the order of `CERTAINTIES`. */
  readonly byCertainty: readonly CertaintyTally[];
  /** Places of matches to show, of each verdict in turn, ascending. */
  readonly examples: readonly { readonly verdict: Verdict; readonly place: number }[];
}

interface TallyLimits {
  /** Examples of a verdict. */
  readonly examples: number;
  /** Records of the examples of a verdict together. */
  readonly records: number;
}

/** Matches looked at between two looks at the cancel flag. */
const MATCHES_PER_LOOK = 1 << 14;

/**
 * Holds matches against what was there before; null when cancelled. Counted are those that would count at once; of a rule that
 * proposes all of its own (`isProposing`), all.
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

/** Some of the places, evenly from all over them, as long as their matches stay within the bound of records. */
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
