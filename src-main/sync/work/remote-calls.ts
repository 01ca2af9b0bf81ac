import { z } from 'zod';
import { contract, type OperationId } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { SyncStop } from './answers.ts';
import type { Call } from './dialect.ts';
import type { Http, HttpAnswer } from './remote-http.ts';
import type { Fields } from './resources.ts';

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

/** The members of answers that sync reads. Others are ignored, so that newer remotes work. */
const ANSWERS: Readonly<Partial<Record<OperationId, z.ZodType>>> = {
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

/** Answers that some remotes give as a bare array, because the specification does not show their form. */
const BARE_ANSWERS: Readonly<Partial<Record<OperationId, z.ZodType>>> = {
  'records.list': z.array(record),
  'import_batches.records': z.array(record),
};

/** POSTs that every kind of remote treats as idempotent. */
const SAME_EACH_TIME: ReadonlySet<OperationId> = new Set<OperationId>([
  'bulk_requests.create',
  'bank_account_balances.put',
  'imported_files.add_lines',
  'records.mark_overdue',
  'reconciliations.mark_overdue',
]);

function pathOf(operation: OperationId, input: Fields): string {
  return contract[operation].path.replaceAll(/\{([a-z_]+)\}/g, (_, member: string) => encodeURIComponent(String(input[member] ?? '')));
}

function restOf(operation: OperationId, input: Fields): [string, unknown][] {
  const inPath = new Set(pathMembers(contract[operation].path));
  return Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
}

/** Returns the checked value of an answer. Throws a SyncStop that names resource and field on a mismatch. */
export function checked(operation: OperationId, { value }: HttpAnswer): unknown {
  const schema = (Array.isArray(value) ? BARE_ANSWERS[operation] : undefined) ?? ANSWERS[operation];
  if (schema === undefined) return value;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? 'the answer itself' : issue.path.join('.');
  const resource = operation.split('.')[0] ?? operation;
  throw new SyncStop(
    'unexpected_answer',
    `The remote's answer does not fit: ${resource}, ${field} (${issue?.message ?? 'another form'}). It may be another service, or a newer version of it.`,
    `${resource}: ${field}`,
  );
}

/** Returns the stop for an answer that concerns no single object, or null. */
export function stopOf(host: string, { status, message }: HttpAnswer): SyncStop | null {
  if (status === 401) return new SyncStop('wrong_key', `${host} does not take the key: give a key of this remote that is not revoked.`);
  if (status === 403) return new SyncStop('key_not_allowed', `The key may not do this at ${host}: ${message}`);
  return null;
}

/** Returns calls of operations at a remote over HTTP. With `takesKeys`, a POST with a key may be repeated. */
export function httpCalls(http: Http, takesKeys: boolean): Call {
  return async (operation, input, key) => {
    const { method } = contract[operation];
    const rest = restOf(operation, input);
    const isRead = method === 'GET' || method === 'DELETE';
    const query = isRead ? new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString() : '';
    const sendsKey = key !== undefined && method === 'POST';
    const answer = await http.send({
      method,
      path: `${pathOf(operation, input)}${query === '' ? '' : `?${query}`}`,
      ...(isRead ? {} : { body: Object.fromEntries(rest) }),
      ...(sendsKey ? { idempotencyKey: key } : {}),
      isRepeatable: method !== 'POST' || (takesKeys && key !== undefined) || SAME_EACH_TIME.has(operation),
    });
    const stop = stopOf(http.host, answer);
    if (stop !== null) throw stop;
    if (answer.status >= 200 && answer.status < 300) return { ok: true, value: checked(operation, answer) };
    return { ok: false, error: { status: answer.status, code: answer.code, message: answer.message } };
  };
}
