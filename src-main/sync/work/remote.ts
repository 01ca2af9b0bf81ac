import { z } from 'zod';
import { contract, type OperationId } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { SyncStop } from './answers.ts';
import { type Call, type Dialect, LIVE, OLDER_TIEOUT, SPECIFICATION, TIEOUT } from './dialect.ts';
import type { Http, HttpAnswer } from './remote-http.ts';
import type { Fields, Item, RecordItem } from './resources.ts';
import { onlyOf, pagesOf, recordItem, Repeats, Side, valueOf, type WireRecord } from './side.ts';
import type { RemoteKind } from './sync-result.ts';

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
  const field = issue === undefined || issue.path.length === 0 ? phrase('sync.remote.theAnswerItself') : issue.path.join('.');
  const resource = operation.split('.')[0] ?? operation;
  throw new SyncStop(
    'unexpected_answer',
    phrase('sync.remote.theOtherSideAnswerDoesNot', { resource, field, issue: issue?.message ?? phrase('sync.remote.anotherForm') }),
    `${resource}: ${field}`,
  );
}

/** Returns the stop for an answer that concerns no single object, or null. */
function stopOf(host: string, { status, message }: HttpAnswer): SyncStop | null {
  if (status === 401) return new SyncStop('wrong_key', phrase('sync.remote.doesNotTakeTheKey', { host }));
  if (status === 403) return new SyncStop('key_not_allowed', phrase('sync.remote.theKeyMayNotDo', { host, message }));
  return null;
}

