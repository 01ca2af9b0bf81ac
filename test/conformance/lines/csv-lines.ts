import { that } from '../that.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf, bulk, newStream } from '../make.ts';
import type { Service } from '../service.ts';

const CSV = { headers: { accept: 'text/csv' } };

/** The lines of a list as CSV, the last of which ends as the others do. */
async function csv(service: Service, path: string): Promise<string[]> {
  const answer = await service.get(path, CSV);
  that([answer.status, answer.headers['content-type']?.split(';')[0]], answer.text.slice(0, 200)).toEqual([200, 'text/csv']);
  that(answer.text.endsWith('\r\n')).toBe(true);
  return answer.text.slice(0, -2).split('\r\n');
}

const item = (key: string, more: Body = {}) => ({ data_stream_key: key, date: '2026-06-10', amount: 5, ...more });

/** Lists that answer CSV, and the first columns of each. */
const LISTS = [
  ['streams.list', '/data_streams', 'key,name,id,description,type'],
  ['bulk_requests.list', '/bulk_requests', 'id,status,total_items,processed_items,successful_items,failed_items,skipped_items,url'],
  ['import_batches.list', '/data_streams/bank/import_batches', 'id,data_stream_key,source,filename,record_count,total_credits'],
  ['import_batches.records', '/import_batches/1/records', 'id,amount,direction,date,data_stream_key,currency,decimal_places'],
  ['reconciliations.list', '/reconciliations', 'id,name,run_type,side_a_streams,side_b_streams,created_at,current_run,last_run'],
  ['rules.list', '/reconciliation_rules?reconciliation_id=1', 'id,reconciliation_id,filters,priority,group_by,cardinality,rollup'],
  ['matches.list', '/reconciliation_matches', 'id,status,group_key,reconciliation_id,reconciliation_rule_id,created_at,record_count'],
  ['stories.list', '/reconciliation_stories', 'id,name,created_at,links'],
  ['bank_accounts.list', '/bank_accounts', 'id,name,currency,created_at,updated_at'],
  ['bank_account_balances.list', '/bank_account_balances?bank_account_id=1', 'id,bank_account_id,date,balance_type,amount_cents'],
  ['property_definitions.list', '/data_stream_property_definitions', 'id,key,name,type,optional'],
  ['exceptions.list', '/reconciliation_exceptions', 'id,reconciliation_id,reconciliation_name,data_stream_id'],
  ['runs.list', '/reconciliations/1/runs', 'id'],
] as const;

export const csvLines: readonly Line[] = [
  ...LISTS.map(([operation, path, columns]): Line => ({
    id: `csv.${operation}`,
    says: 'as CSV on request: the field names in the order of the tables, then a line for each',
    operations: [operation],
    async proves(service) {
      const lines = await csv(service, path);
      that(`${lines[0]},`.startsWith(`${columns},`), lines[0]).toBe(true);
      that(lines.length).toBeGreaterThan(1);
    },
  })),
  {
    id: 'csv.records',
    says: 'RFC 4180; metadata as columns, those of definitions and those present, sorted; text like a formula has an apostrophe',
    operations: ['records.list', 'property_definitions.create'],
    async proves(service) {
      const { key } = await newStream(service);
      const definition = { data_stream_key: key, key: 'zone', name: 'Zone', type: 'string' };
      bodyOf(await service.post('/data_stream_property_definitions', definition), 201);
      await bulk(service, [
        item(key, { description: '=1+1', metadata: { note: '+2', branch: 'a,"b"' } }),
        item(key, { description: '-3', amount: -5 }),
        item(key, { description: '@x', external_id: 'two\nlines' }),
      ]);
      const answer = await service.get(`/records?data_stream_key=${key}&sort=created_at`, CSV);
      that(answer.status).toBe(200);
      const [header = ''] = answer.text.split('\r\n');
      const columns = header.split(',');
      that(columns.slice(0, 8)).toEqual([
        'id',
        'amount',
        'direction',
        'date',
        'data_stream_key',
        'currency',
        'decimal_places',
        'description',
      ]);
      that(columns.filter((name) => name.startsWith('metadata'))).toEqual(['metadata.branch', 'metadata.note', 'metadata.zone']);
      for (const part of [",'=1+1,", ",'-3,", ",'@x,", ",'+2,", ',"a,""b""",', '"two\nlines"']) that(answer.text).toContain(part);
      that(answer.text).toContain(',5,debit,2026-06-10,');
    },
  },
  {
    id: 'csv.all',
    says: 'without a limit all rows come, with the same filters; with one that many',
    operations: ['records.list'],
    async proves(service) {
      const { key } = await newStream(service);
      await bulk(
        service,
        Array.from({ length: 130 }, (_, index) => item(key, { amount: index + 1 })),
      );
      that((await csv(service, `/records?data_stream_key=${key}`)).length).toBe(131);
      that((await csv(service, `/records?data_stream_key=${key}&amount_min=11`)).length).toBe(121);
      that((await csv(service, `/records?data_stream_key=${key}&limit=7`)).length).toBe(8);
      const sorted = await csv(service, `/records?data_stream_key=${key}&sort=-amount`);
      that(sorted.slice(1).map((line) => Number(line.split(',')[1]))).toEqual(Array.from({ length: 130 }, (_, index) => 130 - index));
      that((await service.get(`/records?data_stream_key=${key}&limit=101`, CSV)).status).toBe(422);
    },
  },
];
