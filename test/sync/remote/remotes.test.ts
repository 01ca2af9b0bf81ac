import { describe, expect, it } from 'vitest';
import { contentOf } from '../../support/remotes/reading.ts';
import { Seeding, seedMonth } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { asking } from '../asking.ts';

const DAY = { date: '2026-07-01', data_stream_key: 'bank' };

async function specification(options: ConstructorParameters<typeof SpecificationRemote>[0] = {}) {
  const remote = new SpecificationRemote(options);
  const ask = await asking(remote);
  return { remote, ask, ...seedMonth(remote) };
}

describe('the remote of the specification', () => {
  it('wants the key', async () => {
    const { ask } = await specification();
    expect(await ask('GET /reconciliations', undefined, { 'x-api-key': 'another' })).toMatchObject({
      status: 403,
      body: { error: expect.any(String) },
    });
  });

  it.each([
    'GET /data_streams',
    'POST /data_streams',
    'POST /reconciliations',
    'GET /reconciliations/7001',
    'POST /reconciliation_rules',
    'DELETE /reconciliation_rules/7001',
    'DELETE /reconciliation_matches/7001',
    'GET /bank_accounts',
    'GET /bank_account_balances',
    'POST /records',
    'PATCH /records/7001',
    'DELETE /records/7001',
    'GET /records/7001',
    'GET /bulk_requests',
    'DELETE /import_batches/7001',
    'GET /openapi.json',
  ])('has no %s', async (request) => {
    const { ask } = await specification();
    expect(await ask(request, request.startsWith('GET') ? undefined : {})).toMatchObject({
      status: 404,
      body: { error: expect.any(String) },
    });
  });

  it('lists reconciliations by offset', async () => {
    const { remote, ask, bank, ledger } = await specification();
    for (let n = 0; n < 10; n += 1) new Seeding(remote).reconciliation(`More ${n}`, [bank], [ledger]);
    const first = await ask('GET /reconciliations');
    expect(first).toMatchObject({ status: 200, body: { has_more: true, offset: 0 } });
    expect((first.body as { data: unknown[] }).data).toHaveLength(10);
    expect((first.body as { data: unknown[] }).data[0]).toEqual({
      id: expect.any(Number),
      name: 'Bank and ledger',
      run_type: 'batch',
      side_a_streams: [{ key: 'bank', name: 'Bank', id: bank.id, description: null, type: 'csv' }],
      side_b_streams: [{ key: 'ledger', name: 'Ledger', id: ledger.id, description: null, type: 'api' }],
      created_at: expect.any(String),
      current_run: null,
      last_run: null,
    });
    expect((await ask('GET /reconciliations?offset=10')).body).toMatchObject({ data: [{ name: 'More 9' }], has_more: false, offset: 10 });
    expect(await ask('GET /reconciliations?limit=101')).toMatchObject({ status: 400 });
    expect(await ask('GET /reconciliations?cursor=x')).toMatchObject({ status: 400 });
  });

  it('has rules as a bare array, and changes them', async () => {
    const { ask, main, rule } = await specification();
    const rules = await ask(`GET /reconciliation_rules?reconciliation_id=${main.id}`);
    expect(rules.body).toMatchObject([
      { id: rule.id, priority: 10, status: 'active', source: 'user', cardinality: 'one_to_one' },
      { filters: { rules: [{ operand: 'sounds_like', loudness: 11 }] } },
    ]);
    expect(Object.keys((rules.body as object[])[0] ?? {})).not.toContain('confidence');
    expect((await ask(`PATCH /reconciliation_rules/${rule.id}`, { priority: 5 })).body).toMatchObject({
      priority: 5,
      description: 'Amount',
    });
    expect(await ask(`PATCH /reconciliation_rules/${rule.id}`, { cardinality: 'many_to_one' })).toMatchObject({ status: 400 });
    expect(await ask(`PATCH /reconciliation_rules/${rule.id}`, { status: 'active' })).toMatchObject({ status: 400 });
    expect(await ask(`PATCH /reconciliation_rules/${rule.id}`, { description: null })).toMatchObject({ status: 400 });
    expect(await ask('GET /reconciliation_rules')).toMatchObject({ status: 404 });
  });

  it('renames a stream and has its batches', async () => {
    const { ask, batch } = await specification();
    expect((await ask('PATCH /data_streams/bank', { name: 'Main bank' })).body).toMatchObject({ key: 'bank', name: 'Main bank' });
    const shape = {
      id: batch.id,
      data_stream_key: 'bank',
      source: 'csv_upload',
      filename: 'june.csv',
      record_count: 3,
      total_credits: 9520,
      total_debits: 120_000,
      net_amount: -110_480,
      decimal_places: 2,
      date_range_start: '2026-06-01',
      date_range_end: '2026-06-15',
      created_at: expect.any(String),
      records_url: `/v1/import_batches/${batch.id}/records`,
    };
    expect((await ask('GET /data_streams/bank/import_batches')).body).toEqual({ data: [shape], has_more: false, offset: 0 });
    expect((await ask(`GET /import_batches/${batch.id}`)).body).toEqual(shape);
    expect(await ask('GET /data_streams/none/import_batches')).toMatchObject({ status: 404 });
  });

  it('links to the records of a batch as it is told', async () => {
    const { remote, ask, batch } = await specification();
    const url = async () => ((await ask(`GET /import_batches/${batch.id}`)).body as { records_url: string }).records_url;
    const records = `/v1/import_batches/${batch.id}/records`;
    expect((await ask(`GET /import_batches/${batch.id}/records?limit=2`)).body).toMatchObject({
      data: [{ external_id: 'B-1', amount: 120_000, direction: 'debit' }, { description: 'Sale' }],
      has_more: true,
    });
    remote.links = { as: 'absolute' };
    expect(await url()).toBe(`${remote.origin}${records}`);
    remote.links = { as: 'elsewhere', origin: 'http://elsewhere.example' };
    expect(await url()).toBe(`http://elsewhere.example${records}`);
    remote.links = { as: 'query' };
    expect(await url()).toBe(`${records}?part=all`);
    expect(await ask(`GET /import_batches/${batch.id}/records`)).toMatchObject({ status: 400 });
    expect((await ask(`GET ${remote.origin}${await url()}&offset=2`)).body).toMatchObject({ data: [{ currency: 'JPY' }], has_more: false });
  });

  it('has records of a match alone, with their standing', async () => {
    const { ask, match, proposal, main, rent, booked } = await specification();
    expect((await ask(`GET /records?reconciliation_match_id=${match.id}`)).body).toMatchObject({
      data: [
        {
          id: rent.id,
          data_stream_key: 'bank',
          status: 'reconciled',
          days_unreconciled: null,
          matched_records: [
            {
              id: booked.id,
              external_id: 'L-1',
              data_stream_key: 'ledger',
              reconciliation_id: main.id,
              reconciliation_name: 'Bank and ledger',
            },
          ],
        },
        { id: booked.id, status: 'reconciled' },
      ],
    });
    const proposed = (await ask(`GET /records?reconciliation_match_id=${proposal.id}`)).body as { data: Record<string, unknown>[] };
    expect(proposed.data[0]).toMatchObject({ status: 'unreconciled', days_unreconciled: 19, matched_records: [] });
    expect(Object.keys(proposed.data[0] ?? {})).not.toContain('external_id');
    expect(await ask('GET /records?data_stream_key=bank')).toMatchObject({ status: 400 });
    expect(await ask(`GET /records?reconciliation_match_id=${match.id}&status=reconciled`)).toMatchObject({ status: 400 });
  });

  it('can have records as bare arrays', async () => {
    const { ask, match, batch } = await specification({ recordLists: 'array' });
    expect((await ask(`GET /records?reconciliation_match_id=${match.id}`)).body).toHaveLength(2);
    expect((await ask(`GET /import_batches/${batch.id}/records`)).body).toHaveLength(3);
    expect(await ask(`GET /import_batches/${batch.id}/records?limit=2`)).toMatchObject({ status: 400 });
  });

  it('takes records in bulk, debits by their sign', async () => {
    const { remote, ask } = await specification();
    const records = [
      { ...DAY, amount: -500, external_id: 'N-1', description: 'Fee', currency: 'eur' },
      { ...DAY, amount: 700, external_id: 'B-1' },
      { ...DAY, amount: 900, date: '2026-02-30' },
      { ...DAY, amount: 1, data_stream_key: 'none' },
      { ...DAY, amount: 2, description: null },
    ];
    const accepted = await ask('POST /records/bulk', { records });
    expect(accepted).toMatchObject({ status: 200, body: { status: 'pending', total_items: 5, processed_items: 0 } });
    const { id, url } = accepted.body as { id: number; url: string };
    expect(url).toBe(`/v1/bulk_requests/${id}`);
    expect((await ask(`GET /bulk_requests/${id}`)).body).toMatchObject({ status: 'processing', processed_items: 0 });
    expect((await ask(`GET /bulk_requests/${id}`)).body).toEqual({
      id,
      status: 'completed',
      total_items: 5,
      processed_items: 5,
      successful_items: 1,
      failed_items: 3,
      skipped_items: 1,
      url,
    });
    const made = [...remote.state.records.values()].at(-1);
    expect(made).toMatchObject({ amount: 500, direction: 'debit', currency: 'EUR', decimal_places: 2, external_id: 'N-1' });
    expect((await ask('GET /data_streams/bank/import_batches')).body).toMatchObject({
      data: [{ source: 'csv_upload' }, { source: 'bulk_api', filename: null, record_count: 1, net_amount: -500 }],
    });
  });

  it('refuses a bulk request with a member that the specification has not', async () => {
    const { ask } = await specification();
    expect(await ask('POST /records/bulk', { records: [{ ...DAY, amount: 5, direction: 'credit' }] })).toMatchObject({
      status: 400,
      body: { error: 'direction is unknown in an item' },
    });
    expect(await ask('POST /records/bulk', { records: [] })).toMatchObject({ status: 400 });
    expect(await ask('POST /records/bulk', { records: [{ ...DAY, amount: 5 }], on_conflict: 'merge' })).toMatchObject({ status: 400 });
  });

  it('fails what exists where that is asked, and honours an Idempotency-Key on bulk alone', async () => {
    const { remote, ask, main, sale, sold } = await specification();
    const records = [{ ...DAY, amount: 5, external_id: 'B-1' }];
    const key = { 'idempotency-key': 'chunk-1' };
    const first = await ask('POST /records/bulk', { records, on_conflict: 'error' }, key);
    await ask('GET /reconciliations');
    const again = await ask('POST /records/bulk', { records: [{ ...DAY, amount: 6 }] }, key);
    expect(again.body).toMatchObject({ id: (first.body as { id: number }).id, status: 'completed', failed_items: 1, total_items: 1 });
    await ask('POST /bank_accounts', { name: 'Twice' }, key);
    await ask('POST /bank_accounts', { name: 'Twice' }, key);
    expect(contentOf(remote).accounts.filter(({ name }) => name === 'Twice')).toHaveLength(2);
    const pair = { reconciliation_id: String(main.id), record_ids: [String(sale.id), String(sold.id)] };
    expect(await ask('POST /reconciliation_matches', pair, key)).toMatchObject({ status: 200 });
    expect(await ask('POST /reconciliation_matches', pair, key)).toMatchObject({ status: 400 });
  });

  it('makes matches, with an adjustment where it is asked', async () => {
    const { remote, ask, main, lost, sold, yen } = await specification();
    const made = await ask('POST /reconciliation_matches', {
      reconciliation_id: String(main.id),
      record_ids: [String(lost.id), String(sold.id)],
      create_adjustment: true,
      adjustment_reason: 'Fee',
    });
    expect(made.body).toEqual({
      id: expect.any(Number),
      status: 'confirmed',
      group_key: null,
      reconciliation_id: main.id,
      reconciliation_rule_id: null,
      created_at: expect.any(String),
      record_count: 3,
    });
    expect(contentOf(remote).records).toContainEqual(expect.objectContaining({ stream: 'ledger', description: 'Fee', amount: 999 + 4520 }));
    const { id } = made.body as { id: number };
    expect((await ask(`GET /reconciliation_matches/${id}`)).body).toEqual(made.body);
    expect((await ask(`GET /reconciliation_matches?reconciliation_id=${main.id}&status=confirmed&limit=1`)).body).toMatchObject({
      data: [{ record_count: 2 }],
      has_more: true,
      offset: 0,
      total_count: 2,
    });
    const reconciliation_id = String(main.id);
    expect(await ask('POST /reconciliation_matches', { reconciliation_id, record_ids: [yen.id] })).toMatchObject({ status: 400 });
    expect(await ask('POST /reconciliation_matches', { reconciliation_id, record_ids: ['1'] })).toMatchObject({ status: 400 });
  });

  it('marks records overdue, and never shows it', async () => {
    const { remote, ask, lost, main, rent } = await specification();
    const marked = await ask(`POST /records/${lost.id}/mark_overdue`, { reconciliation_id: main.id });
    expect(marked).toMatchObject({ status: 200, body: { id: lost.id } });
    expect(JSON.stringify(marked.body)).not.toContain('overdue');
    expect(contentOf(remote).overdue).toMatchObject([{ record: { amount: 999 }, reconciliation: 'Bank and ledger' }]);
    expect(await ask(`POST /records/${lost.id}/mark_overdue`, { reconciliation_id: String(main.id) })).toMatchObject({ status: 400 });
    expect(await ask(`POST /records/${rent.id}/mark_overdue`, { reconciliation_id: main.id })).toMatchObject({ status: 400 });
  });

  it('deletes streams, in the background as well', async () => {
    const { remote, ask } = await specification();
    const spare = new Seeding(remote).stream('spare');
    new Seeding(remote).record(spare);
    const started = await ask('DELETE /data_streams/spare?async=true');
    expect(started).toMatchObject({ status: 202, body: { kind: 'delete', status: 'pending', progress: 0, data_stream_key: 'spare' } });
    const location = started.headers.get('location') ?? '';
    expect(location).toMatch(/^\/v1\/data_streams\/spare\/operations\/\d+$/);
    expect((await ask(`GET ${remote.origin}${location}`)).body).toMatchObject({ status: 'running' });
    expect((await ask(`GET ${remote.origin}${location}`)).body).toMatchObject({ status: 'completed', progress: 100 });
    expect(contentOf(remote).streams.map(({ key }) => key)).toEqual(['bank', 'ledger']);
    new Seeding(remote).stream('other');
    expect(await ask('DELETE /data_streams/other')).toMatchObject({ status: 200 });
    expect(await ask('DELETE /data_streams/bank')).toMatchObject({ status: 400 });
    const failing = await ask('DELETE /data_streams/bank?async=true');
    await ask('GET /reconciliations');
    expect((await ask(`GET ${remote.origin}${failing.headers.get('location')}`)).body).toMatchObject({
      status: 'failed',
      error_message: expect.any(String),
    });
    expect(contentOf(remote).records).toHaveLength(6);
  });

  it('chains stories', async () => {
    const { remote, ask, main, ledger } = await specification();
    const next = new Seeding(remote).reconciliation('Next', [ledger], [new Seeding(remote).stream('tax')]);
    const links = [
      { reconciliation_id: String(main.id), position: 1, role: 'origin' },
      { reconciliation_id: String(next.id), position: 2, role: 'link', shared_data_stream_id: String(ledger.id) },
    ];
    const made = await ask('POST /reconciliation_stories', { name: 'Chain', links });
    expect(made.body).toMatchObject({
      name: 'Chain',
      links: [
        { position: 1, reconciliation_name: 'Bank and ledger', shared_data_stream_id: null },
        { position: 2, shared_data_stream_name: 'Ledger', side_a_streams: [{ id: ledger.id, name: 'Ledger' }] },
      ],
    });
    expect((await ask('GET /reconciliation_stories')).body).toEqual({
      data: [made.body, expect.objectContaining({ name: 'From bank to ledger' })],
    });
    expect((await ask(`GET /reconciliation_stories/${(made.body as { id: number }).id}`)).body).toEqual(made.body);
    expect(
      await ask('POST /reconciliation_stories', { name: 'Bad', links: [{ ...links[1], shared_data_stream_id: undefined }] }),
    ).toMatchObject({ status: 400 });
  });

  it('takes accounts and balances, a balance of the same day and kind again', async () => {
    const { remote, ask } = await specification();
    const account = await ask('POST /bank_accounts', { name: 'Savings', currency: 'EUR' });
    expect(account.body).toMatchObject({
      name: 'Savings',
      currency: 'EUR',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await ask('POST /bank_accounts', { name: 'Low', currency: 'eur' })).toMatchObject({ status: 400 });
    const { id } = account.body as { id: number };
    const balance = { bank_account_id: String(id), date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 5 };
    const first = await ask('POST /bank_account_balances', balance);
    expect(first.body).toMatchObject({ bank_account_id: id, amount_cents: 5 });
    expect((await ask('POST /bank_account_balances', { ...balance, amount_cents: 6 })).body).toMatchObject({
      id: (first.body as { id: number }).id,
    });
    expect(contentOf(remote).balances.filter(({ account }) => account === 'Savings')).toMatchObject([{ amount_cents: 6 }]);
    expect(await ask('POST /bank_account_balances', { ...balance, balance_type: 'guess' })).toMatchObject({ status: 400 });
  });
});
