import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listShapeOf } from '../../src-main/transport/csv/csv-list.ts';
import { isNode, type JsonSchema, openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
import { COMMON_ERRORS, contract, ERRORS, type Operation } from '../../src-shared/contract/index.ts';
import { pathMembers } from '../../src-shared/contract/operation.ts';
import { ask, startTestServer, type TestServer } from './support.ts';

const document = openApiDocument('1.2.3');
const paths = document['paths'] as Record<string, Record<string, JsonSchema>>;
const operations = Object.values<Operation>(contract);
const publicOperations = operations.filter((spec) => spec.surface === 'public');

/** The node at a reference such as `#/components/schemas/Run`. */
function resolved(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), document);
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === '$ref' ? [String(member)] : references(member)));
}

describe('the OpenAPI document', () => {
  it('is 3.1 with the key as its security', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Tieout', version: '1.2.3' },
      security: [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } },
    });
  });

  it('has the public operations and no others', () => {
    const documented = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation['operationId']));
    expect(documented.toSorted()).toEqual(publicOperations.map((spec) => spec.id).toSorted());
  });

  it.each(publicOperations.map((spec) => [spec.id, spec] as const))('%s has its members, answers and error codes', (_, spec) => {
    const operation = paths[spec.path]?.[spec.method.toLowerCase()] ?? {};
    const parameters = operation['parameters'] as { name: string; in: string; required: boolean }[];
    const body = operation['requestBody'] as { content: Record<string, { schema: { $ref: string } }> } | undefined;
    const reference = body?.content['application/json']?.schema.$ref;
    const inBody = reference === undefined ? [] : Object.keys((resolved(reference) as { properties: object }).properties);
    expect([...parameters.filter((each) => each.in !== 'header').map(({ name }) => name), ...inBody].toSorted()).toEqual(
      [...Object.keys(spec.input.shape), ...(listShapeOf(spec) === null ? [] : ['format', 'text_ids'])].toSorted(),
    );
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(pathMembers(spec.path));
    expect(parameters.filter((each) => each.in === 'header').map(({ name }) => name)).toEqual(
      spec.method === 'POST' ? ['Idempotency-Key'] : spec.method === 'GET' ? [] : ['If-Match'],
    );
    const responses = operation['responses'] as Record<string, { 'x-codes'?: string[]; content?: object }>;
    expect(responses[spec.status]?.content === undefined).toBe(spec.status === 204);
    for (const code of [...COMMON_ERRORS, ...spec.errors]) expect(responses[ERRORS[code].status]?.['x-codes']).toContain(code);
    const hasMismatch = responses['422']?.['x-codes']?.includes('idempotency_mismatch') ?? false;
    expect(hasMismatch).toBe(spec.method === 'POST' && spec.idempotency !== 'own');
  });

  it('refers only to components that it has', () => {
    const all = new Set(references(document));
    expect(all.size).toBeGreaterThan(10);
    expect([...all].filter((reference) => !isNode(resolved(reference)))).toEqual([]);
  });

  it('tells both statuses of what is either done at once or started', () => {
    const responses = paths['/data_streams/{key}']?.['delete']?.['responses'] as Record<string, { content?: object }>;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['202', '204']));
    expect(responses['204']?.content).toBeUndefined();
    expect(JSON.stringify(responses['202']?.content)).toBe(
      JSON.stringify({ 'application/json': { schema: { $ref: '#/components/schemas/DataStreamOperation' } } }),
    );
  });

  it('keeps what is sent apart from what is answered', () => {
    expect(references(paths['/reconciliation_rules']?.['post']?.['requestBody'])).toEqual(['#/components/schemas/RulesCreateRequest']);
    expect(references(resolved('#/components/schemas/RulesCreateRequest'))).toEqual(['#/components/schemas/RuleGroupInput']);
    expect(references(resolved('#/components/schemas/Rule'))).toEqual(['#/components/schemas/RuleGroup']);
  });
});

