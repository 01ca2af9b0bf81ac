import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src-main/backend/types.ts';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { openTestBook } from '../support/books/backend.ts';
import { listShapeOf } from '../../src-main/transport/csv/csv-list.ts';
import { contract, type Operation } from '../../src-shared/contract/index.ts';
import { clientOf, createParityBook } from './parity-book.ts';
import { ask, echoHandlers, memoryLog, startTestServer } from './support.ts';

const lists = Object.values<Operation>(contract).filter((spec) => listShapeOf(spec) !== null);
const rowsOf = (text: string) => Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;

describe('Accept: text/csv', () => {
  let server: HttpServer;
  let end: () => Promise<void>;
  beforeAll(async () => {
    const book = await createParityBook();
    const backend = await book.open();
    const client = clientOf(backend);
    const base = { data_stream_key: 'bank', date: '2026-06-30', amount: -5, currency: 'GBP' };
    await client.get('records.create', { ...base, description: '=HYPERLINK("x")', metadata: { note: 'a,b\n"c"', count: -5 } });
    server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    end = async () => {
      await server.close();
      await backend.close();
      book.remove();
    };
  });
  afterAll(() => end());
  const get = (path: string, headers: Readonly<Record<string, string>> = { accept: 'text/csv' }, method = 'GET', body?: string) =>
    ask(Number(new URL(server.baseUrl).port), `/v1${path}`, {
      method,
      headers: { 'x-api-key': server.apiKey, ...headers },
      ...(body !== undefined && { body }),
    });

  it('has the fields in the order of the contract, definitions and keys of metadata between them', async () => {
    const { status, headers, text } = await get('/records?data_stream_key=bank&date_from=2026-06-30');
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="records.csv"',
    ]);
    const [header = '', line = ''] = text.split('\r\n');
    expect(header).toMatch(
      /^id,amount,direction,date,data_stream_key,currency,decimal_places,description,metadata\.count,metadata\.note,metadata\.order_id,status,external_id,matched_records,/,
    );
    expect(line).toMatch(/^\d+,5,debit,2026-06-30,bank,GBP,2,"'=HYPERLINK\(""x""\)",-5,"a,b\n""c""",,unreconciled,,\[\],0,1,/);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  it.each(lists.map((spec) => [spec.id, spec] as const))('%s has the rows of the JSON', async (_, spec) => {
    const path = spec.path.replaceAll(/\{([a-z_]+)\}/g, (__, name: string) => String(spec.example[name]));
    const inPath = new Set([...spec.path.matchAll(/\{([a-z_]+)\}/g)].map((found) => found[1]));
    const query = new URLSearchParams(
      Object.entries(spec.example).flatMap(([name, value]) => (inPath.has(name) ? [] : [[name, String(value)]])),
    ).toString();
    const json = JSON.parse((await get(`${path}?${query}`, {})).text) as { data?: unknown[] } | unknown[];
    const items = (Array.isArray(json) ? json : (json.data ?? [])) as Record<string, unknown>[];
    const rows = rowsOf((await get(`${path}?${query}`)).text);
    // Would-be matches have neither id nor name, but a key; open items are records, and figures are of a section, a side or a currency.
    const NAMES = ['id', 'name', 'group_key', 'record_id', 'section', 'side', 'currency'];
    const nameOf = (row: Readonly<Record<string, unknown>>) => String(NAMES.map((name) => row[name]).find((value) => value !== undefined));
    expect(rows.map(nameOf)).toEqual(items.map(nameOf));
    expect(rows.map(nameOf)).not.toContain('undefined');
  });

  it('refusals are JSON with their status', async () => {
    const answer = await get('/records?data_stream_key=nonsense');
    expect([answer.status, answer.json?.['code']]).toEqual([404, 'not_found']);
    expect((await get('/records?limit=101')).status).toBe(422);
    expect((await get('/records?nonsense=1')).json).toMatchObject({ code: 'unknown_field' });
  });

  it('a limit is a page; JSON is answered to who would rather have it, and by what is no list', async () => {
    expect(rowsOf((await get('/records?limit=2&sort=date')).text)).toHaveLength(2);
    expect((await get('/records', { accept: 'application/json, text/csv;q=0.5' })).json).toMatchObject({ has_more: false });
    expect((await get('/records/1')).json).toMatchObject({ id: 1 });
  });

  it('an empty list is a header; HEAD is the header alone', async () => {
    expect((await get('/records?amount_min=99999999')).text.split('\r\n')).toHaveLength(2);
    const head = await get('/records', { accept: 'text/csv' }, 'HEAD');
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/csv; charset=utf-8; header=present']);
  });

  it('is asked for in the address by a spreadsheet: marked as UTF-8, amounts in currency units beside those in minor units', async () => {
    const { status, headers, text } = await get('/records?date_from=2026-06-30&format=csv&data_stream_key=bank', {
      accept: 'text/html, */*',
    });
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(text.startsWith('\uFEFFid,amount,amount_decimal,direction,')).toBe(true);
    expect(rowsOf(text.slice(1))[0]).toMatchObject({ amount: '5', amount_decimal: '-0.05', direction: 'debit', currency: 'GBP' });
    expect(text).not.toMatch(/[[{]/);
    expect((await get('/records?format=json', { accept: 'text/csv' })).json).toMatchObject({ has_more: false });
  });

  it('keeps numbers that are names as texts where a spreadsheet asks for it', async () => {
    for (const external_id of ['0012345', '12345678901234567890', '12E5', 'A 12']) {
      const body = { data_stream_key: 'bank', date: '2026-05-30', amount: 100, currency: 'GBP', external_id };
      expect((await get('/records', { 'content-type': 'application/json' }, 'POST', JSON.stringify(body))).status).toBe(201);
    }
    const ids = async (query: string) =>
      rowsOf((await get(`/records?date_from=2026-05-30&date_to=2026-05-30&${query}`)).text.replace('\uFEFF', '')).map(
        (row) => row['external_id'],
      );
    expect((await ids('format=csv&text_ids=1')).toSorted()).toEqual(['="0012345"', '="12345678901234567890"', '="12E5"', 'A 12']);
    expect((await ids('format=csv')).toSorted()).toEqual(['0012345', '12345678901234567890', '12E5', 'A 12']);
  });

  it.each(['format=xml', 'format', 'format=csv&format=csv', 'format=csv&text_ids=yes'])('refuses %s', async (query) => {
    const { status, json } = await get(`/records?${query}`);
    expect([status, json?.['code']]).toEqual([422, 'validation_failed']);
  });

  it('comes packed when the client takes that', async () => {
    expect((await get('/records', { accept: 'text/csv', 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
  });
});

it('without a limit all rows come, each once, whatever the order and the offset', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const lines = Array.from(
    { length: 350 },
    (_, index) => `2026-06-${String((index % 28) + 1).padStart(2, '0')},Line ${index},${index + 1}.00`,
  );
  expect((await book.importText('bank', `Date,Description,Amount\n${lines.join('\n')}\n`, { currency: 'GBP' })).status).toBe('completed');
  const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  const ids = async (query: string) => {
    const headers = { 'x-api-key': server.apiKey, accept: 'text/csv' };
    const answer = await ask(Number(new URL(server.baseUrl).port), `/v1${query}`, { headers });
    return rowsOf(answer.text).map((row) => Number(row['id']));
  };
  const all = Array.from({ length: 350 }, (_, index) => index + 1);
  for (const query of ['/records', '/records?sort=date', '/records?sort=-amount', '/import_batches/1/records']) {
    expect((await ids(query)).toSorted((left, right) => left - right)).toEqual(all);
  }
  const byDate = await ids('/records?sort=date');
  expect(await ids('/records?sort=date&offset=120')).toEqual(byDate.slice(120));
  await server.close();
});

it('a search as CSV has the rows of the JSON, whole over many pages, and says in a header what it could not look at', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const lines = Array.from(
    { length: 350 },
    (_, index) => `2026-06-${String((index % 28) + 1).padStart(2, '0')},${index % 3 === 0 ? 'Café' : 'Tea'} ${index},1.00`,
  );
  expect((await book.importText('bank', `Date,Description,Amount\n${lines.join('\n')}\n`, { currency: 'GBP' })).status).toBe('completed');
  const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  const csv = (query: string) =>
    ask(Number(new URL(server.baseUrl).port), `/v1/records?${query}`, { headers: { 'x-api-key': server.apiKey, accept: 'text/csv' } });
  const idsOf = (text: string) => rowsOf(text).map((row) => Number(row['id']));
  const cafes = Array.from({ length: 117 }, (_, index) => 1 + index * 3);
  for (const sort of ['date', '-amount', 'created_at']) {
    const found = await csv(`q=cafe&sort=${sort}`);
    expect([found.status, found.headers['not-searched']]).toEqual([200, '0']);
    expect(idsOf(found.text).toSorted((left, right) => left - right)).toEqual(cafes);
    const json = await book.client.get('records.list', { q: 'cafe', sort: sort as 'date', limit: 100 });
    expect(idsOf(found.text).slice(0, 100)).toEqual(json.data.map((record) => record.id));
  }
  expect(idsOf((await csv('q=cafe&sort=date&offset=100&limit=10')).text)).toHaveLength(10);
  expect(idsOf((await csv('q=nowhere')).text)).toEqual([]);
  expect((await csv('sort=date')).headers).not.toHaveProperty('not-searched');
  expect((await csv('q=%20')).json).toMatchObject({ code: 'validation_failed' });
  await server.close();
});

it('breaks off, and tells the log, when a page in the middle fails', async () => {
  let asked = 0;
  const log = memoryLog();
  const handlers = echoHandlers({
    'records.list': () => {
      asked += 1;
      if (asked > 2) return { ok: false, error: { code: 'conflict', message: 'The book is gone.' } };
      return { ok: true, value: { data: [{ id: asked, metadata: {} }], has_more: asked === 1, offset: 0, next_cursor: 'next' } };
    },
    'property_definitions.list': () => ({ ok: true, value: [] }),
  });
  const server = await startTestServer({ dispatch: createDispatch(handlers, memoryLog()), log });
  try {
    const headers = { 'x-api-key': server.apiKey, accept: 'text/csv' };
    await expect(ask(server.port, '/v1/records', { headers })).rejects.toThrow(/aborted|hang up/);
    expect(log.lines.map(({ level, message, detail }) => [level, message, detail['error']])).toEqual([
      ['error', 'A list could not be sent whole', 'The book is gone.'],
    ]);
  } finally {
    await server.close();
  }
});
