import type { Verdict } from '../../../src-shared/contract/index.ts';
import { IntList } from '../collections/growable-array.ts';
import { intAt, itemAt } from '../collections/typed-arrays.ts';
import { type FoundMatch, separationKey } from '../matching/index.ts';

/** A match that was there before. */
interface EarlierMatch {
  readonly id: number;
  /** Its records of both sides; an adjustment is none of them. */
  readonly recordIds: readonly number[];
  /** Made by hand or confirmed, and not only by a rule. */
  readonly isJudged: boolean;
  /** Whether all of its records are looked at, so that it could be made again. */
  readonly isWhole: boolean;
}

const JUDGED = 1;
const WHOLE = 2;

/** What was matched before, by record: a record is in one match at most. */
export class History {
  readonly #placeOf = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #sizes = new IntList();
  readonly #facts = new IntList();
  readonly #separations: ReadonlySet<string>;
  /** Matches of people that could be made again, and further ones. */
  readonly judged = { whole: 0, outside: 0 };

  /** `separations`: keys by `separationKey` of what people took apart. */
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

  /** Ids of the matches that hold records of a match, ascending. */
  heldBy(match: Pick<FoundMatch, 'aIds' | 'bIds'>): number[] {
    return [...this.#placesOf([...match.aIds, ...match.bIds])]
      .map((place) => itemAt(this.#ids, place))
      .toSorted((left, right) => left - right);
  }

  /** What all this says of a match that a rule would make. */
  verdictOn(match: Pick<FoundMatch, 'aIds' | 'bIds'>): Verdict {
    const ids = [...match.aIds, ...match.bIds];
    const places = this.#placesOf(ids);
    const [first] = places;
    // Where every record is of one and the same match: that match.
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
