import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, byAmount, listOf, newPair, newRecord, newRule, type Pair, run } from '../make.ts';
import type { Service } from '../service.ts';

type Convention = 'any' | 'same' | 'opposite';

/** A manual match of credits (positive) and debits (negative) of both sides. */
async function match(service: Service, pair: Pair, a: readonly number[], b: readonly number[], more: Body = {}): Promise<Body> {
  const record_ids: string[] = [];
  for (const [key, amounts] of [
    [pair.a.key, a],
    [pair.b.key, b],
  ] as const) {
    for (const amount of amounts) {
      const record = { amount: Math.abs(amount), direction: amount < 0 ? 'debit' : 'credit' };
      record_ids.push(String((await newRecord(service, key, record))['id']));
    }
  }
  const body = { reconciliation_id: String(pair.id), record_ids, ...more };
  return bodyOf(await service.post('/reconciliation_matches', body), 201);
}

/** Nets of side A and side B, and A minus B under each convention. */
const NETS: readonly [a: readonly number[], b: readonly number[], differences: Readonly<Record<Convention, number>>][] = [
  [[100], [100], { any: 0, same: 0, opposite: 200 }],
  [[100], [-100], { any: 0, same: 200, opposite: 0 }],
  [[-100], [70], { any: 30, same: -170, opposite: -30 }],
  [[100, -40], [70], { any: -10, same: -10, opposite: 130 }],
];

const differences: readonly Line[] = (['any', 'same', 'opposite'] as const).map((sign_convention) => ({
  id: `sign.${sign_convention}.difference`,
  says: `net = credits minus debits; the difference under ${sign_convention}, and an adjustment that makes it 0`,
  operations: ['matches.create', 'reconciliations.create', 'matches.remove'],
  async proves(service) {
    const pair = await newPair(service, { sign_convention });
    for (const [a, b, expected] of NETS) {
      that(await match(service, pair, a, b), `${a.join()} against ${b.join()}`).toMatchObject({ difference: expected[sign_convention] });
      const adjusted = await match(service, pair, a, b, { create_adjustment: true });
      that(adjusted).toMatchObject({ difference: 0, record_count: a.length + b.length + (expected[sign_convention] === 0 ? 0 : 1) });
      if (expected[sign_convention] === 0) that(adjusted['adjustment_record_id']).toBeNull();
      else {
        const record = bodyOf(await service.get(`/records/${String(adjusted['adjustment_record_id'])}`), 200);
        that(record).toMatchObject({ amount: Math.abs(expected[sign_convention]) });
      }
    }
  },
}));

/** Which pairs of directions a condition on `signed_amount` ties. */
const TIED: Readonly<Record<Convention, readonly string[]>> = {
  any: ['credit credit', 'debit debit'],
  same: ['credit credit', 'debit debit'],
  opposite: ['credit debit', 'debit credit'],
};

const ties: readonly Line[] = (['any', 'same', 'opposite'] as const).map((sign_convention) => ({
  id: `sign.${sign_convention}.signed_amount`,
  says: `signed_amount in a rule under ${sign_convention}${sign_convention === 'opposite' ? '; direction is compared as it is stored' : ''}`,
  operations: ['rules.preview', 'reconciliations.create'],
  slow: true,
  async proves(service) {
    const pair = await newPair(service, { sign_convention });
    const names = new Map<unknown, string>();
    for (const key of [pair.a.key, pair.b.key]) {
      for (const direction of ['credit', 'debit']) names.set((await newRecord(service, key, { direction }))['id'], direction);
    }
    const tied = async (field: string) => {
      const filters = { rules: [{ key: field, value: field }] };
      const answer = await service.post('/reconciliation_rules/preview', { reconciliation_id: String(pair.id), filters });
      const sample = bodyOf(answer, 200)['sample'] as Body[];
      return sample
        .map((each) => [...(each['side_a_record_ids'] as number[]), ...(each['side_b_record_ids'] as number[])])
        .map((ids) => ids.map((id) => names.get(id)).join(' '))
        .toSorted();
    };
    that(await tied('signed_amount')).toEqual(TIED[sign_convention]);
    if (sign_convention === 'opposite') that(await tied('direction')).toEqual(['credit credit', 'debit debit']);
  },
}));

