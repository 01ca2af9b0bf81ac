import { failed } from '../../../src-shared/values/result.ts';
import type { SyncKeys, SyncLife } from '../operations/sync-life.ts';

type Runs = Omit<SyncLife, 'keys' | 'rescheduled' | 'nextAtMs'>;
type Schedule = Pick<SyncLife, 'rescheduled' | 'nextAtMs'>;

/** Stands in for sync until the service exists: sync needs the service, and the service is created with a `SyncLife`. */
export class LateSync implements SyncLife {
  readonly keys: SyncKeys;
  #runs: Runs | null = null;
  #schedule: Schedule | null = null;

  constructor(keys: SyncKeys) {
    this.keys = keys;
  }

  attach(runs: Runs, schedule: Schedule | null): void {
    this.#runs = runs;
    this.#schedule = schedule;
  }

  readonly probe: SyncLife['probe'] = async (environment, address) =>
    (await this.#runs?.probe(environment, address)) ?? failed({ code: 'remote_unusable', message: 'The book is not open yet: try again.' });
  readonly start: SyncLife['start'] = async (order) =>
    (await this.#runs?.start(order)) ?? failed({ code: 'conflict', message: 'The book is not open yet: try again.' });
  readonly activity: SyncLife['activity'] = (id) => this.#runs?.activity(id) ?? null;
  readonly plan: SyncLife['plan'] = (id) => this.#runs?.plan(id) ?? null;
  readonly planLines: SyncLife['planLines'] = (...asked) => this.#runs?.planLines(...asked) ?? null;
  readonly hasChanged: SyncLife['hasChanged'] = async (asked) => (await this.#runs?.hasChanged(asked)) ?? false;
  readonly cancel: SyncLife['cancel'] = (id) => this.#runs?.cancel(id) ?? false;
  readonly retry: SyncLife['retry'] = (id) => this.#runs?.retry(id) ?? false;
  readonly nextAtMs: SyncLife['nextAtMs'] = (id) => this.#schedule?.nextAtMs(id) ?? null;
  readonly rescheduled: SyncLife['rescheduled'] = () => this.#schedule?.rescheduled();
}
