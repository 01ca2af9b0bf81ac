import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Backend } from '../../src-main/backend/types.ts';
import { createIpcHandler } from '../../src-main/transport/dispatch.ts';
import { createHttpTransport, type Transport } from '../../src-shared/client/client.ts';
import {
  contract,
  type ErrorCode,
  type Job,
  type Operation,
  OPERATION_IDS,
  type OperationId,
  readOfCreated,
} from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { drawn } from '../support/long.ts';
import { createParityBook, type ParityBook, PREPARATIONS, settled } from './parity-book.ts';
import { windowHeaders } from './support.ts';

/** Examples that speak of a thing whose state does not allow it. */
const REFUSALS: Partial<Record<OperationId, ErrorCode>> = {
  'runs.cancel': 'conflict',
  // No file was kept with the import of the example.
  'import_batches.file': 'conflict',
  // The file of the example is no PDF.
  'imports.document': 'file_unreadable',
  'book.start_anew': 'conflict',
  // No book is in that folder, and none can be made there.
  'books.open': 'conflict',
  'books.create': 'conflict',
  'books.move': 'conflict',
  // Nothing was undone.
  'undo.redo': 'conflict',
  'bulk_requests.cancel': 'conflict',
  'sync_remotes.probe': 'remote_unusable',
  // No database is in that file.
  'connections.try': 'database_unusable',
  'table_runs.tables': 'database_unusable',
  'table_runs.propose': 'database_unusable',
  'table_runs.plan': 'database_unusable',
  'table_runs.cancel': 'conflict',
  'sync_remotes.create': 'remote_unusable',
  // The sync of the example changed nothing here.
  'sync_runs.undo': 'conflict',
  // It asks nothing.
  'sync_remotes.answer': 'conflict',
  // No key of the remote is kept, and nothing is under way with it.
  'syncs.start': 'remote_unusable',
  'syncs.cancel': 'conflict',
  'syncs.retry': 'conflict',
  'syncs.plan_lines': 'conflict',
};

/** A folder that nobody can make, since it would lie in a file. */
const NO_FOLDER = path.join(import.meta.filename, 'harbour-lane');

let book: ParityBook;
beforeAll(async () => {
  book = await createParityBook();
});
afterAll(() => book.remove());

type Way = 'IPC' | '/app' | '/v1';

/** The transport under test, and what ends it. */
async function connect(way: Way, backend: Backend): Promise<{ transport: Transport; close: () => Promise<void> }> {
  if (way === 'IPC') {
    const handler = createIpcHandler(backend.dispatch, backend.ownCaller('live', 'app'));
    // Structured clone is what lies between the window and the backend.
    return { transport: async (id, input) => structuredClone(await handler(id, structuredClone(input))), close: async () => {} };
  }
  // As on a desktop: the window's server has no /v1, which would show in what is told of the local address.
  const server = await backend.serveHttp({ port: 0, uiFolder: book.uiFolder, programs: way === '/v1', environment: 'live' });
  if (way === '/v1')
    return { transport: createHttpTransport({ baseUrl: server.baseUrl, apiKey: server.apiKey, fetch }), close: server.close };
  const headers = windowHeaders(server);
  return { transport: createHttpTransport({ baseUrl: server.baseUrl.replace(/v1$/, 'app'), fetch, headers }), close: server.close };
}

/** The example's outcome on a fresh copy of the book, and how the job ended that it started. */
async function run(way: Way, id: OperationId): Promise<{ outcome: Outcome<unknown>; job: Job | null }> {
  const backend = await book.open();
  const { transport, close } = await connect(way, backend);
  try {
    for (const [operation, input] of PREPARATIONS[id] ?? []) {
      expect(await backend.dispatch(operation, input, backend.ownCaller('live', 'app'))).toMatchObject({ ok: true });
    }
    const { example, status }: Operation = contract[id];
    const token = 'file_token' in example ? { file_token: book.chooseFile(backend) } : {};
    const folder = id.startsWith('books.') && 'folder' in example ? { folder: NO_FOLDER } : {};
    const outcome = await transport(id, { ...example, ...token, ...folder });
    const startsImport = outcome.ok && status === 202 && 'file_token' in example;
    const job = startsImport ? await settled(backend, (outcome.value as { id: number }).id) : null;
    // How far a worker last said it was depends on when it is asked; how the job ended does not.
    const ended = job === null ? null : { ...job, processed: 0, total: 0, file: null };
    return { outcome: withoutChance(outcome) as Outcome<unknown>, job: ended };
  } finally {
    await close();
    await backend.close();
  }
}

