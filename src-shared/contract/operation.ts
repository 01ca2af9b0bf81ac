import type { z } from 'zod';
import type { CommonErrorCode, ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `public` is served under /v1 and over IPC; `app` belongs to the window alone (IPC, or /app with the window's secret). */
export type Surface = 'public' | 'app';
export type Permission = 'read' | 'read_write';

/**
 * One operation of the service. `input` is flat: path, query and body members in one object. Members named in `path`
 * as `{member}` come from the path; of the rest, GET and DELETE read the query, POST, PUT and PATCH the body, and `query`
 * names exceptions.
 */
export interface Operation<
  Id extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  E extends ErrorCode = ErrorCode,
> {
  readonly id: Id;
  readonly method: Method;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly surface: Surface;
  readonly permission: Permission;
  /** Status of success. 204 answers no body. */
  readonly status: 200 | 201 | 202 | 204;
  /** Status of an answer that is null, for what is either done at once or started; `status` is that of every other answer. */
  readonly doneStatus?: 204;
  readonly input: I;
  readonly output: O;
  /** Codes beyond `COMMON_ERRORS` that the handler may answer. */
  readonly errors: readonly E[];
  readonly query?: readonly string[];
  /**
   * How a POST with a repeated Idempotency-Key is answered: left out, with what was answered first; `own`, by the operation itself;
   * `after`, as the first, though of an operation that changes nothing and takes its time, so that its answer is stored afterwards.
   */
  readonly idempotency?: 'own' | 'after';
  /**
   * The operation that takes back what this one did, where the window can undo it. Its input is worked out in `src-main/backend/inverses.ts`
   * from what was there before and what was answered.
   */
  readonly inverse?: string;
  /** Names that a client may send back with what it was answered elsewhere: refused as read-only rather than as unknown. */
  readonly readOnly?: readonly string[];
  /** For CSV: fields of an item that hold members by name, each with the id of the list whose items' `key` names members beforehand. */
  readonly memberNames?: Readonly<Record<string, string>>;
  /** An input for documentation and for the parity test, run on the test book where streams `bank` and `ledger` exist. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Declares an operation with its literal types kept. */
export function operation<const Id extends string, I extends z.ZodObject, O extends z.ZodType, const E extends ErrorCode = never>(
  spec: Omit<Operation<Id, I, O, E>, 'errors'> & { readonly errors?: readonly E[] },
): Operation<Id, I, O, E> {
  return Object.freeze({ ...spec, errors: spec.errors ?? [] });
}

export type InputOf<T> = T extends Operation<string, infer I, z.ZodType, ErrorCode> ? z.output<I> : never;
/** What a caller may send: defaults left out, ids as text or integer. */
export type CallOf<T> = T extends Operation<string, infer I, z.ZodType, ErrorCode> ? z.input<I> : never;
export type OutputOf<T> = T extends Operation<string, z.ZodObject, infer O, ErrorCode> ? z.output<O> : never;
export type ErrorsOf<T> = T extends Operation<string, z.ZodObject, z.ZodType, infer E> ? E | CommonErrorCode : never;

/** Names of the members that come from the path. */
export function pathMembers(path: string): string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map((found) => found[1] ?? '');
}

/** Names of the members that come from the query string. */
export function queryMembers(spec: Pick<Operation, 'method' | 'path' | 'query' | 'input'>): string[] {
  const inPath = new Set(pathMembers(spec.path));
  const rest = Object.keys(spec.input.shape).filter((name) => !inPath.has(name));
  if (spec.method === 'GET' || spec.method === 'DELETE') return rest;
  return rest.filter((name) => spec.query?.includes(name));
}
