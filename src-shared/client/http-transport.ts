import { contract, type Failure } from '../contract/index.ts';
import { pathMembers, queryMembers } from '../contract/operation.ts';
import type { AnswerMeta, Outcome } from '../contract/wire.ts';
import type { Transport } from './client.ts';

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
