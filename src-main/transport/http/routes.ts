import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import { contract, type Failure, type Operation, type Surface } from '../../../src-shared/contract/index.ts';
import { pathMembers, queryMembers } from '../../../src-shared/contract/operation.ts';
import type { AnswerMeta, Outcome } from '../../../src-shared/contract/wire.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Log } from '../../platform/ports.ts';
import type { Caller, Dispatch } from '../../service/handler.ts';
import { answersFigure, answersFile, createCsvAnswerer, type CsvAnswer, type CsvRequest } from '../csv/csv-list.ts';
import { isNode, type JsonSchema, jsonSchemaOf } from '../openapi/openapi.ts';
import { unknownFieldFailure } from '../validation/validation.ts';
import { isKnown, namesJson, prefersCsv, tagOf } from './answer-encoding.ts';
import { cellText, nothingHere, pathOf, sendFailure, TEXT_TYPE } from './errors.ts';

/** The parts of an HTTP request: decoded path members, the query string without `?`, and the parsed body (undefined without one). */
export interface HttpParts {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: string;
  readonly body: unknown;
}

type InputReader = (parts: HttpParts) => Result<Readonly<Record<string, unknown>>, Failure>;

type QueryType = 'integer' | 'number' | 'boolean' | 'text';

/**
 * Builds the flat input of an operation from an HTTP request, by the contract alone. It refuses only what dispatch cannot see: a member in the wrong
 * place, a repeated query parameter, a body that is not an object. A query value that does not convert stays text, so that validation names it; `""`
 * is never 0.
 */
export function createInputReader(spec: Operation): InputReader {
  const inPath = new Set(pathMembers(spec.path));
  const inQuery = new Set(queryMembers(spec));
  const known = new Set(Object.keys(spec.input.shape));
  const misplacedInBody = (name: string) => known.has(name) && (inPath.has(name) || inQuery.has(name));
  return ({ params, query, body }) => {
    const fromBody = body === undefined ? {} : body;
    if (!isNode(fromBody)) return failed(notAnObject);
    const broken = brokenParameter(query);
    if (broken !== null) return failed(broken);
    const given = new URLSearchParams(query);
    const repeated = [...given.keys()].find((name, index, names) => names.indexOf(name) !== index);
    if (repeated !== undefined) return failed(repeatedParameter(repeated));
    const misplaced = [
      ...[...given.keys()].filter((name) => !inQuery.has(name) && (known.has(name) || Object.hasOwn(fromBody, name))),
      ...Object.keys(fromBody).filter(misplacedInBody),
    ];
    if (misplaced.length > 0) return failed(unknownFieldFailure(spec, misplaced));
    return success({
      ...fromBody,
      ...Object.fromEntries([...given].map(([name, text]) => [name, converted(text, queryTypesOf(spec).get(name) ?? 'text')])),
      ...Object.fromEntries([...inPath].map((name) => [name, params[name]])),
    });
  };
}

/** Returns the failure of a query whose escapes are not UTF-8: all invalid bytes would decode to the same character. */
function brokenParameter(query: string): Failure | null {
  for (const pair of query.split('&')) {
    const isWhole = pair.match(/(?:%[\da-f]{2})+/gi)?.every(isUtf8) ?? true;
    if (isWhole) continue;
    const [name = ''] = new URLSearchParams(pair).keys();
    const message = phrase('requests.http.parameterNotUtf8');
    return {
      code: 'validation_failed',
      message: phrase('requests.http.parameter', { name, fault: message }),
      errors: [{ path: name, code: 'broken_text', message }],
    };
  }
  return null;
}

function isUtf8(escaped: string): boolean {
  try {
    decodeURIComponent(escaped);
    return true;
  } catch {
    return false;
  }
}

const notAnObject: Failure = {
  code: 'validation_failed',
  message: phrase('requests.http.bodyNotAnObject'),
  errors: [{ path: '', code: 'wrong_type', message: phrase('requests.http.notAnObject') }],
};

function repeatedParameter(name: string): Failure {
  return {
    code: 'validation_failed',
    message: phrase('requests.http.parameterRepeated', { name }),
    errors: [{ path: name, code: 'repeated', message: phrase('requests.http.repeated') }],
  };
}

const knownTypes = new WeakMap<Operation, ReadonlyMap<string, QueryType>>();

/** Returns the types of query members; computed at an operation's first query, which makes the start quicker (`server.ts`). */
function queryTypesOf(spec: Operation): ReadonlyMap<string, QueryType> {
  const known = knownTypes.get(spec);
  if (known !== undefined) return known;
  const { schema } = jsonSchemaOf(spec.input, 'input');
  const properties = isNode(schema.properties) ? schema.properties : {};
  const types = new Map(queryMembers(spec).map((name) => [name, queryType(properties[name])]));
  knownTypes.set(spec, types);
  return types;
}

