import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { BookSync, SyncOptions } from '../../backend/types.ts';
import { sameInOtherWords } from '../../imports/work/alternative-descriptions.ts';
import type { Alarm } from '../../platform/ports.ts';
import { keepRefusedRule } from '../../rules/operations/rules.ts';
import type { ServiceContext } from '../../service/context.ts';
import { type Caller, type Dispatch, type EnvironmentName, ownCaller } from '../../service/handler.ts';
import { findLink } from '../store/links.ts';
import type { SyncRemoteRow } from '../store/remotes.ts';
import { SyncStop } from '../work/answers.ts';
import { localCalls } from '../work/begin.ts';
import { TIEOUT } from '../work/dialect.ts';
import { recordHash } from '../work/hashes.ts';
import { hashOfItem } from '../work/links.ts';
import type { SyncOrder, SyncPorts } from '../work/ports.ts';
import { SILENT, type SyncProgress } from '../work/progress.ts';
import { canonicalRecord, recordsByIds } from '../work/record-content.ts';
import { DIALECTS } from '../work/remote.ts';
import { LOW_VOLUME } from '../work/resources.ts';
import { Side } from '../work/side.ts';
import { emptyResult, errorOf, type SyncResult } from '../work/sync-result.ts';
import { type Compared, type SyncOutcome, syncWith, verifyWith } from '../work/sync.ts';
import { verifiedOf } from '../work/verify.ts';

interface SyncParts {
  readonly context: ServiceContext;
  readonly dispatch: Dispatch;
  readonly alarm: Alarm;
  /** Why the book is read-only; null if it can be written. */
  readonly trouble: string | null;
}

type Backup = { readonly name: string; readonly bytes: number };

/** The options of one sync, from the command line or the window. */
export interface RunOptions extends SyncOptions {
  /** The remote that a person chose; without it, the address decides. */
  readonly remoteId?: number;
  readonly progress?: SyncProgress;
  readonly onBackup?: (backup: Backup) => void;
}

function stopped(options: { readonly baseUrl: string; readonly preview: boolean }, stop: SyncStop): SyncResult {
  return { ...emptyResult(options.baseUrl, options.preview), ok: false, error: errorOf(stop) };
}

export function syncWithoutBook(options: SyncOptions & { readonly preview: boolean }): SyncResult {
  return stopped(options, new SyncStop('book_unavailable', phrase('sync.bookSync.theBookIsNotOpen')));
}

function syncCaller(environment: EnvironmentName): Caller {
  return { ...ownCaller(environment, 'app'), actor: 'sync' };
}

const BUSY = phrase('sync.bookSync.aSyncOfThisBook');

const LONG_MS = 2 ** 30;

/** Keeps the process alive during `work`. Alarms and the service's own work do not, so a command that waits only for them would end too early. */
async function keptAlive<T>(work: () => Promise<T>): Promise<T> {
  const holding = setInterval(() => {}, LONG_MS);
  try {
    return await work();
  } finally {
    clearInterval(holding);
  }
}

/** Runs the syncs of an open book, one at a time. They run in this process because they wait for the remote most of the time. */
export class Syncing implements BookSync {
  readonly #parts: SyncParts;
  #isBusy = false;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  readonly run: BookSync['run'] = (options) => this.#byCommand(options, 'sync', options.preview);

  readonly repair: BookSync['repair'] = (options) => this.#byCommand(options, 'repair', false);

  async #byCommand(options: SyncOptions, what: SyncOrder['what'], preview: boolean): Promise<SyncResult> {
    const { acceptDeletions = 0 } = options;
    return (await this.sync(options, { ...options, what, preview, startedBy: 'command', same: [], acceptDeletions })).result;
  }

  readonly verify: BookSync['verify'] = async (options) => {
    const compared = await this.compare(options, false);
    return compared.ok ? success(verifiedOf(compared.value.rows)) : compared;
  };

  hasChanged(environment: EnvironmentName, remote: SyncRemoteRow, resource: string, id: number): Promise<boolean> {
    return hasChanged({ database: this.#parts.context.database, dispatch: this.#dispatchOf(environment) }, remote, resource, id);
  }

  /** Runs one sync. The outcome has an error if another sync is in progress. */
  async sync(options: RunOptions, order: SyncOrder): Promise<SyncOutcome> {
    const { trouble } = this.#parts;
    const refused = (code: string, words: string) => ({ result: stopped(order, new SyncStop(code, words)), context: null, isFirst: false });
    if (trouble !== null) return refused('book_read_only', trouble);
    if (this.#isBusy) return refused('sync_in_progress', BUSY);
    this.#isBusy = true;
    try {
      return await keptAlive(() => syncWith(this.#portsOf(options), order));
    } finally {
      this.#isBusy = false;
    }
  }

  async compare(options: RunOptions, withLines: boolean): Promise<Result<Compared, { readonly code: string; readonly message: string }>> {
    const compared = await keptAlive(() => verifyWith(this.#portsOf(options), options, withLines));
    return compared.ok ? compared : failed({ code: compared.error.code, message: compared.error.message });
  }

  readonly #waitByAlarm = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void this.#parts.alarm.after(milliseconds, resolve));

  #portsOf(options: RunOptions): SyncPorts {
    const { environment, note, signal, fetch = globalThis.fetch, wait = this.#waitByAlarm, progress = SILENT } = options;
    const { context } = this.#parts;
    const caller = syncCaller(environment);
    return {
      database: context.database,
      dispatch: this.#dispatchOf(environment),
      keepRule: (rule) => keepRefusedRule(context, caller, rule),
      sameInOtherWords: (streamId, lines, candidates) =>
        sameInOtherWords(context.database, { environmentId: caller.environmentId, streamId }, lines, candidates),
      backUp: (kind) => this.#backUp(kind, options),
      trouble: () => context.bulk.trouble(),
      environmentId: caller.environmentId,
      clock: context.clock,
      random: context.random,
      log: context.log,
      fetch,
      wait,
      signal,
      note,
      progress,
    };
  }

  #dispatchOf(environment: EnvironmentName): SyncPorts['dispatch'] {
    const caller = syncCaller(environment);
    return (operation, input, idempotencyKey) => this.#parts.dispatch(operation, input, { ...caller, idempotencyKey });
  }

  async #backUp(kind: 'before_sync' | 'before_changes', { onBackup }: RunOptions): Promise<Result<string, string>> {
    const written = await this.#parts.context.keeper.backUp(kind, 'sync');
    if (!written.ok) return failed(written.error.message);
    const name = path.basename(written.value);
    onBackup?.({ name, bytes: existsSync(written.value) ? statSync(written.value).size : 0 });
    return success(name);
  }
}

/** Whether an object of the book differs from the last agreed state. Matches never change. */
async function hasChanged(
  ports: Pick<SyncPorts, 'database' | 'dispatch'>,
  { id: remoteId, kind }: SyncRemoteRow,
  resource: string,
  id: number,
): Promise<boolean> {
  const link = findLink(ports.database, remoteId, resource, id);
  if (link === undefined) return false;
  const dialect = DIALECTS[kind];
  if (resource === 'records') {
    const [row] = recordsByIds(ports.database, [id]);
    return row !== undefined && recordHash(canonicalRecord(row.content), dialect.recordFields) !== link.local_hash;
  }
  const few = LOW_VOLUME.find((each) => each === resource);
  if (few === undefined) return false;
  const items = await new Side(localCalls(ports), TIEOUT, dialect).list(few);
  const item = items.find((each) => each.id === id);
  return item !== undefined && hashOfItem(item) !== link.local_hash;
}