/**
 * A job's worker reads the host's clock, so that the moment a run began differs from one copy of the book to the next; and a
 * server takes random bytes of its own, so that a key does.
 */
function withoutChance(outcome: unknown): unknown {
  return JSON.parse(JSON.stringify(outcome), (name, value: unknown) =>
    name === 'started_at' && typeof value === 'string'
      ? 'some time'
      : name === 'folder'
        ? 'some folder'
        : typeof value === 'string' && value.startsWith('tieout_')
          ? 'some key'
          : value,
  ) as unknown;
}

/** The schema with every object closed: a member that the contract does not name is a fault. */
function strict(schema: z.ZodType): z.ZodType {
  // A closed one stays as it is; rules, which hold rules, are closed.
  if (schema instanceof z.ZodObject && !(schema.def.catchall instanceof z.ZodNever)) {
    return z.strictObject(Object.fromEntries(Object.entries(schema.shape).map(([name, member]) => [name, strict(member as z.ZodType)])));
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => strict(option as z.ZodType)));
  if (schema instanceof z.ZodRecord) return z.record(schema.keyType as z.ZodString, strict(schema.valueType as z.ZodType));
  return schema;
}

/** What of an outcome the contract does not allow. */
function faultsOf(id: OperationId, outcome: Outcome<unknown>): unknown[] {
  const { output }: Operation = contract[id];
  if (outcome.ok) return [output, strict(output)].flatMap((schema) => schema.safeParse(outcome.value).error?.issues ?? []);
  return Object.keys(outcome.error).filter((name) => !['code', 'message', 'errors'].includes(name));
}

/** Returns an answer without what differs for each way: who confirmed a match, and the id of the copy of the book that each way is tried on. */
function withoutWay<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer), (name, value: unknown) => {
    if ((name === 'confirmed_by' || name === 'started_by' || name === 'by' || name === 'instance_id') && value !== null) return 'any';
    if (name !== 'meta') return value;
    // How a write is undone is told to the window and the command line alone.
    const { undo: _, ...meta } = value as Readonly<Record<string, unknown>>;
    return Object.keys(meta).length === 0 ? undefined : meta;
  }) as T;
}

describe('each example is answered alike over IPC and HTTP', () => {
  it.each(drawn(OPERATION_IDS, 24, (id) => id))('%s', async (id) => {
    const spec: Operation = contract[id];
    const overIpc = await run('IPC', id);
    const { outcome, job } = overIpc;
    expect(outcome.ok ? 'ok' : outcome.error.code, `${JSON.stringify(outcome)}`).toBe(REFUSALS[id] ?? 'ok');
    expect(faultsOf(id, outcome)).toEqual([]);
    // What is created and can be read by itself tells its address.
    const read = readOfCreated(spec);
    const address = outcome.ok && read !== null ? outcome.meta?.location : `/v1${spec.path}/1`;
    expect(address).toMatch(new RegExp(`^/v1${spec.path}/[0-9a-z-]+$`));
    expect(job === null ? 'completed' : job.status, `${job?.error_message}`).toBe('completed');
    for (const way of spec.surface === 'public' ? (['/app', '/v1'] as const) : (['/app'] as const)) {
      expect(withoutWay(await run(way, id)), `over ${way}`).toEqual(withoutWay(overIpc));
    }
  });
});

it('a member that the contract does not name does not fit', () => {
  const page = strict(contract['streams.list'].output);
  const stream = { key: 'a', name: 'A', id: 1, description: null, type: 'api', bank_account_id: null, currency: null };
  const whole = { ...stream, reference_field: null, read_by: 'booking_date', batch_lines: 'entry', record_count: 0 };
  expect(page.safeParse([whole]).success).toBe(true);
  expect(page.safeParse([{ ...whole, extra: 1 }]).success).toBe(false);
  expect(page.safeParse([stream]).success).toBe(false);
});
