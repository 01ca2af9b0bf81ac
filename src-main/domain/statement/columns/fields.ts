import { LIMITS } from '../../../../src-shared/contract/common.ts';
import type { ColumnRole } from '../../../../src-shared/contract/index.ts';
import type { StatementLine } from '../model/statement.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import { isToken } from './column-facts.ts';
import type { Layout } from './table-columns.ts';

/** The field of a record that holds the cells of a column. */
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

/** A field that may be the reference: `description` or `metadata.<key>`, and its header. */
interface ReferenceCandidate {
  readonly field: string;
  readonly header: string;
}

/** Most lines that are examined for the reference. */
export const REFERENCE_SAMPLE = 5_000;

interface TokenFacts {
  readonly filled: number;
  readonly tokens: number;
  readonly withDigit: number;
  readonly distinct: number;
}

/**
 * Returns the field that ties a line to its counterpart: one named as a reference that holds tokens, or else one of tokens alone; null when no field
 * is evident. `sample`: lines spread evenly over the file.
 */
export function referenceAmong(sample: readonly StatementLine[], candidates: readonly ReferenceCandidate[]): string | null {
  if (sample.length === 0) return null;
  let best: { field: string; score: number } | null = null;
  for (const candidate of candidates) {
    const score = scoreOf(candidate, sample);
    if (score > (best?.score ?? 0)) best = { field: candidate.field, score };
  }
  return best?.field ?? null;
}

function valueOf(line: StatementLine, field: string): string {
  if (field === 'description') return line.description ?? '';
  return line.metadata[field.slice('metadata.'.length)] ?? '';
}

function scoreOf(candidate: ReferenceCandidate, sample: readonly StatementLine[]): number {
  const facts = tokenFacts(sample.map((line) => valueOf(line, candidate.field)));
  if (facts.filled === 0 || facts.distinct * 2 < facts.filled) return 0;
  const named = meaningsOf(candidate.header).find((found) => found.meaning === 'reference')?.rank ?? 0;
  const filledShare = facts.filled / sample.length;
  if (named > 0) {
    if (facts.tokens * 2 < facts.filled) return 0;
    return named + 2 * filledShare - (filledShare < 0.2 ? 6 : 0);
  }
  const evident = facts.tokens >= facts.filled * 0.8 && facts.withDigit >= facts.filled * 0.4 && facts.distinct >= facts.filled * 0.8;
  // Only the description qualifies: a column of unnamed codes may be anything.
  return candidate.field === 'description' && evident && filledShare >= 0.5 ? 3 : 0;
}

function tokenFacts(values: readonly string[]): TokenFacts {
  const filled = values.filter((value) => value !== '');
  const tokens = filled.filter(isToken);
  return {
    filled: filled.length,
    tokens: tokens.length,
    withDigit: tokens.filter((token) => /\d/.test(token)).length,
    distinct: new Set(filled).size,
  };
}