describe('GET /v1/openapi.json', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ version: '1.2.3' });
  });
  afterAll(() => server.close());

  const server31 = () => openApiDocument('1.2.3', '3.1', `http://127.0.0.1:${server.port}/v1`);

  it.each([
    ['/v1/openapi.json', '3.1.0'],
    ['/v1/openapi-3.0.json', '3.0.3'],
  ])('%s needs no key, and names the address of the server', async (address, version) => {
    const { status, json } = await ask(server.port, address);
    expect([status, json?.['openapi']]).toEqual([200, version]);
    expect(json?.['servers']).toEqual([{ url: `http://127.0.0.1:${server.port}/v1` }]);
  });

  it('is the document of the contract', async () => {
    expect((await ask(server.port, '/v1/openapi.json')).json).toEqual(JSON.parse(JSON.stringify(server31())));
  });
});

describe('what clients are generated of', () => {
  const schemas = document['components'] as { schemas: Record<string, unknown> };

  it('hides no word of a language, and doubles no suffix', () => {
    const names = Object.keys(schemas.schemas);
    expect(names).toContain('StreamRecord');
    expect(names.filter((name) => ['Record', 'Object', 'Map', 'Error', 'Function'].includes(name) || name.endsWith('InputInput'))).toEqual(
      [],
    );
  });

  it('has a name for each body', () => {
    const bodies = Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => operation['requestBody'] ?? []));
    expect(bodies.length).toBeGreaterThan(30);
    for (const body of bodies) expect(references(body)).toHaveLength(1);
  });

  it('has a name for each answer', () => {
    const answers = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => {
        const each = Object.values(operation['responses'] as Record<string, { content?: Record<string, { schema: JsonSchema }> }>);
        return each.flatMap(({ content }): JsonSchema[] =>
          content?.['application/json'] === undefined ? [] : [content['application/json'].schema],
        );
      }),
    );
    expect(answers.length).toBeGreaterThan(500);
    expect(answers.filter((schema) => schema['$ref'] === undefined)).toEqual([]);
  });

  it('has a list of two where the contract has a pair, and a limit for each list', () => {
    const { sides } = (resolved('#/components/schemas/StatementDocument') as { properties: Record<string, JsonSchema> }).properties;
    expect(sides).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/StatementSide' }, minItems: 2, maxItems: 2 });
    // The tables of a figure have a row for each age, side or account.
    const lists = publicOperations.filter((spec) => listShapeOf(spec) !== null && !spec.path.startsWith('/figures/'));
    expect(lists.length).toBeGreaterThan(15);
    expect(lists.filter((spec) => !('limit' in spec.input.shape)).map((spec) => spec.id)).toEqual([]);
  });

  it('promises the header Location only where there is an address', () => {
    const headersOf = (path: string, status: string) => {
      const responses = paths[path]?.['post']?.['responses'] as Record<string, { headers?: object }> | undefined;
      return Object.keys(responses?.[status]?.headers ?? {});
    };
    expect(headersOf('/bank_accounts', '201')).toContain('Location');
    expect(headersOf('/bank_account_balances', '201')).not.toContain('Location');
  });

  it('has integers of answers as int64 without the bounds of a JavaScript number', () => {
    const { amount } = (resolved('#/components/schemas/StreamRecord') as { properties: Record<string, JsonSchema> }).properties;
    expect(amount).toMatchObject({ type: 'integer', format: 'int64', minimum: 0 });
    expect(amount).not.toHaveProperty('maximum');
  });

  it('has amounts that are sent as int64, with the bounds that are held', () => {
    const { amount } = (resolved('#/components/schemas/RecordsCreateRequest') as { properties: Record<string, JsonSchema> }).properties;
    expect(amount).toMatchObject({ type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER });
  });

  it('has no word of 3.1 in 3.0', () => {
    const text = JSON.stringify(openApiDocument('1.2.3', '3.0'));
    const words = ['"prefixItems"', '"const"', '"type":"null"', '"type":[', '"$defs"', '"propertyNames"'];
    expect(words.filter((word) => text.includes(word))).toEqual([]);
  });
});
