import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, byAmount, listOf, newMatch, newPair, newRecord, newRule, newStream, run, until } from '../make.ts';

const streams: readonly Line[] = [
  {
    id: 'stream.create',
    says: '201; the type is api unless another is given, and any is taken',
    operations: ['streams.create', 'streams.get'],
    async proves(service) {
      const key = service.unique('typed');
      that(bodyOf(await service.post('/data_streams', { key, name: 'T', description: 'D' }), 201)).toMatchObject({
        key,
        type: 'api',
        description: 'D',
      });
      that(bodyOf(await service.get(`/data_streams/${key}`), 200)).toMatchObject({ key, name: 'T' });
      const other = { key: service.unique('typed'), name: 'N', type: 'nacha' };
      that(bodyOf(await service.post('/data_streams', other), 201)).toMatchObject(other);
    },
  },
  {
    id: 'stream.adjustments',
    says: 'the key of the stream of adjustments is reserved',
    operations: ['streams.create'],
    codes: ['reserved_key'],
    async proves(service) {
      that(bodyOf(await service.post('/data_streams', { key: 'adjustments', name: 'x' }), 409)).toMatchObject({ code: 'reserved_key' });
    },
  },
  {
    id: 'stream.patch',
    says: 'PATCH changes the name',
    operations: ['streams.update'],
    async proves(service) {
      const { key } = await newStream(service);
      that(bodyOf(await service.patch(`/data_streams/${key}`, { name: 'New' }), 200)).toMatchObject({ key, name: 'New' });
    },
  },
  {
    id: 'stream.delete',
    says: 'is 204 when it is done at once',
    operations: ['streams.remove'],
    async proves(service) {
      const { key } = await newStream(service);
      const answer = await service.remove(`/data_streams/${key}`);
      that([answer.status, answer.text]).toEqual([204, '']);
      that((await service.get(`/data_streams/${key}`)).status).toBe(404);
    },
  },
  {
    id: 'stream.delete.async',
    says: 'async=true is 202 with an operation of kind delete, whose address is in Location; it ends',
    operations: ['streams.remove', 'streams.operation'],
    slow: true,
    async proves(service) {
      const { key } = await newStream(service);
      await newRecord(service, key);
      const answer = await service.remove(`/data_streams/${key}?async=true`);
      const operation = bodyOf(answer, 202);
      const path = `/data_streams/${key}/operations/${String(operation['id'])}`;
      that(operation).toMatchObject({ kind: 'delete', data_stream_key: key });
      that(answer.headers.location).toBe(`/v1${path}`);
      that(await until(service, path, ['completed', 'failed'])).toMatchObject({
        status: 'completed',
        progress: 100,
        error_message: null,
      });
      that((await service.get(`/data_streams/${key}`)).status).toBe(404);
    },
  },
  {
    id: 'stream.reset',
    says: 'is always asynchronous, wipes the records and keeps the stream',
    operations: ['streams.reset', 'streams.operation'],
    slow: true,
    async proves(service) {
      const { key } = await newStream(service);
      await newRecord(service, key);
      const operation = bodyOf(await service.post(`/data_streams/${key}/reset`), 202);
      that(operation).toMatchObject({ kind: 'reset', data_stream_key: key });
      await until(service, `/data_streams/${key}/operations/${String(operation['id'])}`, ['completed']);
      that(listOf(await service.get(`/records?data_stream_key=${key}`))).toEqual([]);
      that((await service.get(`/data_streams/${key}`)).status).toBe(200);
    },
  },
  {
    id: 'stream.health',
    says: 'counts what a stream holds',
    operations: ['streams.health'],
    async proves(service) {
      const { key } = await newStream(service);
      await newRecord(service, key);
      that(bodyOf(await service.get(`/data_streams/${key}/health`), 200)).toMatchObject({ records_count: 1, orphan_records_count: 1 });
    },
  },
];

