import { Agent } from 'node:http';
import { contract, type Operation, type OperationId } from '../../src-shared/contract/index.ts';
import { pathMembers } from '../../src-shared/contract/operation.ts';
import { type Answer, ask } from '../contract/support.ts';

type Method = Operation['method'];
type Key = 'live' | 'read' | 'test' | 'revoked' | 'none' | 'wrong';

interface Request {
  readonly method: Method;
  /** Path and query under /v1. */
  readonly path: string;
  readonly key: Key;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; text is sent as it is. Undefined sends no body. */
  readonly body: unknown;
}
type Options = Partial<Pick<Request, 'key' | 'headers'>>;

/** Another server beside the book's: one that lets few requests through, or one whose handlers all fail. */
interface Side {
  readonly port: number;
  readonly apiKey: string;
}

/** What proofs speak to: `/v1` of a whole backend on the parity book, over HTTP. */
export interface Service {
  readonly send: (request: Request) => Promise<Answer>;
  readonly get: (path: string, options?: Options) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, options?: Options) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, options?: Options) => Promise<Answer>;
  readonly patch: (path: string, body?: unknown, options?: Options) => Promise<Answer>;
  readonly remove: (path: string, options?: Options) => Promise<Answer>;
  /** The operation that is changed on the way, if one is; proofs over many operations then look at this one alone. */
  readonly focus: OperationId | null;
  readonly port: number;
  readonly slow: Side;
  readonly failing: Side;
  /** A rule that waits for a review; every call answers the next one. */
  readonly proposedRule: () => number;
  /** A word that was not used before. */
  readonly unique: (word: string) => string;
  /** Lets time go on for what starts by itself; the clock stands still. */
  readonly pass: (milliseconds: number) => void;
  /** Meanwhile work in the background goes on in its smallest steps, each within a turn of the event loop. */
  readonly slowly: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs that start meanwhile do nothing until it is over. */
  readonly held: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Ground extends Rest {
  readonly keys: Readonly<Record<'live' | 'read' | 'test' | 'revoked', string>>;
}

export function serviceOn(ground: Ground): Service {
  // No line looks at connections: one of its own for each of thousands of requests would only take time.
  const agent = new Agent({ keepAlive: true });
  const send = async ({ method, path, key, headers, body }: Request): Promise<Answer> => {
    const apiKey = key === 'none' ? null : key === 'wrong' ? 'tieout_live_wrong' : ground.keys[key];
    return ask(ground.port, `/v1${path}`, {
      agent,
      method,
      headers: {
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  };
  return withSend(send, null, ground);
}

type Rest = Pick<Service, 'port' | 'slow' | 'failing' | 'proposedRule' | 'unique' | 'pass' | 'slowly' | 'held'>;

function withSend(send: Service['send'], focus: OperationId | null, rest: Rest): Service {
  const call = (method: Method, path: string, body: unknown, { key = 'live', headers = {} }: Options = {}) =>
    send({ method, path, key, headers, body });
  const { port, slow, failing, proposedRule, unique, pass, slowly, held } = rest;
  return {
    send,
    focus,
    port,
    slow,
    failing,
    proposedRule,
    unique,
    pass,
    slowly,
    held,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    remove: (path, options) => call('DELETE', path, undefined, options),
  };
}

/** A fault. `near` is a part of the id of lines that are likely to find it, which are tried first. */
export interface Mutation {
  readonly name: string;
  readonly near: string;
  readonly operation: OperationId;
  readonly request?: (request: Request) => Request;
  readonly answer?: (answer: Answer) => Answer;
}

/** The service with one operation changed on its way to the client. */
export function mutated(service: Service, { operation, request, answer }: Omit<Mutation, 'name' | 'near'>): Service {
  const send = async (given: Request): Promise<Answer> => {
    if (operationOf(given.method, given.path) !== operation) return service.send(given);
    const answered = await service.send(request === undefined ? given : request(given));
    return answer === undefined ? answered : answer(answered);
  };
  return withSend(send, operation, service);
}

/** Public operations, those without members in their path first, since `/records/bulk` is no `/records/{id}`. */
const PATTERNS = Object.values<Operation>(contract)
  .filter((spec) => spec.surface === 'public')
  .toSorted((left, right) => pathMembers(left.path).length - pathMembers(right.path).length)
  .map((spec) => ({ spec, pattern: new RegExp(`^${spec.path.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`) }));

function operationOf(method: Method, path: string): OperationId | null {
  const [address = ''] = path.split('?');
  const found = PATTERNS.find(({ spec, pattern }) => spec.method === method && pattern.test(address));
  return found === undefined ? null : (found.spec.id as OperationId);
}
