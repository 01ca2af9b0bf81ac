import { that } from '../that.ts';
import { ask } from '../../contract/support.ts';
import { publicOperations } from '../coverage.ts';
import type { OperationId } from '../../../src-shared/contract/index.ts';
import type { Line } from '../line.ts';
import { bodyOf, listOf } from '../make.ts';
import type { Service } from '../service.ts';

/** Lists that answer pages, with the limit they take when none is given, and the largest if it is another than 100. */
const PAGES: readonly (readonly [operation: OperationId, path: string, limit: number, most?: number])[] = [
  ['records.list', '/records', 25],
  ['bulk_requests.list', '/bulk_requests', 25],
  ['reconciliations.list', '/reconciliations', 25],
  ['runs.list', '/reconciliations/1/runs', 25],
  ['matches.list', '/reconciliation_matches', 25],
  ['exceptions.list', '/reconciliation_exceptions', 25],
  ['import_batches.list', '/data_streams/bank/import_batches', 100],
  ['import_batches.records', '/import_batches/1/records', 25],
  ['runs.would_be_matches', '/reconciliations/1/runs/2/would_be_matches', 25],
  ['matches.lines', '/reconciliations/1/matched_lines', 25, 500],
];
const BARE = [
  ['streams.list', '/data_streams'],
  ['rules.list', '/reconciliation_rules?reconciliation_id=1'],
  ['bank_accounts.list', '/bank_accounts'],
  ['bank_account_balances.list', '/bank_account_balances?bank_account_id=1'],
  ['property_definitions.list', '/data_stream_property_definitions'],
] as const;
/** What belongs to the live environment, and how another one's key is answered. */
const LIVE_THINGS = [
  ['streams.get', '/data_streams/bank'],
  ['streams.health', '/data_streams/bank/health'],
  ['streams.operation', '/data_streams/spare/operations/1'],
  ['records.get', '/records/1'],
  ['import_batches.get', '/import_batches/1'],
  ['import_batches.records', '/import_batches/1/records'],
  ['import_batches.list', '/data_streams/bank/import_batches'],
  ['bulk_requests.get', '/bulk_requests/1'],
  ['reconciliations.get', '/reconciliations/1'],
  ['rules.get', '/reconciliation_rules/1'],
  ['runs.get', '/reconciliations/1/runs/1'],
  ['runs.list', '/reconciliations/1/runs'],
  ['runs.would_be_matches', '/reconciliations/1/runs/2/would_be_matches'],
  ['matches.get', '/reconciliation_matches/1'],
  ['matches.lines', '/reconciliations/1/matched_lines'],
  ['stories.get', '/reconciliation_stories/1'],
  ['bank_accounts.get', '/bank_accounts/1'],
  ['exceptions.get', '/reconciliation_exceptions/1'],
  ['property_definitions.get', '/data_stream_property_definitions/1'],
] as const;
const LIVE_LISTS = [
  ['streams.list', '/data_streams'],
  ['records.list', '/records'],
  ['bulk_requests.list', '/bulk_requests'],
  ['reconciliations.list', '/reconciliations'],
  ['matches.list', '/reconciliation_matches'],
  ['stories.list', '/reconciliation_stories'],
  ['bank_accounts.list', '/bank_accounts'],
  ['exceptions.list', '/reconciliation_exceptions'],
  ['property_definitions.list', '/data_stream_property_definitions'],
] as const;

/** Pages through a list one item at a time, `step` items from the start. */
async function ids(service: Service, path: string, query: string): Promise<unknown[]> {
  return listOf(await service.get(`${path}?${query}`)).map((item) => item['id'] ?? item['record_id'] ?? item['explanation']);
}

