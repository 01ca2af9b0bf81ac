import type { Answer } from './answers.ts';
import type { LowVolume, Fields, Item, MatchContent, RecordContent } from './resources.ts';
import type { Call, Dialect } from './dialect.ts';
import { type Listed, listLowVolume, NO_ID } from './low-volume-read.ts';
import { valueOf } from './side-pages.ts';
import { changeOne, makeOne, removeOne } from './low-volume-write.ts';
import { bulkItemOf, recordChanges, withoutNulls } from './wire.ts';

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
