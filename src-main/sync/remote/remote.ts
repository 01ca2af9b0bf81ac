import { SyncStop } from '../model/answers.ts';
import type { RecordItem } from '../model/resources.ts';
import type { Dialect } from '../sides/dialect.ts';
import { pagesOf } from '../sides/paging.ts';
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

/** A remote: one client for all kinds; `dialect` says what this one can. */
export class Remote {
  readonly side: Side;
  readonly dialect: Dialect;
  readonly #http: Http;

  constructor(http: Http, dialect: Dialect) {
    this.#http = http;
    this.dialect = dialect;
    this.side = new Side(httpCalls(http, dialect.takesKeys), dialect, dialect);
  }

  /** All records of a stream that the remote can list, page by page. */
  async *records(streamKey: string): AsyncGenerator<readonly RecordItem[]> {
    const { call } = this.side;
    if (this.dialect.listsByBatches) {
      for await (const batches of pagesOf<BatchOfList>(call, 'import_batches.list', { key: streamKey }, 100)) {
        for (const batch of batches) yield* this.#recordsOfLink(batch.records_url);
      }
      return;
    }
    const sorted = this.dialect.kind === 'tieout' ? { sort: 'created_at' } : {};
    for await (const page of pagesOf<WireRecord>(call, 'records.list', { data_stream_key: streamKey, ...sorted }, this.dialect.pageLimit)) {
      yield page.map(recordItem);
    }
  }

  /** What a `records_url` leads to: absolute or relative, with or without a query. */
  async *#recordsOfLink(link: string): AsyncGenerator<readonly RecordItem[]> {
    let offset = 0;
    let cursor: string | null = null;
    for (;;) {
      const url = new URL(link, `${this.#http.baseUrl}/`);
      url.searchParams.set('limit', '100');
      if (cursor !== null) url.searchParams.set('cursor', cursor);
      else if (offset > 0) url.searchParams.set('offset', String(offset));
      const answer = await this.#http.follow(url.href);
      if (answer.status >= 300)
        throw new SyncStop('read_refused', `The records of an import batch were refused (${answer.status}): ${answer.message}`);
      const page = checked('import_batches.records', answer) as { data: WireRecord[]; has_more?: boolean; next_cursor?: string | null };
      yield page.data.map(recordItem);
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
    const all: { key: string; stream: string; description: string | null }[] = [];
    const limit = this.dialect.pageLimit;
    for await (const page of pagesOf<WireRecord>(this.side.call, 'records.list', { reconciliation_match_id: match }, limit)) {
      all.push(
        ...page.map((record) => ({ key: String(record.id), stream: record.data_stream_key, description: record.description ?? null })),
      );
    }
    return all;
  }

  /** Ids of records by external id, looked for in the newest batches that came over the interface. */
  async recordsOfNewestBatches(streamKey: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const batches of pagesOf<BatchOfList>(this.side.call, 'import_batches.list', { key: streamKey }, 100)) {
      for (const { source, records_url: link } of batches) {
        if (source !== 'bulk_api') continue;
        for await (const page of this.#recordsOfLink(link)) {
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
