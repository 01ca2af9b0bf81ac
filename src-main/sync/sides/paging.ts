import type { OperationId } from '../../../src-shared/contract/index.ts';
import { SyncStop } from '../model/answers.ts';
import type { Fields } from '../model/resources.ts';
import type { Call } from './dialect.ts';

/** The answer to a read; one that is refused ends the sync. */
export async function valueOf(call: Call, operation: OperationId, input: Fields): Promise<unknown> {
  const answer = await call(operation, input);
  if (answer.ok) return answer.value;
  throw new SyncStop('read_refused', `${operation} was refused (${answer.error.status}): ${answer.error.message}`);
}

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean | undefined;
  readonly next_cursor?: string | null | undefined;
}

/**
 * Page by page: by cursor where the side gives one, else by offset. The next page is on its way while one is worked on: of 100,000 records pulled from another
 * Tieout the reading takes 7 of 27 seconds, in which the book would wait.
 */
export async function* pagesOf<T>(call: Call, operation: OperationId, input: Fields, limit: number): AsyncGenerator<readonly T[]> {
  const ask = (place: Fields): Promise<Page<T>> => valueOf(call, operation, { ...input, limit, ...place }) as Promise<Page<T>>;
  let offset = 0;
  let cursor: string | undefined;
  let asked = ask({});
  for (;;) {
    const page = await asked;
    offset += page.data.length;
    const next = page.next_cursor ?? undefined;
    const isLast = next === undefined ? page.has_more !== true : next === cursor;
    if (!isLast && page.data.length > 0) {
      asked = ask(next === undefined ? { offset } : { cursor: next });
      // It is waited for with the next page, if somebody still wants that.
      asked.catch(() => {});
    }
    yield page.data;
    if (isLast) return;
    if (page.data.length === 0) throw new SyncStop('endless_list', `The list of ${operation} says that there is more and gives nothing.`);
    cursor = next;
  }
}