/** Returns calls of operations at a remote over HTTP. With `takesKeys`, a POST with a key may be repeated. */
function httpCalls(http: Http, takesKeys: boolean): Call {
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

const GONE = 404;
/** Looking ahead keeps at most about this many records, some 25 MB; others are read again. */
const KEPT_RECORDS = 50_000;

interface BatchOfList {
  readonly records_url: string;
  readonly source?: string | null;
}

export interface RemoteMatch {
  readonly key: string;
  readonly adjustmentRecord: string | null;
  readonly reason: { readonly code: string; readonly note: string | null } | null;
}

type WireMatch = {
  readonly id: number;
  readonly status?: string | null;
  readonly adjustment_record_id?: number | null;
  readonly difference_reason?: { readonly code: string; readonly note: string | null } | null;
};

interface PageOfRecords {
  readonly data: readonly WireRecord[];
  readonly has_more?: boolean | null;
  readonly next_cursor?: string | null;
}

/** Returns an answer as a page; a bare array is the only page. */
const pageOf = (answer: unknown): PageOfRecords => (Array.isArray(answer) ? { data: answer as WireRecord[] } : (answer as PageOfRecords));

/** A remote. One client serves all kinds; `dialect` says what this one can do. */
export class Remote {
  readonly side: Side;
  readonly dialect: Dialect;
  readonly #http: Http;
  /** Records of matches, kept for remotes that need them for each stream. */
  readonly #members = new Map<string, readonly WireRecord[]>();
  /** Records of whole streams that were read while looking ahead; each serves one later read. */
  readonly #ahead = new Map<string, readonly (readonly RecordItem[])[]>();
  #looksAhead = false;
  #kept = 0;

  constructor(http: Http, dialect: Dialect) {
    this.#http = http;
    this.dialect = dialect;
    this.side = new Side(httpCalls(http, dialect.takesKeys), dialect, dialect);
  }

  /**
   * Returns the keys of linked streams that exist although the list of streams omits them. A remote that lists streams only through reconciliations
   * omits those that are in none; each is asked for its import batches, and is gone only if it is not found there.
   */
  async unnamedStreams(named: readonly Item[], linked: Iterable<{ readonly remote_key: string }>): Promise<ReadonlySet<string>> {
    const unnamed = new Set<string>();
    if (!this.dialect.listsByBatches) return unnamed;
    for (const { remote_key: key } of linked) {
      if (named.some((stream) => stream.key === key)) continue;
      const answer = await this.side.call('import_batches.list', { key, limit: 1 });
      if (answer.ok || answer.error.status !== GONE) unnamed.add(key);
    }
    return unnamed;
  }

  /** Keeps the records that are read while `work` runs, so that the next reader need not request them again. */
  async lookAhead<T>(work: () => Promise<T>): Promise<T> {
    this.#looksAhead = true;
    try {
      return await work();
    } finally {
      this.#looksAhead = false;
    }
  }

  /** Yields all records of a stream that the remote can list, page by page. */
  async *records(streamKey: string, isKnownMatch: (key: string) => boolean = () => false): AsyncGenerator<readonly RecordItem[]> {
    const known = this.#ahead.get(streamKey);
    if (known !== undefined) {
      if (!this.#looksAhead) this.#ahead.delete(streamKey);
      yield* known;
      return;
    }
    const pages: (readonly RecordItem[])[] = [];
    for await (const page of this.#readRecords(streamKey, isKnownMatch)) {
      if (this.#looksAhead && this.#kept <= KEPT_RECORDS) pages.push(page);
      if (this.#looksAhead) this.#kept += page.length;
      yield page;
    }
    if (this.#looksAhead && this.#kept <= KEPT_RECORDS) this.#ahead.set(streamKey, pages);
  }

  async *#readRecords(streamKey: string, isKnownMatch: (key: string) => boolean): AsyncGenerator<readonly RecordItem[]> {
    const { call } = this.side;
    if (this.dialect.listsByBatches) {
      const seen = new Set<string>();
      for await (const page of this.#recordsByBatches(streamKey, isKnownMatch)) {
        yield page.filter(({ key }) => !seen.has(key) && seen.add(key));
      }
      return;
    }
    const sorted = this.dialect.kind === 'tieout' ? { sort: 'created_at' } : {};
    for await (const page of pagesOf<WireRecord>(call, 'records.list', { data_stream_key: streamKey, ...sorted }, this.dialect.pageLimit)) {
      yield onlyOf('records.list', page, 'data_stream_key', streamKey).map(recordItem);
    }
  }

  /** Yields the records of import batches, and records without a batch that unknown matches hold. */
  async *#recordsByBatches(streamKey: string, isKnownMatch: (key: string) => boolean): AsyncGenerator<readonly RecordItem[]> {
    const { call } = this.side;
    for await (const batches of pagesOf<BatchOfList>(call, 'import_batches.list', { key: streamKey }, 100)) {
      for (const batch of onlyOf('import_batches.list', batches, 'data_stream_key', streamKey))
        yield* this.#recordsOfLink(batch.records_url, streamKey);
    }
    for await (const matches of pagesOf<WireMatch>(call, 'matches.list', {}, 100)) {
      for (const { id } of matches) {
        if (isKnownMatch(String(id))) continue;
        const records = await this.#membersOf(String(id));
        yield records.filter(({ data_stream_key: key }) => key === streamKey).map(recordItem);
      }
    }
  }

  /**
   * Yields the records behind a `records_url`, which may be absolute or relative, with or without a query. Sends paging parameters only after the
   * first answer was a page.
   */
  async *#recordsOfLink(link: string, streamKey: string): AsyncGenerator<readonly RecordItem[]> {
    let offset = 0;
    let cursor: string | null = null;
    const repeats = new Repeats('import_batches.records');
    for (;;) {
      const url = new URL(link, `${this.#http.baseUrl}/`);
      if (offset > 0) url.searchParams.set('limit', '100');
      if (cursor !== null) url.searchParams.set('cursor', cursor);
      else if (offset > 0) url.searchParams.set('offset', String(offset));
      const answer = await this.#http.follow(url.href);
      if (answer.status >= 300)
        throw new SyncStop('read_refused', phrase('sync.remote.theLinesOfAnImport', { status: answer.status, answer: answer.message }));
      const page = pageOf(checked('import_batches.records', answer));
      const isMore = page.data.length > 0 && (page.has_more === true || (page.next_cursor ?? null) !== null);
      const fresh = repeats.fresh(page.data, isMore);
      yield onlyOf('import_batches.records', fresh, 'data_stream_key', streamKey).map(recordItem);
      offset += page.data.length;
      if (!isMore) return;
      cursor = page.next_cursor ?? null;
    }
  }

  /** Yields the matches of a reconciliation that count: all but proposed ones. */
  async *matches(reconciliation: string): AsyncGenerator<readonly RemoteMatch[]> {
    for await (const page of pagesOf<WireMatch>(this.side.call, 'matches.list', { reconciliation_id: reconciliation }, 100)) {
      yield onlyOf('matches.list', page, 'reconciliation_id', reconciliation)
        .filter(({ status }) => status !== 'proposed')
        .map(({ id, adjustment_record_id: adjustment, difference_reason: reason }) => ({
          key: String(id),
          adjustmentRecord: adjustment === null || adjustment === undefined ? null : String(adjustment),
          reason: reason ?? null,
        }));
    }
  }

  /** Returns the records of a match, with their streams. */
  async members(match: string): Promise<{ key: string; stream: string; description: string | null }[]> {
    const records = await this.#membersOf(match);
    return records.map((record) => ({ key: String(record.id), stream: record.data_stream_key, description: record.description ?? null }));
  }

  /** Returns the records of a match. A match never changes its records, so the answer is kept where it is needed repeatedly. */
  async #membersOf(match: string): Promise<readonly WireRecord[]> {
    const known = this.#members.get(match);
    if (known !== undefined) return known;
    const all: WireRecord[] = [];
    const { call } = this.side;
    const asked = { reconciliation_match_id: match };
    if (!this.dialect.listsByBatches) {
      for await (const page of pagesOf<WireRecord>(call, 'records.list', asked, this.dialect.pageLimit)) all.push(...page);
      return all;
    }
    const repeats = new Repeats('records.list');
    // The specification names no paging for this list, so paging parameters are sent only after the first answer was a page.
    for (let page = pageOf(await valueOf(call, 'records.list', asked)); ;) {
      all.push(...repeats.fresh(page.data, page.has_more === true && page.data.length > 0));
      if (page.has_more !== true || page.data.length === 0) break;
      page = pageOf(await valueOf(call, 'records.list', { ...asked, limit: 100, offset: all.length }));
    }
    this.#members.set(match, all);
    return all;
  }

  /** Returns the ids of records by external id, from the newest batches that came through the interface. */
  async recordsOfNewestBatches(streamKey: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const batches of pagesOf<BatchOfList>(this.side.call, 'import_batches.list', { key: streamKey }, 100)) {
      for (const { source, records_url: link } of batches) {
        // A remote may omit how a batch came in.
        if ((source ?? 'bulk_api') !== 'bulk_api') continue;
        for await (const page of this.#recordsOfLink(link, streamKey)) {
          for (const { key, content } of page) {
            if (content.external_id !== null && wanted.has(content.external_id)) found.set(content.external_id, key);
          }
        }
        if (found.size === wanted.size) return found;
      }
    }
    return found;
  }
}

