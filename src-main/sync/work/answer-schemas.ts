import { z } from 'zod';
import type { OperationId } from '../../../src-shared/contract/index.ts';

const id = z.int();
const text = z.string().nullish();
const page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean().nullish(), next_cursor: z.string().nullish() });

const stream = z.looseObject({ id: id.nullish(), key: z.string(), name: z.string(), description: text, type: z.string().nullish() });
const account = z.looseObject({ id, name: z.string(), currency: text });
const balance = z.looseObject({ id, date: z.string(), balance_type: z.string(), amount_cents: z.int() });
const definition = z.looseObject({ id, key: z.string(), name: z.string(), type: z.string(), data_stream_key: z.string() });
const reconciliation = z.looseObject({
  id,
  name: z.string(),
  side_a_streams: z.array(stream),
  side_b_streams: z.array(stream),
});
const rule = z.looseObject({ id, filters: z.record(z.string(), z.unknown()), priority: z.int().nullish() });
const link = z.looseObject({ reconciliation_id: id, shared_data_stream_id: id.nullish() });
const story = z.looseObject({ id, name: z.string(), links: z.array(link).nullish() });
const match = z.looseObject({ id, status: z.string().nullish(), reconciliation_id: id.nullish() });
const record = z.looseObject({
  id,
  amount: z.int(),
  direction: z.enum(['credit', 'debit']),
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  data_stream_key: z.string(),
  currency: text,
  decimal_places: z.int().nullish(),
  description: text,
  external_id: text,
  value_date: text,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  overdue: z.array(z.object({ reconciliation_id: id, overdue_at: z.string() })).nullish(),
});
const result = z.looseObject({ index: z.int(), status: z.string(), record_id: id.nullish(), error: z.unknown().optional() });
const bulk = z.looseObject({
  id,
  status: z.string(),
  successful_items: z.int().nullish(),
  skipped_items: z.int().nullish(),
  failed_items: z.int().nullish(),
  results: z.union([z.array(result), page(result)]).nullish(),
});
const instance = z.looseObject({
  instance_id: z.string().min(1),
  environment: z.string().min(1),
  history: z.looseObject({ entries: z.int(), head: text, asked: text }),
});
const file = z.looseObject({ id, data_stream_key: z.string().nullish() });
const batch = z.looseObject({ id, records_url: z.string(), source: z.string().nullish() });

/** What is read of answers; what else they have is left alone, so a newer remote is no trouble. */
export const ANSWERS: Readonly<Partial<Record<OperationId, z.ZodType>>> = {
  'instance.get': instance,
  'streams.list': z.array(stream),
  'streams.create': stream,
  'bank_accounts.list': z.array(account),
  'bank_accounts.create': account,
  'bank_account_balances.list': z.array(balance),
  'bank_account_balances.put': balance,
  'property_definitions.list': z.array(definition),
  'property_definitions.create': definition,
  'reconciliations.list': page(reconciliation),
  'reconciliations.create': z.looseObject({ id }),
  'rules.list': z.array(rule),
  'rules.create': z.looseObject({ id }),
  'stories.list': z.object({ data: z.array(story) }),
  'stories.create': z.looseObject({ id }),
  'matches.list': page(match),
  'matches.create': z.looseObject({ id }),
  'records.list': page(record),
  'import_batches.list': page(batch),
  'import_batches.records': page(record),
  'imported_files.list': page(file),
  'imported_files.create': z.looseObject({ id }),
  'imported_files.lines': z.looseObject({ record_ids: z.array(id), has_more: z.boolean() }),
  'bulk_requests.create': bulk,
  'bulk_requests.get': bulk,
};

/** The same of lists whose form the specification does not show, where a remote answers a bare array. */
export const BARE_ANSWERS: Readonly<Partial<Record<OperationId, z.ZodType>>> = {
  'records.list': z.array(record),
  'import_batches.records': z.array(record),
};
