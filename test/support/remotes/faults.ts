import type { IncomingHttpHeaders } from 'node:http';
import { seededNumbers } from '../inputs/random-changes.ts';

/** A fault of one request. `handled`: the remote does what is asked and answers with the status nevertheless. */
export type Fault =
  | { readonly kind: 'drop-before' }
  | { readonly kind: 'drop-after' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'twice' }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'too-many'; readonly seconds: number; readonly as?: 'seconds' | 'date' }
  | { readonly kind: 'status'; readonly status: number; readonly handled?: boolean }
  /** A web page, such as that of a guest network; with a status, that of a proxy. */
  | { readonly kind: 'portal'; readonly status?: number }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: 301 | 302 | 307 | 308 }
  | { readonly kind: 'wrong-type'; readonly field: string; readonly value?: unknown }
  | { readonly kind: 'hang' };

/** The requests that a fault affects; all of them by default. */
export interface FaultTarget {
  readonly method?: string;
  /** Pattern for the path with its query. */
  readonly path?: RegExp;
  /** Number of matching requests that succeed first. */
  readonly after?: number;
  /** Number of requests that are affected; unlimited by default. */
  readonly times?: number;
  /** Probability with which a matching request is affected, 0 to 1. */
  readonly chance?: number;
}

interface Trap {
  readonly faults: readonly Fault[];
  readonly target: FaultTarget;
  passed: number;
  met: number;
}

/** Faults of a bad connection, from which sync must recover without a person. */
export const BAD_CONNECTION: readonly Fault[] = [
  { kind: 'drop-before' },
  { kind: 'drop-after' },
  { kind: 'delay', ms: 5 },
  { kind: 'twice' },
  { kind: 'truncate' },
];

/** The faults of one remote. The same seed and the same requests give the same faults. */
export class Faults {
  readonly #random: () => number;
  readonly #traps: Trap[] = [];

  constructor(seed = 1) {
    this.#random = seededNumbers(seed);
  }

  add(fault: Fault, target: FaultTarget = {}): void {
    this.#traps.push({ faults: [fault], target, passed: 0, met: 0 });
  }

  /** Adds several faults, of which one is drawn for each affected request. */
  addAnyOf(faults: readonly Fault[], target: FaultTarget): void {
    this.#traps.push({ faults, target, passed: 0, met: 0 });
  }

  clear(): void {
    this.#traps.length = 0;
  }

  /** Returns the fault of a request; the fault that was added first wins. */
  next(request: { readonly method: string; readonly path: string }): Fault | null {
    for (const trap of this.#traps) {
      const fault = this.#spring(trap, request);
      if (fault !== null) return fault;
    }
    return null;
  }

  #spring(trap: Trap, { method, path }: { readonly method: string; readonly path: string }): Fault | null {
    const { target, faults } = trap;
    if (target.method !== undefined && target.method !== method) return null;
    if (target.path !== undefined && !target.path.test(path)) return null;
    if (trap.met >= (target.times ?? Number.POSITIVE_INFINITY)) return null;
    trap.passed += 1;
    if (trap.passed <= (target.after ?? 0)) return null;
    if (target.chance !== undefined && this.#random() >= target.chance) return null;
    trap.met += 1;
    return faults[Math.floor(faults.length === 1 ? 0 : this.#random() * faults.length)] ?? null;
  }
}

export const PORTAL_PAGE = '<!doctype html><html><head><title>Guest network</title></head><body>Accept the terms to go on.</body></html>';

const ofAnotherType = (value: unknown): unknown => (typeof value === 'string' ? 7 : 'not what it should be');

/** Returns the body with the first member of a name, at any depth, replaced by a value of another type. */
export function withWrongType(body: unknown, { field, value }: { readonly field: string; readonly value?: unknown }): unknown {
  let isDone = false;
  const changed = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(changed);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, before]) => {
        if (isDone || name !== field) return [name, changed(before)];
        isDone = true;
        return [name, value === undefined ? ofAnotherType(before) : value];
      }),
    );
  };
  return changed(body);
}

export interface LoggedRequest {
  readonly method: string;
  /** Path with prefix and query, as it was sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body, as text where it is not JSON; null without one. */
  readonly body: unknown;
  /** Kind of the fault that affected the request. */
  fault: string | null;
  /** Status of the answer; null where none was sent. */
  status: number | null;
}

/** All requests that arrived, in their order. */
export class RequestLog {
  readonly entries: LoggedRequest[] = [];

  add(request: Omit<LoggedRequest, 'fault' | 'status'>): LoggedRequest {
    const entry: LoggedRequest = { ...request, fault: null, status: null };
    this.entries.push(entry);
    return entry;
  }

  clear(): void {
    this.entries.length = 0;
  }

  /** Returns the requests that may change something. */
  writes(): LoggedRequest[] {
    return this.entries.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  }

  /** Returns each request as a line such as `GET /v1/records?limit=5`. */
  lines(): string[] {
    return this.entries.map(({ method, path }) => `${method} ${path}`);
  }

  /** Returns the requests that carried this key in a header, the address or the body. */
  withKey(key: string): LoggedRequest[] {
    return this.entries.filter(({ headers, path, body }) => JSON.stringify([headers, decodeURIComponent(path), body]).includes(key));
  }
}
