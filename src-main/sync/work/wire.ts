import type { Dialect } from './dialect.ts';
import type { Fields, RecordContent, RecordItem } from './resources.ts';

/** A record in an answer. */
export interface WireRecord {
  readonly id: number;
  readonly amount: number;
  readonly direction: 'credit' | 'debit';
  readonly date: string;
  readonly data_stream_key: string;
  readonly currency?: string | null | undefined;
  readonly decimal_places?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: Fields | null | undefined;
  readonly external_id?: string | null | undefined;
  readonly value_date?: string | null | undefined;
  readonly overdue?: readonly { readonly reconciliation_id: number; readonly overdue_at: string }[] | null | undefined;
}

/** Returns null for an empty text: some sources do not distinguish them. */
const textOf = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text);

export function recordItem(wire: WireRecord): RecordItem {
  const magnitude = Math.abs(wire.amount);
  return {
    key: String(wire.id),
    content: {
      date: wire.date,
      value_date: wire.value_date ?? null,
      amount: wire.direction === 'debit' && magnitude !== 0 ? -magnitude : magnitude,
      direction: wire.direction,
      currency: (wire.currency ?? 'USD').toUpperCase(),
      decimal_places: wire.decimal_places ?? 2,
      description: textOf(wire.description),
      external_id: textOf(wire.external_id),
      metadata: wire.metadata ?? {},
    },
    overdue: (wire.overdue ?? []).map((mark) => ({ reconciliation: String(mark.reconciliation_id), at: mark.overdue_at })),
  };
}

/** Returns fields without nulls, which some remotes refuse. */
export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** Returns amount and direction in the form that a side takes. */
function moneyOf({ amount, direction }: RecordContent, dialect: Dialect): Fields {
  return dialect.takesDirection ? { amount: Math.abs(amount), direction } : { amount };
}

/** Returns a record as an item of a bulk request, with the fields that the dialect carries. */
export function bulkItemOf(content: RecordContent, streamKey: string, dialect: Dialect): Fields {
  const item: Record<string, unknown> = { data_stream_key: streamKey, ...moneyOf(content, dialect) };
  for (const field of dialect.recordFields) {
    if (field !== 'amount' && field !== 'direction' && content[field] !== null) item[field] = content[field];
  }
  return item;
}

/** Returns the fields of a record to change, as a PATCH takes them. */
export function recordChanges(from: RecordContent | null, to: RecordContent, dialect: Dialect): Fields {
  const changed = dialect.recordFields.filter((field) => from === null || JSON.stringify(from[field]) !== JSON.stringify(to[field]));
  const changes: Record<string, unknown> = {};
  for (const field of changed) {
    if (field === 'amount' || field === 'direction') Object.assign(changes, moneyOf(to, dialect));
    else if (field !== 'external_id' || to.external_id !== null || from?.external_id !== null) changes[field] = to[field];
  }
  return changes;
}
