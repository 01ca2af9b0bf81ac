import { SyncStop } from '../model/answers.ts';
import type { RecordItem } from '../model/resources.ts';
import type { Dialect } from '../sides/dialect.ts';
import { pagesOf, valueOf } from '../sides/paging.ts';
import { Side } from '../sides/side.ts';
import { recordItem, type WireRecord } from '../sides/wire.ts';
import { checked, httpCalls } from './calls.ts';
import type { Http } from './http.ts';

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
  readonly has_more?: boolean;
  readonly next_cursor?: string | null;
}

/** A bare array is a page after which nothing comes. */
const pageOf = (answer: unknown): PageOfRecords => (Array.isArray(answer) ? { data: answer as WireRecord[] } : (answer as PageOfRecords));

/** A remote: one client for all kinds; `dialect` says what this one can. */
export class Remote {
  readonly side: Side;
  readonly dialect: Dialect;
  readonly #http: Http;
  /** Records of matches, which never change while there is the match. */
  readonly #matchRecords = new Map<string, readonly WireRecord[]>();

  constructor(http: Http, dialect: Dialect) {
    this.#http = http;
    this.dialect = dialect;
    this.side = new Side(httpCalls(http, dialect.takesKeys), dialect, dialect);
  }

  /** All records of a stream that the remote can list, page by page. Those that only matches show are looked for in matches that are not known. */
  async *records(streamKey: string, isKnownMatch: (key: string) => boolean = () => false): AsyncGenerator<readonly RecordItem[]> {
    const { call } = this.side;
    if (this.dialect.listsByBatches) {
      const seen = new Set<string>();
      for await (const page of this.#shownRecords(streamKey, isKnownMatch)) {
        const fresh = page.filter(({ id, data_stream_key: stream }) => stream === streamKey && !seen.has(String(id)));
        for (const { id } of fresh) seen.add(String(id));
        yield fresh.map(recordItem);
      }
      return;
    }
    const sorted = this.dialect.kind === 'tieout' ? { sort: 'created_at' } : {};
    for await (const page of pagesOf<WireRecord>(call, 'records.list', { data_stream_key: streamKey, ...sorted }, this.dialect.pageLimit)) {
      yield page.map(recordItem);
    }
  }

  /** What batches and matches show; a record can be in both. */
  async *#shownRecords(streamKey: string, isKnownMatch: (key: string) => boolean): AsyncGenerator<readonly WireRecord[]> {
    const { call } = this.side;
    for await (const batches of pagesOf<BatchOfList>(call, 'import_batches.list', { key: streamKey }, 100)) {
      for (const batch of batches) yield* this.#recordsOfLink(batch.records_url);
    }
    for (const reconciliation of await this.#reconciliationsOf(streamKey)) {
      for await (const page of this.matches(reconciliation)) {
        for (const { key } of page) if (!isKnownMatch(key)) yield await this.#recordsOfMatch(key);
      }
    }
  }

  async #reconciliationsOf(streamKey: string): Promise<string[]> {
    const all = await this.side.list('reconciliations');
    const holds = (side: unknown): boolean => (side as readonly string[]).includes(streamKey);
    return all.filter(({ fields }) => holds(fields['side_a']) || holds(fields['side_b'])).map(({ key }) => key);
  }

  /** What a `records_url` leads to: absolute or relative, with or without a query. No page is asked for until the answer is one. */
  async *#recordsOfLink(link: string): AsyncGenerator<readonly WireRecord[]> {
    let offset = 0;
    let cursor: string | null = null;
    for (;;) {
      const url = new URL(link, `${this.#http.baseUrl}/`);
      if (offset > 0) url.searchParams.set('limit', '100');
      if (cursor !== null) url.searchParams.set('cursor', cursor);
      else if (offset > 0) url.searchParams.set('offset', String(offset));
      const answer = await this.#http.follow(url.href);
      if (answer.status >= 300)
        throw new SyncStop('read_refused', `The records of an import batch were refused (${answer.status}): ${answer.message}`);
      const page = pageOf(checked('import_batches.records', answer));
      yield page.data;
      offset += page.data.length;
      const isMore = page.has_more === true || (page.next_cursor ?? null) !== null;
      if (!isMore || page.data.length === 0) return;
      cursor = page.next_cursor ?? null;
    }
  }

  /** Matches that count: all but those that wait for a person. */
  async *matches(reconciliation: string): AsyncGenerator<readonly RemoteMatch[]> {
    for await (const page of pagesOf<WireMatch>(this.side.call, 'matches.list', { reconciliation_id: reconciliation }, 100)) {
      yield page
        .filter(({ status }) => status !== 'proposed')
        .map(({ id, adjustment_record_id: adjustment, difference_reason: reason }) => ({
          key: String(id),
          adjustmentRecord: adjustment === null || adjustment === undefined ? null : String(adjustment),
          reason: reason ?? null,
        }));
    }
  }

  /** The records of a match with the stream of each. */
  async members(match: string): Promise<{ key: string; stream: string; description: string | null }[]> {
    const records = await this.#recordsOfMatch(match);
    return records.map(({ id, data_stream_key: stream, description }) => ({ key: String(id), stream, description: description ?? null }));
  }

  async #recordsOfMatch(match: string): Promise<readonly WireRecord[]> {
    const { call } = this.side;
    const asked = { reconciliation_match_id: match };
    const all: WireRecord[] = [];
    if (this.dialect.listsByBatches) {
      const known = this.#matchRecords.get(match);
      if (known !== undefined) return known;
      // The specification names no page of this list: none is asked for until the answer is one.
      const first = pageOf(await valueOf(call, 'records.list', asked));
      all.push(...first.data);
      for (let hasMore = first.has_more === true; hasMore;) {
        const next = pageOf(await valueOf(call, 'records.list', { ...asked, limit: 100, offset: all.length }));
        all.push(...next.data);
        hasMore = next.has_more === true && next.data.length > 0;
      }
      this.#matchRecords.set(match, all);
      return all;
    }
    for await (const page of pagesOf<WireRecord>(call, 'records.list', asked, this.dialect.pageLimit)) all.push(...page);
    return all;
  }

  /** Ids of records by external id, looked for in the newest batches that came over the interface. */
  async recordsOfNewestBatches(streamKey: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const batches of pagesOf<BatchOfList>(this.side.call, 'import_batches.list', { key: streamKey }, 100)) {
      for (const { source, records_url: link } of batches) {
        if (source !== 'bulk_api') continue;
        for await (const page of this.#recordsOfLink(link)) {
          for (const { id, external_id: externalId } of page) {
            if (typeof externalId === 'string' && wanted.has(externalId)) found.set(externalId, String(id));
          }
        }
        if (found.size === wanted.size) return found;
      }
    }
    return found;
  }
}