/** A cohort of a rollup and the single record that its net is compared with. */
const cohorts: readonly Line[] = (['same', 'opposite'] as const).map((sign_convention) => ({
  id: `sign.${sign_convention}.cohort`,
  says: `the net of a cohort under ${sign_convention}, its difference and its group_key`,
  operations: ['runs.start', 'matches.list', 'rules.create'],
  slow: true,
  async proves(service) {
    const pair = await newPair(service, { sign_convention });
    const rule = await newRule(service, pair, {
      filters: { rules: [{ key: 'currency', value: 'currency' }] },
      cardinality: 'many_to_one',
      group_by: ['metadata.batch', 'description'],
      rollup: { group_by_kind: 'identifier' },
    });
    const of = { metadata: { batch: 'B-9' }, description: 'Till' };
    await newRecord(service, pair.a.key, { amount: 500, ...of });
    await newRecord(service, pair.a.key, { amount: 100, direction: 'debit', ...of });
    for (const direction of ['credit', 'debit']) await newRecord(service, pair.b.key, { amount: 400, direction, description: direction });
    await run(service, pair);
    const made = listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`));
    that(made).toMatchObject([{ record_count: 3, difference: 0, reconciliation_rule_id: rule['id'], group_key: 'B-9|Till' }]);
    const members = listOf(await service.get(`/records?reconciliation_match_id=${String(made[0]?.['id'])}`));
    that(members.map((record) => record['description'])).toContain(sign_convention === 'same' ? 'credit' : 'debit');
  },
}));

const adjustments: readonly Line[] = [
  {
    id: 'adjustment.record',
    says: "dated the match's latest date, in the stream adjustments, of no side and in no open list; it goes with its match",
    operations: ['matches.create', 'matches.remove', 'records.list', 'streams.get'],
    async proves(service) {
      const pair = await newPair(service, { sign_convention: 'same' });
      const left = await newRecord(service, pair.a.key, { amount: 10, date: '2026-06-10' });
      const right = await newRecord(service, pair.b.key, { amount: 7, date: '2026-06-12' });
      const body = { reconciliation_id: String(pair.id), record_ids: [left['id'], right['id']], create_adjustment: true };
      const made = bodyOf(await service.post('/reconciliation_matches', { ...body, adjustment_reason: 'Bank charge' }), 201);
      const path = `/records/${String(made['adjustment_record_id'])}`;
      that(bodyOf(await service.get(path), 200)).toMatchObject({
        data_stream_key: 'adjustments',
        amount: 3,
        direction: 'debit',
        date: '2026-06-12',
        description: 'Bank charge',
        currency: 'GBP',
        status: 'reconciled',
      });
      that(bodyOf(await service.get('/data_streams/adjustments'), 200)).toMatchObject({ type: 'adjustment' });
      const listed = async (query: string) =>
        listOf(await service.get(`/records?reconciliation_id=${pair.id}${query}`)).map((record) => record['id']);
      that(await listed('')).toEqual([right['id'], left['id']]);
      that(await listed('&status=unreconciled')).toEqual([]);
      that(
        (
          await service.post('/reconciliations', {
            name: 'x',
            side_a_stream_ids: ['1'],
            side_b_stream_ids: [String(bodyOf(await service.get('/data_streams/adjustments'), 200)['id'])],
          })
        ).status,
      ).toBe(409);
      that((await service.remove(`/reconciliation_matches/${String(made['id'])}`)).status).toBe(204);
      that((await service.get(path)).status).toBe(404);
    },
  },
  {
    id: 'adjustment.out_of_range',
    says: 'a match whose difference is past 2^53-1 is refused, never rounded',
    operations: ['matches.create'],
    async proves(service) {
      const pair = await newPair(service, { sign_convention: 'same' });
      const most = { amount: Number.MAX_SAFE_INTEGER };
      const ids: string[] = [];
      for (const direction of ['credit', 'credit']) ids.push(String((await newRecord(service, pair.a.key, { ...most, direction }))['id']));
      ids.push(String((await newRecord(service, pair.b.key, { amount: 1 }))['id']));
      const body = { reconciliation_id: String(pair.id), record_ids: ids };
      that(bodyOf(await service.post('/reconciliation_matches', body), 422)).toMatchObject({ code: 'total_out_of_range' });
    },
  },
  {
    id: 'sign.patch',
    says: 'another convention works the differences out anew',
    operations: ['reconciliations.update', 'matches.get'],
    async proves(service) {
      const pair = await newPair(service, { sign_convention: 'same' });
      const { id } = await match(service, pair, [100], [-70]);
      const difference = async (sign_convention: Convention) => {
        that(bodyOf(await service.patch(`/reconciliations/${pair.id}`, { sign_convention }), 200)).toMatchObject({ sign_convention });
        return bodyOf(await service.get(`/reconciliation_matches/${String(id)}`), 200)['difference'];
      };
      that([await difference('any'), await difference('opposite'), await difference('same')]).toEqual([30, 30, 170]);
    },
  },
];

/** Ids of the matches that a run ties anew. */
async function tied(service: Service, pair: Pair): Promise<unknown[]> {
  await run(service, pair);
  return listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}`)).map((each) => each['id']);
}

const memories: readonly Line[] = [
  {
    id: 'separation',
    says: 'what a person took apart is not tied again, by exact record set: with other records it is',
    operations: ['matches.remove', 'runs.start'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await newRule(service, pair, { commit_certainty: ['unique', 'best', 'interchangeable', 'contested'] });
      const left = await newRecord(service, pair.a.key);
      const right = await newRecord(service, pair.b.key);
      const [first] = await tied(service, pair);
      that((await service.remove(`/reconciliation_matches/${String(first)}`)).status).toBe(204);
      that(await tied(service, pair)).toEqual([]);
      const other = await newRecord(service, pair.b.key);
      const [again] = await tied(service, pair);
      const members = listOf(await service.get(`/records?reconciliation_match_id=${String(again)}`)).map((record) => record['id']);
      that(members.toSorted()).toEqual([left['id'], other['id']].toSorted());
      that(bodyOf(await service.get(`/records/${String(right['id'])}`), 200)).toMatchObject({ status: 'unreconciled' });
    },
  },
  {
    id: 'separation.undo',
    says: 'the undo of an import leaves no such memory, and what it dissolves is told beforehand',
    operations: ['import_batches.remove', 'runs.start'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const left = await newRecord(service, pair.a.key);
      const item = { data_stream_key: pair.b.key, date: '2026-06-10', amount: 1250, currency: 'GBP' };
      await bulk(service, [item]);
      await newRule(service, pair);
      const [batch = {}] = listOf(await service.get(`/data_streams/${pair.b.key}/import_batches`));
      that((await tied(service, pair)).length).toBe(1);
      const path = `/import_batches/${String(batch['id'])}`;
      that(bodyOf(await service.remove(`${path}?preview=true`), 200)).toMatchObject({ records: 1, matches_dissolved: 1 });
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({ status: 'reconciled' });
      that(bodyOf(await service.remove(path), 200)).toMatchObject({ records: 1, matches_dissolved: 1 });
      that(bodyOf(await service.get(`/records/${String(left['id'])}`), 200)).toMatchObject({ status: 'unreconciled' });
      await newRecord(service, pair.b.key);
      that((await tied(service, pair)).length).toBe(1);
    },
  },
  {
    id: 'proposal.free',
    says: 'records of a proposal stay free: a person matches them with others, and an edit drops the proposal',
    operations: ['matches.create', 'records.update', 'matches.list'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await newRule(service, pair, { outcome: 'propose', filters: { rules: [{ key: 'description', value: 'description' }] } });
      const records: Body[] = [];
      for (const description of ['one', 'two']) {
        for (const key of [pair.a.key, pair.b.key]) records.push(await newRecord(service, key, { description }));
      }
      const proposed = async () => listOf(await service.get(`/reconciliation_matches?reconciliation_id=${pair.id}&status=proposed`)).length;
      await run(service, pair);
      that(await proposed()).toBe(2);
      that(records[0]?.['matched_records']).toEqual([]);
      await run(service, pair);
      that(await proposed(), 'worked out anew, not twice').toBe(2);
      const [one, , , two] = records.map((record) => String(record['id']));
      bodyOf(await service.post('/reconciliation_matches', { reconciliation_id: String(pair.id), record_ids: [one, two] }), 201);
      that(await proposed()).toBe(0);
      that((await service.patch(`/records/${String(records[1]?.['id'])}`, { description: 'two' })).status).toBe(200);
      await run(service, pair);
      that(await proposed()).toBe(1);
      bodyOf(await service.patch(`/records/${String(records[2]?.['id'])}`, { description: 'three' }), 200);
      that(await proposed()).toBe(0);
    },
  },
  {
    id: 'match.manual.kept',
    says: 'a match by hand is never touched by the engine, and its records are not matched again',
    operations: ['runs.start', 'matches.list'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      const left = await newRecord(service, pair.a.key);
      await newRecord(service, pair.b.key);
      const right = await newRecord(service, pair.b.key, { amount: 3 });
      const body = { reconciliation_id: String(pair.id), record_ids: [left['id'], right['id']] };
      const made = bodyOf(await service.post('/reconciliation_matches', body), 201);
      await newRule(service, pair, { filters: byAmount });
      that(await tied(service, pair)).toEqual([made['id']]);
      that(bodyOf(await service.get(`/reconciliation_matches/${String(made['id'])}`), 200)).toEqual(made);
    },
  },
];

export const signLines: readonly Line[] = [...differences, ...ties, ...cohorts, ...adjustments, ...memories];
