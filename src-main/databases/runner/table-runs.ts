import type { Worker } from 'node:worker_threads';
import type { Failure, TableRun } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { say } from '../../../src-shared/words/say.ts';
import { type Database, isStorageFull } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { startThread } from '../../jobs/threads.ts';
import type { Clock, Log, Random } from '../../platform/ports.ts';
import { timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { type Dispatch, ENVIRONMENT_IDS, type EnvironmentName, ownCaller } from '../../service/handler.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { type Engine, WarehouseError } from '../../warehouse/engine.ts';
import { accountsOf } from '../../warehouse/home.ts';
import { MEMORY_MEGABYTES, openPlace, type Place } from '../../warehouse/open.ts';
import { planOfRule, takesOf } from '../../warehouse/plan-words.ts';
import { rehearse } from '../../warehouse/run.ts';
import { proposalOf, tablesThere } from '../../warehouse/tables.ts';
import type { DatabasePlace, TableLife, TableStart } from '../operations/table-life.ts';
import { halfBrought, updateConnection } from '../store/connections.ts';
import { type FromTableRun, inputOf, type TableRunStart, type ToTableRun } from './run-thread.ts';

interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** What runs call; it is there once the service is. */
interface Service {
  readonly dispatch: Dispatch;
  readonly changed: ServiceContext['changed'];
}

interface UnderWay {
  run: TableRun;
  readonly worker: Worker;
  readonly gone: Promise<void>;
}

/** How often the window reads what a run does, at most. */
const STEP_EVERY_MS = 250;

/** Reaches databases for the service, and runs rules there: each run on a thread of its own, at most one for a connection. */
export class TableRuns implements TableLife {
  readonly #options: Options;
  readonly #runs = new Map<number, UnderWay>();
  #service: Service | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Begins to serve. Removes what a process that was killed had brought home by half, unless the book can only be read. */
  attach(service: Service, isReadOnly: boolean): void {
    this.#service = service;
    if (isReadOnly) return;
    for (const { id, environment_id: environmentId, coming_home: keys } of halfBrought(this.#options.database)) {
      const environment = environmentId === ENVIRONMENT_IDS.test ? 'test' : 'live';
      const accounts = keys === null ? [] : storedJson('database_connections.coming_home', keys, id);
      void this.#clear(environment, id, accounts);
    }
  }

  readonly accountsOf: TableLife['accountsOf'] = (names, isTaken) => {
    const { a, b } = accountsOf(names);
    for (let number = 1; ; number += 1) {
      const tail = number === 1 ? '' : `-${number}`;
      const keys = { a: `${a}${tail}`, b: `${b}${tail}` };
      if (!isTaken(keys.a) && !isTaken(keys.b)) return keys;
    }
  };

  readonly look: TableLife['look'] = (place, gone) =>
    this.#on(place, gone, async (engine) => {
      const { tables, isReadOnly } = await engine.look();
      return { tables: [...tables], reads_only: isReadOnly };
    });

  readonly propose: TableLife['propose'] = (place, names, gone) =>
    this.#on(place, gone, async (engine) => {
      const found = await tablesThere(engine, names);
      const of = async (side: 'a' | 'b') => {
        const { mapping, questions } = await proposalOf(engine, side, found[side]);
        const columns = found[side].columns.map(({ name, type, kind }) => ({
          name,
          type,
          is_float: kind === 'float',
          has_zone: kind === 'instant_with_zone',
        }));
        return { columns, mapping, questions: questions.map(({ code }) => code) };
      };
      return { a: await of('a'), b: await of('b') };
    });

  readonly plan: TableLife['plan'] = (place, order, gone) =>
    this.#on(place, gone, async (engine) => {
      const { rows, load, rules } = await rehearse(engine, await inputOf(engine, order));
      const lines = rows.a + rows.b;
      return {
        rows: { a: rows.a, b: rows.b },
        open_at_most_about: lines - Math.max(0, ...rules.map(({ estimate }) => estimate.aloneLines)),
        takes: takesOf(engine, lines, rules.length, MEMORY_MEGABYTES),
        load: { a: `${load.a};`, b: `${load.b};` },
        rules: rules.map((rule) => {
          const { says, statements } = planOfRule(rule);
          return { says: [...says], statements: [...statements], is_refused: rule.isRefused };
        }),
      };
    });

  readonly run: TableLife['run'] = (id) => this.#runs.get(id)?.run ?? null;

  readonly start: TableLife['start'] = (given) => {
    const { connectionId: id, order, accounts } = given;
    if (this.run(id)?.state === 'running') return null;
    const start: TableRunStart = { kind: 'table_run', place: this.#placeOf(given.place), order, accounts };
    const worker = startThread(start);
    const run: TableRun = {
      connection_id: id,
      state: 'running',
      step: say('databases.runs.connecting'),
      started_at: timestampOf(this.#options.clock.nowMs()),
      ended_at: null,
      message: null,
      connection_lost: false,
      result: null,
    };
    const underWay: UnderWay = { run, worker, gone: new Promise((resolve) => worker.once('exit', () => resolve())) };
    this.#runs.set(id, underWay);
    this.#follow(given, underWay);
    return run;
  };

  readonly cancel: TableLife['cancel'] = (id) => {
    const underWay = this.#runs.get(id);
    if (underWay?.run.state !== 'running') return null;
    underWay.worker.postMessage({ kind: 'cancel' } satisfies ToTableRun);
    underWay.run = { ...underWay.run, step: say('databases.runs.cancelling') };
    this.#service?.changed(['databases']);
    return underWay.run;
  };

  /** Cancels what is under way, and resolves when it is gone. */
  async close(): Promise<void> {
    for (const id of this.#runs.keys()) this.cancel(id);
    await Promise.all([...this.#runs.values()].map(({ gone }) => gone));
  }

  #placeOf(place: DatabasePlace): Place {
    return { ...place, room: `tieout_${Buffer.from(this.#options.random.bytes(8)).toString('hex')}` };
  }

  /** Runs work on a connection that is closed afterwards, whatever happens. */
  async #on<T>(
    place: DatabasePlace,
    gone: AbortSignal | undefined,
    work: (engine: Engine) => Promise<T>,
  ): Promise<Result<T, Failure<'database_unusable'>>> {
    try {
      const engine = await openPlace(this.#placeOf(place), { memoryMegabytes: MEMORY_MEGABYTES });
      const stop = (): void => engine.cancel();
      gone?.addEventListener('abort', stop);
      try {
        return success(await work(engine));
      } finally {
        gone?.removeEventListener('abort', stop);
        await engine.close();
      }
    } catch (error) {
      if (error instanceof WarehouseError) return failed({ code: 'database_unusable', message: error.message });
      throw error;
    }
  }

  #follow({ connectionId, environment, accounts }: TableStart, underWay: UnderWay): void {
    const { worker } = underWay;
    const { clock, log } = this.#options;
    let toldAtMs = 0;
    const end = (change: Partial<TableRun>): void => {
      if (underWay.run.state !== 'running') return;
      underWay.run = { ...underWay.run, step: '', ended_at: timestampOf(clock.nowMs()), ...change };
      this.#service?.changed(['databases']);
    };
    const endedAlone = (error: string): void => {
      if (underWay.run.state !== 'running') return;
      log.error('a run over tables ended by itself', { connection: connectionId, error });
      end({ state: 'failed', message: say('databases.runs.endedByItself') });
      void this.#clear(environment, connectionId, [accounts.a, accounts.b]);
    };
    worker.on('message', (message: FromTableRun) => {
      switch (message.kind) {
        case 'step': {
          underWay.run = { ...underWay.run, step: message.words };
          const nowMs = clock.monotonicMs();
          if (nowMs - toldAtMs < STEP_EVERY_MS) return;
          toldAtMs = nowMs;
          this.#service?.changed(['databases']);
          return;
        }
        case 'request':
          void this.#answer(worker, environment, message);
          return;
        case 'done':
          this.#settle(connectionId);
          end({ state: 'completed', result: message.result });
          return;
        case 'failed':
          this.#settle(connectionId);
          if (message.code === 'internal_error')
            log.error('a run over tables failed', { connection: connectionId, error: message.message });
          end({
            state: message.code === 'cancelled' ? 'cancelled' : 'failed',
            message: message.message,
            connection_lost: message.code === 'connection_lost',
          });
      }
    });
    worker.once('error', (error) => endedAlone(String(error)));
    worker.once('exit', (code) => endedAlone(`exit ${code}`));
  }

  async #answer(worker: Worker, environment: EnvironmentName, { id, operation, input }: Extract<FromTableRun, { kind: 'request' }>) {
    const outcome = await this.#service?.dispatch(operation, input, ownCaller(environment, 'app'));
    if (outcome !== undefined) worker.postMessage({ kind: 'answer', id, outcome } satisfies ToTableRun);
  }

  /** Notes that nothing half-brought is in the book. On a full disk that is noted at the next start. */
  #settle(connectionId: number): void {
    try {
      this.#options.database.write((write) => updateConnection(write, connectionId, { coming_home: null }));
    } catch (error) {
      if (!isStorageFull(error)) throw error;
    }
  }

  /** Removes the accounts that a run had made when its thread or its process ended, with what stands on them. */
  async #clear(environment: EnvironmentName, connectionId: number, keys: readonly string[]): Promise<void> {
    const { database } = this.#options;
    const caller = ownCaller(environment, 'app');
    const ask = async (operation: string, input: unknown): Promise<void> => {
      const outcome = await this.#service?.dispatch(operation, input, caller);
      if (outcome?.ok === false)
        this.#options.log.warning('what was half-brought could not be removed', { operation, code: outcome.error.code });
    };
    for (const key of keys) {
      const stream = streamByKey(database, caller.environmentId, key);
      if (stream?.type === 'warehouse') await ask('streams.remove', { key });
    }
    this.#settle(connectionId);
  }
}
