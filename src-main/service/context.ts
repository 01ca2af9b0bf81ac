import type { BookEvent, Errors, Failure, LocalPort, LocalPortSettings } from '../../src-shared/contract/index.ts';
import type { Result } from '../../src-shared/values/result.ts';
import type { JobQueue } from '../backend/queue.ts';
import type { RulePreviewer } from '../rules/work/rule-previews.ts';
import type { Clock, Log, Printer, Random } from '../platform/ports.ts';
import type { Database } from '../database/database.ts';
import type { BulkProcessor } from '../records/operations/bulk-processor.ts';
import type { BookKeeper } from '../book/operations/backups.ts';
import type { Figures } from '../close/work/figures.ts';
import type { FileTokens } from '../imports/operations/file-tokens.ts';
import type { SyncLife } from '../sync/operations/sync-life.ts';
import type { ReconciledDays } from './reconciled-days.ts';
import type { Search } from './search-indexer.ts';

type Area = Extract<BookEvent, { kind: 'changed' }>['areas'][number];

/** What every service file works with. */
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
  /** Null where nothing can print. */
  readonly printer: Printer | null;
  readonly version: string;
  /** Tells everyone, after the commit, that something of these areas changed. */
  readonly changed: (areas: readonly Area[], reconciliationId?: number | null) => void;
  /** Number of the newest event. */
  readonly revision: () => number;
  /** Number of the newest event that told of changed data; progress does not count. */
  readonly dataRevision: () => number;
}

export type PortFailure = Failure<Errors<'local_port.update'>>;

/** The server behind the settings, whoever runs it. */
export interface PortLife {
  readonly settings: () => LocalPortSettings;
  readonly state: () => Omit<LocalPort, keyof LocalPortSettings>;
  /**
   * Makes what runs fit the settings; with `isMoved` false the lists alone have changed. A failure leaves all as it was. Answers
   * the way back.
   */
  readonly change: (settings: LocalPortSettings, isMoved: boolean) => Promise<Result<() => Promise<void>, PortFailure>>;
}
