import { present } from '../../src-shared/values/assert.ts';
import type { BookEvent, Errors, Failure, LocalPort, LocalPortSettings } from '../../src-shared/contract/index.ts';
import type { Result } from '../../src-shared/values/result.ts';
import type { JobQueue } from '../backend/queue.ts';
import type { RulePreviewer } from '../rules/work/rule-previews.ts';
import type { Clock, Log, Printer, Random } from '../platform/ports.ts';
import type { Database, WriteHandle } from '../database/database.ts';
import type { BulkProcessor } from '../records/operations/bulk-processor.ts';
import type { BookKeeper } from '../book/operations/backups.ts';
import type { Figures } from '../close/work/figures.ts';
import type { FileTokens } from '../imports/operations/file-tokens.ts';
import type { TableLife } from '../databases/operations/table-life.ts';
import type { SyncLife } from '../sync/operations/sync-life.ts';
import type { ReconciledDays } from './reconciled-days.ts';
import type { Search } from './search-indexer.ts';

type Area = Extract<BookEvent, { kind: 'changed' }>['areas'][number];

/** The dependencies of the service's handlers. */
export interface ServiceContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly queue: JobQueue;
  readonly bulk: BulkProcessor;
  readonly search: Search;
  readonly reconciledDays: Pick<ReconciledDays, 'want'>;
  readonly previews: RulePreviewer;
  readonly figures: Figures;
  readonly files: FileTokens;
  readonly localPort: PortLife;
  readonly keeper: BookKeeper;
  readonly sync: SyncLife;
  readonly tables: TableLife;
  /** Null if nothing can print. */
  readonly printer: Printer | null;
  readonly version: string;
  /** Publishes that something in these areas changed. Must be called after the commit. */
  readonly changed: (areas: readonly Area[], reconciliationId?: number | null) => void;
  /** Returns the number of the newest event. */
  readonly revision: () => number;
  /** Returns the number of the newest event about changed data; progress does not count. */
  readonly dataRevision: () => number;
}

/** Runs all of some work in one transaction, or nothing of it. */
export function inOneTransaction<T extends object>(
  { database, changed }: Pick<ServiceContext, 'database' | 'changed'>,
  work: (write: WriteHandle) => T,
): T {
  const done: { value?: T } = {};
  try {
    database.write((write) => {
      done.value = work(write);
    });
  } catch (error) {
    // Forgets figures that may have been read from rows that were just rolled back.
    changed([]);
    throw error;
  }
  return present(done.value, 'what was done');
}

export type PortFailure = Failure<Errors<'local_port.update'>>;

/** The contract of whatever runs the server of the local address. */
export interface PortLife {
  readonly settings: () => LocalPortSettings;
  readonly state: () => Omit<LocalPort, keyof LocalPortSettings>;
  /**
   * Adapts the running server to the settings; with `isMoved` false, only the lists have changed. A failure leaves everything as it was. Returns a
   * function that reverts the change.
   */
  readonly change: (settings: LocalPortSettings, isMoved: boolean) => Promise<Result<() => Promise<void>, PortFailure>>;
}
