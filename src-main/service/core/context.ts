import type { BookEvent } from '../../../src-shared/contract/index.ts';
import type { JobQueue } from '../../jobs/queue/queue.ts';
import type { RulePreviewer } from '../../jobs/rules/rule-previews.ts';
import type { Clock, Log, Random } from '../../platform/ports.ts';
import type { Database } from '../../store/database/database.ts';
import type { BulkProcessor } from '../bulk/bulk-processor.ts';
import type { BookKeeper } from '../settings/backups.ts';
import type { Figures } from '../background/figures.ts';
import type { FileTokens } from '../imports/file-tokens.ts';
import type { PortLife } from '../settings/local-port.ts';
import type { ReconciledDays } from '../background/reconciled-days.ts';
import type { Search } from '../background/search-indexer.ts';

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
  readonly version: string;
  /** Tells everyone, after the commit, that something of these areas changed. */
  readonly changed: (areas: readonly Area[], reconciliationId?: number | null) => void;
  /** Number of the newest event. */
  readonly revision: () => number;
  /** Number of the newest event that told of changed data; progress does not count. */
  readonly dataRevision: () => number;
}
