import type { Failure } from '../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { phrase } from '../../src-shared/words/say.ts';

interface Cursor {
  readonly value: number;
  readonly id: number;
}

interface PageInput {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
}

interface PageStart {
  readonly limit: number;
  readonly offset: number;
  readonly after: Cursor | undefined;
}

/** Returns where a page starts. The name and order of the list are part of the cursor, so that a cursor of another list or order is refused. */
export function pageStart(input: PageInput, list: string): Result<PageStart, Failure<'validation_failed'>> {
  if (input.cursor === undefined) return success({ limit: input.limit, offset: input.offset, after: undefined });
  const parts = Buffer.from(input.cursor, 'base64url').toString('utf8').split('|');
  const value = Number(parts[1]);
  const id = Number(parts[2]);
  if (parts[0] !== list || parts.length !== 3 || !Number.isSafeInteger(value) || !Number.isSafeInteger(id)) {
    const message = phrase('requests.paging.cursorIsNotOne');
    return failed({ code: 'validation_failed', message, errors: [{ path: 'cursor', code: 'invalid_cursor', message }] });
  }
  return success({ limit: input.limit, offset: 0, after: { value, id } });
}

/** Returns the part of a whole list that was asked for. */
export function partOf<T>(
  list: readonly T[],
  { limit, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
): readonly T[] {
  return list.slice(offset, limit === undefined ? undefined : offset + limit);
}

/** Returns the text by which the next page continues behind a place of a list. */
export function cursorText(list: string, { value, id }: Cursor): string {
  return Buffer.from(`${list}|${value}|${id}`, 'utf8').toString('base64url');
}

/** Returns the answer of a page. `rows` holds one more than the limit if there are more. */
export function pageAnswer<R, T>(
  rows: readonly R[],
  start: PageStart,
  list: string,
  cursorOf: (row: R) => Cursor,
  present: (rows: readonly R[]) => T[],
): { data: T[]; has_more: boolean; offset: number; next_cursor: string | null } {
  const shown = rows.slice(0, start.limit);
  const hasMore = rows.length > start.limit;
  const last = shown.at(-1);
  const next = hasMore && last !== undefined ? cursorText(list, cursorOf(last)) : null;
  return { data: present(shown), has_more: hasMore, offset: start.offset, next_cursor: next };
}
