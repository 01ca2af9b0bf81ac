import { intAt } from '../../collections/typed-arrays.ts';
import { placesOfText } from '../comparison/levels.ts';
import { namesOfRows } from '../features/line-features.ts';
import type { Names } from '../features/names.ts';
import { MOST_ALIASES } from '../frequencies/alias-levels.ts';
import { compareNames, type NameWeights } from '../frequencies/name-weights.ts';
import type { GroundOfSide } from '../model/ground.ts';
import type { EvidenceInput } from '../model/input.ts';
import { log2Of } from '../model/logarithm.ts';
import type { Alias } from '../model/parameters.ts';
import { floorToSteps } from '../model/weight.ts';
import { rowsOfPeople } from './verdicts.ts';

/** Two names become an alias when people confirmed pairs of them on at least this many different days. */
const LEAST_DAYS = 3;
/** Longer names are left out, because a person who removes an alias must be able to name it. */
const MOST_CHARACTERS = 500;
/** Names whose text agrees at this share level or above need no alias. */
const SHARED = 2;
/** Most and least bits of an alias. An alias worth less is dropped. */
const MOST_BITS = 8;
const LEAST_BITS = 1;

/** Two whole names that people matched often enough, whether or not their texts agree. */
interface TiedNames extends Pick<Alias, 'a' | 'b' | 'pairs'> {
  /** Share, 0..1, of people's decisions about either name that match it with the other one. */
  readonly share: number;
}

/** Decisions of people about two names. */
interface Decided {
  readonly a: string;
  readonly b: string;
  readonly tied: { readonly pair: readonly [number, number]; readonly dayA: number; readonly dayB: number }[];
  apart: number;
}

/** Returns the names that people matched on at least three different days and separated less often, those with the most pairs first. */
export function tiedNames(a: GroundOfSide, b: GroundOfSide, people: EvidenceInput['people']): TiedNames[] {
  const { confirmed, rejected } = people;
  if (confirmed.length < LEAST_DAYS) return [];
  const [rowsA, rowsB] = [rowsOfPeople(a.all, people, 0), rowsOfPeople(b.all, people, 1)];
  const [namesA, namesB] = [namesOfRows(a.all, a.fields, rowsA.values()), namesOfRows(b.all, b.fields, rowsB.values())];
  const all = new Map<string, Decided>();
  const [ofA, ofB] = [new Map<string, number>(), new Map<string, number>()];
  const decided = (rowA = -1, rowB = -1): Decided | null => {
    const [nameA, nameB] = [namesA.get(rowA) ?? '', namesB.get(rowB) ?? ''];
    if (nameA === '' || nameB === '') return null;
    const key = JSON.stringify([nameA, nameB]);
    const found = all.get(key) ?? { a: nameA, b: nameB, tied: [], apart: 0 };
    all.set(key, found);
    return found;
  };
  for (const pair of confirmed) {
    const [rowA, rowB] = [rowsA.get(pair[0]), rowsB.get(pair[1])];
    const found = decided(rowA, rowB);
    if (found === null) continue;
    found.tied.push({ pair, dayA: intAt(a.all.days, rowA ?? 0), dayB: intAt(b.all.days, rowB ?? 0) });
    ofA.set(found.a, (ofA.get(found.a) ?? 0) + 1);
    ofB.set(found.b, (ofB.get(found.b) ?? 0) + 1);
  }
  for (const [idA, idB] of rejected) {
    const found = decided(rowsA.get(idA), rowsB.get(idB));
    if (found !== null) found.apart += 1;
  }
  const often = [...all.values()].flatMap((found): TiedNames[] => {
    const pairs = onDifferentDays(found);
    if (pairs.length < LEAST_DAYS || found.apart >= found.tied.length) return [];
    if (Math.max(found.a.length, found.b.length) > MOST_CHARACTERS) return [];
    // Adds one imaginary contrary decision, because three pairs do not make an alias certain.
    const decisions = Math.max(ofA.get(found.a) ?? 0, ofB.get(found.b) ?? 0) + found.apart + 1;
    return [{ a: found.a, b: found.b, pairs, share: found.tied.length / decisions }];
  });
  return often.toSorted(byPairs).slice(0, MOST_ALIASES);
}

/** Returns confirmed pairs of which no two share a day on either side, the first pair of each day. */
function onDifferentDays({ tied }: Decided): (readonly [number, number])[] {
  const [daysA, daysB] = [new Set<number>(), new Set<number>()];
  const inOrder = tied.toSorted(
    (left, right) => left.dayA - right.dayA || left.dayB - right.dayB || left.pair[0] - right.pair[0] || left.pair[1] - right.pair[1],
  );
  return inOrder.flatMap(({ pair, dayA, dayB }) => {
    if (daysA.has(dayA) || daysB.has(dayB)) return [];
    daysA.add(dayA);
    daysB.add(dayB);
    return [pair];
  });
}

function byPairs(left: TiedNames, right: TiedNames): number {
  if (left.pairs.length !== right.pairs.length) return right.pairs.length - left.pairs.length;
  if (left.a !== right.a) return left.a < right.a ? -1 : 1;
  return left.b < right.b ? -1 : 1;
}

/** Returns the aliases among the matched names: those whose texts do not already agree and whose names are rare enough to identify a party. */
export function aliasesOf(tied: readonly TiedNames[], names: Names, weights: NameWeights, lines: { a: number; b: number }): Alias[] {
  return tied.flatMap(({ a, b, pairs, share }) => {
    const [nameA, nameB] = [names.codeOfText(a), names.codeOfText(b)];
    if (nameA < 0 || nameB < 0 || isSaidByText(a, b) || isSharedText(compareNames(weights, nameA, nameB))) return [];
    // `share` is how often the other name occurs with this one; `common` is how often it occurs among unrelated lines.
    const common = Math.max(intAt(weights.linesA, nameA) / lines.a, intAt(weights.linesB, nameB) / lines.b);
    const bits = Math.min(MOST_BITS, floorToSteps(log2Of(share / common)));
    return bits < LEAST_BITS ? [] : [{ a, b, pairs, bits }];
  });
}

/** Returns whether one name contains all words of the other one. */
function isSaidByText(a: string, b: string): boolean {
  const [wordsA, wordsB] = [a.split(' '), b.split(' ')];
  const [few, many] = wordsA.length < wordsB.length ? [wordsA, wordsB] : [wordsB, wordsA];
  return few.every((word) => many.includes(word));
}

function isSharedText(level: number): boolean {
  return placesOfText(level)[1] >= SHARED;
}
