import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { contract, type Failure, type Operation } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { csvLines, FORMULA_BUT_NUMBER, KeptText } from '../../../src-shared/values/csv.ts';
import { decimalPlacesOf, decimalText } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';

/** The list that an operation returns, for CSV: the fields of an item in the order of the contract, and how it is paged. */
export interface ListShape {
  /** The member of an answer that holds the items; null when the answer is the list itself. */
  readonly member: 'data' | null;
  readonly fields: readonly string[];
  /** Fields that hold members by name (`metadata`). Each name gets its own column. */
  readonly open: ReadonlySet<string>;
  /** Rows of a page when all rows are asked for; null for a list without pages. */
  readonly pageSize: number | null;
}

/** Whether an operation answers a file. Under `/v1` its bytes are sent, unless the client asks for JSON, which has them as a member. */
export function answersFile({ output }: Pick<Operation, 'output'>): boolean {
  return output instanceof z.ZodObject && ['file_name', 'content_type', 'encoding', 'content'].every((name) => name in output.shape);
}

/** Whether an operation answers a figure: one value beside its table, which `format=text` answers alone. */
export function answersFigure({ output }: Pick<Operation, 'output'>): boolean {
  return output instanceof z.ZodObject && ['value', 'no_value', 'data'].every((name) => name in output.shape);
}

/** Returns the shape of a list; null when the operation does not answer a list. */
export function listShapeOf(spec: Operation): ListShape | null {
  if (spec.method !== 'GET' || spec.surface !== 'public') return null;
  const member = spec.output instanceof z.ZodObject && 'data' in spec.output.shape ? 'data' : null;
  const list: unknown = member === null ? spec.output : (spec.output as z.ZodObject).shape['data'];
  if (!(list instanceof z.ZodArray) || !(list.element instanceof z.ZodObject)) return null;
  const { shape } = list.element;
  const fields = Object.keys(shape);
  return {
    member,
    fields,
    open: new Set(fields.filter((name) => shape[name] instanceof z.ZodRecord)),
    pageSize: largestLimit(spec),
  };
}

function largestLimit(spec: Operation): number | null {
  const limit: unknown = spec.input.shape['limit'];
  if (!(limit instanceof z.ZodDefault)) return null;
  const { maximum } = z.toJSONSchema(limit, { io: 'input' });
  return typeof maximum === 'number' ? maximum : null;
}

export type Item = Readonly<Record<string, unknown>>;

function itemsOf(shape: ListShape, answer: unknown): readonly Item[] {
  return (shape.member === null ? answer : (answer as Record<string, unknown>)[shape.member]) as readonly Item[];
}

/** Returns the columns of an item's open fields, such as `metadata.order_id`. */
function memberColumns(shape: ListShape, item: Item): string[] {
  return [...shape.open].flatMap((field) => Object.keys(item[field] ?? {}).map((name) => `${field}.${name}`));
}

/**
 * How a list is written for a spreadsheet: with a byte order mark, by which it knows UTF-8, and with a column in currency units beside each column of
 * minor units. `textIds`: texts that look like numbers are written as `="0012345"`, which a spreadsheet leaves as they are.
 */
export interface SpreadsheetCsv {
  readonly textIds: boolean;
}

/** A field, or with `name` one of its members; with `isDecimal` its amount in currency units. */
interface Column {
  readonly field: string;
  readonly name: string | null;
  readonly isDecimal?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Fields of lists in minor units of the item's currency. `amount` is a magnitude where there is a `direction`. */
const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'amount_cents',
  'total_credits',
  'total_debits',
  'net_amount',
  'opening_balance',
  'closing_balance',
  'receipts',
  'payments',
  'net',
  'balance',
  'bank',
  'books',
  'adjusted_bank',
  'adjusted_books',
  'unexplained',
]);
/** Matches texts that a spreadsheet would change: numbers, also with an exponent, and what it takes for a date. */
const LIKE_A_NUMBER = /^[+-]?\d[\d.,/:-]*(?:e[+-]?\d+)?$/i;
/** Matches the names of fields that hold days and times, which a spreadsheet shall read as such. */
const TIME = /(?:^|_)(?:date|at|on|from|to|start|end)$/;

/** Writes items as lines under one header. `members` are the columns of open fields; they replace their field, sorted. */
export class CsvTable {
  readonly #columns: readonly Column[];
  readonly #known: ReadonlySet<string>;
  readonly #shape: ListShape;
  readonly #spreadsheet: SpreadsheetCsv | null;

  constructor(shape: ListShape, members: Iterable<string>, spreadsheet: SpreadsheetCsv | null = null) {
    this.#shape = shape;
    this.#spreadsheet = spreadsheet;
    const hasUnits = spreadsheet !== null && shape.fields.some((field) => field === 'decimal_places' || field === 'currency');
    this.#known = new Set(members);
    const sorted = [...this.#known].toSorted();
    this.#columns = shape.fields.flatMap((field): Column[] =>
      shape.open.has(field)
        ? sorted.filter((column) => column.startsWith(`${field}.`)).map((column) => ({ field, name: column.slice(field.length + 1) }))
        : [{ field, name: null }, ...(hasUnits && MONEY.has(field) ? [{ field, name: null, isDecimal: true }] : [])],
    );
  }

  header(): string {
    const names = this.#columns.map(({ field, name, isDecimal }) =>
      isDecimal ? `${field}_decimal` : name === null ? field : `${field}.${name}`,
    );
    return `${this.#spreadsheet === null ? '' : BYTE_ORDER_MARK}${csvLines([names])}`;
  }

  /** Returns the lines. Throws when an item has a member without a column, which was added after the columns were decided. */
  lines(items: readonly Item[]): string {
    const rows = items.map((item) => this.#cellsOf(item));
    return this.#spreadsheet === null ? csvLines(rows) : csvLines(rows, { escapeFormulae: FORMULA_BUT_NUMBER });
  }

  #cellsOf(item: Item): unknown[] {
    const stray = memberColumns(this.#shape, item).find((column) => !this.#known.has(column));
    if (stray !== undefined) throw new Error(`The list changed while it was sent: ${stray} has no column.`);
    return this.#columns.map(({ field, name, isDecimal }) => {
      if (isDecimal) return decimalOf(item, field);
      const value = name === null ? item[field] : own(item[field], name);
      const isKept = this.#spreadsheet?.textIds === true && typeof value === 'string' && LIKE_A_NUMBER.test(value) && !TIME.test(field);
      if (isKept) return new KeptText(value);
      return this.#spreadsheet === null ? value : plainOf(value);
    });
  }
}

/** Returns a value of an item without JSON: a list as its items or their ids, an object as its members, each with a semicolon between. */
function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = Array.isArray(value)
    ? value.map((item: Item | string | number) => (typeof item === 'object' ? (item['id'] ?? item['record_id'] ?? plainOf(item)) : item))
    : Object.entries(value).map(([name, member]) => `${name}: ${String(plainOf(member) ?? '')}`);
  return parts.join('; ');
}

/** Returns an amount of an item in currency units, money out negative; null where the item has none or its currency is not known. */
function decimalOf(item: Item, field: string): string | null {
  const amount = item[field];
  const { currency, decimal_places: places, direction } = item;
  if (typeof amount !== 'number') return null;
  const known = typeof places === 'number' ? places : typeof currency === 'string' ? decimalPlacesOf(currency) : null;
  return known === null ? null : decimalText(direction === 'debit' ? -amount : amount, known);
}

function own(members: unknown, name: string): unknown {
  return typeof members === 'object' && members !== null && Object.hasOwn(members, name) ? Reflect.get(members, name) : null;
}

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
