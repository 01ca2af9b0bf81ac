import { listShapeOf } from '../../src-main/transport/csv/csv-list.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNode, type JsonSchema } from '../../src-main/transport/openapi/json-schema.ts';
import { openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
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
    const body = operation['requestBody'] as { content: Record<string, { schema: { properties: object } }> } | undefined;
    const inBody = Object.keys(body?.content['application/json']?.schema.properties ?? {});
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
    const body = paths['/reconciliation_rules']?.['post']?.['requestBody'];
    expect(references(body)).toEqual(['#/components/schemas/RuleGroupInput']);
    expect(references(resolved('#/components/schemas/Rule'))).toEqual(['#/components/schemas/RuleGroup']);
  });
});

describe('GET /v1/openapi.json', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ version: '1.2.3' });
  });
  afterAll(() => server.close());

  it('answers the document to a key', async () => {
    const answer = await ask(server.port, '/v1/openapi.json', { headers: { 'x-api-key': 'stored-read' } });
    expect(answer.json).toEqual(document);
  });
});
