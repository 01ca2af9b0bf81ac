import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, listOf, newPair, newRecord, newStream, type Pair } from '../make.ts';
import type { Service } from '../service.ts';

async function newAccount(service: Service, more: Body = {}): Promise<string> {
  return String(bodyOf(await service.post('/bank_accounts', { name: service.unique('account'), ...more }), 201)['id']);
}

async function newException(service: Service, pair: Pair, more: Body = {}): Promise<Body> {
  const body = { reconciliation_id: String(pair.id), data_stream_id: String(pair.a.id), ...more };
  return bodyOf(await service.post('/reconciliation_exceptions', body), 201);
}

/** An exception over one overdue debit of 250 from 2026-06-21. */
async function overdue(service: Service): Promise<{ pair: Pair; exception: Body }> {
  const pair = await newPair(service);
  const record = await newRecord(service, pair.a.key, { amount: 250, direction: 'debit', date: '2026-06-21', description: 'ACME Ltd' });
  bodyOf(await service.post(`/records/${String(record['id'])}/mark_overdue`, { reconciliation_id: pair.id }), 200);
  return { pair, exception: await newException(service, pair) };
}

/** A filter that finds the exception over `overdue`, and a value that does not. */
function exceptionFilter(name: string, hit: string, miss: string): Line {
  return {
    id: `exceptions.filter.${name}`,
    says: `${name} narrows the list`,
    operations: ['exceptions.list'],
    async proves(service) {
      const { pair, exception } = await overdue(service);
      const listed = async (value: string) =>
        listOf(await service.get(`/reconciliation_exceptions?reconciliation_id=${pair.id}&${name}=${value}`));
      that((await listed(hit)).map((each) => each['id'])).toEqual([exception['id']]);
      that(await listed(miss)).toEqual([]);
    },
  };
}

/** A thing that is made, changed and deleted. */
function lifeLine(
  noun: 'bank_accounts' | 'exceptions' | 'property_definitions' | 'stories',
  path: string,
  make: (service: Service) => Promise<Body>,
): Line {
  const name = noun === 'exceptions' ? 'title' : 'name';
  return {
    id: `life.${noun}`,
    says: 'PATCH changes it (200), DELETE is 204 and it is gone',
    operations: [`${noun}.update`, `${noun}.get`, `${noun}.remove`],
    async proves(service) {
      const made = await make(service);
      const address = `${path}/${String(made['id'])}`;
      that(bodyOf(await service.get(address), 200)).toEqual(made);
      that(bodyOf(await service.patch(address, { [name]: 'Changed' }), 200)).toMatchObject({ id: made['id'], [name]: 'Changed' });
      that((await service.remove(address)).status).toBe(204);
      that((await service.get(address)).status).toBe(404);
    },
  };
}

const chain = [
  { reconciliation_id: '1', position: 1, role: 'origin' },
  { reconciliation_id: '2', position: 2, role: 'continuation', shared_data_stream_id: '1' },
];

const lives: readonly Line[] = [
  lifeLine('bank_accounts', '/bank_accounts', async (service) => bodyOf(await service.post('/bank_accounts', { name: 'Till' }), 201)),
  lifeLine('exceptions', '/reconciliation_exceptions', async (service) => newException(service, await newPair(service))),
  lifeLine('property_definitions', '/data_stream_property_definitions', async (service) =>
    bodyOf(
      await service.post('/data_stream_property_definitions', {
        data_stream_key: 'bank',
        key: service.unique('k'),
        name: 'K',
        type: 'date',
      }),
      201,
    ),
  ),
  lifeLine('stories', '/reconciliation_stories', async (service) =>
    bodyOf(await service.post('/reconciliation_stories', { name: 'Close', links: chain }), 201),
  ),
];