export const DIALECTS: Readonly<Record<RemoteKind, Dialect>> = { tieout: TIEOUT, live: LIVE, specification: SPECIFICATION };

/** Returns `info` of an OpenAPI document. */
function infoOf(value: unknown): { readonly title: unknown; readonly version: unknown } {
  const info: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'info') : undefined;
  if (typeof info !== 'object' || info === null) return { title: null, version: null };
  return { title: Reflect.get(info, 'title'), version: Reflect.get(info, 'version') };
}

/** The book and environment that answer, and the state of their history. */
export interface RemoteIdentity {
  readonly instanceId: string;
  /** Shared by all copies and backups of a book; null if the remote does not state it. */
  readonly bookId: string | null;
  readonly environment: string;
  readonly entries: number;
  readonly head: string | null;
  /** The hash of the entry that was asked for; null if the history is shorter or no entry was asked for. */
  readonly asked: string | null;
}

export interface Probed {
  readonly dialect: Dialect;
  /** The version of another Tieout; null for other remotes. */
  readonly version: string | null;
  /** Null if the remote cannot state it. */
  readonly identity: RemoteIdentity | null;
}

/** Returns the identity that a remote states. `entry` is a number of its history whose hash is wanted, or null. */
export async function identityOf(http: Http, entry: number | null): Promise<RemoteIdentity | null> {
  const value = await optional(http, entry === null ? '/instance' : `/instance?entry=${entry}`);
  if (value === null) return null;
  const told = checked('instance.get', { status: 200, value, message: '', code: '', location: null }) as ToldInstance;
  const { entries, head, asked } = told.history;
  return {
    instanceId: told.instance_id,
    bookId: told.book_id ?? null,
    environment: told.environment,
    entries,
    head: head ?? null,
    asked: asked ?? null,
  };
}

interface ToldInstance {
  readonly instance_id: string;
  readonly book_id?: string | null;
  readonly environment: string;
  readonly history: { readonly entries: number; readonly head?: string | null; readonly asked?: string | null };
}

const NOT_IMPLEMENTED = 501;

const isGood = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

/** Whether a Tieout has the resource of imported files, according to its OpenAPI document. */
function hasImports(described: unknown): boolean {
  const paths: unknown = typeof described === 'object' && described !== null ? Reflect.get(described, 'paths') : undefined;
  return typeof paths === 'object' && paths !== null && contract['imported_files.create'].path in paths;
}

/** Finds out which kind of remote answers and that the key is accepted, by reading only. Throws a SyncStop if the remote is unusable. */
export async function probe(http: Http): Promise<Probed> {
  const reconciliations = await http.send({ method: 'GET', path: '/reconciliations?limit=1', isRepeatable: true });
  const stop = stopOf(http.host, reconciliations);
  if (stop !== null) throw stop;
  if (!isGood(reconciliations)) throw notAService(http, reconciliations);
  checked('reconciliations.list', reconciliations);
  const described = await optional(http, '/openapi.json');
  const { title, version } = infoOf(described);
  if (title === 'Tieout')
    return {
      dialect: hasImports(described) ? TIEOUT : OLDER_TIEOUT,
      version: typeof version === 'string' ? version : null,
      identity: await identityOf(http, null),
    };
  const isLive = Array.isArray(await optional(http, '/data_streams'));
  return { dialect: isLive ? DIALECTS.live : DIALECTS.specification, version: null, identity: null };
}

/** Requests what only some remotes have. Returns null if it is refused; throws if the remote fails, because its kind is then unknown. */
async function optional(http: Http, path: string): Promise<unknown> {
  const answer = await http.send({ method: 'GET', path, isRepeatable: true, mayBeAbsent: true });
  if (isGood(answer)) return answer.value;
  if (answer.status < 500 || answer.status === NOT_IMPLEMENTED) return null;
  throw new SyncStop(
    'remote_failed',
    phrase('sync.remote.answersToTryAgainLater', { host: http.host, status: answer.status, path, answer: answer.message }),
  );
}

function notAService({ host, baseUrl }: Http, { status }: HttpAnswer): SyncStop {
  const isUsual = baseUrl.endsWith('/v1') ? 'yes' : 'no';
  return new SyncStop('not_a_service', phrase('sync.remote.answersWhereTheListOfReconciliations', { host, status, isUsual }));
}
