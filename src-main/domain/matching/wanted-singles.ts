import type { SignConvention } from '../../../src-shared/contract/index.ts';
import type { Leaf } from './compile-leaf.ts';
import type { RuleNode } from './compile.ts';
import { signedUnits, type Side } from './fields.ts';
import { type RecordColumns, rowsWhere, weightAt } from './record-columns.ts';
import type { RolledRule } from './rolled-rule.ts';
import { type KeptTexts, textColumns } from './text-columns.ts';
import { intAt } from './typed.ts';
import type { EngineRecord } from './types.ts';

/**
 * Rows of the single records that some member or total could fit, by one equality that the whole rule needs: of texts, else of the
 * amounts. Most records belong to no batch, and reading all their values would cost more than all the rest.
 */
export function wantedSingles(
  rolled: RolledRule,
  many: RecordColumns,
  totals: readonly EngineRecord[],
  single: RecordColumns,
  convention: SignConvention,
  kept: KeptTexts,
): Int32Array {
  const { root, leaves } = rolled.compiled;
  const wanted = new Uint8Array(single.count);
  const text = needed(root).find((leaf) => leaf.kind === 'text' && leaf.operand === 'eq' && leaf.tolerance === null);
  if (text !== undefined) {
    const [a, b] = rolled.manySide === 'a' ? [many, single] : [single, many];
    const columns = textColumns(text, { a, b, convention }, kept);
    const [ofMany, ofSingle] = rolled.manySide === 'a' ? [columns.a.codes, columns.b.codes] : [columns.b.codes, columns.a.codes];
    let codes = 0;
    for (const code of ofMany) if (code >= codes) codes = code + 1;
    const isKnown = new Uint8Array(codes);
    for (const code of ofMany) if (code >= 0) isKnown[code] = 1;
    for (let row = 0; row < wanted.length; row += 1) {
      const code = intAt(ofSingle, row);
      wanted[row] = code >= 0 && code < codes ? (isKnown[code] as number) : 0;
    }
    return rowsWhere(wanted, 1);
  }
  if (leaves.some((_, index) => (rolled.balances[index]?.tolerance ?? null) !== null)) return rowsWhere(wanted, 0);
  const otherSide = rolled.manySide === 'a' ? 'b' : 'a';
  const known = new Set(totals.map((record) => weight(record, rolled.manySide, convention)));
  for (let row = 0; row < single.count; row += 1) {
    const units = weightAt(single, row, otherSide, convention) / 10 ** (single.decimalPlaces[row] as number);
    wanted[row] = known.has(units) ? 1 : 0;
  }
  return rowsWhere(wanted, 1);
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
