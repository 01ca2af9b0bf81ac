import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { linesByReference } from '../features/shared-references.ts';
import { chanceOfSum, commonness, divisorOf, type Finding, subsetsOf } from './attempts.ts';
import { type Frame, LINE, type OpenSide } from './open-lines.ts';

/** A reference on more open lines than this does not name a batch. */
const MOST_LINES = 512;
/** Most lines that the references of one line may name. */
const MOST_NAMED = 1_024;
/** Most steps of all lines together. */
const MOST_STEPS = 40_000_000;
const CANCEL_EVERY = 4_096;
/** Prior share of sums that come out if the lines are named by keys of different kinds, and its weight in sums. */
const PRIOR = 0.3;
const PRIOR_SUMS = 2;
/** Share of documents whose lines are all in the files. */
const COMPLETE = 0.6;
/** Shares of true groups that hold all lines of the key, and some of them. */
const SHARES = { all: 0.8, some: 0.2 } as const;
/** Most named lines among which a part is searched. */
const MOST_SEARCHED = 16;
const STEPS = 60_000;

interface Named {
  readonly rows: number[];
  readonly seen: Set<number>;
  /** Prior share of sums that come out for a reason. */
  readonly prior: number;
}

/**
 * Returns the prior of sums of lines that share a reference. A number on one line of a side names a document. A line that names documents pays them,
 * so the sum falls short if lines are missing and does not come out by chance. A number of a customer or contract recurs, and its sums come out only
 * by chance. `repeated` is the share of recurring numbers in the field, on the side where they are fewer.
 */
function priorOf(repeated: number): number {
  const ofDocuments = COMPLETE * (1 - repeated);
  return ofDocuments / (ofDocuments + repeated);
}

/** Adds groups of lines that share a reference with a line of the other side, or are named in its list of references, and add up to it. */
export function referenceGroups(finding: Finding, frame: Frame, known: number): void {
  const { targets, members } = frame;
  const { features } = members;
  const keys = Int32Array.from(features.references);
  const rowOf = new Int32Array(keys.length);
  for (let row = 0; row < features.count; row += 1) {
    const [from, to] = [intAt(features.starts, row), intAt(features.starts, row + 1)];
    rowOf.fill(row, from, to);
    if (members.state[row] === LINE.closed) keys.fill(-1, from, to);
  }
  const starts = rangeStarts(keys, known);
  const occurrences = layOut(keys, starts);
  let steps = MOST_STEPS;
  const own = targets.features;
  const [repeatedOwn, repeated] = [repeatedReferences(own, known), repeatedReferences(features, known)];
  for (let row = 0; row < own.count && steps > 0; row += 1) {
    if (row % CANCEL_EVERY === 0 && finding.isCancelled()) return;
    if (targets.state[row] === LINE.closed) continue;
    const named = new Map<string, Named>();
    let count = 0;
    for (let at = intAt(own.starts, row); at < intAt(own.starts, row + 1); at += 1) {
      const reference = intAt(own.references, at);
      const [from, to] = [intAt(starts, reference), intAt(starts, reference + 1)];
      steps -= 1;
      if (to - from > MOST_LINES || count > MOST_NAMED) continue;
      for (let place = from; place < to; place += 1) {
        const occurrence = intAt(occurrences, place);
        const other = intAt(rowOf, occurrence);
        if (intAt(members.currencies, other) !== intAt(targets.currencies, row)) continue;
        const [ofTarget, ofMember] = [own.originOf[at] as number, features.originOf[occurrence] as number];
        const prior = priorOf(Math.min(floatAt(repeatedOwn, ofTarget), floatAt(repeated, ofMember)));
        add(named, `${targets.side} reference ${ofTarget} ${ofMember}`, other, prior);
        count += 1;
      }
      steps -= to - from;
    }
    if (count > 1) trySums(finding, frame, row, named);
  }
}

function add(named: Map<string, Named>, key: string, row: number, prior: number): void {
  const found = named.get(key) ?? { rows: [], seen: new Set(), prior };
  named.set(key, found);
  if (found.seen.has(row)) return;
  found.seen.add(row);
  found.rows.push(row);
}

function trySums(finding: Finding, frame: Frame, row: number, named: Map<string, Named>): void {
  const all = new Set<number>();
  let largest = 0;
  for (const [key, { rows, prior }] of named) {
    for (const other of rows) all.add(other);
    largest = Math.max(largest, rows.length);
    if (rows.length > 1) trySum(finding, frame, row, rows, finding.families.codeOf(key, prior, PRIOR_SUMS));
  }
  if (all.size > largest) trySum(finding, frame, row, [...all], finding.families.codeOf(`${frame.targets.side} all`, PRIOR, PRIOR_SUMS));
}

function trySum(finding: Finding, { targets, members }: Frame, target: number, named: readonly number[], family: number): void {
  const { families, attempts } = finding;
  const rows = named.toSorted((left, right) => left - right);
  const wanted = floatAt(targets.values, target);
  const { sum, isExact } = sumOfRows(members, rows);
  if (wanted === 0 || !isExact) return;
  const chance = chanceOfSum(wanted, divisorOf(members, rows, wanted), commonness(finding.amounts, targets, target));
  const lacking = wanted - sum;
  families.count(family, lacking / wanted, chance);
  const shared = { bond: 'reference', substitutes: 0, isTargetOfA: targets.side === 'a', target, family } as const;
  if (lacking === 0) {
    attempts.push({ ...shared, members: rows, share: SHARES.all, chance, unlisted: 0, lacking, isAlike: false });
    return;
  }
  const searched = rows.length > 2 && rows.length <= MOST_SEARCHED ? subsetsOf(finding, members, targets, target, rows, STEPS) : [];
  for (const way of searched) attempts.push({ ...shared, ...way, share: SHARES.some, lacking: 0 });
  if (searched.length === 0) attempts.push({ ...shared, members: rows, share: 1, chance: 1, unlisted: 0, lacking, isAlike: false });
}

/** Returns the sum of rows. `isExact` says that no order of adding can lose a unit. */
export function sumOfRows({ values }: OpenSide, rows: readonly number[]): { readonly sum: number; readonly isExact: boolean } {
  let sum = 0;
  let magnitude = 0;
  for (const row of rows) {
    sum += floatAt(values, row);
    magnitude += Math.abs(floatAt(values, row));
  }
  return { sum, isExact: Number.isSafeInteger(magnitude) };
}

/** Prior share of lines whose number recurs on other lines of their side, as those of customers and contracts do, and its weight in lines. */
const PRIOR_REPEATED = 0.25;
const PRIOR_LINES = 4;

/** Returns, by origin, the share of references that also occur on another line of their side. Numbers of documents occur on one line each. */
function repeatedReferences(features: LineFeatures, known: number): Float64Array {
  const { starts, references, originOf, origins, count } = features;
  const lines = linesByReference(features, known);
  const holding = new Float64Array(origins.list.length);
  const repeated = new Float64Array(origins.list.length);
  for (let row = 0; row < count; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const origin = originOf[at] as number;
      holding[origin] = floatAt(holding, origin) + 1;
      if (intAt(lines, intAt(references, at)) > 1) repeated[origin] = floatAt(repeated, origin) + 1;
    }
  }
  return repeated.map((some, origin) => (some + PRIOR_REPEATED * PRIOR_LINES) / (floatAt(holding, origin) + PRIOR_LINES));
}
