import { that } from '../that.ts';
import type { Operation } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { publicOperations } from '../coverage.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, listOf, newMatch, newPair, newRecord, newRule, newStream } from '../make.ts';
import type { Service } from '../service.ts';

type OperationId = Line['operations'][number];

/** The example of an operation as a request, with one member more that nobody knows. */
function withUnknown(spec: Operation) {
  const inPath = pathMembers(spec.path);
  const path = spec.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => String(spec.example[name]));
  const rest = Object.entries(spec.example).filter(([name]) => !inPath.includes(name));
  const isQuery = spec.method === 'GET' || spec.method === 'DELETE';
  if (!isQuery) return { method: spec.method, path, body: { ...Object.fromEntries(rest), surprise: 1 } };
  const query = [...rest.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`), 'surprise=1'];
  return { method: spec.method, path: `${path}?${query.join('&')}`, body: undefined };
}

const unknown: readonly Line[] = publicOperations.map((spec) => ({
  id: `unknown.${spec.id}`,
  says: 'an unknown field or parameter is 422 naming it',
  operations: [spec.id as OperationId],
  codes: ['unknown_field'],
  async proves(service) {
    const { method, path, body } = withUnknown(spec);
    const refused = bodyOf(await service.send({ method, path, key: 'live', headers: {}, body }), 422);
    that(refused).toMatchObject({ code: 'unknown_field', errors: [{ path: 'surprise' }] });
    that(refused['message']).toContain('surprise');
  },
}));

/** What is answered of a record that is made with these fields, at the edge of what is allowed. */
const EDGES: readonly [name: string, given: Body, expected?: Body][] = [
  ['amount', { amount: Number.MAX_SAFE_INTEGER, direction: 'debit' }],
  ['description', { amount: 1, description: 'd'.repeat(2_000) }],
  ['external_id', { amount: 1, external_id: 'e'.repeat(255) }],
  ['metadata.key', { amount: 1, metadata: { ['k'.repeat(100)]: [1, { deep: null }] } }],
  ['metadata.size', { amount: 1, metadata: { note: 'n'.repeat(16_384 - '{"note":""}'.length) } }],
  ['currency.unknown', { amount: 1, currency: 'xqz' }, { currency: 'XQZ', decimal_places: 2 }],
  ['date.leap', { amount: 1, date: '2024-02-29' }],
];

const edges: readonly Line[] = EDGES.map(([name, given, expected]) => ({
  id: `record.edge.${name}`,
  says: 'up to the limit it is taken, and answered as it was given',
  operations: ['records.create', 'records.get'],
  async proves(service) {
    const { key } = await newStream(service);
    const made = bodyOf(await service.post('/records', { data_stream_key: key, date: '2026-06-10', ...given }), 201);
    that(bodyOf(await service.get(`/records/${String(made['id'])}`), 200)).toMatchObject({ ...given, ...expected });
  },
}));

const ids: readonly Line[] = [
  {
    id: 'ids.body',
    says: 'ids in a body are text of digits or integers; anything else is 422, and so is one that does not exist',
    operations: ['matches.create', 'rules.create'],
    codes: ['validation_failed', 'unknown_reference'],
    async proves(service) {
      const pair = await newPair(service);
      for (const id of [pair.id, String(pair.id)]) {
        const body = { reconciliation_id: id, filters: { rules: [{ key: 'amount', value: 'amount' }] } };
        that(bodyOf(await service.post('/reconciliation_rules', body), 201)).toMatchObject({ reconciliation_id: pair.id });
      }
      const [left, right] = [await newRecord(service, pair.a.key), await newRecord(service, pair.b.key)];
      for (const reconciliation_id of ['one', 1.5, -1, '', null, '1e1']) {
        const refused = await service.post('/reconciliation_matches', { reconciliation_id, record_ids: [left['id'], right['id']] });
        that(bodyOf(refused, 422), String(reconciliation_id)).toMatchObject({ errors: [{ path: 'reconciliation_id' }] });
      }
      const made = { reconciliation_id: pair.id, record_ids: [left['id'], String(right['id'])] };
      that((await service.post('/reconciliation_matches', made)).status).toBe(201);
    },
  },
  {
    id: 'ids.path',
    says: 'anything but digits in a path is 404',
    operations: ['records.get', 'matches.get', 'rules.update'],
    codes: ['not_found'],
    async proves(service) {
      for (const path of ['/records/1.5', '/records/-1', '/records/0x1', '/reconciliation_matches/one']) {
        that(bodyOf(await service.get(path), 404), path).toMatchObject({ code: 'not_found' });
      }
      that((await service.patch('/reconciliation_rules/one', { priority: 1 })).status).toBe(404);
    },
  },
  {
    id: 'stream.key.environments',
    says: 'a key is unique in its environment alone; up to 100 of its letters are taken, and it never changes',
    operations: ['streams.create', 'streams.update'],
    codes: ['key_taken'],
    async proves(service) {
      const key = service.unique(`0_${'a.b'.repeat(25)}`).padEnd(100, 'z');
      bodyOf(await service.post('/data_streams', { key, name: 'Long' }), 201);
      that(bodyOf(await service.post('/data_streams', { key, name: 'Again' }), 422)).toMatchObject({ code: 'key_taken' });
      const other = await service.post('/data_streams', { key, name: 'Other' }, { key: 'test' });
      await service.remove(`/data_streams/${key}`, { key: 'test' });
      that(bodyOf(other, 201)).toMatchObject({ key });
      that((await service.patch(`/data_streams/${key}`, { type: 'csv' })).status).toBe(422);
      that((await service.get(`/data_streams/${key}`)).status).toBe(200);
    },
  },
  {
    id: 'auth.revoked',
    says: 'a revoked key is answered as one that never was',
    operations: ['streams.list', 'records.create'],
    codes: ['unauthorized'],
    async proves(service) {
      for (const path of ['/data_streams', '/records/1', '/reconciliation_stories']) {
        const revoked = bodyOf(await service.get(path, { key: 'revoked' }), 401);
        const wrong = bodyOf(await service.get(path, { key: 'wrong' }), 401);
        that({ ...revoked, request_id: '' }).toEqual({ ...wrong, request_id: '' });
      }
      that(bodyOf(await service.post('/records', {}, { key: 'revoked' }), 401)).toMatchObject({ code: 'unauthorized' });
    },
  },
];

const stories: readonly Line[] = [
  {
    id: 'story.refused',
    says: 'a link that is no link of the chain is refused: a foreign stream, a gap, an origin that is not first',
    operations: ['stories.create'],
    codes: ['invalid_story'],
    async proves(service) {
      const [first, second] = [await newPair(service), await newPair(service)];
      const origin = { reconciliation_id: String(first.id), position: 1, role: 'origin' };
      const next = { reconciliation_id: String(first.id), position: 2, role: 'continuation', shared_data_stream_id: String(first.a.id) };
      const story = (links: readonly Body[]) => service.post('/reconciliation_stories', { name: 'Chain', links });
      that((await story([origin, next])).status).toBe(201);
      for (const link of [
        { ...next, reconciliation_id: String(second.id) },
        { ...next, shared_data_stream_id: String(second.a.id) },
        { ...next, position: 3 },
        { ...next, role: 'origin' },
      ]) {
        that(bodyOf(await story([origin, link]), 422), JSON.stringify(link)).toMatchObject({ code: 'invalid_story' });
      }
      that((await story([{ ...origin, shared_data_stream_id: String(first.a.id) }])).status).toBe(422);
      that((await story([{ ...origin, role: 'end' }])).status).toBe(422);
    },
  },
  {
    id: 'story.delete.unlinks',
    says: 'deleting a story keeps its reconciliations; deleting a reconciliation takes its rules and links with it',
    operations: ['stories.remove', 'reconciliations.remove', 'rules.get', 'stories.get'],
    async proves(service) {
      const pair = await newPair(service);
      const rule = await newRule(service, pair);
      const links = [{ reconciliation_id: String(pair.id) }];
      const made: Body[] = [];
      for (const name of ['One', 'Two']) made.push(bodyOf(await service.post('/reconciliation_stories', { name, links }), 201));
      that((await service.remove(`/reconciliation_stories/${String(made[0]?.['id'])}`)).status).toBe(204);
      that((await service.get(`/reconciliations/${pair.id}`)).status).toBe(200);
      that((await service.remove(`/reconciliations/${pair.id}`)).status).toBe(204);
      that((await service.get(`/reconciliation_rules/${String(rule['id'])}`)).status).toBe(404);
      that(bodyOf(await service.get(`/reconciliation_stories/${String(made[1]?.['id'])}`), 200)).toMatchObject({ links: [] });
    },
  },
];

const rules: readonly Line[] = [
  {
    id: 'rule.priority.default',
    says: 'priority is the highest plus 10',
    operations: ['rules.create'],
    async proves(service) {
      const pair = await newPair(service);
      await newRule(service, pair, { priority: 35 });
      await newRule(service, pair, { priority: 5 });
      that((await newRule(service, pair))['priority']).toBe(45);
    },
  },
  {
    id: 'rule.defaults',
    says: 'outcome is match; unique, best and interchangeable count at once; group_by_kind is date, many_side a',
    operations: ['rules.create', 'rules.update'],
    async proves(service) {
      const pair = await newPair(service);
      const rule = await newRule(service, pair);
      that(rule).toMatchObject({ outcome: 'match', commit_certainty: ['unique', 'best', 'interchangeable'], cardinality: 'one_to_one' });
      const path = `/reconciliation_rules/${String(rule['id'])}`;
      const rollup = { lookback_days: 3, date_field: 'date' };
      const many = bodyOf(await service.patch(path, { cardinality: 'many_to_one', group_by: ['date'], rollup }), 200);
      that(many).toMatchObject({
        cardinality: 'many_to_one',
        group_by: ['date'],
        rollup: { ...rollup, group_by_kind: 'date', many_side: 'a' },
      });
      that(bodyOf(await service.patch(path, { cardinality: 'many_to_one', priority: 3 }), 200), 'the stored rollup stands').toMatchObject({
        priority: 3,
        rollup,
      });
    },
  },
];

const records: readonly Line[] = [
  {
    id: 'bulk.item.forms',
    says: 'date, data_stream_key and amount are all that an item needs; it may say its direction and decimal_places; the sign rule holds',
    operations: ['bulk_requests.create', 'bulk_requests.get'],
    async proves(service) {
      const { key } = await newStream(service);
      const item = { data_stream_key: key, date: '2026-06-10', amount: 5 };
      const { date: _date, ...undated } = item;
      const { amount: _amount, ...unpriced } = item;
      const { data_stream_key: _key, ...homeless } = item;
      const wrong = [
        undated,
        unpriced,
        homeless,
        { ...item, amount: 0 },
        { ...item, amount: -5, direction: 'debit' },
        { ...item, surprise: 1 },
      ];
      const right = [item, { ...item, direction: 'debit', decimal_places: 4 }, { ...item, amount: -7 }];
      const request = await bulk(service, [...wrong, ...right, 'no object']);
      that(request).toMatchObject({ status: 'completed', successful_items: 3, failed_items: 7 });
      const results = (request['results'] as Body)['data'] as Body[];
      that(results.map((result) => ((result['error'] as Body | null)?.['errors'] as Body[] | undefined)?.[0]?.['path'])).toEqual([
        'date',
        'amount',
        'data_stream_key',
        'amount',
        'amount',
        'surprise',
        undefined,
        undefined,
        undefined,
        '',
      ]);
      const made = listOf(await service.get(`/records?data_stream_key=${key}&sort=created_at`)).toReversed();
      that(made.toSorted((left, right_) => Number(left['id']) - Number(right_['id']))).toMatchObject([
        { amount: 5, direction: 'credit', currency: 'USD', decimal_places: 2 },
        { amount: 5, direction: 'debit', decimal_places: 4 },
        { amount: 7, direction: 'debit' },
      ]);
    },
  },
  {
    id: 'bulk.first_valid',
    says: 'of items with one external_id the first valid one wins; other content is told with both values, under error too',
    operations: ['bulk_requests.create', 'bulk_requests.get'],
    async proves(service) {
      const { key } = await newStream(service);
      const item = { data_stream_key: key, date: '2026-06-10', amount: 5, external_id: 'X' };
      const request = await bulk(service, [{ ...item, date: 'soon' }, item, { ...item, amount: 6 }, item]);
      that(request).toMatchObject({ successful_items: 1, failed_items: 1, skipped_items: 2 });
      const [, first, other, same] = (request['results'] as Body)['data'] as Body[];
      that(first).toMatchObject({ status: 'successful', error: null });
      that(other).toMatchObject({
        status: 'skipped',
        record_id: first?.['record_id'],
        error: { code: 'same_id_other_content', differences: [{ field: 'amount', existing: 5, given: 6 }] },
      });
      that(same).toMatchObject({ status: 'skipped', record_id: first?.['record_id'], error: null });
      const strict = await bulk(service, [{ ...item, amount: 6 }], { on_conflict: 'error' });
      that(((strict['results'] as Body)['data'] as Body[])[0]).toMatchObject({
        status: 'failed',
        error: { code: 'same_id_other_content', differences: [{ field: 'amount', existing: 5, given: 6 }] },
      });
    },
  },
  {
    id: 'records.sort.ties',
    says: 'ties are settled by the newest first, and bounds of dates and amounts are inclusive together',
    operations: ['records.list'],
    async proves(service) {
      const { key } = await newStream(service);
      const made = [await newRecord(service, key), await newRecord(service, key), await newRecord(service, key)].map(({ id }) => id);
      for (const sort of ['-created_at', '-date', '-amount', 'created_at', 'date', 'amount']) {
        const listed = listOf(await service.get(`/records?data_stream_key=${key}&sort=${sort}`)).map(({ id }) => id);
        that(listed, sort).toEqual(made.toReversed());
      }
      const query = 'date_from=2026-06-10&date_to=2026-06-10&amount_min=1250&amount_max=1250&direction=credit&currency=gbp';
      that(listOf(await service.get(`/records?data_stream_key=${key}&${query}`)).length).toBe(3);
    },
  },
  {
    id: 'overdue.agree',
    says: 'a reconciliation in the body agrees with the one in the path; overdue speaks of the named reconciliation',
    operations: ['reconciliations.mark_overdue', 'records.list', 'records.totals'],
    codes: ['validation_failed'],
    async proves(service) {
      const [pair, other] = [await newMatch(service), await newPair(service)];
      const record = await newRecord(service, pair.a.key);
      const path = `/reconciliations/${pair.id}/records/${String(record['id'])}/mark_overdue`;
      that((await service.post(path, { reconciliation_id: other.id })).status).toBe(422);
      that(bodyOf(await service.post(path, { reconciliation_id: String(pair.id) }), 200)).toMatchObject({ id: record['id'] });
      const listed = async (query: string) => listOf(await service.get(`/records?${query}`)).map(({ id }) => id);
      that(await listed(`reconciliation_id=${pair.id}&overdue=true`)).toEqual([record['id']]);
      const { totals } = bodyOf(await service.get(`/records/totals?reconciliation_id=${pair.id}&overdue=true`), 200);
      that(totals).toMatchObject([{ record_count: 1 }]);
      that(await listed(`reconciliation_id=${pair.id}&overdue=false&side=a`)).toEqual([pair.left['id']]);
    },
  },
];

/** The key of a stream of more records than a page holds without a limit. */
async function streamOfMany(service: Service): Promise<string> {
  const { key } = await newStream(service);
  await bulk(
    service,
    Array.from({ length: 26 }, () => ({ data_stream_key: key, date: '2026-06-10', amount: 1 })),
  );
  return key;
}

/** More items than a page holds without a limit. */
const DEFAULTS: readonly [id: OperationId, limit: number, make: (service: Service) => Promise<string>][] = [
  [
    'records.list',
    25,
    async (service) => {
      const key = await streamOfMany(service);
      return `/records?data_stream_key=${key}`;
    },
  ],
  [
    'import_batches.records',
    25,
    async (service) => {
      const key = await streamOfMany(service);
      const [batch] = listOf(await service.get(`/data_streams/${key}/import_batches`));
      return String(batch?.['records_url']).slice('/v1'.length);
    },
  ],
  [
    'import_batches.list',
    100,
    async (service) => {
      const { key } = await newStream(service);
      const records = [{ data_stream_key: key, date: '2026-06-10', amount: 1 }];
      await Promise.all(Array.from({ length: 100 }, () => service.post('/records/bulk', { records })));
      await bulk(service, records);
      return `/data_streams/${key}/import_batches`;
    },
  ],
  [
    'matches.list',
    25,
    async (service) => {
      const { id, a, b } = await newPair(service);
      const item = { date: '2026-06-10', amount: 1, currency: 'GBP' };
      const records = Array.from({ length: 52 }, (_, index) => ({ ...item, data_stream_key: index < 26 ? a.key : b.key }));
      await bulk(service, records);
      const sides = ['a', 'b'].map((side) => `/records?reconciliation_id=${id}&side=${side}&limit=26`);
      const [left = [], right = []] = [listOf(await service.get(sides[0] ?? '')), listOf(await service.get(sides[1] ?? ''))];
      for (const [index, record] of left.entries()) {
        const body = { reconciliation_id: id, record_ids: [record['id'], right[index]?.['id']] };
        bodyOf(await service.post('/reconciliation_matches', body), 201);
      }
      return `/reconciliation_matches?reconciliation_id=${id}`;
    },
  ],
  [
    'exceptions.list',
    25,
    async (service) => {
      const pair = await newPair(service);
      const body = { reconciliation_id: pair.id, data_stream_id: pair.a.id, status: 'resolved' };
      for (let count = 0; count < 26; count += 1) bodyOf(await service.post('/reconciliation_exceptions', body), 201);
      return `/reconciliation_exceptions?reconciliation_id=${pair.id}`;
    },
  ],
];

const defaults: readonly Line[] = DEFAULTS.map(([id, limit, make]) => ({
  id: `default_page.${id}`,
  says: `a page holds ${limit} unless a limit is given`,
  operations: [id],
  slow: true,
  async proves(service) {
    const path = await make(service);
    const page = bodyOf(await service.get(path), 200);
    that([(page['data'] as Body[]).length, page['has_more']]).toEqual([limit, true]);
    if (id === 'matches.list') that(page['total_count']).toBe(26);
    const rest = bodyOf(await service.get(`${path}${path.includes('?') ? '&' : '?'}offset=${limit}`), 200);
    that([(rest['data'] as Body[]).length, rest['has_more'], rest['offset']]).toEqual([1, false, limit]);
  },
}));

/** Lists of a whole environment, which other lines fill as well, and what adds one item. */
const EVERYWHERE: readonly [id: OperationId, path: string, add: (service: Service) => Promise<unknown>][] = [
  ['reconciliations.list', '/reconciliations', (service) => newPair(service)],
  [
    'bulk_requests.list',
    '/bulk_requests',
    async (service) => bodyOf(await service.post('/records/bulk', { records: [{ data_stream_key: 'nowhere', amount: 1 }] }), 202),
  ],
];

const everywhere: readonly Line[] = EVERYWHERE.map(([id, path, add]) => ({
  id: `default_page.${id}`,
  says: 'a page holds 25 unless a limit is given',
  operations: [id],
  slow: true,
  async proves(service) {
    for (let count = 0; count < 26; count += 1) await add(service);
    const page = bodyOf(await service.get(path), 200);
    that([(page['data'] as Body[]).length, page['has_more']]).toEqual([25, true]);
    that(listOf(await service.get(`${path}?limit=26`)).slice(0, 25)).toEqual(page['data']);
  },
}));

export const inputLines: readonly Line[] = [...unknown, ...edges, ...ids, ...stories, ...rules, ...records, ...defaults, ...everywhere];
