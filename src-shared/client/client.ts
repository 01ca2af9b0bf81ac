import { type Call, contract, type Failure, type OperationId, type Output } from '../contract/index.ts';
import { pathMembers, queryMembers } from '../contract/operation.ts';
import type { AnswerMeta, Bridge, Outcome } from '../contract/wire.ts';

/**
 * Carries one call to the service and its answer back: the IPC bridge, fetch, or a direct dispatch. Resolves to a failure that the service answers,
 * and rejects when the service cannot be reached. It validates neither `input` nor the answer.
 */
export type Transport = (operation: OperationId, input: Readonly<Record<string, unknown>>) => Promise<Outcome<unknown>>;

/** `client.call('records.list', {...})` resolves to an outcome. `client.get(...)` resolves to the value and throws a `ServiceError` on failure. */
export interface Client {
  call<K extends OperationId>(operation: K, input: Call<K>): Promise<Outcome<Output<K>>>;
  get<K extends OperationId>(operation: K, input: Call<K>): Promise<Output<K>>;
}

/** A failed answer as an exception, for callers that prefer to catch. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Extract<Outcome<unknown>, { ok: false }>['error'];
  constructor(failure: Extract<Outcome<unknown>, { ok: false }>['error']) {
    super(failure.message);
    this.failure = failure;
  }
}

export function createClient(transport: Transport): Client {
  async function call<K extends OperationId>(operation: K, input: Call<K>): Promise<Outcome<Output<K>>> {
    const answer = await transport(operation, input as Readonly<Record<string, unknown>>);
    if (!answer.ok) return answer;
    // Parsing would cost as much as the page; the parity test proves that answers fit their schema.
    return { ...answer, value: answer.value as Output<K> };
  }
  return {
    call,
    async get(operation, input) {
      const answer = await call(operation, input);
      if (!answer.ok) throw new ServiceError(answer.error);
      return answer.value;
    },
  };
}

/** The client's transport over Electron's preload bridge. */
export function createBridgeTransport(bridge: Pick<Bridge, 'request'>): Transport {
  return (operation, input) => bridge.request(operation, input);
}

interface HttpTransportOptions {
  /** Origin with the prefix, without a slash at the end: `http://127.0.0.1:4567/v1` or `/app`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** The renderer, tests and sync pass their own `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  readonly headers?: Readonly<Record<string, string>>;
}

function requestUrl(
  options: HttpTransportOptions,
  spec: (typeof contract)[keyof typeof contract],
  input: Readonly<Record<string, unknown>>,
): string {
  const path = spec.path.replaceAll(/\{([a-z_]+)\}/g, (_, member: string) => encodeURIComponent(String(input[member] ?? '')));
  const query = new URLSearchParams();
  for (const member of queryMembers(spec)) {
    const value = input[member];
    if (value !== undefined && value !== null) query.set(member, String(value));
  }
  const text = query.toString();
  return `${options.baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

function requestBody(spec: (typeof contract)[keyof typeof contract], input: Readonly<Record<string, unknown>>): string | undefined {
  if (spec.method === 'GET' || spec.method === 'DELETE') return undefined;
  const elsewhere = new Set([...pathMembers(spec.path), ...queryMembers(spec)]);
  return JSON.stringify(Object.fromEntries(Object.entries(input).filter(([member]) => !elsewhere.has(member))));
}

function answerMeta(response: Response): AnswerMeta | undefined {
  const location = response.headers.get('location');
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  const undo = readUndo(response.headers.get('x-tieout-undo'));
  if (location === null && !replayed && undo === null) return undefined;
  return { ...(location === null ? {} : { location }), ...(replayed ? { replayed } : {}), ...(undo === null ? {} : { undo }) };
}

/** Returns the id and label of an undoable change from its header: `12 Matched%202%20lines`. */
function readUndo(header: string | null): Required<AnswerMeta>['undo'] | null {
  const [id, label] = header?.split(' ') ?? [];
  return id === undefined || label === undefined ? null : { id: Number(id), label: decodeURIComponent(label) };
}

/** The client's transport over HTTP: `/v1` with a key, or `/app` with the window's secret in `headers`. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  return async (operation, input): Promise<Outcome<unknown>> => {
    const spec = contract[operation];
    const body = requestBody(spec, input);
    const response = await options.fetch(requestUrl(options, spec, input), {
      method: spec.method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const value: unknown = text === '' ? null : JSON.parse(text);
    const meta = answerMeta(response);
    if (response.ok) return { ok: true, value, ...(meta === undefined ? {} : { meta }) };
    const { code, message, errors } = value as Failure;
    return { ok: false, error: { code, message, ...(errors === undefined || errors.length === 0 ? {} : { errors }) } };
  };
}
