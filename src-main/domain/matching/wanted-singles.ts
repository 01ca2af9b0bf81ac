import type { SignConvention } from '../../../src-shared/contract/index.ts';
import type { Leaf } from './compile-leaf.ts';
import type { RuleNode } from './compile.ts';
import { signedUnits, type Side } from './fields.ts';
import type { RolledRule } from './rolled-rule.ts';
import { readText } from './terms.ts';
import type { EngineRecord } from './types.ts';

/**
 * The single records that some member or total could fit, by one equality that the whole rule needs: of texts, else of the amounts. Most
 * records belong to no batch, and reading all their values would cost more than all the rest.
 */
export function wantedSingles(
  rolled: RolledRule,
  many: readonly EngineRecord[],
  totals: readonly EngineRecord[],
  single: readonly EngineRecord[],
  convention: SignConvention,
): readonly EngineRecord[] {
  const { root, leaves } = rolled.compiled;
  const text = needed(root).find((leaf) => leaf.kind === 'text' && leaf.operand === 'eq' && leaf.tolerance === null);
  const otherSide = rolled.manySide === 'a' ? 'b' : 'a';
  if (text !== undefined) {
    const [ofMany, ofSingle] = rolled.manySide === 'a' ? [text.key, text.value] : [text.value, text.key];
    const known = new Set(many.map((record) => readText(ofMany, record)));
    known.delete(null);
    return single.filter((record) => known.has(readText(ofSingle, record)));
  }
  if (leaves.some((_, index) => (rolled.balances[index]?.tolerance ?? null) !== null)) return single;
  const known = new Set(totals.map((record) => weight(record, rolled.manySide, convention)));
  return single.filter((record) => known.has(weight(record, otherSide, convention)));
}

/** Currency units: equal amounts give equal quotients, whatever their scale. */
function weight(record: EngineRecord, side: Side, convention: SignConvention): number {
  const units = convention === 'any' ? record.amountMinor : signedUnits(record, side, convention);
  return units / 10 ** record.decimalPlaces;
}

/** The conditions that must hold in any case. */
function needed(node: RuleNode): Leaf[] {
  if (node.type === 'leaf') return [node];
  return node.operand === 'and' || node.children.length === 1 ? node.children.flatMap(needed) : [];
}
