import { ADJUSTMENT } from '../../../src-shared/contract/streams/streams.ts';
import type { LowVolume, Fields, Item } from './resources.ts';
import { onlyOf, pagesOf, valueOf } from './side-pages.ts';
import type { Call, Dialect } from './dialect.ts';
import { withoutNulls } from './wire.ts';

type Wire = Readonly<Record<string, unknown>> & { readonly id: number };
/** No object has the id 0. */
export const NO_ID = 0;

const ref = (id: unknown): string | null => (id === null || id === undefined ? null : String(id));
const keysOf = (streams: unknown): string[] => (streams as readonly { key: string }[]).map(({ key }) => key).toSorted();

interface Read {
  readonly key: string;
  readonly id: number;
  readonly all: Fields;
  /** Whether it is a rule that waits for acceptance. */
  readonly isProposed?: boolean;
}

function streamOf(wire: Wire): Read {
  const { id, key, name, description, type, bank_account_id: account, reference_field, read_by, batch_lines } = wire;
  const all = { key, type, name, description, account: ref(account), reference_field, read_by, batch_lines };
  // The specification lets a remote omit the id; a stream is known by its key.
  return { key: String(key), id: id ?? NO_ID, all };
}

async function streams(call: Call, dialect: Dialect): Promise<Read[]> {
  if (!dialect.listsByBatches) {
    const listed = (await valueOf(call, 'streams.list', {})) as readonly Wire[];
    return listed.filter(({ type }) => type !== ADJUSTMENT).map(streamOf);
  }
  const found = new Map<string, Read>();
  for await (const page of pagesOf<Wire>(call, 'reconciliations.list', {}, 100)) {
    for (const wire of page) {
      const sides = [wire['side_a_streams'], wire['side_b_streams']] as readonly (readonly Wire[])[];
      for (const stream of sides.flat()) found.set(String(stream['key']), streamOf(stream));
    }
  }
  return [...found.values()];
}

async function reconciliations(call: Call, dialect: Dialect): Promise<Read[]> {
  const all: Read[] = [];
  const limit = dialect.kind === 'live' ? dialect.pageLimit : 100;
  for await (const page of pagesOf<Wire>(call, 'reconciliations.list', {}, limit)) {
    for (const { id, name, run_type, sign_convention, side_a_streams: a, side_b_streams: b } of page) {
      all.push({ key: String(id), id, all: { name, run_type, sign_convention, side_a: keysOf(a), side_b: keysOf(b) } });
    }
  }
  return all;
}

/** Returns a rule as the other side sees it. A rule that is paused because it cannot be used here counts as not paused, as it came. */
function ruleOf({ id, paused, paused_reason: reason, ...wire }: Wire, reconciliation: string): Read {
  return {
    key: String(id),
    id,
    all: { ...wire, reconciliation, paused: reason === null || reason === undefined ? paused === true : false },
    isProposed: wire['status'] === 'proposed',
  };
}

async function rules(call: Call, dialect: Dialect): Promise<Read[]> {
  const all: Read[] = [];
  for (const { key } of await reconciliations(call, dialect)) {
    const listed = (await valueOf(call, 'rules.list', { reconciliation_id: key })) as readonly Wire[];
    all.push(...onlyOf('rules.list', listed, 'reconciliation_id', key).map((wire) => ruleOf(wire, key)));
  }
  return all;
}

async function stories(call: Call): Promise<Read[]> {
  const { data } = (await valueOf(call, 'stories.list', {})) as { readonly data: readonly Wire[] };
  return data.map(({ id, name, links }) => ({
    key: String(id),
    id,
    all: {
      name,
      links: ((links ?? []) as readonly Wire[]).map((link) => ({
        reconciliation: ref(link['reconciliation_id']),
        shared: ref(link['shared_data_stream_id']),
      })),
    },
  }));
}

/** Whether a side carries imports; if so, the balances that files state travel with them. */
const carriesImports = ({ gaps }: Dialect): boolean => gaps['imports.list'] === undefined;

async function imports(call: Call, dialect: Dialect): Promise<Read[]> {
  const all: Read[] = [];
  for (const { key: stream } of await streams(call, dialect)) {
    for await (const page of pagesOf<Wire>(call, 'imported_files.list', { key: stream }, dialect.pageLimit)) {
      for (const { id, data_stream_key, ...wire } of onlyOf('imported_files.list', page, 'data_stream_key', stream))
        all.push({ key: String(id), id, all: { ...wire, stream: data_stream_key } });
    }
  }
  return all;
}