const reconciliations: readonly Line[] = [
  {
    id: 'reconciliation.create',
    says: 'takes stream ids as integers or text; run_type is continuous and the sign convention any unless given',
    operations: ['reconciliations.create'],
    async proves(service) {
      const [a, b] = [await newStream(service), await newStream(service)];
      const body = { name: 'June', side_a_stream_ids: [a.id], side_b_stream_ids: [String(b.id)] };
      that(bodyOf(await service.post('/reconciliations', body), 201)).toMatchObject({
        run_type: 'continuous',
        sign_convention: 'any',
        side_a_streams: [{ key: a.key, name: a.key, id: a.id, description: null, type: 'api' }],
        side_b_streams: [{ id: b.id }],
        current_run: null,
        last_run: null,
      });
    },
  },
  {
    id: 'reconciliation.both_sides',
    says: 'a stream cannot be on both sides',
    operations: ['reconciliations.create'],
    async proves(service) {
      const { id } = await newStream(service);
      that((await service.post('/reconciliations', { name: 'x', side_a_stream_ids: [id], side_b_stream_ids: [id] })).status).toBe(422);
    },
  },
  {
    id: 'reconciliation.patch',
    says: 'changes the name, the run type and the streams; not when a stream is matched there',
    operations: ['reconciliations.update'],
    codes: ['stream_has_matches'],
    async proves(service) {
      const pair = await newPair(service);
      const other = await newStream(service);
      const path = `/reconciliations/${pair.id}`;
      that(bodyOf(await service.patch(path, { name: 'New', side_a_stream_ids: [other.id] }), 200)).toMatchObject({
        name: 'New',
        side_a_streams: [{ id: other.id }],
      });
      const matched = await newMatch(service);
      const refused = await service.patch(`/reconciliations/${matched.id}`, { side_a_stream_ids: [(await newStream(service)).id] });
      that(bodyOf(refused, 409)).toMatchObject({ code: 'stream_has_matches' });
    },
  },
  {
    id: 'reconciliation.delete',
    says: 'rules and matches go with it, records stay',
    operations: ['reconciliations.remove'],
    async proves(service) {
      const { id, left, match } = await newMatch(service);
      that((await service.remove(`/reconciliations/${id}`)).status).toBe(204);
      that((await service.get(`/reconciliations/${id}`)).status).toBe(404);
      that((await service.get(`/reconciliation_matches/${String(match['id'])}`)).status).toBe(404);
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({ status: 'unreconciled' });
    },
  },
];

