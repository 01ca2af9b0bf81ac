import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, listOf, newPair, newRecord, type Pair, run, until } from '../make.ts';
import type { Service } from '../service.ts';

const rulesOf = async (service: Service, pair: Pair): Promise<Body[]> =>
  listOf(await service.get(`/reconciliation_rules?reconciliation_id=${pair.id}`));

/** Twelve orders, and payments with the order's number in their text. */
async function addOrders(service: Service, pair: Pair): Promise<void> {
  for (let order = 0; order < 12; order += 1) {
    const number = `ORD-${700 + order * 7}`;
    await newRecord(service, pair.a.key, { amount: 1_000 + order * 37, metadata: { order_id: number } });
    await newRecord(service, pair.b.key, { amount: 1_000 + order * 37, description: `CARD ${number} thanks` });
  }
}

export const proposalLines: readonly Line[] = [
  {
    id: 'run.proposes',
    says: 'without an active rule a run proposes rules while both sides have records, matches nothing, and is refused while a side is empty',
    operations: ['runs.start', 'rules.list'],
    slow: true,
    codes: ['invalid_rule'],
    async proves(service) {
      const pair = await newPair(service);
      await newRecord(service, pair.a.key);
      that(bodyOf(await service.post(`/reconciliations/${pair.id}/runs`, {}), 422)).toMatchObject({ code: 'invalid_rule' });
      await addOrders(service, pair);
      const ended = await run(service, pair);
      that(ended).toMatchObject({ status: 'completed', matches: 0, proposals: { rules: 2, nothing: null } });
      that(await rulesOf(service, pair)).toMatchObject([
        { status: 'proposed', source: 'ai', method: 'evidence' },
        { status: 'proposed', source: 'ai', method: 'conditions' },
      ]);
    },
  },
  {
    id: 'rule.proposals',
    says: '202 with a run at Location; the rules appear as proposed, with confidence and sample_match_rate, and are not active by themselves',
    operations: ['proposals.create', 'runs.get', 'rules.list'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await addOrders(service, pair);
      const answer = await service.post(`/reconciliations/${pair.id}/proposals`, {});
      const { id } = bodyOf(answer, 202);
      const path = `/reconciliations/${pair.id}/runs/${String(id)}`;
      that(answer.headers.location).toBe(`/v1${path}`);
      that(await until(service, path, ['completed', 'failed'])).toMatchObject({
        status: 'completed',
        matches: 0,
        proposals: { rules: 2, nothing: null },
      });
      const [rule = {}] = await rulesOf(service, pair);
      that(rule).toMatchObject({ status: 'proposed', source: 'ai', sample_match_rate: '24/24' });
      that(['high', 'medium', 'low'].includes(String(rule['confidence']))).toBe(true);
      const activated = await service.post(`/reconciliation_rules/${String(rule['id'])}/activate`, {});
      that(bodyOf(activated, 200)).toMatchObject({ status: 'active' });
      that(await run(service, pair)).toMatchObject({ matches: 12, proposals: null });
    },
  },
  {
    id: 'evidence.learned',
    says: 'null before the first run by evidence; after it what was learned, in sentences and figures; another reconciliation has none',
    operations: ['evidence.get', 'runs.start'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await addOrders(service, pair);
      const path = `/reconciliations/${pair.id}/evidence`;
      that(bodyOf(await service.get(path), 200)).toEqual({ learned: null });
      const body = { reconciliation_id: pair.id, filters: { rules: [{ key: 'currency', value: 'currency' }] }, method: 'evidence' };
      that(bodyOf(await service.post('/reconciliation_rules', body), 201)).toMatchObject({
        method: 'evidence',
        budget: 10,
        max_difference: null,
      });
      await run(service, pair);
      const { learned } = bodyOf(await service.get(path), 200);
      that(learned).toMatchObject({ version: 1, lines_a: 12, lines_b: 12 });
    },
  },
  {
    id: 'agent_status.search',
    says: 'idle without a step before the first search; after it when it ended, its steps in their order, its evidence in words; counts of active rules and open records',
    operations: ['proposals.agent_status', 'proposals.create'],
    slow: true,
    async proves(service) {
      const pair = await newPair(service);
      await addOrders(service, pair);
      const path = `/reconciliations/${pair.id}/agent_status`;
      const before = { status: 'idle', last_run_at: null, progress: [], reasoning: null, rules_count: 0, unmatched_count: 24 };
      that(bodyOf(await service.get(path), 200)).toEqual(before);
      const { id } = bodyOf(await service.post(`/reconciliations/${pair.id}/proposals`, {}), 202);
      await until(service, `/reconciliations/${pair.id}/runs/${String(id)}`, ['completed', 'failed']);
      const after = bodyOf(await service.get(path), 200);
      that(after).toMatchObject({ status: 'idle', rules_count: 0, unmatched_count: 24 });
      const steps = (after['progress'] as Body[]).map(({ step }) => step);
      that([steps[0], steps[1], steps.at(-1)]).toEqual(['asked', 'reading', 'completed']);
      that(String(after['reasoning'])).toContain('12 records of side A and 12 records of side B');
      const [rule = {}] = await rulesOf(service, pair);
      that(bodyOf(await service.post(`/reconciliation_rules/${String(rule['id'])}/activate`, {}), 200)).toMatchObject({ status: 'active' });
      await run(service, pair);
      that(bodyOf(await service.get(path), 200)).toMatchObject({ status: 'idle', rules_count: 1, unmatched_count: 0 });
    },
  },
];