const pages: readonly Line[] = PAGES.flatMap(([operation, path, limit, most = 100]) => [
  {
    id: `page.${operation}`,
    says: `{data, has_more, offset, next_cursor}${operation === 'matches.list' ? ' with total_count' : ''}`,
    operations: [operation],
    async proves(service) {
      const body = bodyOf(await service.get(path), 200);
      const names = ['data', 'has_more', 'next_cursor', 'offset', ...(operation === 'matches.list' ? ['total_count'] : [])];
      that(Object.keys(body).toSorted()).toEqual(names.toSorted());
      that([typeof body['has_more'], body['offset']]).toEqual(['boolean', 0]);
      that((body['data'] as unknown[]).length).toBeLessThanOrEqual(limit);
      that(body['has_more']).toBe(body['next_cursor'] !== null);
    },
  },
  {
    id: `page.${operation}.walk`,
    says: 'limit, offset and cursor lead to the same rows in the same order',
    operations: [operation],
    async proves(service) {
      const all = await ids(service, path, 'limit=3');
      that(await ids(service, path, 'limit=1')).toEqual(all.slice(0, 1));
      that(await ids(service, path, 'limit=2&offset=1')).toEqual(all.slice(1, 3));
      const page = bodyOf(await service.get(`${path}?limit=1`), 200);
      if (all.length <= 1) that(page['next_cursor']).toBeNull();
      else that(typeof page['next_cursor']).toBe('string');
      if (typeof page['next_cursor'] !== 'string') return;
      that(await ids(service, path, `limit=2&cursor=${encodeURIComponent(page['next_cursor'])}`)).toEqual(all.slice(1, 3));
    },
  },
  {
    id: `page.${operation}.limits`,
    says: `limit is 1 to ${most}, offset is not negative`,
    operations: [operation],
    codes: ['validation_failed'],
    async proves(service) {
      for (const query of ['limit=0', `limit=${most + 1}`, 'offset=-1']) {
        that(bodyOf(await service.get(`${path}?${query}`), 422)).toMatchObject({ code: 'validation_failed' });
      }
      that((await service.get(`${path}?limit=${most}`)).status).toBe(200);
    },
  },
]);

const bare: readonly Line[] = BARE.map(([operation, path]) => ({
  id: `bare.${operation}`,
  says: 'a bare array, whole where no part is asked for; limit is 1 to 100',
  operations: [operation],
  async proves(service) {
    const answer = await service.get(path);
    that([answer.status, Array.isArray(answer.json)]).toEqual([200, true]);
    const all = listOf(answer);
    that(all.length).toBeGreaterThan(0);
    const part = (query: string) => service.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
    that(listOf(await part('limit=1'))).toEqual(all.slice(0, 1));
    that(listOf(await part('limit=2&offset=1'))).toEqual(all.slice(1, 3));
    that(listOf(await part('offset=1'))).toEqual(all.slice(1));
    for (const query of ['limit=0', 'limit=101', 'offset=-1']) {
      that(bodyOf(await part(query), 422)).toMatchObject({ code: 'validation_failed' });
    }
  },
}));

const environments: readonly Line[] = [
  ...LIVE_THINGS.map(([operation, path]): Line => ({
    id: `environment.${operation}`,
    says: "another environment's thing is answered as one that does not exist",
    operations: [operation],
    codes: ['not_found'],
    async proves(service) {
      that((await service.get(path)).status).toBe(200);
      that(bodyOf(await service.get(path, { key: 'test' }), 404)).toMatchObject({ code: 'not_found' });
    },
  })),
  ...LIVE_LISTS.map(([operation, path]): Line => ({
    id: `environment.${operation}`,
    says: 'a list covers the environment of the key alone',
    operations: [operation],
    async proves(service) {
      that(listOf(await service.get(path)).length).toBeGreaterThan(0);
      that(listOf(await service.get(path, { key: 'test' }))).toEqual([]);
    },
  })),
];

/** An address of each operation; the members of its path from its example. */
function exampleOf(id: string) {
  const spec = publicOperations.find((each) => each.id === id);
  if (spec === undefined) throw new Error(`no operation ${id}`);
  const path = spec.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => String(spec.example[name]));
  return { method: spec.method, path, hasBody: spec.method === 'POST' || spec.method === 'PUT' || spec.method === 'PATCH' };
}

const keys: readonly Line[] = publicOperations.flatMap((spec): Line[] => {
  const { method, path, hasBody } = exampleOf(spec.id);
  const request = { method, path, headers: {}, body: hasBody ? {} : undefined };
  const id = spec.id as Line['operations'][number];
  return [
    {
      id: `auth.${spec.id}`,
      says: 'needs a key; none and a wrong one are answered alike',
      operations: [id],
      codes: ['unauthorized'],
      async proves(service) {
        const none = bodyOf(await service.send({ ...request, key: 'none' }), 401);
        const wrong = bodyOf(await service.send({ ...request, key: 'wrong' }), 401);
        that(none).toMatchObject({ code: 'unauthorized' });
        that({ ...wrong, request_id: '' }).toEqual({ ...none, request_id: '' });
      },
    },
    ...(spec.permission === 'read'
      ? []
      : [
          {
            id: `permission.${spec.id}`,
            says: 'a key that may only read is refused',
            operations: [id],
            codes: ['permission_denied' as const],
            async proves(service: Service) {
              that(bodyOf(await service.send({ ...request, key: 'read' }), 403)).toMatchObject({ code: 'permission_denied' });
            },
          },
        ]),
  ];
});

