import type { CoveredKind } from '../../../src-shared/contract/close/period-statement.ts';
import { createHash } from 'node:crypto';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { LedgerInput, LedgerRecord } from './input.ts';
import type { Statement } from './statement.ts';

/** One object that a sign-off covers. */
export interface CoveredRow {
  readonly kind: CoveredKind;
  /** Identity of the object. A match is identified by its records, so that one made again is the same. */
  readonly key: string;
  /** Id of the record, match or import; null for a balance. It is not part of the hash. */
  readonly id: number | null;
  /** JSON text of an object with its members in a fixed order. */
  readonly text: string;
}

export interface CoverChange {
  readonly kind: CoveredKind;
  readonly id: number | null;
  readonly key: string;
  /** Null if it did not exist. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** Null if it no longer exists. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

function recordRow({ id, side, day, amount, reference, description, streamId }: LedgerRecord, currency: string): CoveredRow {
  const text = JSON.stringify({ side, date: isoFromDay(day), amount, currency, reference, description, stream_id: streamId });
  return { kind: 'record', key: String(id), id, text };
}

const ascending = (left: number, right: number): number => left - right;

function balanceRows({ balances }: LedgerInput): CoveredRow[] {
  return (['bank', 'books'] as const).map((side) => {
    const { opening, stated } = balances[side];
    return { kind: 'balance', key: side, id: null, text: JSON.stringify({ opening, stated_closing: stated }) };
  });
}

/** Orders by kind, then by key as text, so that the order of the input does not matter. */
function inOrder(left: CoveredRow, right: CoveredRow): number {
  if (left.kind !== right.kind) return left.kind < right.kind ? -1 : 1;
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}

/**
 * Returns what a sign-off of the period covers: records dated on or before the last day, matches that are cleared as of it, marks that affect a
 * figure, balances, and the imports of the records. A later match with a record of a later day changes none of it.
 */
export function coveringOf(input: LedgerInput, { clearedMatches }: Pick<Statement, 'clearedMatches'>): CoveredRow[] {
  const rows = balanceRows(input);
  const adjustments = new Set<number>();
  const brought = new Set<number>();
  const covered = new Set<number>();
  for (const record of input.records) {
    if (record.isAdjustment) adjustments.add(record.id);
    // An adjustment affects no figure; the reason of its match is covered.
    if (record.day > input.period.to || record.isAdjustment) continue;
    covered.add(record.id);
    if (record.importId !== null) brought.add(record.importId);
    rows.push(recordRow(record, input.currency));
  }
  for (const { id, recordIds, reason } of clearedMatches) {
    const lines = recordIds.filter((recordId) => !adjustments.has(recordId)).toSorted(ascending);
    rows.push({ kind: 'match', key: lines.join(' '), id, text: JSON.stringify({ record_ids: lines, reason }) });
  }
  for (const { recordId, status } of input.notes) {
    if ((status !== 'bank_error' && status !== 'book_error') || !covered.has(recordId)) continue;
    rows.push({ kind: 'note', key: String(recordId), id: recordId, text: JSON.stringify({ status }) });
  }
  for (const { id, side, name, contentHash } of input.imports) {
    if (!brought.has(id)) continue;
    rows.push({ kind: 'import', key: String(id), id, text: JSON.stringify({ side, name, content_hash: contentHash }) });
  }
  return rows.toSorted(inOrder);
}

/**
 * Returns what a sign-off of all currencies of a period covers. Each currency has its own balances; rows that several of them share are included
 * once.
 */
export function coveringOfAll(parts: readonly { readonly currency: string; readonly rows: readonly CoveredRow[] }[]): CoveredRow[] {
  const rows = parts.flatMap(({ currency, rows: own }) =>
    own.map((row) => (row.kind === 'balance' ? { ...row, key: `${currency} ${row.key}` } : row)),
  );
  return rows.toSorted(inOrder).filter((row, place, all) => place === 0 || inOrder(row, all[place - 1] ?? row) !== 0);
}

/** Returns the SHA-256 over all rows, in hexadecimal. */
export function coveringHash(rows: readonly CoveredRow[]): string {
  const hash = createHash('sha256');
  // JSON encoding makes sure that no text of a file can imitate the next row.
  for (const { kind, key, text } of rows) hash.update(`${JSON.stringify([kind, key, text])}\n`);
  return hash.digest('hex');
}

function valueOf(row: CoveredRow | undefined): Readonly<Record<string, unknown>> | null {
  return row === undefined ? null : (JSON.parse(row.text) as Readonly<Record<string, unknown>>);
}

/** Returns the differences of `after`; both lists must be in the order of `coveringOf`. The result is empty exactly if their hashes are equal. */
export function changesBetween(before: readonly CoveredRow[], after: readonly CoveredRow[]): CoverChange[] {
  const changes: CoverChange[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old, now] = [before[left], after[right]];
    const order = old === undefined ? 1 : now === undefined ? -1 : inOrder(old, now);
    const gone = order <= 0 ? old : undefined;
    const come = order >= 0 ? now : undefined;
    if (gone !== undefined) left += 1;
    if (come !== undefined) right += 1;
    const either = come ?? gone;
    if (either === undefined || gone?.text === come?.text) continue;
    changes.push({ kind: either.kind, id: either.id, key: either.key, before: valueOf(gone), after: valueOf(come) });
  }
  return changes;
}