/** Returns the type of a member. One that accepts text gets it unchanged; an id (text or integer) is such a member. */
function queryType(property: unknown): QueryType {
  const types = new Set(isNode(property) ? typesOf(property) : []);
  if (types.has('string')) return 'text';
  if (types.has('integer')) return 'integer';
  if (types.has('number')) return 'number';
  return types.has('boolean') ? 'boolean' : 'text';
}

function typesOf(schema: JsonSchema): unknown[] {
  const alternatives = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isNode) : []));
  return [schema.type, ...alternatives.flatMap(typesOf)].flat();
}

function converted(text: string, type: QueryType): unknown {
  // Python writes True, and spreadsheets and forms write 1.
  if (type === 'boolean') return /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : text;
  if (type === 'integer') return /^-?[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (type === 'number') return /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text) ? Number(text) : text;
  return text;
}

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
    const answerCsv = createCsvAnswerer(spec);
    app.route({
      method: spec.method,
      url: `${prefix}${spec.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const asked = askedFormat(request, spec, answerCsv !== null);
        if (!asked.ok) return sendFailure(request, reply, asked.error);
        const { query, csv, isText } = asked.value;
        const input = read({ params: request.params as Record<string, string>, query, body: request.body });
        if (!input.ok) return sendFailure(request, reply, input.error);
        const idempotencyKey = spec.method === 'POST' ? idempotencyKeyOf(request) : success(undefined);
        if (!idempotencyKey.ok) return sendFailure(request, reply, idempotencyKey.error);
        const caller = { ...callerOf(request), idempotencyKey: idempotencyKey.value, gone: goneSignal(reply) };
        if (answerCsv !== null && csv !== null) {
          return sendCsv(
            request,
            reply,
            spec,
            await answerCsv(asCaller(dispatch, caller), input.value, { ...csv, ...csvRequest(request) }),
            log,
          );
        }
        const answered = () => dispatch(spec.id, input.value, caller);
        if (isText) return sendText(request, reply, await answered());
        const ifMatch = spec.method === 'GET' ? undefined : request.headers['if-match'];
        if (ifMatch === undefined) return sendOutcome(request, reply, spec, await answered());
        const params = request.params as Record<string, string>;
        return sendOutcome(request, reply, spec, await whenUnchanged({ spec, params, ifMatch, caller }, answered));
      },
    });
  }
}

/**
 * Serves the figures of one reconciliation behind the token of a sheet link, such as `/sheet/TOKEN/open`: as text unless CSV or JSON is asked for. Every
 * refusal is a short text as well, which the cell shows.
 */
export function registerSheetLinks(
  app: FastifyInstance,
  dispatch: Dispatch,
  linkOf: (request: FastifyRequest) => SheetLink,
  log: Log,
): void {
  for (const spec of sheetOperations()) {
    const read = createInputReader(spec);
    const answerCsv = present(createCsvAnswerer(spec), 'the table of a figure');
    app.get(sheetPath(spec).replace('{token}', ':token'), async (request, reply) => {
      const asked = askedFormat(request, spec, true, 'text');
      if (!asked.ok) return sendFailure(request, reply, asked.error);
      const { query, csv, isText } = asked.value;
      const link = linkOf(request);
      const input = read({ params: { id: String(link.reconciliationId) }, query, body: undefined });
      if (!input.ok) return sendFailure(request, reply, input.error);
      const caller = { ...link.caller, gone: goneSignal(reply) };
      if (csv !== null)
        return sendCsv(
          request,
          reply,
          spec,
          await answerCsv(asCaller(dispatch, caller), input.value, { ...csv, ...csvRequest(request) }),
          log,
        );
      const outcome = await dispatch(spec.id, input.value, caller);
      return isText ? sendText(request, reply, outcome) : sendOutcome(request, reply, spec, outcome);
    });
  }
}

/** Returns how a list calls operations for one caller. */
function asCaller(dispatch: Dispatch, caller: Caller): (operation: string, input: unknown) => Promise<Outcome<unknown>> {
  return (operation, input) => dispatch(operation, input, caller);
}

/** The scope of the token of a sheet link: the figures of one reconciliation. */
export interface SheetLink {
  readonly caller: Caller;
  readonly reconciliationId: number;
}

const FIGURES = '/figures/{id}/';

/** Returns the operations that a sheet link reads. */
export function sheetOperations(): Operation[] {
  return operationsOf('public').filter((spec) => answersFigure(spec) && spec.path.startsWith(FIGURES));
}

/** Returns the path of a figure behind a sheet link. */
export function sheetPath({ path }: Pick<Operation, 'path'>): string {
  return `/sheet/{token}/${path.slice(FIGURES.length)}`;
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
  message: phrase('requests.http.changedSinceRead'),
};
const NOTHING_TO_COMPARE: Failure = {
  code: 'precondition_failed',
  message: phrase('requests.http.noETagToCompare'),
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
  if (given.length > 1) return failed(wrongKey(phrase('requests.http.giveOnce')));
  if (key === undefined || (key.length > 0 && key.length <= LIMITS.idempotencyKeyLength)) return success(key);
  return failed(wrongKey(phrase('requests.http.keyLength', { characters: key.length, most: LIMITS.idempotencyKeyLength })));
}

function wrongKey(words: string): Failure {
  return { code: 'malformed_header', message: phrase('requests.http.idempotencyKey', { fault: words }) };
}

function sendOutcome(request: FastifyRequest, reply: FastifyReply, spec: Operation, outcome: Outcome<unknown>): FastifyReply {
  setMeta(reply, outcome.meta);
  if (!outcome.ok) return sendFailure(request, reply, outcome.error);
  const status = outcome.value === null ? (spec.doneStatus ?? spec.status) : spec.status;
  reply.code(status);
  if (status === 204) return reply.send();
  if (answersFile(spec) && request.routeOptions.url?.startsWith('/v1/') === true && !namesJson(request.headers.accept)) {
    return sendFile(reply, outcome.value as FileAnswer);
  }
  return reply.type(JSON_TYPE).send(JSON.stringify(outcome.value));
}

/** Sends the value of a figure alone. Where there is none, a short text says why. */
function sendText(request: FastifyRequest, reply: FastifyReply, outcome: Outcome<unknown>): FastifyReply {
  if (!outcome.ok) return sendFailure(request, reply, outcome.error);
  const { value, no_value: why } = outcome.value as { readonly value: string | null; readonly no_value: string | null };
  return reply.type(TEXT_TYPE).send(value ?? cellText(why ?? 'no value'));
}

/** A file as the contract's operations answer it. */
interface FileAnswer {
  readonly file_name: string;
  readonly content_type: string;
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
}

function sendFile(reply: FastifyReply, { file_name: name, content_type: type, encoding, content }: FileAnswer): FastifyReply {
  const plain = name.replaceAll(/[^\w. ()-]/g, '_');
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(Buffer.from(content, encoding));
}

/** The query of a request as its operation reads it, and how a list is answered. */
interface AskedFormat {
  readonly query: string;
  /** Null for JSON and text. */
  readonly csv: Pick<CsvRequest, 'spreadsheet'> | null;
  readonly isText: boolean;
}

/** Parameters of every list that say how it is written: a spreadsheet cannot send the header Accept, so they count before it. */
const FORMAT_CHOICES: Readonly<Record<string, readonly string[]>> = { format: ['csv', 'json'], text_ids: ['0', '1'] };
/** A figure is written as its value alone as well. */
const FIGURE_CHOICES: typeof FORMAT_CHOICES = { ...FORMAT_CHOICES, format: ['csv', 'json', 'text'] };

/** Returns the query of a request for a list without what says how the list is written. Elsewhere `format` is a member like others. */
function askedFormat(
  request: FastifyRequest,
  spec: Operation,
  isList: boolean,
  usual: 'json' | 'text' = 'json',
): Result<AskedFormat, Failure> {
  const query = request.url.slice(pathOf(request).length + 1);
  if (!isList) return success({ query, csv: null, isText: false });
  const allowed = answersFigure(spec) ? FIGURE_CHOICES : FORMAT_CHOICES;
  const chosen: Record<string, string> = {};
  const rest: string[] = [];
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    const choices = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (choices === undefined) {
      rest.push(pair);
      continue;
    }
    if (Object.hasOwn(chosen, name)) return failed(repeatedParameter(name));
    if (!choices.includes(value)) return failed(unknownChoice(name, choices));
    chosen[name] = value;
  }
  const csv = chosen['format'] === 'csv' ? { spreadsheet: { textIds: chosen['text_ids'] === '1' } } : null;
  const asProgram = usual === 'json' && chosen['format'] === undefined && prefersCsv(request.headers.accept) ? { spreadsheet: null } : null;
  return success({ query: rest.join('&'), csv: csv ?? asProgram, isText: (chosen['format'] ?? usual) === 'text' });
}

function unknownChoice(name: string, choices: readonly string[]): Failure {
  const message = phrase('requests.http.mustBe', { choices: choices.join(' or ') });
  return {
    code: 'validation_failed',
    message: phrase('requests.http.parameter', { name, fault: message }),
    errors: [{ path: name, code: 'wrong_value', message }],
  };
}

function csvRequest(request: FastifyRequest): Omit<CsvRequest, 'spreadsheet'> {
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
  return { code: 'method_not_allowed', message: phrase('requests.http.methodNotAllowed', { method, allowed }) };
}
