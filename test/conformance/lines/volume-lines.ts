import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, listOf, newPair, newRule, type Pair, run, until } from '../make.ts';
import type { Service } from '../service.ts';

/** As many records as one request may delete, and with the other side more pairs than a rule may compare. */
const [SIDE_A, SIDE_B] = [10_000, 5_200];
const BULK = 1_000;
/** One day more than a date rollup without a time bound may gather. */
const DAYS = 367;
const KEPT = 1_000;
const PAGE = 100;

const item = (key: string, index: number): Body => ({
  data_stream_key: key,
  date: new Date(Date.UTC(2025, 0, 1 + (index % DAYS))).toISOString().slice(0, 10),
  amount: index + 1,
  direction: 'credit',
  currency: 'GBP',
  external_id: `V-${index}`,
});

async function fill(service: Service, key: string, count: number): Promise<void> {
  const sent: Body[] = [];
  for (let start = 0; start < count; start += BULK) {
    const records = Array.from({ length: Math.min(BULK, count - start) }, (_, index) => item(key, start + index));
    sent.push(bodyOf(await service.post('/records/bulk', { records }), 202));
  }
  for (const { id } of sent) {
    that(await until(service, `/bulk_requests/${String(id)}?limit=1`, ['completed'])).toMatchObject({ failed_items: 0, skipped_items: 0 });
  }
}

async function largePair(service: Service): Promise<Pair> {
  const pair = await newPair(service);
  await fill(service, pair.a.key, SIDE_A);
  await fill(service, pair.b.key, SIDE_B);
  return pair;
}

/** One large reconciliation serves the lines of one service; the last one deletes it. */
const made = new WeakMap<Service, Promise<Pair>>();

function largePairOf(service: Service): Promise<Pair> {
  const known = made.get(service) ?? largePair(service);
  made.set(service, known);
  return known;
}

/** What large reconciliations meet: bounds on the work of a rule, on what a dry run keeps, on a delete in the request. */
export const volumeLines: readonly Line[] = [
  {
    id: 'volume.candidates',
    says: 'a rule without any equality or tolerance that would compare more than 50 million pairs is refused with what would narrow it',
    operations: ['rules.preview'],
    codes: ['too_many_candidates'],
    slow: true,
    async proves(service) {
      const { id } = await largePairOf(service);
      const filters = { rules: [{ key: 'amount', value: 'amount', operand: 'neq' }] };
      const refused = bodyOf(await service.post('/reconciliation_rules/preview', { reconciliation_id: id, filters }), 422);
      that(refused).toMatchObject({ code: 'too_many_candidates', message: that.stringContaining('the limit is 50 million') as string });
      that(refused['message']).toContain('`amount` with `amount`');
    },
  },
  {
    id: 'volume.days',
    says: 'days are gathered without a lookback up to 366 of them; more are refused, naming lookback_days',
    operations: ['rules.preview'],
    codes: ['invalid_rule'],
    slow: true,
    async proves(service) {
      const { id } = await largePairOf(service);
      const filters = { rules: [{ key: 'signed_amount', value: 'signed_amount' }] };
      const rule = { filters, cardinality: 'many_to_one', group_by: ['date'], rollup: { group_by_kind: 'date' } };
      const refused = bodyOf(await service.post('/reconciliation_rules/preview', { reconciliation_id: id, ...rule }), 422);
      that(refused).toMatchObject({ code: 'invalid_rule', errors: [{ path: 'rollup.lookback_days' }] });
      that(refused['message']).toContain(`${DAYS} different days (the limit is ${DAYS - 1})`);
    },
  },
  {
    id: 'volume.dry_run',
    says: 'a dry run counts all matches and keeps the first 1,000 of them; a page of these holds 25 unless a limit is given',
    operations: ['runs.start', 'runs.would_be_matches'],
    slow: true,
    async proves(service) {
      const pair = await largePairOf(service);
      const rule = await newRule(service, pair, { filters: { rules: [{ key: 'external_id', value: 'external_id' }] } });
      const dry = await run(service, pair, { mode: 'dry_run' });
      that(dry).toMatchObject({ status: 'completed', matches: SIDE_B, proposed_matches: 0 });
      const path = `/reconciliations/${pair.id}/runs/${String(dry['id'])}/would_be_matches`;
      const first = bodyOf(await service.get(path), 200);
      that([(first['data'] as Body[]).length, first['has_more']]).toEqual([25, true]);
      const last = bodyOf(await service.get(`${path}?limit=${PAGE}&offset=${KEPT - PAGE}`), 200);
      that([(last['data'] as Body[]).length, last['has_more'], last['next_cursor']]).toEqual([PAGE, false, null]);
      that(listOf(await service.get(`${path}?offset=${KEPT}`))).toEqual([]);
      that((await service.remove(`/reconciliation_rules/${String(rule['id'])}`)).status).toBe(204);
    },
  },
  {
    id: 'volume.delete',
    says: 'a stream of exactly 10,000 records is deleted in the request',
    operations: ['streams.remove'],
    slow: true,
    async proves(service) {
      const { id, a } = await largePairOf(service);
      made.delete(service);
      that((await service.remove(`/reconciliations/${id}`)).status).toBe(204);
      that(bodyOf(await service.get(`/data_streams/${a.key}/health`), 200)).toMatchObject({ records_count: SIDE_A });
      that((await service.remove(`/data_streams/${a.key}`)).status).toBe(204);
      that((await service.get(`/data_streams/${a.key}`)).status).toBe(404);
      that((await service.get(`/records?data_stream_key=${a.key}`)).status).toBe(404);
    },
  },
];
