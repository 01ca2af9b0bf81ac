import type { Certainty, Verdict } from '../../../src-shared/contract/index.ts';
import { VERDICTS } from '../../../src-shared/contract/rules/backtests.ts';
import { CERTAINTIES, type FoundMatches } from '../matching/index.ts';
import type { History } from './history.ts';

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
