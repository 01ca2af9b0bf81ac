import type { Line } from '../line.ts';
import { type Body, bodyOf, listOf, newRecord, newStream } from '../make.ts';
import { that } from '../that.ts';

/** Returns the body that makes a file which another Tieout imported into a stream. */
export const fileOf = (key: string, more: Body = {}): Body => ({
  data_stream_key: key,
  source: 'csv_upload',
  filename: 'june.csv',
  format: 'csv',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  byte_length: 120,
  kept: 2,
  skipped: 1,
  rejected: 0,
  recipe: null,
  accounts: ['GB33BUKB20201555555555'],
  holders: ['Orchard Ltd'],
  problems: [{ row: 3, column: 'Amount', code: 'signs_assumed', message: 'Amounts were read as money in.', severity: 'note' }],
  created_at: '2026-07-01T09:00:00.000Z',
  currency: 'GBP',
  opening_balance: 1_000,
  closing_balance: 3_500,
  proof: 'proved',
  totals: [{ currency: 'GBP', decimal_places: 2, credits: 2_500, debits: 0 }],
  date_range_start: '2026-06-01',
  date_range_end: '2026-06-30',
  periods: [{ account: null, date_start: '2026-06-01', date_end: '2026-06-30', opening_balance: 1_000, closing_balance: 3_500 }],
  balances: [{ date: '2026-06-30', balance_type: 'closing_ledger', amount: 3_500, currency: 'GBP' }],
  ...more,
});

/** Files that another Tieout imported: what they state goes over with them. */
export const importedFileLines: readonly Line[] = [
  {
    id: 'imported_files.create',
    says: 'a file goes over with all that it states, is listed in its stream, and states otherwise what is changed of it',
    operations: ['imported_files.create', 'imported_files.list', 'imported_files.update'],
    async proves(service) {
      const { key } = await newStream(service);
      const sent = fileOf(key);
      const made = bodyOf(await service.post('/imported_files', sent), 201);
      that(made).toEqual({ ...sent, id: made['id'] });
      that(listOf(await service.get(`/data_streams/${key}/imported_files`))).toEqual([made]);
      const path = `/imported_files/${String(made['id'])}`;
      const change = { closing_balance: 3_600, proof: 'broken', balances: [] };
      that(bodyOf(await service.patch(path, change), 200)).toEqual({ ...made, ...change });
      that(listOf(await service.get(`/data_streams/${key}/imported_files`))).toEqual([{ ...made, ...change }]);
    },
  },
  {
    id: 'page.imported_files.list',
    says: 'files are listed oldest first, by limit, offset and cursor',
    operations: ['imported_files.list'],
    async proves(service) {
      const { key } = await newStream(service);
      const ids: unknown[] = [];
      for (let place = 0; place < 3; place += 1)
        ids.push(bodyOf(await service.post('/imported_files', fileOf(key, { sha256: String(place).padStart(64, '0') })), 201)['id']);
      const path = `/data_streams/${key}/imported_files`;
      const first = bodyOf(await service.get(`${path}?limit=1`), 200);
      that((first['data'] as Body[]).map(({ id }) => id)).toEqual(ids.slice(0, 1));
      that(listOf(await service.get(`${path}?limit=1&offset=1`)).map(({ id }) => id)).toEqual(ids.slice(1, 2));
      const next = bodyOf(await service.get(`${path}?limit=1&cursor=${encodeURIComponent(String(first['next_cursor']))}`), 200);
      that((next['data'] as Body[]).map(({ id }) => id)).toEqual(ids.slice(1, 2));
    },
  },
  {
    id: 'imported_files.lines',
    says: 'lines of the stream are given to a file once, are read in ascending order from an id on, as many as are asked for, and stay when the file is forgotten',
    operations: ['imported_files.add_lines', 'imported_files.lines', 'imported_files.remove'],
    async proves(service) {
      const { key } = await newStream(service);
      const { id } = bodyOf(await service.post('/imported_files', fileOf(key, { balances: [], periods: null })), 201);
      const records = [await newRecord(service, key), await newRecord(service, key, { amount: 5 })].map((record) => Number(record['id']));
      const path = `/imported_files/${String(id)}`;
      const record_ids = records.map(String);
      that(bodyOf(await service.post(`${path}/lines`, { record_ids }), 200)).toEqual({ added: 2 });
      that(bodyOf(await service.post(`${path}/lines`, { record_ids }), 200)).toEqual({ added: 0 });
      that(bodyOf(await service.get(`${path}/lines`), 200)).toEqual({ record_ids: records, has_more: false });
      that(bodyOf(await service.get(`${path}/lines?limit=1`), 200)).toEqual({ record_ids: records.slice(0, 1), has_more: true });
      that(bodyOf(await service.get(`${path}/lines?after=${String(records[0])}`), 200)).toEqual({
        record_ids: records.slice(1),
        has_more: false,
      });
      that((await service.remove(path)).status).toBe(204);
      that(listOf(await service.get(`/data_streams/${key}/imported_files`))).toEqual([]);
      that(bodyOf(await service.get(`/records/${String(records[0])}`), 200)['id']).toBe(records[0]);
    },
  },
];
