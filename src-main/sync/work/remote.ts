import { SyncStop } from './answers.ts';
import type { Dialect } from './dialect.ts';
import { checked, httpCalls } from './remote-calls.ts';
import type { Http } from './remote-http.ts';
import type { Item, RecordItem } from './resources.ts';
import { onlyOf, pagesOf, Repeats, valueOf } from './side-pages.ts';
import { recordItem, Side, type WireRecord } from './side.ts';

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
        throw new SyncStop('read_refused', `The records of an import batch were refused (${answer.status}): ${answer.message}`);
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
