import type { Condition } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { EngineRecord } from '../records/record.ts';
import { amountEvidence, amountsAgree, exactly, type Pair, roundedUp, withinDays } from './amount-evidence.ts';
import { bodyOf, type Candidate, equalityOf, linkWords, type Sides, TIERS } from './candidates.ts';
import { EXACT, NORMAL_FORMS, type NormalForm, ValueIndex, WORDS } from './links.ts';
import type { Reading } from './readings.ts';
import type { KnownMatch } from './types.ts';
import { amountWords, sentence, windowWords } from './words.ts';

/** Matches of people that a rule has to stand on, and the share of them that has to have a thing in common. */
const LEAST_MATCHES = 3;
const COMMON = 0.9;
/** A common value that two records share by chance more often than this ties nothing. */
const MOST_CHANCE = 0.2;
/** Equal fields of a learned rule. */
const MOST_EQUALITIES = 2;
const MOST_WINDOW = 92;
const MOST_PERCENT = 10;

interface Common {
  readonly a: Reading;
  readonly b: Reading;
  readonly form: NormalForm;
  readonly chance: number;
}

interface Tied {
  readonly pair: Pair;
  readonly rowA: number;
  readonly rowB: number;
}

function tiedPairs(known: readonly KnownMatch[], sides: Sides): Tied[] {
  const rowsOf = (records: readonly EngineRecord[]) => new Map(records.map(({ id }, row) => [id, row]));
  const [rowsA, rowsB] = [rowsOf(sides.a), rowsOf(sides.b)];
  return known.flatMap(({ aIds: [idA, ...moreA], bIds: [idB, ...moreB] }) => {
    if (idA === undefined || idB === undefined || moreA.length + moreB.length > 0) return [];
    const rowA = rowsA.get(idA);
    const rowB = rowsB.get(idB);
    if (rowA === undefined || rowB === undefined) return [];
    return [{ rowA, rowB, pair: { a: present(sides.a[rowA], 'record of a row'), b: present(sides.b[rowB], 'record of a row') } }];
  });
}

/** How often a record of one side and one of the other have the same value by chance. */
function chanceOf(index: ValueIndex, a: Reading, b: Reading, form: NormalForm): number {
  const rowsB = index.rowsOf(b, form);
  let pairs = 0;
  for (const [value, rows] of index.rowsOf(a, form)) pairs += rows.length * (rowsB.get(value)?.length ?? 0);
  return pairs / Math.max(1, a.filled * b.filled);
}

function valuesByRow(index: ValueIndex, reading: Reading, form: NormalForm): Map<number, string> {
  const values = new Map<number, string>();
  for (const [value, rows] of index.rowsOf(reading, form)) for (const row of rows) values.set(row, value);
  return values;
}

/** Fields that nearly all of the pairs have in common, those that are rarest by chance first; each field once. */
function commonOf(tied: readonly Tied[], readingsA: readonly Reading[], readingsB: readonly Reading[]): Common[] {
  const index = new ValueIndex();
  const found: Common[] = [];
  const forms = [...NORMAL_FORMS, WORDS];
  const known = new Map<Reading, Map<NormalForm, Map<number, string>>>();
  const values = (reading: Reading, form: NormalForm): Map<number, string> => {
    const byForm = known.get(reading) ?? new Map<NormalForm, Map<number, string>>();
    known.set(reading, byForm);
    const there = byForm.get(form) ?? valuesByRow(index, reading, form);
    byForm.set(form, there);
    return there;
  };
  for (const a of readingsA) {
    for (const b of readingsB) {
      for (const form of forms) {
        const [ofA, ofB] = [values(a, form), values(b, form)];
        const equal = tied.filter(({ rowA, rowB }) => ofA.has(rowA) && ofA.get(rowA) === ofB.get(rowB)).length;
        if (equal < COMMON * tied.length) continue;
        const chance = chanceOf(index, a, b, form);
        if (chance <= MOST_CHANCE) found.push({ a, b, form, chance });
        break;
      }
    }
  }
  const kept: Common[] = [];
  for (const each of found.toSorted((left, right) => left.chance - right.chance)) {
    if (kept.length === MOST_EQUALITIES) break;
    if (!kept.some(({ a, b }) => a.field.name === each.a.field.name || b.field.name === each.b.field.name)) kept.push(each);
  }
  return kept;
}

/** The condition on amounts that nearly all pairs fulfil: equal, or apart by no more than a tenth; null where they have none in common. */
function commonAmount(pairs: readonly Pair[], sides: Sides): Condition | null {
  const evidence = amountEvidence(pairs, sides.convention);
  if (evidence.agreeing >= COMMON * pairs.length) return evidence.condition;
  const condition = exactly(evidence.condition);
  const percents = pairs.map(({ a, b }) => {
    const scale = Math.max(a.decimalPlaces, b.decimalPlaces);
    const [left, right] = [a, b].map((record) => record.amountMinor * 10 ** (scale - record.decimalPlaces));
    return (Math.abs((left ?? 0) - (right ?? 0)) * 100) / Math.max(1, left ?? 0, right ?? 0);
  });
  const percent = percents.toSorted((left, right) => left - right)[Math.ceil(COMMON * percents.length) - 1] ?? 100;
  if (percent > MOST_PERCENT) return null;
  const wide: Condition = { ...condition, tolerance_amount: roundedUp(percent), tolerance_unit: 'percent' };
  const asEvidence = { ...evidence, tolerance: { unit: 'percent' as const, amount: wide.tolerance_amount ?? 0 } };
  const held = pairs.filter((pair) => amountsAgree(asEvidence, pair, sides.convention)).length;
  return held >= COMMON * pairs.length ? wide : null;
}

/**
 * What matches of people have in common becomes a rule: equal fields after transforms, how far the amounts lie apart, how many
 * days. Only pairs are learnt from; what ties groups shows in the data.
 */
export function learnedCandidates(
  known: readonly KnownMatch[],
  readingsA: readonly Reading[],
  readingsB: readonly Reading[],
  sides: Sides,
): Candidate[] {
  const tied = tiedPairs(known, sides);
  if (tied.length < LEAST_MATCHES) return [];
  const pairs = tied.map(({ pair }) => pair);
  const equal = commonOf(tied, readingsA, readingsB);
  const amount = commonAmount(pairs, sides);
  if (amount === null && equal.length === 0) return [];
  const furthest = pairs.reduce((most, { a, b }) => Math.max(most, Math.abs(a.day - b.day)), 0);
  const days = furthest <= MOST_WINDOW ? furthest : null;
  const window = days === null ? [] : [withinDays(days)];
  const isLoose = amount === null || (amount.tolerance_amount ?? 0) > 0 || equal.length === 0;
  // Neither a key nor a window: every record would fit every other of its amount.
  if (isLoose && window.length === 0) return [];
  const words = [
    ...equal.map(linkWords),
    ...(amount === null ? [] : [amountWords(amount, sides.decimalPlaces)]),
    ...(days === null ? [] : [windowWords(days)]),
  ];
  const rules = [...equal.map(equalityOf), ...(amount === null ? [] : [amount]), ...window];
  const isExactKey = equal.some(({ form, chance }) => form === EXACT && chance < 0.01);
  const body = bodyOf(`${sentence(words)} (learnt from ${tied.length} matches made by people)`, rules, { commits: ['unique'] });
  const confidence = isExactKey && tied.length >= 10 ? 'high' : 'medium';
  return [{ tier: TIERS.learned, support: tied.length, body, confidence, isByChance: !isExactKey }];
}
