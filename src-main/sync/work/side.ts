import type { OperationId } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENT } from '../../../src-shared/contract/streams/streams.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { type Answer, SyncStop } from './answers.ts';
import type { Call, Dialect } from './dialect.ts';
import type { Fields, Item, LowVolume, MatchContent, RecordContent, RecordItem } from './resources.ts';

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

async function makeOne(place: Place, resource: LowVolume, whole: Fields, key?: string): Promise<Answer<{ key: string; id: number }>> {
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

async function changeOne(
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
    if (status === 'failed')
      return { ok: false, error: { status: 409, code: 'failed', message: message ?? phrase('sync.side.theDeleteFailed') } };
    await wait(lookMs);
  }
}

type Wait = (milliseconds: number) => Promise<void>;

async function removeOne({ call }: Pick<Place, 'call'>, resource: LowVolume, key: string, wait: Wait): Promise<Answer<null>> {
  const operation = REMOVE[resource];
  if (operation === undefined) return { ok: false, error: { status: 405, code: 'cannot', message: phrase('sync.side.itCannotBeDeleted') } };
  const input = resource === 'streams' ? { key, async: true } : resource === 'accounts' ? { id: key, streams_to: 'none' } : { id: key };
  const answer = await call(operation, input);
  // An object that is already gone counts as deleted.
  if (!answer.ok) return answer.error.status === 404 ? { ok: true, value: null } : answer;
  const begun = answer.value as { readonly id?: unknown } | null;
  if (resource === 'streams' && typeof begun?.id === 'number') return deleted(call, key, begun.id, wait);
  return { ok: true, value: null };
}

type Wire = Readonly<Record<string, unknown>> & { readonly id: number };
/** No object has the id 0. */
const NO_ID = 0;

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

interface Listed {
  readonly items: readonly Item[];
  /** Proposed rules; they are not rules yet. */
  readonly proposed: readonly Item[];
}

/** Returns all objects of a resource on a side, with the fields that `carried` compares. */
async function listLowVolume(call: Call, dialect: Dialect, resource: LowVolume, carried: Dialect): Promise<Listed> {
  const names = carried.fields[resource];
  const extra = EXTRA[resource].filter((name) => !names.includes(name));
  const listed: { readonly items: Item[]; readonly proposed: Item[] } = { items: [], proposed: [] };
  for (const { key, id, all, isProposed = false } of await READERS[resource](call, dialect, carried)) {
    const item = { key, id, fields: picked(resource, all, names), extra: picked(resource, all, extra) };
    listed[isProposed ? 'proposed' : 'items'].push(item);
  }
  return listed;
}

const LINES_AT_ONCE = 5_000;

interface LinesOfFile {
  readonly record_ids: readonly number[];
  readonly has_more: boolean;
}

type Made = { readonly key: string; readonly id: number };

/**
 * One side of a sync, the book or a remote. Reads and writes objects in the side's own ids. List streams before anything that refers to them: that
 * fills the ids of streams.
 */
export class Side {
  readonly call: Call;
  readonly dialect: Dialect;
  /** The dialect whose fields are compared: those that both sides carry. */
  readonly carried: Dialect;
  readonly #streamIds = new Map<string, number>();

  constructor(call: Call, dialect: Dialect, carried: Dialect) {
    this.call = call;
    this.dialect = dialect;
    this.carried = carried;
  }

  readonly streamId = (key: string): number | undefined => this.#streamIds.get(key);

  readonly #place = () => ({ call: this.call, dialect: this.dialect, streamIds: this.streamId });

  async list(resource: LowVolume): Promise<readonly Item[]> {
    return (await this.listed(resource)).items;
  }