const money: readonly Line[] = [
  {
    id: 'bank_account.rule.currency',
    says: 'an account may have no currency',
    operations: ['bank_accounts.create'],
    async proves(service) {
      that(bodyOf(await service.post('/bank_accounts', { name: 'Safe' }), 201)).toMatchObject({ name: 'Safe', currency: null });
    },
  },
  {
    id: 'bank_account.rule.order',
    says: 'accounts come by name',
    operations: ['bank_accounts.list'],
    async proves(service) {
      await newAccount(service, { name: 'Zebra' });
      await newAccount(service, { name: 'Ant' });
      const names = listOf(await service.get('/bank_accounts')).map((account) => String(account['name']).toLowerCase());
      that(names).toEqual(names.toSorted());
    },
  },
  {
    id: 'bank_account.in_use',
    says: 'an account is not deleted while a stream is linked to it',
    operations: ['bank_accounts.remove', 'streams.create'],
    codes: ['bank_account_in_use'],
    async proves(service) {
      const id = await newAccount(service);
      await newStream(service, { type: 'bank_feed', bank_account_id: id });
      that(bodyOf(await service.remove(`/bank_accounts/${id}`), 409)).toMatchObject({ code: 'bank_account_in_use' });
    },
  },
  {
    id: 'balance.upsert',
    says: 'the same account, date and type is updated (201), anything else is another balance',
    operations: ['bank_account_balances.put', 'bank_account_balances.list'],
    async proves(service) {
      const bank_account_id = await newAccount(service);
      const put = async (change: Body) =>
        bodyOf(
          await service.post('/bank_account_balances', {
            bank_account_id,
            date: '2026-06-30',
            balance_type: 'other',
            amount_cents: 1,
            ...change,
          }),
          201,
        );
      const first = await put({});
      that(await put({ amount_cents: -2 })).toMatchObject({ id: first['id'], amount_cents: -2 });
      const others = [await put({ date: '2026-06-29' }), await put({ balance_type: 'closing_ledger', date: '2026-07-01' })];
      const listed = listOf(await service.get(`/bank_account_balances?bank_account_id=${bank_account_id}`));
      that(listed.map((balance) => balance['id'])).toEqual([others[1]?.['id'], first['id'], others[0]?.['id']]);
    },
  },
  {
    id: 'balance.bulk',
    says: 'up to 1,000 balances are all put, or none',
    operations: ['bank_account_balances.put_many'],
    async proves(service) {
      const bank_account_id = await newAccount(service);
      const balance = { date: '2026-06-30', balance_type: 'other', amount_cents: 1 };
      const bad = { bank_account_id, balances: [balance, { ...balance, date: 'soon' }] };
      that((await service.post('/bank_account_balances/bulk', bad)).status).toBe(422);
      that(listOf(await service.get(`/bank_account_balances?bank_account_id=${bank_account_id}`))).toEqual([]);
      const good = {
        bank_account_id,
        balances: Array.from({ length: 1_000 }, (_, index) => ({
          ...balance,
          date: `20${10 + Math.floor(index / 28)}-06-${String(1 + (index % 28)).padStart(2, '0')}`,
        })),
      };
      that(bodyOf(await service.post('/bank_account_balances/bulk', good), 201)).toMatchObject({ count: 1_000 });
    },
  },
];

const storiesAndExceptions: readonly Line[] = [
  {
    id: 'story.chain',
    says: 'links keep their order, from 1; the first has no shared stream, the others name theirs',
    operations: ['stories.create'],
    async proves(service) {
      const { links } = bodyOf(await service.post('/reconciliation_stories', { name: 'Close', links: chain }), 201);
      that(links).toMatchObject([
        { position: 1, role: 'origin', reconciliation_id: 1, shared_data_stream_id: null, shared_data_stream_name: null },
        { position: 2, role: 'continuation', reconciliation_id: 2, shared_data_stream_id: 1 },
      ]);
    },
  },
  {
    id: 'story.list',
    says: '{data} alone, newest first',
    operations: ['stories.list'],
    async proves(service) {
      const { id } = bodyOf(await service.post('/reconciliation_stories', { name: 'Last' }), 201);
      const body = bodyOf(await service.get('/reconciliation_stories'), 200);
      that([Object.keys(body), (body['data'] as Body[])[0]?.['id']]).toEqual([['data'], id]);
    },
  },
  {
    id: 'story.patch',
    says: 'links replace the chain; without them only the name changes',
    operations: ['stories.update'],
    async proves(service) {
      const { id } = bodyOf(await service.post('/reconciliation_stories', { name: 'Close', links: chain }), 201);
      const path = `/reconciliation_stories/${String(id)}`;
      that((bodyOf(await service.patch(path, { name: 'Other' }), 200)['links'] as Body[]).length).toBe(2);
      that(bodyOf(await service.patch(path, { links: [{ reconciliation_id: '2' }] }), 200)).toMatchObject({
        name: 'Other',
        links: [{ position: 1, reconciliation_id: 2 }],
      });
    },
  },
  {
    id: 'exception.rule.aggregates',
    says: 'figures over the overdue and unmatched records of the stream',
    operations: ['exceptions.create', 'exceptions.get'],
    async proves(service) {
      const { exception } = await overdue(service);
      that(exception['aggregates']).toMatchObject({
        record_count: 1,
        total_amount: -250,
        debit_count: 1,
        debit_sum: 250,
        credit_count: 0,
        credit_sum: 0,
        avg_age_days: 10,
      });
      that(bodyOf(await service.get(`/reconciliation_exceptions/${String(exception['id'])}`), 200)).toEqual(exception);
    },
  },
  {
    id: 'exception.one_open',
    says: 'at most one is open or investigated; after it is resolved there may be another',
    operations: ['exceptions.create', 'exceptions.update'],
    codes: ['exception_open'],
    async proves(service) {
      const pair = await newPair(service);
      const first = await newException(service, pair);
      const body = { reconciliation_id: String(pair.id), data_stream_id: String(pair.a.id) };
      that(bodyOf(await service.post('/reconciliation_exceptions', body), 422)).toMatchObject({ code: 'exception_open' });
      const closed = await service.patch(`/reconciliation_exceptions/${String(first['id'])}`, { status: 'resolved' });
      that(bodyOf(closed, 200)).toMatchObject({ status: 'resolved' });
      that((await newException(service, pair, { status: 'investigating' }))['status']).toBe('investigating');
    },
  },
  exceptionFilter('amount_min', '250', '251'),
  exceptionFilter('amount_max', '250', '249'),
  exceptionFilter('date_from', '2026-06-21', '2026-06-22'),
  exceptionFilter('date_to', '2026-06-21', '2026-06-20'),
  exceptionFilter('direction', 'debit', 'credit'),
  exceptionFilter('counterparty', 'acme', 'globex'),
  exceptionFilter('age_bucket', '7_30d', 'lt_7d'),
  exceptionFilter('status', 'open', 'resolved'),
  {
    id: 'exceptions.filter.data_stream_id',
    says: 'data_stream_id narrows the list',
    operations: ['exceptions.list'],
    async proves(service) {
      const pair = await newPair(service);
      const exception = await newException(service, pair);
      const listed = async (id: number) =>
        listOf(await service.get(`/reconciliation_exceptions?reconciliation_id=${pair.id}&data_stream_id=${id}`));
      that((await listed(pair.a.id)).map((each) => each['id'])).toEqual([exception['id']]);
      that(await listed(pair.b.id)).toEqual([]);
    },
  },
  {
    id: 'property_definition.stream',
    says: 'the list is that of the named stream',
    operations: ['property_definitions.list', 'property_definitions.create'],
    async proves(service) {
      const { key } = await newStream(service);
      that(listOf(await service.get(`/data_stream_property_definitions?data_stream_key=${key}`))).toEqual([]);
      const body = { data_stream_key: key, key: 'order_id', name: 'Order', type: 'number' };
      const made = bodyOf(await service.post('/data_stream_property_definitions', body), 201);
      that(made).toMatchObject({ ...body, optional: true });
      that(listOf(await service.get(`/data_stream_property_definitions?data_stream_key=${key}`))).toEqual([made]);
    },
  },
];

