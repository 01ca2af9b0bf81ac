import type { OperationId } from '../../../src-shared/contract/index.ts';
import { SyncStop } from './answers.ts';
import type { Call } from './dialect.ts';
import type { Fields } from './resources.ts';

/** The answer to a read; one that is refused ends the sync. */
export async function valueOf(call: Call, operation: OperationId, input: Fields): Promise<unknown> {
  const answer = await call(operation, input);
  if (answer.ok) return answer.value;
  throw new SyncStop('read_refused', `${operation} was refused (${answer.error.status}): ${answer.error.message}`);
}

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean | null | undefined;
  readonly next_cursor?: string | null | undefined;
}

/**
 * What was asked for alone: a remote that ignores a filter gives what belongs elsewhere, which would be doubled here, or count as moved. What does not say where it
 * belongs is believed.
 */
export function onlyOf<T>(operation: OperationId, items: readonly T[], filter: string, asked: string): readonly T[] {
  for (const item of items) {
    const told: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, filter) : undefined;
    if (told === undefined || told === null || String(told) === asked) continue;
    throw new SyncStop(
      'filter_ignored',
      `The remote was asked for ${operation} with ${filter} ${asked} and gives what has ${filter} ${String(told)}: it ignores the filter, so nothing is taken from this list.`,
      `${operation}: ${filter}`,
    );
  }
  return items;
}

/** A list may give the same page for ever, under cursors that are new each time. */
const endless = (operation: OperationId): SyncStop =>
  new SyncStop(
    'endless_list',
    `The remote gives the same entries of ${operation} again and says that there is more: its pages cannot be trusted, so nothing is taken from this list.`,
  );

/** What the members of a list are known by: a list that repeats them has begun anew. */
export class Repeats {
  readonly #seen = new Set<unknown>();
  readonly #operation: OperationId;

  constructor(operation: OperationId) {
    this.#operation = operation;
  }

  /** What a page has that did not come before. A page without anything new ends with a sentence where more is said to follow. */
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
 * Page by page: by cursor where the side gives one, else by offset. The next page is on its way while one is worked on: of 100,000 records pulled from another
 * Tieout the reading takes 7 of 27 seconds, in which the book would wait. What came before is not given again.
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
    // A cursor that comes again ends a list only where nothing stands on its page: else what follows is not known.
    const isLast = next === undefined ? page.has_more !== true : next === cursor && page.data.length === 0;
    const fresh = repeats.fresh(page.data, !isLast);
    if (!isLast) {
      asked = ask(next === undefined ? { offset } : { cursor: next });
      // It is waited for with the next page, if somebody still wants that.
      asked.catch(() => {});
    }
    yield fresh;
    if (isLast) return;
    cursor = next;
  }
}
