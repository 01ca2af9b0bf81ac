import { describe, expect, it } from 'vitest';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { contentOf } from '../../support/remotes/reading.ts';
import { seedMonth } from '../../support/remotes/seeding.ts';
import { asking } from '../asking.ts';

const DAY = { date: '2026-07-01', data_stream_key: 'bank' };

async function live(options: ConstructorParameters<typeof LiveRemote>[0] = {}) {
  const remote = new LiveRemote(options);
  const ask = await asking(remote);
  return { remote, ask, ...seedMonth(remote) };
}

describe('the live remote', () => {
  it('answers failures in two shapes', async () => {
    const { ask } = await live();
    expect(await ask('GET /data_streams', undefined, { 'x-api-key': 'no' })).toMatchObject({
      status: 401,
      body: { error: expect.any(String) },
    });
    expect(await ask('GET /data_streams/none')).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await ask('GET /records')).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  it('has bare arrays', async () => {
    const { ask, main, account } = await live();
    expect((await ask('GET /data_streams')).body).toMatchObject([{ key: 'bank' }, { key: 'ledger' }]);
    expect((await ask('GET /bank_accounts')).body).toMatchObject([{ name: 'Current account' }]);
    expect((await ask(`GET /bank_account_balances?bank_account_id=${account.id}`)).body).toMatchObject([{ amount_cents: 123_456 }]);
    expect((await ask(`GET /reconciliation_rules?reconciliation_id=${main.id}`)).body).toHaveLength(2);
    expect((await ask('GET /data_stream_property_definitions')).body).toEqual([]);
  });

  it('pages records by cursor and looks at no offset', async () => {
    const { ask } = await live();
    const first = await ask('GET /records?data_stream_key=bank&limit=3&offset=2');
    expect(first.body).toMatchObject({ limit: 3, data: [{ currency: 'JPY', decimal_places: 2 }, {}, {}], next_cursor: expect.any(String) });
    const { data, next_cursor } = first.body as { data: object[]; next_cursor: string };
    expect(Object.keys(data[0] ?? {})).not.toContain('status');
    expect((await ask(`GET /records?data_stream_key=bank&limit=3&cursor=${next_cursor}`)).body).toMatchObject({
      data: [{ external_id: 'B-1' }],
      next_cursor: null,
    });
    expect(await ask('GET /records?data_stream_key=bank&limit=201')).toMatchObject({ status: 422 });
    expect((await ask('GET /reconciliations?offset=1')).body).toMatchObject({
      data: [{ name: 'Bank and ledger' }],
      next_cursor: null,
      limit: 50,
    });
    expect((await ask('GET /bulk_requests')).body).toEqual({ data: [], next_cursor: null, limit: 50 });
  });

  it('scopes records', async () => {
    const { ask, batch, match, main } = await live();
    const count = async (query: string) => ((await ask(`GET /records?${query}`)).body as { data: unknown[] }).data.length;
    expect(await count(`import_batch_id=${batch.id}`)).toBe(3);
    expect(await count(`reconciliation_match_id=${match.id}`)).toBe(2);
    expect(await count(`reconciliation_id=${main.id}`)).toBe(6);
    expect(await count('data_stream_key=bank&external_id=B-4')).toBe(1);
    expect(await count('data_stream_key=bank&date_from=2026-06-12&date_to=2026-06-15')).toBe(2);
    expect(await ask('GET /records?external_id=B-4')).toMatchObject({ status: 400 });
  });

  it('pages batches and matches by offset', async () => {
    const { remote, ask, main, batch } = await live({ links: { as: 'query' } });
    expect((await ask('GET /data_streams/bank/import_batches?limit=1')).body).toMatchObject({
      data: [{ id: batch.id, records_url: `/v1/records?import_batch_id=${batch.id}` }],
      has_more: false,
      offset: 0,
    });
    expect((await ask(`GET ${remote.origin}/v1/records?import_batch_id=${batch.id}`)).body).toMatchObject({ limit: 50 });
    expect((await ask(`GET /reconciliation_matches?reconciliation_id=${main.id}&limit=1&offset=1`)).body).toMatchObject({
      data: [{ status: 'confirmed' }],
      has_more: false,
      total_count: 2,
    });
    expect(await ask('GET /reconciliation_matches?limit=101')).toMatchObject({ status: 422 });
  });

  it('takes bulk items with a direction, names the records made, and takes no decimal places', async () => {
    const { ask } = await live();
    const records = [
      { ...DAY, amount: 5, direction: 'debit', currency: 'JPY', decimal_places: 0, whatever: 1, description: null },
      { ...DAY, amount: -5, direction: 'debit' },
      { ...DAY, amount: 5 },
      { ...DAY, amount: 5, direction: 'credit', external_id: 'B-1' },
    ];
    const { status, body } = await ask('POST /records/bulk', { records, extra: true });
    expect(status).toBe(202);
    await ask('GET /data_streams');
    const { id } = body as { id: number };
    const done = (await ask(`GET /bulk_requests/${id}`)).body as { results: { record_id: number }[] };
    expect(done).toMatchObject({
      status: 'completed',
      successful_items: 1,
      failed_items: 2,
      skipped_items: 1,
      results: [
        { index: 0, status: 'successful', record_id: expect.any(Number), error: null },
        { index: 1, status: 'failed', record_id: null, error: expect.any(String) },
        { index: 2, status: 'failed' },
        { index: 3, status: 'skipped' },
      ],
    });
    expect((await ask(`GET /records/${done.results[0]?.record_id}`)).body).toMatchObject({
      currency: 'JPY',
      decimal_places: 2,
      direction: 'debit',
    });
    expect((await ask(`GET /records?bulk_request_id=${id}`)).body).toMatchObject({ data: [{ amount: 5 }] });
    expect(await ask('POST /records/bulk', { records, on_conflict: 'merge' })).toMatchObject({ status: 400 });
  });

  it('makes streams of two types alone', async () => {
    const { ask, account } = await live();
    expect(await ask('POST /data_streams', { key: 'new', name: 'New', type: 'api', unknown: 1 })).toMatchObject({
      status: 201,
      body: { key: 'new', type: 'api' },
    });
    expect(await ask('POST /data_streams', { key: 'new', name: 'New' })).toMatchObject({ status: 422, body: { message: 'key is taken' } });
    expect(await ask('POST /data_streams', { key: 'file', name: 'File', type: 'csv' })).toMatchObject({ status: 422 });
    expect(await ask('POST /data_streams', { key: 'feed', name: 'Feed', type: 'bank_feed' })).toMatchObject({ status: 422 });
    const feed = { key: 'feed', name: 'Feed', type: 'bank_feed', bank_account_id: account.id };
    expect(await ask('POST /data_streams', feed)).toMatchObject({ status: 201 });
    expect((await ask('PATCH /data_streams/feed', { name: 'The feed' })).body).toMatchObject({ name: 'The feed' });
    expect(await ask('DELETE /data_streams/feed')).toMatchObject({ status: 204, body: null });
    expect(await ask('DELETE /data_streams/bank')).toMatchObject({ status: 409 });
    expect(await ask('POST /data_streams/bank/reset', {})).toMatchObject({ status: 202, body: { kind: 'reset' } });
    await ask('GET /data_streams');
    await ask('GET /data_streams');
    expect((await ask('GET /records?data_stream_key=bank')).body).toMatchObject({ data: [] });
  });

  it('changes and deletes records that are open', async () => {
    const { remote, ask, lost, rent, match } = await live();
    const { body } = await ask('POST /records', { ...DAY, amount: 3, direction: 'credit' });
    expect(body).toMatchObject({ amount: 3, data_stream_key: 'bank' });
    expect((await ask(`PATCH /records/${lost.id}`, { amount: 4, direction: 'debit', external_id: 'X' })).body).toMatchObject({
      amount: 4,
      direction: 'debit',
    });
    expect(await ask(`DELETE /records/${lost.id}`)).toMatchObject({ status: 204 });
    expect(await ask(`PATCH /records/${rent.id}`, { amount: 4 })).toMatchObject({ status: 409 });
    expect(await ask(`DELETE /records/${rent.id}`)).toMatchObject({ status: 409 });
    expect(await ask(`DELETE /reconciliation_matches/${match.id}`)).toMatchObject({ status: 204 });
    expect(await ask(`DELETE /records/${rent.id}`)).toMatchObject({ status: 204 });
    expect(
      contentOf(remote)
        .records.map(({ external_id }) => external_id)
        .toSorted(),
    ).toEqual(['B-4', 'L-1', 'L-2', null, null]);
  });

  it('makes reconciliations, rules, matches and overdue marks', async () => {
    const { remote, ask, bank, ledger, lost, sold } = await live();
    const made = await ask('POST /reconciliations', {
      name: 'Second',
      side_a_stream_ids: [bank.id],
      side_b_stream_ids: [String(ledger.id)],
    });
    expect(made).toMatchObject({ status: 201, body: { run_type: 'continuous', side_a_streams: [{ key: 'bank' }] } });
    const { id } = made.body as { id: number };
    expect((await ask(`PATCH /reconciliations/${id}`, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed' });
    const rule = await ask('POST /reconciliation_rules', {
      reconciliation_id: id,
      filters: { rules: [] },
      group_by: ['date'],
      rollup: null,
    });
    expect(rule).toMatchObject({ status: 201, body: { priority: 10, group_by: ['date'], status: 'active' } });
    const ruleId = (rule.body as { id: number }).id;
    expect((await ask(`PATCH /reconciliation_rules/${ruleId}`, { description: 'Better' })).body).toMatchObject({ description: 'Better' });
    expect(await ask(`DELETE /reconciliation_rules/${ruleId}`)).toMatchObject({ status: 204 });
    expect(await ask(`POST /reconciliations/${id}/records/${lost.id}/mark_overdue`, {})).toMatchObject({ status: 200 });
    expect(await ask(`POST /records/${lost.id}/mark_overdue`, { reconciliation_id: id })).toMatchObject({ status: 404 });
    const match = await ask('POST /reconciliation_matches', { reconciliation_id: id, record_ids: [lost.id, sold.id] });
    expect(match).toMatchObject({ status: 201, body: { status: 'matched', record_count: 2 } });
    expect(await ask(`DELETE /reconciliations/${id}`)).toMatchObject({ status: 204 });
    expect(contentOf(remote).matches).toHaveLength(2);
  });

  it('keeps stories, accounts, balances and definitions', async () => {
    const { remote, ask, story, account } = await live();
    expect((await ask(`PATCH /reconciliation_stories/${story.id}`, { name: 'Other' })).body).toMatchObject({ name: 'Other', links: [{}] });
    expect(await ask(`DELETE /reconciliation_stories/${story.id}`)).toMatchObject({ status: 204 });
    expect((await ask(`PATCH /bank_accounts/${account.id}`, { name: 'Main' })).body).toMatchObject({ name: 'Main', currency: 'USD' });
    const balances = [{ date: '2026-07-01', balance_type: 'other', amount_cents: -1 }];
    expect((await ask('POST /bank_account_balances/bulk', { bank_account_id: account.id, balances })).body).toMatchObject({ count: 1 });
    const definition = await ask('POST /data_stream_property_definitions', { key: 'due', type: 'date', data_stream_key: 'bank' });
    expect(definition).toMatchObject({ status: 201, body: { name: 'due', optional: true } });
    const path = `/data_stream_property_definitions/${(definition.body as { id: number }).id}`;
    expect((await ask(`PATCH ${path}`, { name: 'Due' })).body).toMatchObject({ name: 'Due' });
    expect(await ask(`DELETE ${path}`)).toMatchObject({ status: 204 });
    expect(await ask(`DELETE /bank_accounts/${account.id}`)).toMatchObject({ status: 204 });
    expect(contentOf(remote)).toMatchObject({ stories: [], accounts: [], balances: [] });
  });
});
