import type { Line } from '../line.ts';
import { type Body, bodyOf, listOf, newPair, newRecord } from '../make.ts';
import type { Service } from '../service.ts';
import { that } from '../that.ts';

/** A pair with one line on each side, 10.00 in the books and 7.00 at the bank, and its June; both balances begin with 0. */
async function newJune(service: Service) {
  const pair = await newPair(service, { sign_convention: 'same' });
  const books = await newRecord(service, pair.a.key, { amount: 1000 });
  const bank = await newRecord(service, pair.b.key, { amount: 700 });
  const balances = ['bank', 'books'].map((side) => ({ side, opening: 0 }));
  const body = { reconciliation_id: pair.id, from: '2026-06-01', to: '2026-06-30', bank_side: 'b', balances };
  const made = bodyOf(await service.post('/reconciliation_periods', body), 201);
  return { pair, books, bank, made, path: `/reconciliation_periods/${String(made['id'])}` };
}

const read = async (service: Service, path: string): Promise<Body> => bodyOf(await service.get(path), 200);
const statementOf = async (service: Service, path: string): Promise<Body> => (await read(service, path))['statement'] as Body;
const codeOf = (body: Body): unknown => body['code'];

const AMIRA = { by: 'Amira Patel' };
const BEN = { by: 'Ben Ode' };

