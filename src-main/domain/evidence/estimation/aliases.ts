import { intAt } from '../../collections/typed-arrays.ts';
import { compareNames, type NameWeights } from '../frequencies/name-weights.ts';
import { MOST_ALIASES } from '../frequencies/alias-levels.ts';
import { namesOfRows } from '../features/line-features.ts';
import type { Names } from '../features/names.ts';
import { placesOfText } from '../comparison/levels.ts';
import { floorToSteps } from '../model/parts.ts';
import { log2Of } from '../model/logarithm.ts';
import type { EvidenceInput } from '../model/input.ts';
import type { Alias } from '../model/parameters.ts';
import type { GroundOfSide } from '../model/ground.ts';
import { rowsOfPeople } from './verdicts.ts';

/** Confirmed pairs on so many different days make two names one. */
const LEAST_DAYS = 3;
/** Longer names cannot be named by people who want to part them. */
const MOST_CHARACTERS = 500;
/** Names whose text shares so much need no alias: a place among the shares of a text level. */
const SHARED = 2;
/** An alias is worth no more, and one that is worth less is none. */
const MOST_BITS = 8;
const LEAST_BITS = 1;

/** Two whole names that people tied often enough, whatever the text says. */
interface TiedNames extends Pick<Alias, 'a' | 'b' | 'pairs'> {
  /** Share of what people decided of either name that ties it to the other one, 0..1. */
  readonly share: number;
}

/** What people decided of two names. */
interface Decided {
  readonly a: string;
  readonly b: string;
  readonly tied: { readonly pair: readonly [number, number]; readonly dayA: number; readonly dayB: number }[];
  apart: number;
}

/** Names that people tied on three different days or more, and less often took apart; the most often tied first. */
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
    // One more decision that might have been another one: three pairs are no certainty.
    const decisions = Math.max(ofA.get(found.a) ?? 0, ofB.get(found.b) ?? 0) + found.apart + 1;
    return [{ a: found.a, b: found.b, pairs, share: found.tied.length / decisions }];
  });
  return often.toSorted(byPairs).slice(0, MOST_ALIASES);
}

/** Pairs of which no two share a day on either side: one pair a day, the first of it. */
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

/** The aliases among them: names whose text does not say it already, and that say whose line it is. */
export function aliasesOf(tied: readonly TiedNames[], names: Names, weights: NameWeights, lines: { a: number; b: number }): Alias[] {
  return tied.flatMap(({ a, b, pairs, share }) => {
    const [nameA, nameB] = [names.codeOfText(a), names.codeOfText(b)];
    if (nameA < 0 || nameB < 0 || isSaidByText(a, b) || isSharedText(compareNames(weights, nameA, nameB))) return [];
    // The other name is met so much more often than among strangers, and strangers meet what most lines carry.
    const common = Math.max(intAt(weights.linesA, nameA) / lines.a, intAt(weights.linesB, nameB) / lines.b);
    const bits = Math.min(MOST_BITS, floorToSteps(log2Of(share / common)));
    return bits < LEAST_BITS ? [] : [{ a, b, pairs, bits }];
  });
}

/** Whether one name holds all words of the other one. */
function isSaidByText(a: string, b: string): boolean {
  const [wordsA, wordsB] = [a.split(' '), b.split(' ')];
  const [few, many] = wordsA.length < wordsB.length ? [wordsA, wordsB] : [wordsB, wordsA];
  return few.every((word) => many.includes(word));
}

function isSharedText(level: number): boolean {
  return placesOfText(level)[1] >= SHARED;
}
