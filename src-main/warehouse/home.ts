import path from 'node:path';
import type { Client } from '../../src-shared/client/client.ts';
import type { RuleBody, Run, SignConvention } from '../../src-shared/contract/index.ts';
import { BULK_RECORDS } from '../../src-shared/contract/records/bulk-requests.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Side } from '../domain/records/fields.ts';
import type { EngineRecord } from '../domain/records/record.ts';
import { type Engine, WarehouseError } from './engine.ts';
import { type OnStep, openThere, type RunDone } from './run.ts';
import type { TableNames } from './tables.ts';

const SIDES = ['a', 'b'] as const;
const OF_A_FILE = /\.(?:parquet|csv|tsv|txt)$/i;

/** The accounts of the book at home, by their keys. */
export type Accounts = Readonly<Record<Side, string>>;

/** Returns the keys that the accounts of two tables get. */
export function accountsOf(names: TableNames): Accounts {
  const key = (name: string): string =>
    (OF_A_FILE.test(name) ? path.basename(name) : name)
      .replace(OF_A_FILE, '')
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .toLowerCase()
      .slice(-40) || 'table';
  const [a, b] = [key(names.a), key(names.b)];
  return a === b ? { a: `${a}-a`, b: `${b}-b` } : { a, b };
}

interface Homecoming {
  /** The name of the reconciliation. */
  readonly name: string;
  readonly names: TableNames;
  readonly accounts: Accounts;
  readonly bodies: readonly RuleBody[];
  readonly done: RunDone;
  readonly convention: SignConvention;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
  /** Returns a run of the book once it has completed. */
  readonly finishedRun: (run: Run) => Promise<Run>;
}

/** What stands in the book at home. */
export interface Home {
  readonly reconciliationId: number;
  readonly proposed: number;
  readonly matched: number;
}

/** Brings what is open into the book: an account for each table, the rules, and a run that proposes what waits for a person. A failure leaves nothing of it. */
export async function bringHome(engine: Engine, client: Client, given: Homecoming): Promise<Home> {
  const { name, names, accounts, bodies, convention } = given;
  const made: string[] = [];
  let reconciliationId: number | null = null;
  try {
    for (const side of SIDES) {
      await client.get('streams.create', {
        key: accounts[side],
        name: names[side],
        type: 'warehouse',
        reference_field: 'metadata.reference',
      });
      made.push(accounts[side]);
      await bringLines(engine, client, side, given);
    }
    const { reconciliation } = await client.get('reconciliations.set_up', {
      name,
      run_type: 'batch',
      side_a_keys: [accounts.a],
      side_b_keys: [accounts.b],
      sign_convention: convention === 'opposite' ? 'opposite' : 'same',
      default_rules: false,
    });
    reconciliationId = reconciliation.id;
    await client.get('rules.replace', { id: reconciliation.id, rules: [...bodies] });
    const run = await given.finishedRun(await client.get('runs.start', { id: reconciliation.id, mode: 'commit' }));
    return { reconciliationId: reconciliation.id, proposed: run.proposed_matches, matched: run.matches };
  } catch (error) {
    // Nothing half-brought is left: all of it was made here.
    if (reconciliationId !== null) await client.call('reconciliations.remove', { id: reconciliationId }).catch(() => undefined);
    for (const key of made) await client.call('streams.remove', { key }).catch(() => undefined);
    throw error;
  }
}

/** Requests that are sent before the first is waited for. */
const REQUESTS_AT_ONCE = 20;

async function bringLines(engine: Engine, client: Client, side: Side, given: Homecoming): Promise<void> {
  const { names, accounts, done, signal, onStep } = given;
  let batch: unknown[] = [];
  let brought = 0;
  const sent: { readonly id: number; readonly count: number }[] = [];
  const settle = async (): Promise<void> => {
    for (const { id, count } of sent.splice(0)) {
      await finishedRequest(client, id, count, names[side]);
      brought += count;
    }
    onStep(say('warehouse.command.bringing', { table: names[side], brought, total: done.open[side] }));
  };
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    if (signal.aborted) throw new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled'));
    const { id } = await client.get('bulk_requests.create', { records: batch, on_conflict: 'error' });
    sent.push({ id, count: batch.length });
    batch = [];
    if (sent.length === REQUESTS_AT_ONCE) await settle();
  };
  for await (const records of openThere(engine, done.compiled, side)) {
    for (const record of records) {
      batch.push(recordHome(record, accounts[side], names[side]));
      if (batch.length === BULK_RECORDS) await send();
    }
  }
  await send();
  if (sent.length > 0) await settle();
}

/** Returns a line as the book takes it, with where it came from. */
function recordHome(record: EngineRecord, account: string, table: string) {
  const { day, valueDay, amountMinor, direction, currency, decimalPlaces, description, externalId, reference, metadata } = record;
  return {
    data_stream_key: account,
    date: isoFromDay(day),
    ...(valueDay === null ? {} : { value_date: isoFromDay(valueDay) }),
    amount: amountMinor,
    direction,
    currency,
    decimal_places: decimalPlaces,
    description,
    external_id: externalId,
    metadata: { ...metadata, ...(reference === null ? {} : { reference }), source_table: table, source_line: record.id },
  };
}

const LOOK_EVERY_MS = 50;

/** Waits until the records of a request are in the book. Throws where one is refused. */
async function finishedRequest(client: Client, id: number, count: number, table: string): Promise<void> {
  for (;;) {
    const request = await client.get('bulk_requests.get', { id, limit: 1 });
    if (request.status === 'completed' && request.successful_items === count) return;
    if (request.status !== 'pending' && request.status !== 'processing') throw await refusedLine(client, id, count, table);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function refusedLine(client: Client, id: number, count: number, table: string): Promise<WarehouseError> {
  for (let offset = 0; offset < count; offset += 100) {
    const { results } = await client.get('bulk_requests.get', { id, limit: 100, offset });
    const refused = results.data.find(({ status }) => status !== 'successful');
    const message = refused?.error?.errors[0]?.message ?? refused?.error?.message;
    if (message !== undefined) return new WarehouseError('line_refused', say('warehouse.command.aLineWasRefused', { table, message }));
  }
  return new WarehouseError('line_refused', say('warehouse.command.linesWereNotBrought', { table }));
}