/** The bank's file of the ground covers 2 to 4 June 2026. */
const covered: readonly Line[] = [
  {
    id: 'coverage.of_stream',
    says: 'the days that the statements of a stream cover',
    operations: ['coverage.of_stream'],
    async proves(service) {
      const { accounts } = bodyOf(await service.get('/data_streams/bank/coverage'), 200);
      that(accounts).toMatchObject([
        {
          data_stream_key: 'bank',
          account: null,
          statements: [{ filename: 'june.csv', date_start: '2026-06-02', date_end: '2026-06-04' }],
          covered: [{ date_start: '2026-06-02', date_end: '2026-06-04' }],
          gaps: [],
          overlaps: [],
          breaks: [],
        },
      ]);
      for (const window of ['date_to=2026-06-01', 'date_from=2026-06-05']) {
        const beside = bodyOf(await service.get(`/data_streams/bank/coverage?${window}`), 200);
        that(beside['accounts']).toMatchObject([{ statements: [], covered: [] }]);
      }
    },
  },
  {
    id: 'coverage.of_account',
    says: 'the days that the statements of a bank account cover, stream by stream',
    operations: ['coverage.of_account', 'streams.update'],
    async proves(service) {
      const account = await newAccount(service);
      that(bodyOf(await service.get(`/bank_accounts/${account}/coverage`), 200)).toEqual({ accounts: [] });
      bodyOf(await service.patch('/data_streams/bank', { bank_account_id: account }), 200);
      const covering = bodyOf(await service.get('/data_streams/bank/coverage'), 200);
      that(bodyOf(await service.get(`/bank_accounts/${account}/coverage`), 200)).toEqual(covering);
      for (const window of ['date_to=2026-06-01', 'date_from=2026-06-05']) {
        that(bodyOf(await service.get(`/bank_accounts/${account}/coverage?${window}`), 200)['accounts']).toMatchObject([{ covered: [] }]);
      }
      bodyOf(await service.patch('/data_streams/bank', { bank_account_id: null }), 200);
    },
  },
  {
    id: 'instance.get',
    says: 'the book that answers is named with its environment, and an entry of its history by a hash that stays',
    operations: ['instance.get'],
    async proves(service) {
      await newStream(service);
      const asked = async (query = ''): Promise<Body> => bodyOf(await service.get(`/instance${query}`), 200);
      const first = await asked();
      that(first).toMatchObject({ environment: 'live', history: { asked: null } });
      const history = (body: Body) => body['history'] as { entries: number; head: string | null; asked: string | null };
      const { entries, head } = history(first);
      that(history(await asked(`?entry=${entries}`)).asked).toBe(head);
      await newStream(service);
      const later = await asked(`?entry=${entries}`);
      that(history(later).asked).toBe(head);
      that(history(later).entries > entries).toBe(true);
      that([later['instance_id'], later['book_id']]).toEqual([first['instance_id'], first['book_id']]);
      that(history(await asked('?entry=999999')).asked).toBe(null);
    },
  },
];

export const otherLines: readonly Line[] = [...covered, ...lives, ...money, ...storiesAndExceptions];
