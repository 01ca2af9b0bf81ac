import type { z } from 'zod';
import type { CommonErrorCode, ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `public` operations are served under /v1 and over IPC; `app` operations only to the window (over IPC, or /app with the window's secret). */
export type Surface = 'public' | 'app';
export type Permission = 'read' | 'read_write';

/**
 * One operation of the service. `input` is flat: path, query and body members in one object. Members that `path` names as `{member}` come from the
 * path. GET and DELETE read the others from the query; POST, PUT and PATCH from the body, except for those that `query` names.
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
  /** The status of success; 204 has no body. */
  readonly status: 200 | 201 | 202 | 204;
  /** The status of a null answer, for an operation that either completes at once or is started; `status` is that of every other answer. */
  readonly doneStatus?: 204;
  readonly input: I;
  readonly output: O;
  /** Codes beyond `COMMON_ERRORS` that the handler may answer. */
  readonly errors: readonly E[];
  readonly query?: readonly string[];
  /**
   * How a POST with a repeated Idempotency-Key is answered. By default with the first answer; `own`: by the operation itself; `after`: with the first
   * answer, for a slow operation without changes, whose answer is stored afterwards.
   */
  readonly idempotency?: 'own' | 'after';
  /**
   * The operation that reverts this one, if the window can undo it. `src-main/backend/inverses.ts` computes its input from the state before and the
   * answer.
   */
  readonly inverse?: string;
  /** Members that a client may send back from another answer: refused as read-only rather than as unknown. */
  readonly readOnly?: readonly string[];
  /** For CSV: fields of an item that hold members by name, each with the id of the list whose items' `key` names the members beforehand. */
  readonly memberNames?: Readonly<Record<string, string>>;
  /** An input for the documentation and for the parity test, which runs on the test book with the streams `bank` and `ledger`. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Declares an operation, and keeps its literal types. */
export function operation<const Id extends string, I extends z.ZodObject, O extends z.ZodType, const E extends ErrorCode = never>(
  spec: Omit<Operation<Id, I, O, E>, 'errors'> & { readonly errors?: readonly E[] },
): Operation<Id, I, O, E> {
  return Object.freeze({ ...spec, errors: spec.errors ?? [] });
}

export type InputOf<T> = T extends Operation<string, infer I, z.ZodType, ErrorCode> ? z.output<I> : never;
/** The input as a caller may send it: without defaults, and with ids as text or integers. */
export type CallOf<T> = T extends Operation<string, infer I, z.ZodType, ErrorCode> ? z.input<I> : never;
export type OutputOf<T> = T extends Operation<string, z.ZodObject, infer O, ErrorCode> ? z.output<O> : never;
export type ErrorsOf<T> = T extends Operation<string, z.ZodObject, z.ZodType, infer E> ? E | CommonErrorCode : never;

/** Returns the names of the members that come from the path. */
export function pathMembers(path: string): string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map((found) => found[1] ?? '');
}

/** Returns the names of the members that come from the query string. */
export function queryMembers(spec: Pick<Operation, 'method' | 'path' | 'query' | 'input'>): string[] {
  const inPath = new Set(pathMembers(spec.path));
  const rest = Object.keys(spec.input.shape).filter((name) => !inPath.has(name));
  if (spec.method === 'GET' || spec.method === 'DELETE') return rest;
  return rest.filter((name) => spec.query?.includes(name));
}
