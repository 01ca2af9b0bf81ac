import { z } from 'zod';
import type { Operation } from '../../../src-shared/contract/index.ts';
import { csvLines } from '../../../src-shared/values/csv.ts';

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

export function itemsOf(shape: ListShape, answer: unknown): readonly Item[] {
  return (shape.member === null ? answer : (answer as Record<string, unknown>)[shape.member]) as readonly Item[];
}

/** Returns the columns of an item's open fields, such as `metadata.order_id`. */
export function memberColumns(shape: ListShape, item: Item): string[] {
  return [...shape.open].flatMap((field) => Object.keys(item[field] ?? {}).map((name) => `${field}.${name}`));
}

/** A field, or with `name` one of its members. */
interface Column {
  readonly field: string;
  readonly name: string | null;
}

/** Writes items as lines under one header. `members` are the columns of open fields; they replace their field, sorted. */
export class CsvTable {
  readonly #columns: readonly Column[];
  readonly #known: ReadonlySet<string>;
  readonly #shape: ListShape;

  constructor(shape: ListShape, members: Iterable<string>) {
    this.#shape = shape;
    this.#known = new Set(members);
    const sorted = [...this.#known].toSorted();
    this.#columns = shape.fields.flatMap((field): Column[] =>
      shape.open.has(field)
        ? sorted.filter((column) => column.startsWith(`${field}.`)).map((column) => ({ field, name: column.slice(field.length + 1) }))
        : [{ field, name: null }],
    );
  }

  header(): string {
    return csvLines([this.#columns.map(({ field, name }) => (name === null ? field : `${field}.${name}`))]);
  }

  /** Returns the lines. Throws when an item has a member without a column, which was added after the columns were decided. */
  lines(items: readonly Item[]): string {
    return csvLines(items.map((item) => this.#cellsOf(item)));
  }

  #cellsOf(item: Item): unknown[] {
    const stray = memberColumns(this.#shape, item).find((column) => !this.#known.has(column));
    if (stray !== undefined) throw new Error(`The list changed while it was sent: ${stray} has no column.`);
    return this.#columns.map(({ field, name }) => (name === null ? item[field] : own(item[field], name)));
  }
}

function own(members: unknown, name: string): unknown {
  return typeof members === 'object' && members !== null && Object.hasOwn(members, name) ? Reflect.get(members, name) : null;
}
