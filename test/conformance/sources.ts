import type { OperationId } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import type { Thing } from './fields.ts';
import { cancelled } from './lines/background-lines.ts';
import { type Body, bodyOf, listOf, newMatch, newPair, newRecord, newStream } from './make.ts';
import type { Service } from './service.ts';

type Source = (service: Service) => Promise<Body>;

const got = (path: string) => async (service: Service) => bodyOf(await service.get(path), 200);
const first = (path: string) => async (service: Service) => present(listOf(await service.get(path))[0], `${path} has an item`);
/** The first object in a list of an answer. */
const within = (source: Source, name: string) => async (service: Service) =>
  present((((await source(service))[name] as Body[] | undefined) ?? [])[0], `${name} has an item`);
const member = (source: Source, name: string) => async (service: Service) => present((await source(service))[name] as Body, name);

const item = { data_stream_key: 'bank', date: '2026-06-20', amount: 700, direction: 'credit', currency: 'GBP' };
const putBalance = { bank_account_id: '1', date: '2026-06-29', balance_type: 'other', amount_cents: 1 };
const filters = { operand: 'and', rules: [{ key: 'date', value: 'date' }] };

async function newRule(service: Service): Promise<Body> {
  const { id } = await newPair(service);
  return bodyOf(await service.post('/reconciliation_rules', { reconciliation_id: String(id), filters }), 201);
}

async function newStory(service: Service): Promise<Body> {
  const links = [
    { reconciliation_id: '1', position: 1, role: 'origin' },
    { reconciliation_id: '2', position: 2, role: 'continuation', shared_data_stream_id: '1' },
  ];
  return bodyOf(await service.post('/reconciliation_stories', { name: 'Story', links }), 201);
}

async function newException(service: Service): Promise<Body> {
  const pair = await newPair(service);
  const body = { reconciliation_id: String(pair.id), data_stream_id: String(pair.a.id) };
  return bodyOf(await service.post('/reconciliation_exceptions', body), 201);
}

async function newDefinition(service: Service): Promise<Body> {
  const body = { data_stream_key: 'bank', key: service.unique('key'), name: 'Branch', type: 'string' };
  return bodyOf(await service.post('/data_stream_property_definitions', body), 201);
}

const story: Partial<Record<OperationId, Source>> = {
  'stories.create': newStory,
  'stories.get': got('/reconciliation_stories/1'),
  'stories.list': first('/reconciliation_stories'),
  'stories.update': async (service) =>
    bodyOf(await service.patch(`/reconciliation_stories/${String((await newStory(service))['id'])}`, { name: 'Other' }), 200),
};
/** The status of a search that was asked for just now. */
async function agentStatus(service: Service): Promise<Body> {
  const path = `/reconciliations/${(await newPair(service)).id}`;
  await service.post(`${path}/proposals`, {});
  return bodyOf(await service.get(`${path}/agent_status`), 200);
}
/** Of the second link, since the first one has no stream that connects it. */
const link = (source: Source) => async (service: Service) => present(((await source(service))['links'] as Body[])[1], 'the second link');
const mapped = (sources: Partial<Record<OperationId, Source>>, map: (source: Source) => Source): Partial<Record<OperationId, Source>> =>
  Object.fromEntries(Object.entries(sources).map(([id, source]) => [id, map(source)]));

const exception: Partial<Record<OperationId, Source>> = {
  'exceptions.create': newException,
  'exceptions.get': got('/reconciliation_exceptions/1'),
  'exceptions.list': first('/reconciliation_exceptions'),
  'exceptions.update': async (service) =>
    bodyOf(await service.patch(`/reconciliation_exceptions/${String((await newException(service))['id'])}`, { title: 'Other' }), 200),
};
const run: Partial<Record<OperationId, Source>> = {
  'runs.start': async (service) => {
    const rule = await newRule(service);
    return bodyOf(await service.post(`/reconciliations/${String(rule['reconciliation_id'])}/runs`, {}), 202);
  },
  'runs.cancel': async (service) => {
    const rule = await newRule(service);
    const path = `/reconciliations/${String(rule['reconciliation_id'])}/runs`;
    return service.held(async () => {
      const { id } = bodyOf(await service.post(path, {}), 202);
      return bodyOf(await service.post(`${path}/${String(id)}/cancel`), 202);
    });
  },
  'proposals.create': async (service) => {
    const rule = await newRule(service);
    return bodyOf(await service.post(`/reconciliations/${String(rule['reconciliation_id'])}/proposals`, {}), 202);
  },
  'runs.get': got('/reconciliations/1/runs/1'),
  'runs.list': first('/reconciliations/1/runs'),
};
const bulkCreated: Source = async (service) => bodyOf(await service.post('/records/bulk', { records: [item] }), 202);
const accepted: Partial<Record<OperationId, Source>> = {
  'bulk_requests.create': bulkCreated,
  'bulk_requests.cancel': async (service) => bodyOf((await cancelled(service)).answer, 202),
  'bulk_requests.retry': async (service) => bodyOf(await service.post('/bulk_requests/2/retry'), 202),
};
const polled: Partial<Record<OperationId, Source>> = {
  'bulk_requests.get': got('/bulk_requests/1'),
  'bulk_requests.list': first('/bulk_requests'),
};
const bulkDetail = got('/bulk_requests/1');

