import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { contract, type Failure, type Operation } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { CsvTable, type Item, itemsOf, type ListShape, listShapeOf, memberColumns, type SpreadsheetCsv } from './csv-list.ts';

type Input = Readonly<Record<string, unknown>>;

export interface CsvRequest {
  /** True for HEAD: the body is discarded, so only the first page is read. */
  readonly isHead: boolean;
  /** Null for a program, which asks with the header Accept. */
  readonly spreadsheet: SpreadsheetCsv | null;
  /** Whether the client has disconnected, so that reading can stop. */
  readonly isGone: () => boolean;
}

/**
 * Returns a list as CSV. Without a limit all rows are sent page by page, in constant memory. An error after the first lines ends the stream with an
 * error, so that the client does not take a part for the whole.
 */
type CsvAnswerer = (ask: Ask, input: Input, request: CsvRequest) => Promise<Result<CsvAnswer, Failure>>;

/** Calls an operation for the one who asks for the list. */
type Ask = (operation: string, input: Input) => Promise<Outcome<unknown>>;

export interface CsvAnswer {
  readonly lines: Readable;
  /** `not_searched` of the first page, which has no place in a table. Undefined where nothing is searched. */
  readonly notSearched: number | undefined;
}

/** Returns an answerer; null when the operation does not answer a list. */
export function createCsvAnswerer(spec: Operation): CsvAnswerer | null {
  const shape = listShapeOf(spec);
  if (shape === null) return null;
  return async (call, input, { isHead, spreadsheet, isGone }) => {
    const isWhole = input['limit'] === undefined && shape.pageSize !== null && !isHead;
    const ask = (page: Input) => call(spec.id, { ...input, ...page });
    // Reads the first page before the status is sent, so that a refusal gets its own status.
    const first = await ask(isWhole ? { limit: shape.pageSize } : {});
    if (!first.ok) return failed(first.error);
    const pages = () =>
      pagesOf(
        first.value,
        (page) => ask({ ...page, limit: shape.pageSize }),
        input,
        () => !isWhole || isGone(),
      );
    const members = await columnsOf(spec, shape, pages(), call, input);
    if (!members.ok) return members;
    const lines = Readable.from(linesOf(new CsvTable(shape, members.value, spreadsheet), shape, pages()), { objectMode: false });
    return success({ lines, notSearched: (first.value as Partial<Paged>).not_searched });
  };
}

/** Returns the columns of fields that hold members by name: this needs a pass over all rows, since the header precedes the first of them. */
async function columnsOf(
  spec: Operation,
  shape: ListShape,
  pages: AsyncGenerator<unknown>,
  ask: Ask,
  input: Input,
): Promise<Result<ReadonlySet<string>, Failure>> {
  const columns = new Set<string>();
  if (shape.open.size === 0) return success(columns);
  for await (const page of pages) {
    for (const item of itemsOf(shape, page)) for (const column of memberColumns(shape, item)) columns.add(column);
  }
  for (const [field, source] of Object.entries(spec.memberNames ?? {})) {
    const names: Operation = contract[source as keyof typeof contract];
    const answer = await ask(source, Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(names.input.shape, name))));
    if (!answer.ok) return failed(answer.error);
    for (const item of answer.value as readonly Item[]) columns.add(`${field}.${String(item['key'])}`);
  }
  return success(columns);
}

/** Yields page after page, by cursor where the list has one, else by offset; other work runs between two pages. */
async function* pagesOf(
  first: unknown,
  ask: (page: Input) => Promise<Outcome<unknown>>,
  input: Input,
  isEnough: () => boolean,
): AsyncGenerator<unknown> {
  let offset = Number(input['offset'] ?? 0);
  let page = first;
  for (;;) {
    yield page;
    const { data, has_more: hasMore, next_cursor: cursor } = page as Paged;
    if (isEnough() || !hasMore) return;
    offset += data.length;
    await turn();
    const outcome = await ask(cursor === undefined || cursor === null ? { offset } : { offset: undefined, cursor });
    if (!outcome.ok) throw new Error(outcome.error.message);
    page = outcome.value;
  }
}

interface Paged {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
  readonly not_searched?: number;
}

async function* linesOf(table: CsvTable, shape: ListShape, pages: AsyncGenerator<unknown>): AsyncGenerator<Buffer> {
  yield Buffer.from(table.header());
  for await (const page of pages) yield Buffer.from(table.lines(itemsOf(shape, page)));
}