  /** Returns the objects of a resource, and its proposed ones apart. */
  async listed(resource: LowVolume): Promise<Listed> {
    const listed = await listLowVolume(this.call, this.dialect, resource, this.carried);
    if (resource === 'streams') for (const { key, id } of listed.items) if (id !== NO_ID) this.#streamIds.set(key, id);
    return resource === 'stories' ? { ...listed, items: listed.items.map((item) => this.#withStreamKeys(item)) } : listed;
  }

  /** Returns a story with the connecting streams as keys, which are equal on both sides. */
  #withStreamKeys(story: Item): Item {
    const keys = new Map([...this.#streamIds].map(([key, id]) => [String(id), key]));
    const links = (story.fields['links'] as readonly { reconciliation: string; shared: string | null }[]).map((link) => ({
      ...link,
      shared: link.shared === null ? null : (keys.get(link.shared) ?? null),
    }));
    return { ...story, fields: { ...story.fields, links } };
  }

  async make(resource: LowVolume, whole: Fields, key?: string): Promise<Answer<Made>> {
    const made = await makeOne(this.#place(), resource, whole, key);
    if (made.ok && resource === 'streams') this.#streamIds.set(made.value.key, made.value.id);
    return made;
  }

  change(resource: LowVolume, key: string, how: { readonly changes: Fields; readonly whole: Fields }): Promise<Answer<null>> {
    return changeOne(this.#place(), resource, key, how);
  }

  remove(resource: LowVolume, key: string, wait: (milliseconds: number) => Promise<void>): Promise<Answer<null>> {
    return removeOne(this.#place(), resource, key, wait);
  }

  /** Returns the ids of the lines that an imported file brought. */
  async linesOfFile(id: string): Promise<number[]> {
    const all: number[] = [];
    for (;;) {
      const page = (await valueOf(this.call, 'imported_files.lines', { id, after: all.at(-1) ?? 0 })) as LinesOfFile;
      all.push(...page.record_ids);
      if (!page.has_more || page.record_ids.length === 0) return all;
    }
  }

  /** Adds lines to an imported file. Returns why the side refused them, or null. */
  async addLinesOfFile(id: string, lines: readonly string[]): Promise<string | null> {
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      const answer = await this.call('imported_files.add_lines', { id, record_ids: lines.slice(at, at + LINES_AT_ONCE) });
      if (!answer.ok) return answer.error.message;
    }
    return null;
  }

  async sendBulk(
    records: readonly { readonly stream: string; readonly content: RecordContent }[],
    key: string,
  ): Promise<Answer<{ readonly id: number }>> {
    const items = records.map(({ stream, content }) => bulkItemOf(content, stream, this.dialect));
    const answer = await this.call('bulk_requests.create', { records: items, on_conflict: 'skip' }, key);
    return answer.ok ? { ok: true, value: answer.value as { id: number } } : answer;
  }

  async changeRecord(key: string, from: RecordContent | null, to: RecordContent): Promise<Answer<null>> {
    const changes = recordChanges(from, to, this.carried);
    const body = this.dialect.kind === 'tieout' ? changes : withoutNulls(changes);
    if (Object.keys(body).length === 0) return { ok: true, value: null };
    const answer = await this.call('records.update', { id: key, ...body });
    return answer.ok ? { ok: true, value: null } : answer;
  }

  async removeRecord(key: string): Promise<Answer<null>> {
    const answer = await this.call('records.remove', { id: key });
    return answer.ok || answer.error.status === 404 ? { ok: true, value: null } : answer;
  }

  async makeMatch(reconciliation: string, { records, adjustment, reason }: MatchContent, key?: string): Promise<Answer<Made>> {
    const isOurs = this.dialect.kind === 'tieout';
    const body = {
      reconciliation_id: reconciliation,
      record_ids: [...records],
      ...(adjustment === null ? {} : { create_adjustment: true, ...(adjustment === '' ? {} : { adjustment_reason: adjustment }) }),
      ...(isOurs && reason !== null ? { difference_reason: withoutNulls({ ...reason }) } : {}),
    };
    const answer = await this.call('matches.create', body, key);
    if (!answer.ok) return answer;
    const { id } = answer.value as { id: number };
    return { ok: true, value: { id, key: String(id) } };
  }

  async removeMatch(key: string): Promise<Answer<null>> {
    const answer = await this.call('matches.remove', { id: key });
    return answer.ok || answer.error.status === 404 ? { ok: true, value: null } : answer;
  }

  async markOverdue(record: string, reconciliation: string, at: string): Promise<Answer<null>> {
    const answer = this.dialect.marksUnderReconciliation
      ? await this.call('reconciliations.mark_overdue', { rid: reconciliation, id: record, overdue_at: at })
      : await this.call('records.mark_overdue', { id: record, reconciliation_id: Number(reconciliation), overdue_at: at });
    return answer.ok ? { ok: true, value: null } : answer;
  }
}

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
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** Returns amount and direction in the form that a side takes. */
function moneyOf({ amount, direction }: RecordContent, dialect: Dialect): Fields {
  return dialect.takesDirection ? { amount: Math.abs(amount), direction } : { amount };
}

/** Returns a record as an item of a bulk request, with the fields that the dialect carries. */
function bulkItemOf(content: RecordContent, streamKey: string, dialect: Dialect): Fields {
  const item: Record<string, unknown> = { data_stream_key: streamKey, ...moneyOf(content, dialect) };
  for (const field of dialect.recordFields) {
    if (field !== 'amount' && field !== 'direction' && content[field] !== null) item[field] = content[field];
  }
  return item;
}

/** Returns the fields of a record to change, as a PATCH takes them. */
function recordChanges(from: RecordContent | null, to: RecordContent, dialect: Dialect): Fields {
  const changed = dialect.recordFields.filter((field) => from === null || JSON.stringify(from[field]) !== JSON.stringify(to[field]));
  const changes: Record<string, unknown> = {};
  for (const field of changed) {
    if (field === 'amount' || field === 'direction') Object.assign(changes, moneyOf(to, dialect));
    else if (field !== 'external_id' || to.external_id !== null || from?.external_id !== null) changes[field] = to[field];
  }
  return changes;
}

/** Returns the answer to a read. A refusal ends the sync. */
export async function valueOf(call: Call, operation: OperationId, input: Fields): Promise<unknown> {
  const answer = await call(operation, input);
  if (answer.ok) return answer.value;
  throw new SyncStop(
    'read_refused',
    phrase('sync.side.wasRefused', { operation, status: answer.error.status, error: answer.error.message }),
  );
}

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean | null | undefined;
  readonly next_cursor?: string | null | undefined;
}

/**
 * Returns `items` if the remote applied the filter. Throws a SyncStop if it ignored it: objects of other parents would be duplicated here, or count
 * as moved. Items that do not name their parent are accepted.
 */
export function onlyOf<T>(operation: OperationId, items: readonly T[], filter: string, asked: string): readonly T[] {
  for (const item of items) {
    const told: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, filter) : undefined;
    if (told === undefined || told === null || String(told) === asked) continue;
    throw new SyncStop(
      'filter_ignored',
      phrase('sync.side.theOtherSideWasAskedFor', { operation, filter, asked, told: String(told) }),
      `${operation}: ${filter}`,
    );
  }
  return items;
}

/** Returns the stop for a list that gives the same page for ever, under new cursors each time. */
const endless = (operation: OperationId): SyncStop =>
  new SyncStop('endless_list', phrase('sync.side.theOtherSideGivesTheSame', { operation }));

/** Detects lists that repeat their entries: such a list has started over. */
export class Repeats {
  readonly #seen = new Set<unknown>();
  readonly #operation: OperationId;

  constructor(operation: OperationId) {
    this.#operation = operation;
  }

  /** Returns the entries of a page that have not come before. Throws if there are none although more should follow. */
  fresh<T>(data: readonly T[], isMore: boolean): readonly T[] {
    const fresh = data.filter((item) => {
      const id: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, 'id') : undefined;
      if (id === undefined) return true;
      const isNew = !this.#seen.has(id);
      this.#seen.add(id);
      return isNew;
    });
    if (isMore && fresh.length === 0) throw endless(this.#operation);
    return fresh;
  }
}

/**
 * Yields the pages of a list, by cursor if the side gives one, else by offset. Leaves out repeated entries. Requests the next page while the caller
 * works on one: in a pull of 100,000 records from another Tieout, reading takes 7 of 27 seconds, during which the book would wait.
 */
export async function* pagesOf<T>(call: Call, operation: OperationId, input: Fields, limit: number): AsyncGenerator<readonly T[]> {
  const ask = (place: Fields): Promise<Page<T>> => valueOf(call, operation, { ...input, limit, ...place }) as Promise<Page<T>>;
  const repeats = new Repeats(operation);
  let offset = 0;
  let cursor: string | undefined;
  let asked = ask({});
  for (;;) {
    const page = await asked;
    offset += page.data.length;
    const next = page.next_cursor ?? undefined;
    // A repeated cursor ends a list only if its page is empty; otherwise the rest is unknown.
    const isLast = next === undefined ? page.has_more !== true : next === cursor && page.data.length === 0;
    const fresh = repeats.fresh(page.data, !isLast);
    if (!isLast) {
      asked = ask(next === undefined ? { offset } : { cursor: next });
      // The next round awaits it, unless the caller stops; a rejection must not count as unhandled.
      asked.catch(() => {});
    }
    yield fresh;
    if (isLast) return;
    cursor = next;
  }
}
