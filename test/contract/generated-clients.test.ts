import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
import { openTestBook } from '../support/books/backend.ts';
import { longTest } from '../support/long.ts';
import { temporaryFolder } from '../support/processes/run-cli.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLIENTS = path.join(ROOT, 'test/clients');

/** Runs the program of a generator in a folder. */
function generate(folder: string, name: string, program: string, ...given: readonly string[]): void {
  const places = [CLIENTS, ROOT].map((place) => path.join(place, 'node_modules', name, program));
  const found = places.find((place) => fs.existsSync(place));
  if (found === undefined) throw new Error(`${name} is not installed`);
  execFileSync(process.execPath, [found, ...given], { cwd: folder, stdio: 'pipe' });
}

/** The figures of the small month, which each client enters and reads back. */
const MONTH = { matched: 1, open: '-4.25', unexplained: '0.00', state: 'closed' } as const;

interface Client {
  readonly name: string;
  readonly generate: (folder: string, document: string, baseUrl: string) => void;
  /** A module with the function `month`, which keeps a small month by the generated client and is type-checked against it. */
  readonly month: string;
}

const CLIENTS_TRIED: readonly Client[] = [
  {
    name: 'hey-api',
    generate: (folder, document) =>
      generate(folder, '@hey-api/openapi-ts', 'bin/run.js', '-i', document, '-o', 'made', '-c', '@hey-api/client-fetch'),
    month: `
      import * as tieout from './made/index';
      import { client } from './made/client.gen';
      export async function month(baseUrl: string, key: string) {
        client.setConfig({ baseUrl, auth: key });
        const done = { throwOnError: true } as const;
        for (const [name, lines] of [['bank', [-95000]], ['books', [-95000, -425]]] as const) {
          await tieout.streamsCreate({ ...done, body: { key: name, name } });
          for (const amount of lines) {
            const { data } = await tieout.recordsCreate({ ...done, body: { data_stream_key: name, date: '2026-06-01', amount, currency: 'GBP' } });
            if (data.amount !== Math.abs(amount)) throw new Error('another amount');
          }
        }
        const { data: made } = await tieout.reconciliationsCreate({ ...done, body: { name: 'June', run_type: 'batch', side_a_stream_ids: ['2'], side_b_stream_ids: ['1'] } });
        const { data: match } = await tieout.matchesCreate({ ...done, body: { reconciliation_id: made.id, record_ids: [1, 2] } });
        const balances = [
          { side: 'bank', currency: 'GBP', opening: 100000, stated_closing: 5000 } as const,
          { side: 'books', currency: 'GBP', opening: 100000, stated_closing: 4575 } as const,
        ];
        const { data: period } = await tieout.periodsCreate({ ...done, body: { reconciliation_id: made.id, from: '2026-06-01', to: '2026-06-30', bank_side: 'b', balances } });
        await tieout.openItemsPut({ ...done, path: { id: made.id, record_id: 3 }, body: { status: 'to_be_booked', comment: 'Tea' } });
        await tieout.periodsPrepare({ ...done, path: { id: period.id }, body: { by: 'Amira Patel' } });
        await tieout.periodsReview({ ...done, path: { id: period.id }, body: { by: 'Tom Whitfield' } });
        const { data: closed } = await tieout.periodsClose({ ...done, path: { id: period.id }, body: { by: 'Tom Whitfield' } });
        const { data: open } = await tieout.figuresOpen({ ...done, path: { id: made.id }, query: { as_of: '2026-06-30' } });
        const { data: agreed } = await tieout.figuresBalances({ ...done, path: { id: made.id }, query: { as_of: '2026-06-30' } });
        const refused = await tieout.periodsGet({ path: { id: 99 } });
        if (typeof open === 'string' || typeof agreed === 'string') throw new Error('text');
        return { matched: match.id, open: open.value, unexplained: agreed.value, state: closed.state, refused: refused.error?.code };
      }`,
  },
  {
    name: 'openapi-typescript with openapi-fetch',
    // Without the option a request would have to give all that has a default.
    generate: (folder, document) =>
      generate(folder, 'openapi-typescript', 'bin/cli.js', document, '-o', 'made.ts', '--default-non-nullable=false'),
    month: `
      import createClient from 'openapi-fetch';
      import type { paths } from './made';
      export async function month(baseUrl: string, key: string) {
        const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
        const whole = <T>({ data, error }: { data?: T; error?: unknown }): T => {
          if (data === undefined) throw new Error(JSON.stringify(error));
          return data;
        };
        for (const [name, lines] of [['bank', [-95000]], ['books', [-95000, -425]]] as const) {
          whole(await client.POST('/data_streams', { body: { key: name, name } }));
          for (const amount of lines) {
            whole(await client.POST('/records', { body: { data_stream_key: name, date: '2026-06-01', amount, currency: 'GBP' } }));
          }
        }
        const made = whole(await client.POST('/reconciliations', { body: { name: 'June', run_type: 'batch', side_a_stream_ids: ['2'], side_b_stream_ids: ['1'] } }));
        const match = whole(await client.POST('/reconciliation_matches', { body: { reconciliation_id: made.id, record_ids: [1, 2], create_adjustment: false } }));
        const balances = [
          { side: 'bank', currency: 'GBP', opening: 100000, stated_closing: 5000 } as const,
          { side: 'books', currency: 'GBP', opening: 100000, stated_closing: 4575 } as const,
        ];
        const period = whole(await client.POST('/reconciliation_periods', { body: { reconciliation_id: made.id, from: '2026-06-01', to: '2026-06-30', bank_side: 'b', balances } }));
        const item = { path: { id: made.id, record_id: 3 } };
        whole(await client.PUT('/reconciliations/{id}/open_items/{record_id}', { params: item, body: { status: 'to_be_booked', comment: 'Tea' } }));
        const params = { path: { id: period.id } };
        whole(await client.POST('/reconciliation_periods/{id}/prepare', { params, body: { by: 'Amira Patel' } }));
        whole(await client.POST('/reconciliation_periods/{id}/review', { params, body: { by: 'Tom Whitfield' } }));
        const closed = whole(await client.POST('/reconciliation_periods/{id}/close', { params, body: { by: 'Tom Whitfield' } }));
        const asked = { params: { path: { id: made.id }, query: { as_of: '2026-06-30' } } };
        const open = whole(await client.GET('/figures/{id}/open', asked));
        const agreed = whole(await client.GET('/figures/{id}/balances', asked));
        if (typeof open === 'string' || typeof agreed === 'string') throw new Error('text');
        const refused = await client.GET('/reconciliation_periods/{id}', { params: { path: { id: 99 } } });
        return { matched: match.id, open: open.value, unexplained: agreed.value, state: closed.state, refused: refused.error?.code };
      }`,
  },
  {
    name: 'orval with zod',
    generate: (folder, document, baseUrl) => {
      const one = (target: string, client: string) => ({ input: document, output: { target, client, mode: 'single', baseUrl } });
      fs.writeFileSync(
        path.join(folder, 'orval.config.mjs'),
        `export default ${JSON.stringify({ made: one('./made/client.ts', 'fetch'), zod: one('./made/zod.ts', 'zod') })};\n`,
      );
      generate(folder, 'orval', 'dist/bin/orval.mjs', '--config', 'orval.config.mjs');
    },
    month: `
      import * as tieout from './made/client';
      import * as zod from './made/zod';
      export async function month(_baseUrl: string, key: string) {
        const options = { headers: { 'x-api-key': key } };
        for (const [name, lines] of [['bank', [-95000]], ['books', [-95000, -425]]] as const) {
          await tieout.streamsCreate({ key: name, name }, options);
          for (const amount of lines) {
            const body = zod.RecordsCreateBody.parse({ data_stream_key: name, date: '2026-06-01', amount, currency: 'GBP' });
            await tieout.recordsCreate(body, options);
          }
        }
        const made = await tieout.reconciliationsCreate({ name: 'June', run_type: 'batch', side_a_stream_ids: ['2'], side_b_stream_ids: ['1'] }, options);
        if (made.status !== 201) throw new Error(JSON.stringify(made.data));
        const { id } = made.data;
        const match = await tieout.matchesCreate({ reconciliation_id: id, record_ids: [1, 2] }, options);
        if (match.status !== 201) throw new Error(JSON.stringify(match.data));
        const balances = [
          { side: 'bank', currency: 'GBP', opening: 100000, stated_closing: 5000 } as const,
          { side: 'books', currency: 'GBP', opening: 100000, stated_closing: 4575 } as const,
        ];
        const period = await tieout.periodsCreate({ reconciliation_id: id, from: '2026-06-01', to: '2026-06-30', bank_side: 'b', balances }, options);
        if (period.status !== 201) throw new Error(JSON.stringify(period.data));
        await tieout.openItemsPut(id, 3, { status: 'to_be_booked', comment: 'Tea' }, options);
        await tieout.periodsPrepare(period.data.id, { by: 'Amira Patel' }, options);
        await tieout.periodsReview(period.data.id, { by: 'Tom Whitfield' }, options);
        const closed = await tieout.periodsClose(period.data.id, { by: 'Tom Whitfield' }, options);
        if (closed.status !== 200) throw new Error(JSON.stringify(closed.data));
        const open = zod.FiguresOpenResponse.parse((await tieout.figuresOpen(id, { as_of: '2026-06-30' }, options)).data);
        const agreed = zod.FiguresBalancesResponse.parse((await tieout.figuresBalances(id, { as_of: '2026-06-30' }, options)).data);
        const refused = await tieout.periodsGet(99, {}, options);
        return { matched: match.data.id, open: open.value, unexplained: agreed.value, state: closed.data.state, refused: refused.status === 404 ? refused.data.code : null };
      }`,
  },
];

const COMPILER = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    skipLibCheck: true,
    types: [],
  },
  include: ['**/*.ts'],
};

for (const { name, generate: make, month } of CLIENTS_TRIED) {
  longTest(`a client that ${name} generates is type-correct and keeps a month`, async () => {
    const book = await openTestBook();
    const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    onTestFinished(() => server.close());
    const folder = temporaryFolder();
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    fs.writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(openApiDocument('0.0.0', '3.1', server.baseUrl)));
    make(folder, './openapi.json', server.baseUrl);
    fs.writeFileSync(path.join(folder, 'month.ts'), month);
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
    execFileSync(process.execPath, [path.join(ROOT, 'node_modules/typescript/lib/tsc.js'), '-p', folder], { stdio: 'pipe' });
    const { month: keep } = (await import(pathToFileURL(path.join(folder, 'month.ts')).href)) as {
      month: (baseUrl: string, key: string) => Promise<unknown>;
    };
    expect(await keep(server.baseUrl, server.apiKey)).toEqual({ ...MONTH, refused: 'not_found' });
  });
}
