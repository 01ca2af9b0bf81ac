import type { Verdict } from '../../../src-shared/contract/index.ts';
import { IntList } from '../collections/growable-array.ts';
import { intAt, itemAt } from '../collections/typed-arrays.ts';
import { type FoundMatch, separationKey } from '../matching/index.ts';

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
