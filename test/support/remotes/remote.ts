import { Faults } from './faults.ts';
import { Refusal, type Answer, type Routes } from './routes.ts';
import type { AccountRow, MatchRow, RecordRow } from './rows.ts';
import { RemoteServer } from './server.ts';
import type { Links } from './shapes.ts';
import { RemoteState } from './state.ts';

export interface RemoteOptions {
  readonly key?: string;
  /** Seed of the faults. */
  readonly seed?: number;
  readonly links?: Links;
  readonly firstId?: number;
  /** Number of later requests after which a bulk request is done. */
  readonly bulkSteps?: number;
}

interface Refusals {
  readonly keyRefusal: Answer;
  readonly refused: (refusal: Refusal) => Answer;
}

/** The common base of the remotes: state, faults, a log and a server. */
export abstract class Remote {
  readonly key: string;
  readonly state: RemoteState;
  readonly faults: Faults;
  readonly bulkSteps: number;
  /** Form of the links; a test may change it at any time. */
  links: Links;
  readonly #server: RemoteServer;

  constructor(options: RemoteOptions, refusals: Refusals) {
    this.key = options.key ?? 'key-of-the-remote';
    this.state = new RemoteState(options.firstId === undefined ? {} : { firstId: options.firstId });
    this.faults = new Faults(options.seed);
    this.bulkSteps = options.bulkSteps ?? 2;
    this.links = options.links ?? { as: 'relative' };
    const parts = { routes: () => this.routes(), key: this.key, faults: this.faults, step: () => this.step() };
    this.#server = new RemoteServer({ ...parts, ...refusals });
  }

  protected abstract routes(): Routes;
  protected abstract step(): void;

  get log() {
    return this.#server.log;
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  get origin(): string {
    return this.#server.origin;
  }

  /** Starts the server. With the port that it had before, the remote returns at its old address. */
  async start(port = 0): Promise<this> {
    await this.#server.listen(port);
    return this;
  }

  /** Closes all connections; the state stays. */
  async stop(): Promise<void> {
    await this.#server.close();
  }

  protected recordsUrl(batchId: number, withQuery: string): string {
    const { links } = this;
    const path = `/v1/import_batches/${batchId}/records`;
    if (links.as === 'relative') return path;
    if (links.as === 'query') return `/v1${withQuery}`;
    return `${links.as === 'elsewhere' ? links.origin : this.origin}${path}`;
  }

  protected matchesAsked(query: URLSearchParams): MatchRow[] {
    const [reconciliation, status] = [query.get('reconciliation_id'), query.get('status')];
    return [...this.state.matches.values()].filter(
      (row) => (reconciliation === null || String(row.reconciliation_id) === reconciliation) && (status === null || row.status === status),
    );
  }

  protected markOverdue(row: RecordRow, reconciliationId: number, at: string | undefined, status: number): void {
    const { state } = this;
    if (!state.usesOf(row.streamId).some(({ id }) => id === reconciliationId)) {
      throw new Refusal(status, 'the record is not of that reconciliation');
    }
    if (state.isMatchedIn(row.id, reconciliationId)) throw new Refusal(status, 'the record is matched there');
    state.overdue.push({ recordId: row.id, reconciliationId, at: at ?? state.now() });
  }

  protected makeAccount(name: string, currency: string | undefined, status: number): AccountRow {
    if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) throw new Refusal(status, 'currency is none');
    const now = this.state.now();
    return this.state.put(this.state.accounts, {
      id: this.state.nextId(),
      name,
      currency: currency ?? null,
      created_at: now,
      updated_at: now,
    });
  }
}