export const periodLines: readonly Line[] = [
  {
    id: 'period.figures',
    says: 'figures are read as of a day, each as one value and as a table',
    operations: ['figures.open', 'figures.items', 'figures.matched', 'figures.balances', 'figures.accounts', 'figures.statement'],
    async proves(service) {
      const { pair, books, bank } = await newJune(service);
      const figure = (name: string, query = ''): Promise<Body> =>
        read(service, `/figures/${pair.id}/${name}?as_of=2026-06-30${query === '' ? '' : `&${query}`}`);
      const value = async (name: string, query = ''): Promise<unknown> => (await figure(name, query))['value'];
      const sides = (body: Body): unknown => [...new Set((body['data'] as readonly Body[]).map((row) => row['side']))];
      that(await figure('open')).toMatchObject({ as_of: '2026-06-30', pinned: false, value: '17.00', no_value: null });
      that(await value('open', 'measure=count')).toBe('2');
      that(sides(await figure('open', 'side=books'))).toEqual(['books']);
      that(sides(await figure('matched', 'side=bank'))).toEqual(['bank']);
      that(sides(await figure('accounts', 'side=bank'))).toEqual(['bank']);
      that(sides(await figure('items', 'side=bank'))).toEqual(['bank']);
      that([await value('matched'), await value('matched', 'measure=open')]).toEqual(['0', '2']);
      that([await value('balances'), await value('balances', 'measure=adjusted_bank')]).toEqual(['0.00', '17.00']);
      that([await value('statement'), typeof (await value('statement', 'measure=verdict'))]).toEqual(['0.00', 'string']);
      that(await value('statement', 'measure=verdict')).toBe(await value('balances', 'measure=verdict'));
      that(await value('accounts', 'side=bank&measure=source')).toBe('computed');
      const named = (await figure('accounts', 'side=books'))['data'] as readonly Body[];
      const key = String(named[0]?.['data_stream_keys']);
      that((await figure('accounts', `account=${key}`))['data']).toEqual(named);
      const whole = (await figure('items'))['data'] as readonly Body[];
      that(whole.map((item) => item['record_id']).toSorted()).toEqual([bank['id'], books['id']].toSorted());
      const page = await figure('items', 'limit=1');
      that([page['value'], page['data'], page['has_more']]).toEqual(['2', whole.slice(0, 1), true]);
      that((await figure('items', 'limit=1&offset=1'))['data']).toEqual(whole.slice(1));
      that((await figure('items', `limit=1&cursor=${encodeURIComponent(String(page['next_cursor']))}`))['data']).toEqual(whole.slice(1));
      const time = await figure('items', 'measure=read_at');
      that(time['value']).toBe(time['read_at']);
      for (const name of ['open', 'items', 'matched', 'balances', 'accounts', 'statement']) {
        that(codeOf(bodyOf(await service.get(`/figures/${pair.id}/${name}?currency=USD`), 422))).toBe('unknown_reference');
        that((await read(service, `/figures/${pair.id}/${name}?as_of=2026-05-31`))['as_of']).toBe('2026-05-31');
        that(codeOf(bodyOf(await service.get(`/figures/999999/${name}`), 404))).toBe('not_found');
      }
    },
  },
  {
    id: 'period.statement',
    says: 'the statement of a period tells both balances, what lies between them and what is open; without days the next month follows',
    operations: ['periods.create', 'periods.get', 'periods.list', 'periods.open_items'],
    async proves(service) {
      const { pair, books, bank, made, path } = await newJune(service);
      that(made).toMatchObject({ state: 'open', stale: false, name: 'June 2026', from: '2026-06-01', to: '2026-06-30', bank_side: 'b' });
      const statement = await statementOf(service, path);
      that(statement).toMatchObject({
        currency: 'GBP',
        bank: { opening: 0, receipts: 700, payments: 0, closing: 700, stated_closing: null, holds: null },
        books: { opening: 0, receipts: 1000, payments: 0, closing: 1000 },
        deposits_in_transit: { count: 1, total: 1000 },
        unbooked_receipts: { count: 1, total: 700 },
        adjusted_bank: 1700,
        adjusted_books: 1700,
        unexplained: 0,
        raw_difference: -300,
      });
      const page = await read(service, `${path}/open_items?limit=1`);
      that(page).toMatchObject({ total_count: 2, has_more: true, data: [{ record_id: bank['id'], side: 'bank', amount: 700 }] });
      const rest = await read(service, `${path}/open_items?limit=1&cursor=${String(page['next_cursor'])}`);
      that(rest).toMatchObject({ has_more: false, data: [{ record_id: books['id'], side: 'books', amount: 1000 }] });
      that(listOf(await service.get(`${path}/open_items?limit=1&offset=1`))).toEqual(rest['data']);
      that(codeOf(bodyOf(await service.get(`${path}/open_items?currency=USD`), 422))).toBe('unknown_reference');
      const next = bodyOf(await service.post('/reconciliation_periods', { reconciliation_id: pair.id }), 201);
      that(next).toMatchObject({ from: '2026-07-01', to: '2026-07-31' });
      const list = `/reconciliation_periods?reconciliation_id=${pair.id}`;
      that(listOf(await service.get(list))).toEqual([next, made]);
      const first = await read(service, `${list}&limit=1`);
      that(first).toMatchObject({ data: [next], has_more: true });
      that(listOf(await service.get(`${list}&limit=1&offset=1`))).toEqual([made]);
      that(listOf(await service.get(`${list}&limit=1&cursor=${encodeURIComponent(String(first['next_cursor']))}`))).toEqual([made]);
      const none = bodyOf(await service.get(`${path}?currency=USD`), 422);
      that(codeOf(none)).toBe('unknown_reference');
    },
  },
  {
    id: 'period.order',
    says: 'periods follow one another without overlaps and gaps; an open one is changed or deleted',
    operations: ['periods.create', 'periods.update', 'periods.remove'],
    codes: ['period_overlaps', 'period_gap'],
    async proves(service) {
      const { pair, path } = await newJune(service);
      const make = (from: string, to: string) => service.post('/reconciliation_periods', { reconciliation_id: pair.id, from, to });
      that(codeOf(bodyOf(await make('2026-06-15', '2026-07-14'), 409))).toBe('period_overlaps');
      that(codeOf(bodyOf(await make('2026-08-01', '2026-08-31'), 409))).toBe('period_gap');
      that(codeOf(bodyOf(await make('2026-07-31', '2026-07-01'), 422))).toBe('validation_failed');
      that(bodyOf(await service.patch(path, { to: '2026-06-29' }), 200)).toMatchObject({ from: '2026-06-01', to: '2026-06-29' });
      that((await service.remove(path)).status).toBe(204);
      that((await service.get(path)).status).toBe(404);
    },
  },
  {
    id: 'period.signed',
    says: 'a period is prepared, reviewed by somebody else, closed and reopened with a reason; what changes beneath it is listed',
    operations: ['periods.prepare', 'periods.review', 'periods.close', 'periods.reopen', 'periods.update'],
    codes: ['reviewer_is_preparer', 'period_stale', 'unexplained_difference', 'period_closed'],
    async proves(service) {
      const { bank, path } = await newJune(service);
      that(bodyOf(await service.post(`${path}/prepare`, AMIRA), 200)).toMatchObject({ state: 'prepared', prepared_by: 'Amira Patel' });
      that(codeOf(bodyOf(await service.post(`${path}/review`, { by: 'amira  patel' }), 409))).toBe('reviewer_is_preparer');
      bodyOf(await service.patch(`/records/${String(bank['id'])}`, { description: 'Other' }), 200);
      that(codeOf(bodyOf(await service.post(`${path}/review`, BEN), 409))).toBe('period_stale');
      const stale = await statementOf(service, path);
      that(stale).toMatchObject({
        stale: true,
        change_count: 1,
        changes: [{ kind: 'record', id: bank['id'], after: { description: 'Other' } }],
      });
      bodyOf(await service.post(`${path}/prepare`, AMIRA), 200);
      bodyOf(await service.post(`${path}/review`, BEN), 200);
      bodyOf(await service.patch(path, { balances: [{ side: 'bank', opening: 5 }] }), 200);
      bodyOf(await service.post(`${path}/prepare`, AMIRA), 200);
      bodyOf(await service.post(`${path}/review`, BEN), 200);
      that(codeOf(bodyOf(await service.post(`${path}/close`, BEN), 409))).toBe('unexplained_difference');
      const closed = bodyOf(await service.post(`${path}/close`, { ...BEN, unexplained_reason: 'Five pence' }), 200);
      that(closed).toMatchObject({ state: 'closed', closed_by: 'Ben Ode' });
      that(codeOf(bodyOf(await service.patch(path, { balances: [{ side: 'bank', opening: 0 }] }), 409))).toBe('period_closed');
      that(bodyOf(await service.post(`${path}/reopen`, { reason: 'A mistake' }), 200)).toMatchObject({ state: 'open', prepared_by: null });
      const { sign_offs: signOffs } = await statementOf(service, path);
      that((signOffs as Body[]).map(({ kind }) => kind)).toEqual(['prepare', 'prepare', 'review', 'prepare', 'review', 'close', 'reopen']);
    },
  },
  {
    id: 'period.report',
    says: 'the report of a period comes as a file in the format that is asked for, its journal in the layout of a ledger or in chosen columns',
    operations: ['periods.report'],
    codes: ['no_printer'],
    async proves(service) {
      const { path } = await newJune(service);
      const headers = { accept: 'application/json' };
      const report = async (query: string): Promise<Body> => bodyOf(await service.get(`${path}/report?${query}`, { headers }), 200);
      that((await service.get(`${path}/report?format=csv`)).headers['content-type']).toBe('text/csv; charset=utf-8');
      const html = await report('format=html');
      that(html).toMatchObject({ content_type: 'text/html; charset=utf-8', encoding: 'utf8' });
      that(String(html['file_name']).endsWith('-2026-06-GBP.html')).toBe(true);
      that(String(html['content']).includes('Bank reconciliation statement')).toBe(true);
      const unexplained = async (): Promise<string | undefined> =>
        /^Unexplained,.*$/m.exec(String((await report('format=csv&currency=GBP'))['content']))?.[0].trim();
      const unstated = (side: string): string => `no closing balance of the ${side} is stated`;
      that(await unexplained()).toBe(`Unexplained,Not proved. N${unstated('bank').slice(1)} and ${unstated('books')}.,0.00`);
      const stated = (side: string, closing: number) => ({ side, opening: 0, stated_closing: closing });
      bodyOf(await service.patch(path, { balances: [stated('bank', 700), stated('books', 1000)] }), 200);
      that(await unexplained()).toBe('Unexplained,The figures agree.,0.00');
      bodyOf(await service.patch(path, { balances: [stated('bank', 701)] }), 200);
      that((await unexplained())?.startsWith('Unexplained,"The figures do not agree.')).toBe(true);
      that(await report('format=xlsx')).toMatchObject({ encoding: 'base64' });
      that(String((await report('format=pack'))['content']).includes('tieout-close-pack')).toBe(true);
      that(String((await report('format=journal'))['content']).startsWith('Entry,Date,Account,')).toBe(true);
      that(String((await report('format=journal&layout=xero'))['content']).startsWith('*Narration,')).toBe(true);
      that(String((await report('format=journal&columns=day:Posted,debit'))['content']).startsWith('Posted,Debit')).toBe(true);
      const refused = async (query: string, status: number): Promise<unknown> =>
        codeOf(bodyOf(await service.get(`${path}/report?${query}`), status));
      that(await refused('format=html&currency=USD', 422)).toBe('unknown_reference');
      that(await refused('format=doc', 422)).toBe('validation_failed');
      that(await refused('format=csv&layout=xero', 422)).toBe('validation_failed');
      that(await refused('format=csv&columns=day', 422)).toBe('validation_failed');
      that(await refused('format=journal&layout=xero&columns=day', 422)).toBe('validation_failed');
      that(await refused('format=journal&columns=colour', 422)).toBe('validation_failed');
      that(await refused('format=pdf', 503)).toBe('no_printer');
    },
  },
  {
    id: 'period.notes',
    says: 'what people write on an open item stands with it, and one that the bank has wrong corrects the side of the bank',
    operations: ['open_items.get', 'open_items.put', 'open_items.put_many'],
    async proves(service) {
      const { pair, bank, books, path } = await newJune(service);
      const address = `/reconciliations/${pair.id}/open_items/${String(bank['id'])}`;
      that(await read(service, address)).toMatchObject({ status: 'open', owner: null, comment: null, at: null });
      const said = { status: 'bank_error', owner: 'Ben', comment: 'Not ours', expected_on: '2026-07-03' };
      that(bodyOf(await service.put(address, said), 200)).toMatchObject(said);
      that(await read(service, address)).toMatchObject(said);
      const statement = await statementOf(service, path);
      that(statement).toMatchObject({ bank_errors: { count: 1, total: -700 }, unbooked_receipts: { count: 0, total: 0 }, unexplained: 0 });
      const many = { changes: [{ record_ids: [bank['id'], books['id']].map(String), owner: 'Tom' }] };
      const written = bodyOf(await service.post(`/reconciliations/${pair.id}/open_items`, many), 200);
      that(written).toEqual({ reconciliation_id: pair.id, record_count: 2 });
      that(await read(service, address)).toMatchObject({ ...said, owner: 'Tom' });
      const other = await newPair(service);
      const foreign = `/reconciliations/${other.id}/open_items/${String(bank['id'])}`;
      that(codeOf(bodyOf(await service.get(foreign), 422))).toBe('stream_not_in_reconciliation');
    },
  },
];
