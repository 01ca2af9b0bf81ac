import type { IncomingHttpHeaders } from 'node:http';

export interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Answer;
/** Handlers by method and path without the prefix, such as `GET /data_streams/{key}`. */
export type Routes = Readonly<Record<string, Handler>>;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

/** Thrown by a handler to refuse a request with a status. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns the handler of a path and its parameters; null where there is none. */
export function findRoute(routes: Routes, method: string, path: string): { handler: Handler; params: Record<string, string> } | null {
  const wanted = path.split('/');
  for (const [route, handler] of Object.entries(routes)) {
    const [verb, pattern = ''] = route.split(' ');
    const parts = pattern.split('/');
    if (verb !== method || parts.length !== wanted.length) continue;
    const params: Record<string, string> = {};
    const fits = parts.every((part, at) => {
      const given = wanted[at] ?? '';
      if (!part.startsWith('{')) return part === given;
      params[part.slice(1, -1)] = decodeURIComponent(given);
      return given !== '';
    });
    if (fits) return { handler, params };
  }
  return null;
}

/** Returns the row with the id of a path parameter; refuses with 404 where there is none. */
export function rowOf<Row>(table: ReadonlyMap<number, Row>, id: string | undefined): Row {
  const row = /^\d+$/.test(id ?? '') ? table.get(Number(id)) : undefined;
  if (row === undefined) throw new Refusal(404, 'There is no such thing.');
  return row;
}

interface Bounds {
  readonly fallback: number;
  readonly most: number;
  /** Status of the refusal of any other value. */
  readonly status: number;
}

export function wholeNumber(query: URLSearchParams, name: string, { fallback, most, status }: Bounds): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const least = name === 'limit' ? 1 : 0;
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > most) throw new Refusal(status, `${name} is ${text}`);
  return Number(text);
}

/** Returns a page by offset, as the specification defines it. */
export function offsetPage<Row>(query: URLSearchParams, rows: readonly Row[], { fallback, most, status }: Bounds) {
  const limit = wholeNumber(query, 'limit', { fallback, most, status });
  const offset = wholeNumber(query, 'offset', { fallback: 0, most: Number.MAX_SAFE_INTEGER, status });
  return { data: rows.slice(offset, offset + limit), has_more: offset + limit < rows.length, offset };
}

/**
 * The members of a body. A strict body may have no unknown members and no null. Otherwise unknown members are ignored, null counts as absent, and ids
 * may be numbers.
 */
export class Fields {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #isStrict: boolean;
  readonly #status: number;

  constructor(body: unknown, { strict, status }: { readonly strict: readonly string[] | null; readonly status: number }) {
    this.#isStrict = strict !== null;
    this.#status = status;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(status, 'The body is no object.');
    this.#members = body as Readonly<Record<string, unknown>>;
    for (const name of strict === null ? [] : Object.keys(this.#members)) {
      if (strict?.includes(name) !== true) throw new Refusal(status, `${name} is unknown`);
      if (this.#members[name] === null) throw new Refusal(status, `${name} is null`);
    }
  }

  #take<Value>(name: string, kind: string, fits: (value: unknown) => value is Value): Value | undefined {
    const value = this.#members[name] ?? undefined;
    if (value === undefined || fits(value)) return value;
    throw new Refusal(this.#status, `${name} is no ${kind}`);
  }

  text(name: string): string | undefined {
    return this.#take(name, 'text', (value): value is string => typeof value === 'string');
  }

  texts(name: string): readonly string[] | undefined {
    return this.#take(
      name,
      'list of texts',
      (value): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    );
  }

  integer(name: string): number | undefined {
    return this.#take(name, 'whole number', (value): value is number => Number.isSafeInteger(value));
  }

  boolean(name: string): boolean | undefined {
    return this.#take(name, 'boolean', (value): value is boolean => typeof value === 'boolean');
  }

  object(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#take(
      name,
      'object',
      (value): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value),
    );
  }

  list(name: string): readonly unknown[] | undefined {
    return this.#take(name, 'list', (value): value is unknown[] => Array.isArray(value));
  }

  #isId(value: unknown): value is string | number {
    return (typeof value === 'string' && /^\d+$/.test(value)) || (!this.#isStrict && Number.isSafeInteger(value));
  }

  id(name: string): number | undefined {
    const id = this.#take(name, 'id', (value): value is string | number => this.#isId(value));
    return id === undefined ? undefined : Number(id);
  }

  ids(name: string): readonly number[] | undefined {
    const ids = this.#take(
      name,
      'list of ids',
      (value): value is (string | number)[] => Array.isArray(value) && value.every((one) => this.#isId(one)),
    );
    return ids?.map(Number);
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#take(name, words.join(' or '), (value): value is Word => words.some((word) => word === value));
  }

  date(name: string): string | undefined {
    return this.#take(name, 'date', (value): value is string => typeof value === 'string' && isDay(value));
  }

  needed<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw new Refusal(this.#status, `${name} is missing`);
    return value;
  }
}

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};