/** For each thing, every operation that answers it, and how to get one from it. */
export const SOURCES: Readonly<Record<Thing, Partial<Record<OperationId, Source>>>> = {
  data_stream: {
    'streams.create': async (service) => bodyOf(await service.post('/data_streams', { key: service.unique('s'), name: 'S' }), 201),
    'streams.get': got('/data_streams/bank'),
    'streams.list': first('/data_streams'),
    'streams.update': async (service) => bodyOf(await service.patch('/data_streams/bank', { name: 'Bank' }), 200),
    'reconciliations.get': within(got('/reconciliations/1'), 'side_a_streams'),
  },
  operation: {
    'streams.reset': async (service) => bodyOf(await service.post(`/data_streams/${(await newStream(service)).key}/reset`), 202),
    'streams.remove': async (service) => bodyOf(await service.remove(`/data_streams/${(await newStream(service)).key}?async=true`), 202),
    'streams.operation': got('/data_streams/spare/operations/1'),
  },
  record: {
    'records.create': (service) => newRecord(service, 'bank'),
    'records.get': got('/records/1'),
    'records.list': first('/records'),
    'records.update': async (service) =>
      bodyOf(await service.patch(`/records/${String((await newRecord(service, 'bank'))['id'])}`, { description: 'x' }), 200),
    'records.mark_overdue': async (service) => bodyOf(await service.post('/records/1/mark_overdue', { reconciliation_id: 1 }), 200),
    'reconciliations.mark_overdue': async (service) => bodyOf(await service.post('/reconciliations/1/records/1/mark_overdue', {}), 200),
    'import_batches.records': first('/import_batches/1/records'),
  },
  matched_record: {
    'records.get': async (service) => {
      const { left } = await newMatch(service);
      return within(got(`/records/${String(left['id'])}`), 'matched_records')(service);
    },
    'records.list': async (service) => {
      const { match } = await newMatch(service);
      return within(first(`/records?reconciliation_match_id=${String(match['id'])}`), 'matched_records')(service);
    },
  },
  bulk_request: { ...accepted, ...polled },
  bulk_progress: polled,
  bulk_results: { 'bulk_requests.get': member(bulkDetail, 'results') },
  bulk_result: { 'bulk_requests.get': within(member(bulkDetail, 'results'), 'data') },
  import_batch: { 'import_batches.get': got('/import_batches/1'), 'import_batches.list': first('/data_streams/bank/import_batches') },
  reconciliation: {
    'reconciliations.get': got('/reconciliations/1'),
    'reconciliations.list': first('/reconciliations'),
    'reconciliations.create': async (service) => {
      const { a, b } = await newPair(service);
      const body = { name: 'June', side_a_stream_ids: [a.id], side_b_stream_ids: [b.id] };
      return bodyOf(await service.post('/reconciliations', body), 201);
    },
    'reconciliations.update': async (service) => bodyOf(await service.patch('/reconciliations/1', { name: 'June' }), 200),
  },
  agent_status: { 'proposals.agent_status': agentStatus },
  agent_step: { 'proposals.agent_status': within(agentStatus, 'progress') },
  run: { ...run, 'reconciliations.get': member(got('/reconciliations/1'), 'last_run') },
  rule: {
    'rules.create': newRule,
    'rules.get': got('/reconciliation_rules/1'),
    'rules.list': first('/reconciliation_rules?reconciliation_id=1'),
    'rules.update': async (service) => bodyOf(await service.patch('/reconciliation_rules/1', { description: 'x' }), 200),
  },
  match: {
    'matches.create': async (service) => (await newMatch(service)).match,
    'matches.get': got('/reconciliation_matches/1'),
    'matches.list': first('/reconciliation_matches'),
  },
  story,
  story_link: mapped(story, link),
  linked_stream: mapped(story, (source) => within(link(source), 'side_a_streams')),
  bank_account: {
    'bank_accounts.create': async (service) => bodyOf(await service.post('/bank_accounts', { name: 'New', currency: 'EUR' }), 201),
    'bank_accounts.get': got('/bank_accounts/1'),
    'bank_accounts.list': first('/bank_accounts'),
    'bank_accounts.update': async (service) => bodyOf(await service.patch('/bank_accounts/1', { name: 'Current account' }), 200),
  },
  balance: {
    'bank_account_balances.put': async (service) => bodyOf(await service.post('/bank_account_balances', putBalance), 201),
    'bank_account_balances.put_many': within(async (service) => {
      const { bank_account_id, ...balance } = putBalance;
      return bodyOf(await service.post('/bank_account_balances/bulk', { bank_account_id, balances: [balance] }), 201);
    }, 'balances'),
    'bank_account_balances.list': first('/bank_account_balances?bank_account_id=1'),
  },
  exception,
  aggregates: mapped(exception, (source) => member(source, 'aggregates')),
  property_definition: {
    'property_definitions.create': newDefinition,
    'property_definitions.get': got('/data_stream_property_definitions/1'),
    'property_definitions.list': first('/data_stream_property_definitions'),
    'property_definitions.update': async (service) => {
      const { id } = await newDefinition(service);
      return bodyOf(await service.patch(`/data_stream_property_definitions/${String(id)}`, { name: 'Other' }), 200);
    },
  },
  health: { 'streams.health': got('/data_streams/bank/health') },
};