const rules: readonly Line[] = [
  {
    id: 'rule.create',
    says: 'defaults: one_to_one, no groups, no rollup; an active rule of a user, without what only proposed rules have',
    operations: ['rules.create', 'rules.get'],
    async proves(service) {
      const rule = await newRule(service, await newPair(service));
      that(rule).toMatchObject({ cardinality: 'one_to_one', group_by: [], rollup: null, source: 'user', status: 'active' });
      that(Object.keys(rule)).not.toContain('confidence');
      that(Object.keys(rule)).not.toContain('sample_match_rate');
      that(bodyOf(await service.get(`/reconciliation_rules/${String(rule['id'])}`), 200)).toEqual(rule);
    },
  },
  {
    id: 'rule.list',
    says: 'the rules of the named reconciliation, lower priority first',
    operations: ['rules.list'],
    async proves(service) {
      const pair = await newPair(service);
      const late = await newRule(service, pair, { priority: 20 });
      const early = await newRule(service, pair, { priority: 10 });
      await newRule(service, await newPair(service));
      const listed = listOf(await service.get(`/reconciliation_rules?reconciliation_id=${pair.id}`));
      that(listed.map((rule) => rule['id'])).toEqual([early['id'], late['id']]);
    },
  },
  {
    id: 'rule.patch',
    says: 'changes each field that is given and no other',
    operations: ['rules.update'],
    async proves(service) {
      const rule = await newRule(service, await newPair(service));
      const change = { priority: 7, description: 'By day', filters: { operand: 'or', rules: [{ key: 'date', value: 'date' }] } };
      const changed = bodyOf(await service.patch(`/reconciliation_rules/${String(rule['id'])}`, change), 200);
      that(changed).toMatchObject(change);
      that({ ...changed, ...rule }).toEqual(rule);
    },
  },
  {
    id: 'rule.delete',
    says: 'is 204',
    operations: ['rules.remove'],
    async proves(service) {
      const path = `/reconciliation_rules/${String((await newRule(service, await newPair(service)))['id'])}`;
      that((await service.remove(path)).status).toBe(204);
      that((await service.get(path)).status).toBe(404);
    },
  },
  {
    id: 'rule.proposed',
    says: 'a proposed rule tells its confidence and sample_match_rate; it is activated (200)',
    operations: ['rules.get', 'rules.activate'],
    async proves(service) {
      const path = `/reconciliation_rules/${service.proposedRule()}`;
      that(bodyOf(await service.get(path), 200)).toMatchObject({
        status: 'proposed',
        source: 'ai',
        confidence: 'medium',
        sample_match_rate: '5/6',
      });
      that(bodyOf(await service.post(`${path}/activate`), 200)).toMatchObject({ status: 'active' });
      that(bodyOf(await service.get(path), 200)).toMatchObject({ status: 'active' });
    },
  },
  {
    id: 'rule.dismiss',
    says: 'a proposed rule is dismissed (200) and gone',
    operations: ['rules.dismiss'],
    async proves(service) {
      const id = service.proposedRule();
      that(bodyOf(await service.post(`/reconciliation_rules/${id}/dismiss`), 200)).toMatchObject({ id, status: 'proposed' });
      that((await service.get(`/reconciliation_rules/${id}`)).status).toBe(404);
    },
  },
  {
    id: 'rule.preview',
    says: 'tells what an unsaved rule would match, and changes nothing',
    operations: ['rules.preview'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const left = await newRecord(service, pair.a.key);
      const right = await newRecord(service, pair.b.key);
      const body = { reconciliation_id: String(pair.id), filters: byAmount };
      const preview = bodyOf(await service.post('/reconciliation_rules/preview', body), 200);
      that(preview).toMatchObject({ matches: 1, matched_a: 1, matched_b: 1, taken_from: [], incomparable: [] });
      that(preview['sample']).toMatchObject([{ side_a_record_ids: [left['id']], side_b_record_ids: [right['id']] }]);
      that(listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`))).toEqual([]);
    },
  },
  {
    id: 'rule.backtest',
    says: 'tells how a rule alone agrees with what people matched: counts, precision and recall with their intervals; of an unsaved rule too',
    operations: ['rules.backtest', 'rules.backtest_unsaved'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const rule = await newRule(service, pair);
      const left = await newRecord(service, pair.a.key);
      const right = await newRecord(service, pair.b.key);
      const address = `/reconciliation_rules/${String(rule['id'])}/backtest`;
      that(bodyOf(await service.post(address), 200)).toMatchObject({ matches: 1, unjudged: 1, precision: null, recall: null });
      await service.post('/reconciliation_matches', { reconciliation_id: String(pair.id), record_ids: [left['id'], right['id']] });
      const all = { count: 1, of: 1, value: 1, low: 0.2065, high: 1 };
      const judged = { matches: 1, agreements: 1, contradictions: 0, unjudged: 0, judged: 1, precision: all, recall: all };
      const found = bodyOf(await service.post(address, { date_from: '2000-01-01' }), 200);
      that(found).toMatchObject(judged);
      that(found['examples']).toMatchObject([{ verdict: 'agreement', side_a_record_ids: [left['id']], side_b_record_ids: [right['id']] }]);
      const unsaved = { reconciliation_id: String(pair.id), filters: byAmount };
      that(bodyOf(await service.post('/reconciliation_rules/backtest', unsaved), 200)).toMatchObject(judged);
      that((await service.post('/reconciliation_rules/999999/backtest')).status).toBe(404);
      const reversed = { date_from: '2026-06-02', date_to: '2026-06-01' };
      that((await service.post(address, reversed)).status).toBe(422);
    },
  },
];

const runs: readonly Line[] = [
  {
    id: 'run.commit',
    says: 'ties what the rules tie; the reconciliation tells its last run',
    operations: ['runs.start', 'runs.get', 'reconciliations.get'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const rule = await newRule(service, pair);
      await newRecord(service, pair.a.key);
      await newRecord(service, pair.b.key);
      const ended = await run(service, pair);
      that(ended).toMatchObject({ status: 'completed', kind: 'batch', trigger: 'manual', progress: 100, matched_records: 2 });
      that(ended['rule_summary']).toMatchObject({ [String(rule['id'])]: { matches: 1, records: 2, proposed: 0 } });
      that(bodyOf(await service.get(`/reconciliations/${pair.id}`), 200)).toMatchObject({
        current_run: null,
        last_run: { id: ended['id'] },
      });
      const [match = {}] = listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`));
      that(match).toMatchObject({
        status: 'matched',
        origin: 'rule',
        reconciliation_rule_id: rule['id'],
        record_count: 2,
        group_key: '12.50',
      });
    },
  },
  {
    id: 'run.dry',
    says: 'a dry run matches nothing and tells what it would',
    operations: ['runs.start', 'runs.would_be_matches'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await newRule(service, pair);
      await newRecord(service, pair.a.key);
      await newRecord(service, pair.b.key);
      await newRecord(service, pair.a.key, { amount: 777 });
      await newRecord(service, pair.b.key, { amount: 777 });
      const ended = await run(service, pair, { mode: 'dry_run' });
      that(listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`))).toEqual([]);
      const path = `/reconciliations/${pair.id}/runs/${String(ended['id'])}/would_be_matches`;
      const keys = listOf(await service.get(path)).map((would) => would['group_key']);
      that(keys.toSorted()).toEqual(['12.50', '7.77']);
      const { data, next_cursor: cursor } = bodyOf(await service.get(`${path}?limit=1`), 200);
      const rest = listOf(await service.get(`${path}?limit=1&cursor=${String(cursor)}`));
      that([...(data as Body[]), ...rest].map((would) => would['group_key'])).toEqual(keys);
    },
  },
];

const matches: readonly Line[] = [
  {
    id: 'match.manual',
    says: 'a match by hand has no rule and no certainty, and counts',
    operations: ['matches.create', 'matches.get'],
    async proves(service) {
      const { match, id } = await newMatch(service);
      that(match).toMatchObject({
        status: 'matched',
        origin: 'manual',
        reconciliation_id: id,
        reconciliation_rule_id: null,
        certainty: null,
        record_count: 2,
        difference: 0,
      });
      that(bodyOf(await service.get(`/reconciliation_matches/${String(match['id'])}`), 200)).toEqual(match);
    },
  },
  {
    id: 'match.adjustment',
    says: 'create_adjustment adds a record that makes the difference 0; without it the difference is told',
    operations: ['matches.create'],
    async proves(service) {
      const pair = await newPair(service, { sign_convention: 'same' });
      const ids = async () => [
        String((await newRecord(service, pair.a.key, { amount: 10 }))['id']),
        String((await newRecord(service, pair.b.key, { amount: 7 }))['id']),
      ];
      const post = async (more: Body) =>
        bodyOf(
          await service.post('/reconciliation_matches', { reconciliation_id: String(pair.id), record_ids: await ids(), ...more }),
          201,
        );
      that(await post({})).toMatchObject({ difference: 3, record_count: 2, adjustment_record_id: null });
      const adjusted = await post({ create_adjustment: true, adjustment_reason: 'Bank charge' });
      that(adjusted).toMatchObject({ difference: 0, record_count: 3 });
      const record = bodyOf(await service.get(`/records/${String(adjusted['adjustment_record_id'])}`), 200);
      that(record).toMatchObject({ amount: 3, data_stream_key: 'adjustments', description: 'Bank charge', date: '2026-06-10' });
      that((await service.remove(`/reconciliation_matches/${String(adjusted['id'])}`)).status).toBe(204);
      that((await service.get(`/records/${String(record['id'])}`)).status).toBe(404);
    },
  },
  {
    id: 'match.refused',
    says: 'records that are not found, matched already or of other streams are named',
    operations: ['matches.create'],
    codes: ['records_not_matchable'],
    async proves(service) {
      const { id, a, left } = await newMatch(service);
      const open = await newRecord(service, a.key);
      const foreign = await newRecord(service, (await newStream(service)).key);
      const record_ids = [open, left, foreign, { id: 999_999 }].map((record) => String(record['id']));
      const refused = bodyOf(await service.post('/reconciliation_matches', { reconciliation_id: String(id), record_ids }), 422);
      that(refused).toMatchObject({ code: 'records_not_matchable' });
      that((refused['errors'] as Body[]).map((error) => error['path'])).toEqual(['record_ids.1', 'record_ids.2', 'record_ids.3']);
    },
  },
  {
    id: 'match.currencies',
    says: 'records of more than one currency are refused',
    operations: ['matches.create'],
    codes: ['mixed_currencies'],
    async proves(service) {
      const pair = await newPair(service);
      const records = [await newRecord(service, pair.a.key), await newRecord(service, pair.b.key, { currency: 'EUR' })];
      const body = { reconciliation_id: String(pair.id), record_ids: records.map((record) => String(record['id'])) };
      that(bodyOf(await service.post('/reconciliation_matches', body), 422)).toMatchObject({ code: 'mixed_currencies' });
    },
  },
  {
    id: 'match.lines.status',
    says: 'a table of matches has a row for each line, pages through them, and filters by status',
    operations: ['matches.lines'],
    async proves(service) {
      const { match, id } = await newMatch(service);
      const rows = async (status: string) => listOf(await service.get(`/reconciliations/${id}/matched_lines?status=${status}`));
      that((await rows('matched')).map((row) => [row['match_id'], row['side']])).toEqual([
        [match['id'], 'a'],
        [match['id'], 'b'],
      ]);
      that(await rows('proposed')).toEqual([]);
      const table = `/reconciliations/${id}/matched_lines?limit=1`;
      const first = bodyOf(await service.get(table), 200);
      const next = bodyOf(await service.get(`${table}&cursor=${encodeURIComponent(String(first['next_cursor']))}`), 200);
      that([first, next].map((page) => (page['data'] as Body[]).map((row) => row['side']))).toEqual([['a'], ['b']]);
    },
  },
  {
    id: 'match.list',
    says: 'filters by reconciliation and status; total_count counts all pages',
    operations: ['matches.list'],
    async proves(service) {
      const { id, match } = await newMatch(service);
      const body = bodyOf(await service.get(`/reconciliation_matches?reconciliation_id=${id}`), 200);
      that([body['total_count'], (body['data'] as Body[]).map((each) => each['id'])]).toEqual([1, [match['id']]]);
      that(listOf(await service.get(`/reconciliation_matches?reconciliation_id=${id}&status=proposed`))).toEqual([]);
      const all = bodyOf(await service.get('/reconciliation_matches?limit=1&status=matched'), 200);
      that(Number(all['total_count'])).toBeGreaterThan(0);
      that((all['data'] as Body[]).every((each) => each['status'] === 'matched')).toBe(true);
    },
  },
  {
    id: 'match.delete',
    says: 'is 204, and its records are unreconciled',
    operations: ['matches.remove'],
    async proves(service) {
      const { match, left } = await newMatch(service);
      that((await service.remove(`/reconciliation_matches/${String(match['id'])}`)).status).toBe(204);
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({
        status: 'unreconciled',
        matched_records: [],
      });
    },
  },
  {
    id: 'match.confirm',
    says: 'a proposed match leaves its records unreconciled; confirmed it counts (200); a second time is 409',
    operations: ['matches.confirm', 'matches.list'],
    codes: ['conflict'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await newRule(service, pair, { outcome: 'propose' });
      const left = await newRecord(service, pair.a.key);
      await newRecord(service, pair.b.key);
      await run(service, pair);
      const [match = {}] = listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}&status=proposed`));
      const path = `/reconciliation_matches/${String(match['id'])}`;
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({ status: 'unreconciled' });
      that(bodyOf(await service.post(`${path}/confirm`), 200)).toMatchObject({ id: match['id'], status: 'matched' });
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({ status: 'reconciled' });
      that(bodyOf(await service.post(`${path}/confirm`), 409)).toMatchObject({ code: 'conflict' });
    },
  },
];

export const matchingLines: readonly Line[] = [...streams, ...reconciliations, ...rules, ...runs, ...matches];
