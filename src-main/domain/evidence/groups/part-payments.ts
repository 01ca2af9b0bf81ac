import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { idAt } from '../../records/record-columns.ts';
import { EVIDENCE } from '../budget/decide.ts';
import type { FoundLink, FoundLinks } from '../budget/found-links.ts';
import { FIRST_LAG } from '../comparison/levels.ts';
import { linesByReference } from '../features/shared-references.ts';
import { isAllowed } from '../marginals/likely-pairs.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf, weightOf } from '../model/weight.ts';
import { differenceOf, OF_DIFFERENCE } from './choose-groups.ts';
import type { Families } from './families.ts';
import { type Frame, LINE, type OpenLines } from './open-lines.ts';
import { sumOfRows } from './reference-groups.ts';

/** Days around a document in which parts of it are paid. */
const LAST_PART = 190;
/** Prior share of lines that name one document of the other side and belong to it, and its weight in lines. */
const PRIOR = 0.3;
const PRIOR_LINES = 4;

/** Lines that name a document, and what they have in common. */
interface Parts {
  readonly rows: Set<number>;
  family: number;
}

/**
 * Returns payments of a part of a document whose rest is not in the files. The lines name it, nothing else on their side is open for it, and they sum up
 * to less. How often lines that name such a document belong to it is learned from those that pay it in full. `links` holds the links found before.
 */
export function partPayments(
  input: EvidenceInput,
  open: OpenLines,
  frame: Frame,
  families: Families,
  links: FoundLinks,
  known: number,
): FoundLink[] {
  const linkOf = linkByRow(open, links);
  const byDocument = new Map<number, Parts>();
  const documentsOf = new Map<number, Set<number>>();
  const { targets, members } = frame;
  const [ofTargets, ofMembers] = [linkOf[targets.side], linkOf[members.side]];
  eachNaming(frame, known, (target, row, key) => {
    const wanted = floatAt(targets.values, target);
    const paid = floatAt(members.values, row);
    const family = families.codeOf(key, PRIOR, PRIOR_LINES);
    const own = intAt(ofTargets, target);
    if (own >= 0 || intAt(ofMembers, row) >= 0) {
      if (own >= 0 && own === intAt(ofMembers, row)) families.count(family, 0, 0);
      return;
    }
    if (targets.state[target] === LINE.closed || members.state[row] === LINE.closed) return;
    families.count(family, 1 - paid / wanted, 0);
    const parts = byDocument.get(target) ?? { rows: new Set(), family };
    byDocument.set(target, parts);
    parts.rows.add(row);
    documentsOf.set(row, (documentsOf.get(row) ?? new Set()).add(target));
  });
  const found: FoundLink[] = [];
  for (const [target, { rows, family }] of byDocument) {
    const parts = [...rows].toSorted((left, right) => left - right);
    if (parts.some((row) => documentsOf.get(row)?.size !== 1)) continue;
    const link = linkOfParts(input, open, frame, target, parts, families.oddsOfDifference(family, 1));
    if (link !== null) found.push(link);
  }
  return found;
}

/** Calls `visit` for each line that names a document: a reference that one line of the targets' side has. */
function eachNaming({ targets, members }: Frame, known: number, visit: (target: number, row: number, family: string) => void): void {
  const own = targets.features;
  const lines = linesByReference(own, known);
  const placeOf = new Map<number, number>();
  const rowOf = new Map<number, number>();
  for (let row = 0; row < own.count; row += 1) {
    for (let at = intAt(own.starts, row); at < intAt(own.starts, row + 1); at += 1) {
      const reference = intAt(own.references, at);
      if (intAt(lines, reference) !== 1) continue;
      placeOf.set(reference, at);
      rowOf.set(reference, row);
    }
  }
  const { features } = members;
  for (let row = 0; row < features.count; row += 1) {
    const met = new Set<number>();
    for (let at = intAt(features.starts, row); at < intAt(features.starts, row + 1); at += 1) {
      const reference = intAt(features.references, at);
      const target = rowOf.get(reference);
      if (target === undefined || met.has(target) || !mayBePart({ targets, members }, target, row)) continue;
      met.add(target);
      const origin = own.originOf[placeOf.get(reference) ?? 0] as number;
      visit(target, row, `${targets.side} part ${origin} ${features.originOf[at] as number}`);
    }
  }
}

function mayBePart({ targets, members }: Frame, target: number, row: number): boolean {
  if (intAt(targets.features.classes, target) !== intAt(members.features.classes, row)) return false;
  const days = intAt(members.features.days, row) - intAt(targets.features.days, target);
  const after = targets.side === 'a' ? days : 0 - days;
  return after >= FIRST_LAG && after <= LAST_PART;
}

/** Returns, by side and row, the place of the link that holds the row, or -1. */
function linkByRow({ a, b }: OpenLines, links: FoundLinks): { readonly a: Int32Array; readonly b: Int32Array } {
  const found = { a: new Int32Array(a.features.count).fill(-1), b: new Int32Array(b.features.count).fill(-1) };
  for (let place = 0; place < links.length; place += 1) {
    links.eachRow(place, (row, isOfA) => {
      found[isOfA ? 'a' : 'b'][row] = place;
    });
  }
  return found;
}

function linkOfParts(
  input: EvidenceInput,
  open: OpenLines,
  { targets, members }: Frame,
  target: number,
  parts: readonly number[],
  odds: number,
): FoundLink | null {
  const wanted = floatAt(targets.values, target);
  const { sum, isExact } = sumOfRows(members, parts);
  if (!isExact || Math.abs(sum) >= Math.abs(wanted) || odds <= 1) return null;
  const isTargetOfA = targets.side === 'a';
  const [rowsA, rowsB] = isTargetOfA ? [[target], parts] : [parts, [target]];
  const isBarred = rowsA.some((rowA) => rowsB.some((rowB) => input.isBarred(intAt(open.a.free, rowA), intAt(open.b.free, rowB))));
  if (isBarred || input.isApart([...rowsA.map((row) => idAt(input.a.all, row)), ...rowsB.map((row) => idAt(input.b.all, row))]))
    return null;
  const { differenceMinor, larger } = differenceOf(open, { isTargetOfA, target, members: parts });
  return {
    kind: parts.length === 1 ? 'pair' : 'group',
    rowsA,
    rowsB,
    certainty: 'unique',
    differenceMinor,
    weight: weightOf(logOddsOf(odds), [OF_DIFFERENCE, 1, 1, odds / OF_DIFFERENCE]),
    alone: 0,
    evidence: EVIDENCE.reference,
    mayCommit: isAllowed(input.rule.maxDifference, differenceMinor, larger),
  };
}
