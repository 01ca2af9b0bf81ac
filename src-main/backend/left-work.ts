import { jobById, openJobs } from '../book/store/jobs.ts';
import type { Database } from '../database/database.ts';
import { nextOpenBulkRequest } from '../records/store/bulk-requests.ts';
import type { ColumnPacker } from '../records/work/column-packer.ts';
import type { JobQueue } from './queue.ts';

/** How often it is looked whether work has ended. */
const LOOK_EVERY_MS = 20;

interface LeftWorkOptions {
  readonly database: Database;
  readonly queue: Pick<JobQueue, 'unstoredEnd'>;
  readonly packer: Pick<ColumnPacker, 'isRestLeft' | 'clearNow'>;
  /** Why bulk requests do not go on (a full disk): nobody waits for them then. */
  readonly bulkTrouble: () => string | null;
}

/**
 * What a process that was stopped or killed left to do: jobs that go on, bulk requests that were accepted, and rows that nobody sees. A window has all the time for it;
 * a command sees it through before it ends, so that nothing is left where only commands are used.
 */
export class LeftWork {
  readonly #options: LeftWorkOptions;
  readonly #jobIds: readonly number[];

  /** To be constructed after recovery and before anything new begins, since it looks at the book. */
  constructor(options: LeftWorkOptions) {
    this.#options = options;
    this.#jobIds = openJobs(options.database).map(({ id }) => id);
  }

  isAny(): boolean {
    return this.#isUnderWay() || this.#options.packer.isRestLeft();
  }

  /** Ends when all of it is done, or `signal` says so: the rest is for the next start. */
  async finish(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#isUnderWay()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (!signal.aborted && this.#options.packer.isRestLeft()) await this.#options.packer.clearNow(signal);
  }

  #isUnderWay(): boolean {
    const { database, queue, bulkTrouble } = this.#options;
    const isOpen = (id: number): boolean => {
      const status = jobById(database, id)?.status;
      return (status === 'pending' || status === 'running') && queue.unstoredEnd(id) === null;
    };
    return this.#jobIds.some(isOpen) || (nextOpenBulkRequest(database) !== null && bulkTrouble() === null);
  }
}
