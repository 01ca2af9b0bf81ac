import type { MessagePort } from 'node:worker_threads';
import { createClient, ServiceError } from '../../../src-shared/client/client.ts';
import type { Run, TableRun } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import type { ThreadStart } from '../../jobs/protocol.ts';
import { unstoredRule } from '../../rules/operations/rule-input.ts';
import { type Engine, WarehouseError } from '../../warehouse/engine.ts';
import { bringHome, type Home } from '../../warehouse/home.ts';
import { MEMORY_MEGABYTES, openPlace, type Place } from '../../warehouse/open.ts';
import { type RunDone, type RunInput, runThere } from '../../warehouse/run.ts';
import { sidesOf, tablesThere } from '../../warehouse/tables.ts';
import type { TableOrder, TwoTables } from '../operations/table-life.ts';

/** Starts a thread that reconciles two tables where they are. Its requests are answered by the service. */
export interface TableRunStart extends ThreadStart {
  readonly kind: 'table_run';
  readonly place: Place;
  readonly order: TableOrder;
  readonly accounts: TwoTables;
}

export type FromTableRun =
  | { readonly kind: 'step'; readonly words: string }
  | { readonly kind: 'request'; readonly id: number; readonly operation: string; readonly input: unknown }
  | { readonly kind: 'done'; readonly result: NonNullable<TableRun['result']> }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export type ToTableRun = { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome<unknown> } | { readonly kind: 'cancel' };

/** Returns what a run over two tables is given, with its rules as the engine takes them. */
export async function inputOf(engine: Engine, { names, mapping, bodies, convention }: TableOrder): Promise<RunInput> {
  return { sides: sidesOf(await tablesThere(engine, names), mapping), rules: bodies.map(unstoredRule), convention };
}

const LOOK_EVERY_MS = 100;

/** Reconciles two tables, and brings home what is open. The last message says how it ended. */
export async function runTablesOnThread(start: TableRunStart, port: MessagePort): Promise<void> {
  const tell = (message: FromTableRun): void => port.postMessage(message);
  const stop = new AbortController();
  const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
  port.on('message', (message: ToTableRun) => {
    if (message.kind === 'cancel') return stop.abort();
    waiting.get(message.id)?.(message.outcome);
    waiting.delete(message.id);
    return undefined;
  });
  let last = 0;
  const client = createClient((operation, input) => {
    last += 1;
    const id = last;
    tell({ kind: 'request', id, operation, input });
    return new Promise((resolve) => waiting.set(id, resolve));
  });
  const finishedRun = async (run: Run): Promise<Run> => {
    const asked = { id: run.reconciliation_id, run_id: run.id };
    for (let now = run; ; now = await client.get('runs.get', asked)) {
      if (stop.signal.aborted) await client.call('runs.cancel', asked);
      if (now.status === 'completed') return now;
      if (now.status === 'cancelled') throw cancelled();
      if (now.status === 'failed') throw new WarehouseError('run_failed', now.error_message ?? '');
      await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
    }
  };
  const onStep = (words: string): void => tell({ kind: 'step', words });
  try {
    const engine = await openPlace(start.place, { memoryMegabytes: MEMORY_MEGABYTES });
    try {
      stop.signal.addEventListener('abort', () => engine.cancel());
      if (stop.signal.aborted) throw cancelled();
      const { order, accounts } = start;
      const done = await runThere(engine, await inputOf(engine, order), onStep);
      const { name, names, bodies, convention } = order;
      const given = { name, names, accounts, bodies, done, convention, signal: stop.signal, onStep, finishedRun };
      tell({ kind: 'done', result: resultOf(done, await bringHome(engine, client, given), accounts) });
    } finally {
      await engine.close();
    }
  } catch (error) {
    const code = error instanceof WarehouseError ? error.code : error instanceof ServiceError ? error.failure.code : 'internal_error';
    tell({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  } finally {
    port.close();
  }
}

function cancelled(): WarehouseError {
  return new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled'));
}

function resultOf({ loaded, rules, open }: RunDone, home: Home, accounts: TwoTables): NonNullable<TableRun['result']> {
  const sum = (of: 'settledThere' | 'solvedAtHome'): number => rules.reduce((total, rule) => total + rule[of], 0);
  return {
    reconciliation_id: home.reconciliationId,
    stream_keys: accounts,
    lines: { a: loaded.a.lines, b: loaded.b.lines },
    open: { a: open.a, b: open.b },
    left_out: loaded.a.leftOut + loaded.b.leftOut,
    settled_there: sum('settledThere'),
    solved_at_home: sum('solvedAtHome'),
    proposed: home.proposed,
  };
}
