import { LIMITS } from '../../../../src-shared/contract/common.ts';
import type { ColumnRole } from '../../../../src-shared/contract/index.ts';
import type { Layout } from './table-columns.ts';

/** Where the cells of a column are stored. */
export interface ColumnField {
  readonly role: ColumnRole;
  /** `date`, `value_date`, `amount`, `description`, `metadata.<key>` ...; null where the cells are only used for checks. */
  readonly field: string | null;
  /** The key under `metadata`, also for a value date that cannot be read; null for every other role. */
  readonly key: string | null;
}

/** `Order ID` -> `order_id`, `VWZ1` -> `vwz1`, `Währung` -> `wahrung`; empty when no letter or digit is in it. */
function snakeCase(header: string): string {
  return header
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, LIMITS.metadataKeyLength - 6);
}

/** Returns one field per column. Equal keys get `_2`, `_3` ... by their places, whatever the roles of the columns before them. */
export function fieldsOf(layout: Layout): readonly ColumnField[] {
  const roles = new Map<number, readonly [ColumnRole, string | null]>([[layout.date, ['date', 'date']]]);
  const parts: readonly (readonly [number | null, ColumnRole, string | null])[] = [
    [layout.amount, 'amount', 'amount'],
    [layout.paidIn, 'paid_in', 'amount'],
    [layout.paidOut, 'paid_out', 'amount'],
    [layout.direction, 'direction', 'direction'],
    [layout.balance, 'balance', null],
    [layout.currency, 'currency', 'currency'],
    [layout.description, 'description', 'description'],
    [layout.externalId, 'external_id', 'external_id'],
  ];
  for (const [index, role, field] of parts) if (index !== null) roles.set(index, [role, field]);
  const kept = new Map<number | null, ColumnRole>([
    [layout.status, 'status'],
    [layout.account, 'account'],
    [layout.reference, 'reference'],
  ]);
  const used = new Set<string>();
  return layout.headers.map((header, index) => {
    const key = uniqueKey(snakeCase(header) || `column_${index + 1}`, used);
    const known = roles.get(index);
    if (index === layout.valueDate) return { role: 'value_date', field: 'value_date', key };
    if (known !== undefined) return { role: known[0], field: known[1], key: null };
    if (layout.ignored.has(index)) return { role: 'ignored', field: null, key: null };
    return { role: kept.get(index) ?? 'metadata', field: `metadata.${key}`, key };
  });
}

function uniqueKey(wished: string, used: Set<string>): string {
  let key = wished;
  for (let count = 2; used.has(key); count += 1) key = `${wished}_${count}`;
  used.add(key);
  return key;
}
