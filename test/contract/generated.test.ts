import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonSchema, openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
import { ERRORS } from '../../src-shared/contract/index.ts';
import { nearly } from '../support/inputs/schema-arbitraries.ts';
import { drawn } from '../support/long.ts';
import { createParityBook, type ParityBook } from './parity-book.ts';
import { type Answer, ask, jsonHeaders } from './support.ts';

const SEED = 20_260_701;
const REQUESTS = 40;
const WITHOUT_LIMITS = { requestsPerSecond: 1_000_000, requestBurst: 1_000_000, wrongKeysAtOnce: 1_000_000 };

const document = JSON.parse(JSON.stringify(openApiDocument('0.0.0'))) as JsonSchema;
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema; readonly example: JsonSchema } };
  };
  readonly responses: Readonly<Record<string, { readonly content?: JsonSchema }>>;
}
const operations = Object.entries(document['paths'] as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
);

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A query or path member as text; the example stands for itself half of the time, so that requests reach what there is. */
function memberText({ schema, example }: Parameter): fc.Arbitrary<string> {
  const generated = nearly(schema, document).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed());
  return example === undefined ? generated : fc.oneof(fc.constant(String(example)), generated);
}

function inPathOf({ parameters }: Described): fc.Arbitrary<Record<string, string>> {
  const inPath = parameters.filter((each) => each.in === 'path');
  return fc.record(Object.fromEntries(inPath.map((each) => [each.name, memberText(each)])));
}

const NONSENSE: Parameter = { name: 'nonsense', in: 'query', required: false, schema: {} };

/** A few members at a time: with all of them, one would be wrong nearly always. */
function inQueryOf({ parameters }: Described): fc.Arbitrary<Record<string, string>> {
  const inQuery = [...parameters.filter((each) => each.in === 'query'), NONSENSE];
  return fc
    .subarray(inQuery, { maxLength: Math.min(3, inQuery.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((each) => [each.name, memberText(each)]))));
}

function bodyOf(described: Described): fc.Arbitrary<unknown> {
  const content = described.requestBody?.content['application/json'];
  if (content === undefined) return fc.constantFrom(undefined, {}, { nonsense: 1 }, [], null, 'text');
  const { schema, example } = content;
  // The schema of a body is a component.
  const component = String(schema['$ref']).split('/').at(-1) ?? '';
  const { properties } = (document['components'] as { schemas: Record<string, { properties: JsonSchema }> }).schemas[component] ?? {
    properties: {},
  };
  const oneWrong = fc
    .constantFrom('nonsense', ...Object.keys(properties))
    .chain((name) => nearly(properties[name], document).map((value) => ({ ...example, [name]: value })));
  const oneMissing = fc
    .constantFrom('', ...Object.keys(example))
    .map((name) => Object.fromEntries(Object.entries(example).filter(([each]) => each !== name)));
  return fc.oneof(oneWrong, oneMissing, nearly(schema, document));
}

function request(path: string, described: Described): fc.Arbitrary<Sent> {
  return (
    fc
      .record({
        inPath: inPathOf(described),
        inQuery: inQueryOf(described),
        body: bodyOf(described),
        accept: fc.constantFrom('application/json', 'text/csv', 'application/problem+json'),
        key: fc.constantFrom('', 'one', 'two', 'x'.repeat(256)),
      })
      .map(({ inPath, inQuery, body, accept, key }) => {
        const address = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
        const query = new URLSearchParams(inQuery);
        return {
          path: `/v1${address}${query.size === 0 ? '' : `?${query.toString()}`}`,
          headers: { accept, ...(key === '' ? {} : { 'idempotency-key': key }) },
          body: body === undefined ? null : JSON.stringify(body),
        };
      })
      // A dot or nothing as a member makes another address.
      .filter(({ path: made }) => !/\/\.{0,2}(?:[/?]|$)/.test(made) && made.length < 15_000)
  );
}

/** What is wrong with an answer, whatever it was an answer to. */
function faultsOf(described: Described, { status, headers, json, text }: Answer): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push(`status ${status}: ${text}`);
  if (!(String(status) in described.responses)) faults.push(`status ${status} is not in the document`);
  const type = (headers['content-type'] ?? '').replace(/;.*/, '');
  const types = Object.keys(described.responses[status]?.content ?? {});
  if (type !== '' && !types.includes(type) && !types.includes('*/*')) faults.push(`status ${status} with ${type} is not in the document`);
  if (status < 400) return faults;
  if (type === 'text/plain') return /^#TIEOUT! \S[\s\S]*\.$/.test(text) ? faults : [...faults, `no sentence for a cell: ${text}`];
  if (!(String(json?.['code']) in ERRORS)) faults.push(`unknown code ${String(json?.['code'])}`);
  if (!/^\S[\s\S]*\.$/.test(String(json?.['message']))) faults.push(`no sentence: ${String(json?.['message'])}`);
  if (json?.['request_id'] !== headers['x-request-id']) faults.push('another request id');
  return faults;
}

describe('requests made of the OpenAPI document, right, at the bounds and wrong, never make Tieout fail', () => {
  let book: ParityBook;
  beforeAll(async () => {
    book = await createParityBook();
  });
  afterAll(() => book.remove());

  const named = operations.map((each) => [each.described.operationId, each] as const);
  it.each(drawn(named, 9, ([id]) => id))('%s', async (_, { path, method, described }) => {
    const backend = await book.open();
    const server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits: WITHOUT_LIMITS });
    const port = Number(new URL(server.baseUrl).port);
    const statuses = new Set<number>();
    try {
      await fc.assert(
        fc.asyncProperty(request(path, described), async ({ path: address, headers, body }) => {
          const given = method === 'GET' ? null : body;
          // Node's client counts the bytes for some methods alone.
          const length: Record<string, string> = given === null ? {} : { 'content-length': String(Buffer.byteLength(given)) };
          const sent = { ...jsonHeaders(server.apiKey), ...headers, ...length };
          const answer = await ask(port, address, { method, headers: sent, ...(given === null ? {} : { body: given }) });
          statuses.add(answer.status);
          expect(faultsOf(described, answer)).toEqual([]);
        }),
        { numRuns: REQUESTS, seed: SEED, endOnFailure: true },
      );
    } finally {
      await server.close();
      await backend.close();
    }
    // Requests that are all refused at the door would prove little.
    expect([...statuses].some((status) => status < 300 || status === 409)).toBe(true);
    expect([...statuses].some((status) => status >= 400)).toBe(true);
  });
});