async function balances(call: Call, _dialect: Dialect, carried: Dialect): Promise<Read[]> {
  const accounts = (await valueOf(call, 'bank_accounts.list', {})) as readonly Wire[];
  const all: Read[] = [];
  for (const { id: account } of accounts) {
    const listed = (await valueOf(call, 'bank_account_balances.list', { bank_account_id: String(account) })) as readonly Wire[];
    for (const { id, date, balance_type, amount_cents, import_batch_id: file } of onlyOf(
      'bank_account_balances.list',
      listed,
      'bank_account_id',
      String(account),
    )) {
      if (carriesImports(carried) && file !== null && file !== undefined) continue;
      all.push({ key: String(id), id, all: { account: String(account), date, balance_type, amount_cents } });
    }
  }
  return all;
}

const READERS: Readonly<Record<LowVolume, (call: Call, dialect: Dialect, carried: Dialect) => Promise<Read[]>>> = {
  accounts: async (call) => {
    const listed = (await valueOf(call, 'bank_accounts.list', {})) as readonly Wire[];
    return listed.map(({ id, name, currency }) => ({ key: String(id), id, all: { name, currency } }));
  },
  streams,
  properties: async (call) => {
    const listed = (await valueOf(call, 'property_definitions.list', {})) as readonly Wire[];
    return listed.map(({ id, key, name, type, optional, data_stream_key: stream }) => ({
      key: String(id),
      id,
      all: { stream, key, type, name, optional },
    }));
  },
  reconciliations,
  rules,
  stories,
  imports,
  balances,
};

/** The fields that are sent only when an object is created. */
const EXTRA: Readonly<Record<LowVolume, readonly string[]>> = {
  accounts: [],
  streams: ['key', 'type', 'description', 'account', 'reference_field', 'read_by', 'batch_lines'],
  properties: ['stream', 'key', 'type'],
  reconciliations: ['run_type', 'sign_convention'],
  rules: ['reconciliation', 'outcome', 'commit_certainty', 'method', 'budget', 'max_difference', 'paused'],
  stories: [],
  imports: [
    'stream',
    'source',
    'filename',
    'format',
    'sha256',
    'byte_length',
    'kept',
    'skipped',
    'rejected',
    'recipe',
    'accounts',
    'holders',
    'created_at',
    'proof',
    'totals',
    'date_range_start',
    'date_range_end',
    'problems',
  ],
  balances: ['account', 'date', 'balance_type'],
};

const rollupOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { group_by_kind: 'date', many_side: 'a', ...withoutNulls(value as Fields) } : null;

/**
 * The meaning of a field that is null or missing: the specification lets a remote omit every field that is not required, and some remotes do not know
 * a field. Both sides are read with these values so that equal objects compare as equal.
 */
const MEANT: Readonly<Record<LowVolume, Fields>> = {
  accounts: {},
  streams: {},
  properties: { optional: true },
  reconciliations: {},
  rules: { cardinality: 'one_to_one', group_by: [], outcome: 'match', method: 'conditions', paused: false },
  stories: { links: [] },
  imports: { problems: [] },
  balances: {},
};

/** Fields in which an empty text means none. */
const TEXTS: ReadonlySet<string> = new Set(['currency', 'description']);

function valueOfField(resource: LowVolume, name: string, value: unknown): unknown {
  if (resource === 'rules' && name === 'rollup') return rollupOf(value);
  return (TEXTS.has(name) && value === '' ? null : value) ?? MEANT[resource][name] ?? null;
}

const picked = (resource: LowVolume, all: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, valueOfField(resource, name, all[name])]));

export interface Listed {
  readonly items: readonly Item[];
  /** Proposed rules; they are not rules yet. */
  readonly proposed: readonly Item[];
}

/** Returns all objects of a resource on a side, with the fields that `carried` compares. */
export async function listLowVolume(call: Call, dialect: Dialect, resource: LowVolume, carried: Dialect): Promise<Listed> {
  const names = carried.fields[resource];
  const extra = EXTRA[resource].filter((name) => !names.includes(name));
  const listed: { readonly items: Item[]; readonly proposed: Item[] } = { items: [], proposed: [] };
  for (const { key, id, all, isProposed = false } of await READERS[resource](call, dialect, carried)) {
    const item = { key, id, fields: picked(resource, all, names), extra: picked(resource, all, extra) };
    listed[isProposed ? 'proposed' : 'items'].push(item);
  }
  return listed;
}
