import type { OperationId } from '../../../src-shared/contract/index.ts';
import type { Answer } from './answers.ts';
import type { Call, Dialect } from './dialect.ts';
import type { LowVolume, Fields } from './resources.ts';
import { withoutNulls } from './wire.ts';

/** Returns the id of a stream on the side that is written to, by key. */
type StreamIds = (key: string) => number | undefined;

const idsOf = (keys: unknown, streamIds: StreamIds): string[] => (keys as readonly string[]).map((key) => String(streamIds(key) ?? 0));

const RENAMED: Readonly<Record<string, string>> = {
  account: 'bank_account_id',
  reconciliation: 'reconciliation_id',
  stream: 'data_stream_key',
};

/** Returns fields under the names of the interface; stream keys become ids where the interface wants ids. */
function wireOf(resource: LowVolume, fields: Fields, streamIds: StreamIds): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'side_a' || name === 'side_b') wire[`${name}_stream_ids`] = idsOf(value, streamIds);
    else if (name === 'links' && resource === 'stories') wire['links'] = linksOf(value, streamIds);
    else wire[RENAMED[name] ?? name] = value;
  }
  return wire;
}

function linksOf(links: unknown, streamIds: StreamIds): Fields[] {
  return (links as readonly { reconciliation: string; shared: string | null }[]).map(({ reconciliation, shared }, place) => ({
    reconciliation_id: reconciliation,
    position: place + 1,
    role: place === 0 ? 'origin' : 'continuation',
    ...(shared === null ? {} : { shared_data_stream_id: String(streamIds(shared) ?? 0) }),
  }));
}

const MAKE: Readonly<Record<LowVolume, OperationId>> = {
  accounts: 'bank_accounts.create',
  streams: 'streams.create',
  properties: 'property_definitions.create',
  reconciliations: 'reconciliations.create',
  rules: 'rules.create',
  stories: 'stories.create',
  imports: 'imported_files.create',
  balances: 'bank_account_balances.put',
};
const CHANGE: Readonly<Record<LowVolume, OperationId>> = {
  accounts: 'bank_accounts.update',
  streams: 'streams.update',
  properties: 'property_definitions.update',
  reconciliations: 'reconciliations.update',
  rules: 'rules.update',
  stories: 'stories.update',
  imports: 'imported_files.update',
  balances: 'bank_account_balances.put',
};
const REMOVE: Readonly<Partial<Record<LowVolume, OperationId>>> = {
  accounts: 'bank_accounts.remove',
  streams: 'streams.remove',
  properties: 'property_definitions.remove',
  reconciliations: 'reconciliations.remove',
  rules: 'rules.remove',
  stories: 'stories.remove',
  imports: 'imported_files.remove',
};

const STATED = ['proof', 'totals', 'date_range_start', 'date_range_end'] as const;

interface Place {
  readonly call: Call;
  readonly dialect: Dialect;
  readonly streamIds: StreamIds;
}

/**
 * Returns the body of a rule without the members of the other method: a rule of evidence has no grouping or certainty, a rule of conditions no
 * budget.
 */
function ruleBody(wire: Record<string, unknown>): Record<string, unknown> {
  const { group_by, cardinality, rollup, commit_certainty, budget, max_difference, ...rest } = wire;
  if (wire['method'] === 'evidence') return { ...rest, budget, max_difference };
  return { ...rest, group_by, cardinality, rollup, commit_certainty };
}

export async function makeOne(
  place: Place,
  resource: LowVolume,
  whole: Fields,
  key?: string,
): Promise<Answer<{ key: string; id: number }>> {
  const { call, dialect, streamIds } = place;
  const wire = wireOf(resource, whole, streamIds);
  if (resource === 'streams') {
    wire['type'] = dialect.streamType(wire['type'] ?? 'api');
    if (wire['type'] === 'bank_feed' && (wire['bank_account_id'] ?? null) === null) wire['type'] = 'api';
  }
  if (resource === 'rules' && wire['paused'] === false) delete wire['paused'];
  const known = dialect.kind === 'tieout' ? wire : withoutUnknown(resource, wire, dialect);
  const body = resource === 'rules' ? ruleBody(known) : known;
  const answer = await call(MAKE[resource], resource === 'imports' ? body : withoutNulls(body), key);
  if (!answer.ok) return answer;
  const made = answer.value as { id: number; key?: string };
  return { ok: true, value: { id: made.id, key: resource === 'streams' ? String(wire['key']) : String(made.id) } };
}

/** Drops members that the remote does not know: the live service would ignore them without an error. */
function withoutUnknown(resource: LowVolume, wire: Record<string, unknown>, dialect: Dialect): Record<string, unknown> {
  if (resource !== 'rules' && resource !== 'reconciliations') return wire;
  const also = resource === 'rules' ? ['reconciliation_id'] : ['side_a_stream_ids', 'side_b_stream_ids', 'run_type'];
  const known = new Set<string>([...dialect.fields[resource], ...also]);
  return Object.fromEntries(Object.entries(wire).filter(([name]) => known.has(name)));
}

export async function changeOne(
  place: Place,
  resource: LowVolume,
  key: string,
  { changes, whole }: { readonly changes: Fields; readonly whole: Fields },
): Promise<Answer<null>> {
  const { call, dialect, streamIds } = place;
  // A balance is known by its account, date and type; the balances that a file states go along with its counts.
  const stated = Object.fromEntries(STATED.map((name) => [name, whole[name]]));
  const said = resource === 'balances' ? whole : resource === 'imports' ? { ...stated, ...changes } : changes;
  const wire = wireOf(resource, said, streamIds);
  const named = resource === 'streams' ? { key } : resource === 'balances' ? {} : { id: key };
  const body = dialect.kind === 'tieout' ? wire : withoutNulls(wire);
  if (Object.keys(body).length === 0) return { ok: true, value: null };
  const answer = await call(CHANGE[resource], { ...body, ...named });
  return answer.ok ? { ok: true, value: null } : answer;
}

const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 1_000;

/** Waits for the end of an asynchronous delete; a failed one has left the stream unchanged. */
async function deleted(call: Call, key: string, id: number, wait: Wait): Promise<Answer<null>> {
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(LONGEST_LOOK_MS, lookMs * 2)) {
    const answer = await call('streams.operation', { key, id });
    if (!answer.ok) return answer.error.status === 404 ? { ok: true, value: null } : answer;
    const { status, error_message: message } = answer.value as { status: string; error_message?: string | null };
    if (status === 'completed') return { ok: true, value: null };
    if (status === 'failed') return { ok: false, error: { status: 409, code: 'failed', message: message ?? 'The delete failed.' } };
    await wait(lookMs);
  }
}

type Wait = (milliseconds: number) => Promise<void>;

export async function removeOne({ call }: Pick<Place, 'call'>, resource: LowVolume, key: string, wait: Wait): Promise<Answer<null>> {
  const operation = REMOVE[resource];
  if (operation === undefined) return { ok: false, error: { status: 405, code: 'cannot', message: 'It cannot be deleted.' } };
  const input = resource === 'streams' ? { key, async: true } : resource === 'accounts' ? { id: key, streams_to: 'none' } : { id: key };
  const answer = await call(operation, input);
  // An object that is already gone counts as deleted.
  if (!answer.ok) return answer.error.status === 404 ? { ok: true, value: null } : answer;
  const begun = answer.value as { readonly id?: unknown } | null;
  if (resource === 'streams' && typeof begun?.id === 'number') return deleted(call, key, begun.id, wait);
  return { ok: true, value: null };
}
