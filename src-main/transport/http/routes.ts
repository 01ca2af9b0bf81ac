import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import { contract, type Failure, type Operation, type Surface } from '../../../src-shared/contract/index.ts';
import type { AnswerMeta, Outcome } from '../../../src-shared/contract/wire.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { Log } from '../../platform/ports.ts';
import type { Caller, Dispatch } from '../../service/handler.ts';
import { isKnown, tagOf } from './answer-encoding.ts';
import { createCsvAnswerer, type CsvAnswer, type CsvRequest } from '../csv/csv-answer.ts';
import { prefersCsv } from './accept.ts';
import { nothingHere, pathOf, sendFailure } from './errors.ts';
import { createInputReader } from './input.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns the operations of a surface: the public ones under `/v1`, all of them under `/app`. */
export function operationsOf(surface: Surface): Operation[] {
  return Object.values<Operation>(contract).filter((spec) => surface === 'app' || spec.surface === 'public');
}

/** Registers operations under `prefix`. `callerOf` returns the caller; the guard has admitted the request by then. */
export function registerOperations(
  app: FastifyInstance,
  prefix: '/v1' | '/app',
  operations: readonly Operation[],
  dispatch: Dispatch,
  callerOf: (request: FastifyRequest) => Caller,
  log: Log,
): void {
  const whenUnchanged = createPrecondition(operations, dispatch);
  for (const spec of operations) {
    const read = createInputReader(spec);
    const answerCsv = createCsvAnswerer(spec, dispatch);
    app.route({
      method: spec.method,
      url: `${prefix}${spec.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const query = request.url.slice(pathOf(request).length + 1);
        const input = read({ params: request.params as Record<string, string>, query, body: request.body });
        if (!input.ok) return sendFailure(request, reply, input.error);
        const idempotencyKey = spec.method === 'POST' ? idempotencyKeyOf(request) : success(undefined);
        if (!idempotencyKey.ok) return sendFailure(request, reply, idempotencyKey.error);
        const caller = { ...callerOf(request), idempotencyKey: idempotencyKey.value, gone: goneSignal(reply) };
        if (answerCsv !== null && prefersCsv(request.headers.accept)) {
          return sendCsv(request, reply, spec, await answerCsv(caller, input.value, csvRequest(request)), log);
        }
        const answered = () => dispatch(spec.id, input.value, caller);
        const ifMatch = spec.method === 'GET' ? undefined : request.headers['if-match'];
        if (ifMatch === undefined) return sendOutcome(request, reply, spec, await answered());
        const params = request.params as Record<string, string>;
        return sendOutcome(request, reply, spec, await whenUnchanged({ spec, params, ifMatch, caller }, answered));
      },
    });
  }
}

interface Precondition {
  readonly spec: Operation;
  readonly params: Readonly<Record<string, string>>;
  /** The value of the header, unparsed. */
  readonly ifMatch: string;
  readonly caller: Caller;
}

const CHANGED_SINCE: Failure = {
  code: 'precondition_failed',
  message: 'What this address answers has changed since it was read: read it again, and send the request with the new ETag.',
};
const NOTHING_TO_COMPARE: Failure = {
  code: 'precondition_failed',
  message: 'This address cannot be read, so there is no ETag that If-Match could name: leave the header out.',
};

/**
 * Honours If-Match: a change runs only while its address still answers what the client has read. Requests with the header run one at a time, so that
 * of two changes to the same state one is refused.
 */
function createPrecondition(operations: readonly Operation[], dispatch: Dispatch) {
  const readers = new Map(operations.filter(({ method }) => method === 'GET').map((spec) => [spec.path, spec]));
  let turn: Promise<unknown> = Promise.resolve();
  const checked = async ({ spec, params, ifMatch, caller }: Precondition, change: () => Promise<Outcome<unknown>>) => {
    const reader = readers.get(spec.path);
    if (reader === undefined) return failed(NOTHING_TO_COMPARE);
    const input = createInputReader(reader)({ params, query: '', body: undefined });
    const { idempotencyKey: _key, ...reading } = caller;
    const now = input.ok ? await dispatch(reader.id, input.value, reading) : input;
    // The change itself refuses a missing resource, with its own message.
    if (!now.ok) return now.error.code === 'not_found' ? change() : failed(NOTHING_TO_COMPARE);
    return isKnown(ifMatch, tagOf(JSON.stringify(now.value))) ? change() : failed(CHANGED_SINCE);
  };
  return (asked: Precondition, change: () => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> => {
    const mine = turn.then(() => checked(asked, change));
    turn = mine.catch(() => undefined);
    return mine;
  };
}

/** Returns a signal that aborts when the connection ends, at the latest after the whole answer was sent. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Returns the header Idempotency-Key; undefined where there is none. Fails when it is repeated or its length is wrong. */
function idempotencyKeyOf(request: FastifyRequest): Result<string | undefined, Failure> {
  const given = request.raw.headersDistinct['idempotency-key'] ?? [];
  const [key] = given;
  if (given.length > 1) return failed(wrongKey('is given more than once; give it once'));
  if (key === undefined || (key.length > 0 && key.length <= LIMITS.idempotencyKeyLength)) return success(key);
  return failed(wrongKey(`has ${key.length} characters; give it 1 to ${LIMITS.idempotencyKeyLength}, or leave it out`));
}

function wrongKey(words: string): Failure {
  return { code: 'malformed_header', message: `The header Idempotency-Key ${words}.` };
}

function sendOutcome(request: FastifyRequest, reply: FastifyReply, spec: Operation, outcome: Outcome<unknown>): FastifyReply {
  setMeta(reply, outcome.meta);
  if (!outcome.ok) return sendFailure(request, reply, outcome.error);
  const status = outcome.value === null ? (spec.doneStatus ?? spec.status) : spec.status;
  reply.code(status);
  if (status === 204) return reply.send();
  return reply.type(JSON_TYPE).send(JSON.stringify(outcome.value));
}

function csvRequest(request: FastifyRequest): CsvRequest {
  return { isHead: request.method === 'HEAD', isGone: () => request.raw.socket.destroyed };
}

function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  spec: Operation,
  answer: Result<CsvAnswer, Failure>,
  log: Log,
): FastifyReply {
  if (!answer.ok) return sendFailure(request, reply, answer.error);
  const { lines, notSearched } = answer.value;
  lines.once('error', (error) => log.error('A list could not be sent whole', { request_id: request.id, error: error.message }));
  const name = spec.path.split('/').findLast((part) => /^[a-z_]+$/.test(part)) ?? 'list';
  if (notSearched !== undefined) reply.header('not-searched', String(notSearched));
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(lines);
}

function setMeta(reply: FastifyReply, meta: AnswerMeta | undefined): void {
  if (meta?.location !== undefined) reply.header('location', meta.location);
  if (meta?.replayed === true) reply.header('idempotent-replayed', 'true');
  if (meta?.undo !== undefined) reply.header('x-tieout-undo', `${meta.undo.id} ${encodeURIComponent(meta.undo.label)}`);
  if (meta?.retryAfterSeconds !== undefined) reply.header('retry-after', String(meta.retryAfterSeconds));
}

/** A route of this server, to find the methods that an address accepts. */
export interface KnownAddress {
  readonly method: string;
  /** Path with `{member}` places. */
  readonly path: string;
}

/** Returns the handler where no route matches: 405 with the methods of the address, or 404. It reveals only addresses of the same surface. */
export function createUnrouted(addresses: readonly KnownAddress[]): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const patterns = addresses.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`),
  }));
  return (request, reply) => {
    const path = pathOf(request);
    const allowed = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (allowed.size === 0) return sendFailure(request, reply, nothingHere);
    if (allowed.has('GET')) allowed.add('HEAD');
    const list = [...allowed].toSorted().join(', ');
    return sendFailure(request, reply.header('allow', list), methodFailure(request.method, list));
  };
}

function methodFailure(method: string, allowed: string): Failure {
  return { code: 'method_not_allowed', message: `${method} is not possible at this address; possible: ${allowed}.` };
}