const wire: readonly Line[] = [
  {
    id: 'auth.read',
    says: 'a key that may only read can read',
    operations: ['records.list'],
    async proves(service) {
      that((await service.get('/records', { key: 'read' })).status).toBe(200);
    },
  },
  {
    id: 'wire.malformed_json',
    says: 'a body that is no JSON is 400',
    operations: ['records.create'],
    codes: ['malformed_json'],
    async proves(service) {
      that(bodyOf(await service.post('/records', '{"amount":'), 400)).toMatchObject({ code: 'malformed_json' });
    },
  },
  {
    id: 'wire.content_type',
    says: 'a body of another type is 415',
    operations: ['records.create'],
    codes: ['unsupported_media_type'],
    async proves(service) {
      const answer = await service.post('/records', '<record/>', { headers: { 'content-type': 'application/xml' } });
      that(bodyOf(answer, 415)).toMatchObject({ code: 'unsupported_media_type' });
    },
  },
  {
    id: 'wire.body_size',
    says: 'a body over 32 MiB is 413',
    operations: ['records.create'],
    codes: ['payload_too_large'],
    async proves(service) {
      const answer = await service.post('/records', '', { headers: { 'content-length': String(32 * 1024 * 1024 + 1) } });
      that(bodyOf(answer, 413)).toMatchObject({ code: 'payload_too_large', message: that.stringContaining('32 MiB') as string });
    },
  },
  {
    id: 'wire.json_depth',
    says: 'JSON deeper than 32 levels is 422',
    operations: ['records.create'],
    codes: ['validation_failed'],
    async proves(service) {
      const deep = `{"metadata":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`;
      const { message } = bodyOf(await service.post('/records', deep), 422);
      that(message).toContain('deeper than 32 levels');
    },
  },
  {
    id: 'wire.method',
    says: 'another method at an address is 405',
    operations: [],
    codes: ['method_not_allowed'],
    async proves(service) {
      that(bodyOf(await service.remove('/records'), 405)).toMatchObject({ code: 'method_not_allowed' });
    },
  },
  {
    id: 'wire.rate_limit',
    says: 'a key over its limit is 429 with Retry-After',
    operations: ['streams.list'],
    codes: ['rate_limited'],
    async proves({ slow }) {
      const get = () => ask(slow.port, '/v1/data_streams', { headers: { 'x-api-key': slow.apiKey } });
      const answers = [await get(), await get(), await get()];
      that(bodyOf(answers.at(-1) ?? (await get()), 429)).toMatchObject({ code: 'rate_limited' });
      that(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    },
  },
  {
    id: 'wire.origin',
    says: 'a page of a foreign origin is refused',
    operations: [],
    codes: ['origin_not_allowed'],
    async proves(service) {
      const answer = await service.get('/records', { headers: { origin: 'https://evil.example' } });
      that(bodyOf(answer, 403)).toMatchObject({ code: 'origin_not_allowed' });
    },
  },
  {
    id: 'wire.host',
    says: 'a foreign name of the host is refused',
    operations: [],
    codes: ['permission_denied'],
    async proves(service) {
      that((await service.get('/records', { headers: { host: 'evil.example' } })).status).toBe(403);
    },
  },
  {
    id: 'wire.failure',
    says: 'what fails in an unforeseen way is 500 and tells nothing of its inside',
    operations: [],
    codes: ['internal_error'],
    async proves({ failing }) {
      const answer = await ask(failing.port, '/v1/data_streams/any', { headers: { 'x-api-key': failing.apiKey } });
      that(bodyOf(answer, 500)).toMatchObject({ code: 'internal_error' });
      that(answer.text).not.toContain('secret');
    },
  },
  {
    id: 'wire.openapi',
    says: 'GET /v1/openapi.json answers the document, 3.1',
    operations: [],
    async proves(service) {
      const body = bodyOf(await service.get('/openapi.json'), 200);
      that(body['openapi']).toMatch(/^3\.1\./);
    },
  },
  {
    id: 'wire.docs',
    says: '/docs is a page of its own without a key and without assets from outside',
    operations: [],
    async proves({ port }) {
      const answer = await ask(port, '/docs');
      that([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      that(answer.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    },
  },
];

export const conventionLines: readonly Line[] = [...wire, ...keys, ...environments, ...pages, ...bare];
