import type { SyncActivity, SyncPlan, SyncResource, SyncVerified } from '../../../src-shared/contract/index.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { Alarm } from '../../platform/ports.ts';
import { ownCaller } from '../../service/handler.ts';
import { timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { ownerOf } from '../operations/remote-view.ts';
import type { SyncKeys, SyncLife, SyncStart } from '../operations/sync-life.ts';
import { countProposed, streamNames } from '../store/reads.ts';
import { remoteById, type SyncRemoteRow, updateRemote } from '../store/remotes.ts';
import { verifySyncRun } from '../store/runs.ts';
import type { LoggedLine, SyncLog } from '../work/sync-log.ts';
import { planOf } from '../work/plan.ts';
import type { SyncResult } from '../work/sync-result.ts';
import { probeWith } from '../work/sync.ts';
import { ActivityLog } from './activity-log.ts';
import type { Syncing } from './book-sync.ts';
import { verifiedView } from './verified-view.ts';
import { Waits } from './waits.ts';

/** At most so often people hear of progress. */
const TELL_MS = 250;

interface Preview {
  readonly plan: SyncPlan;
  readonly log: SyncLog;
}

interface UnderWay {
  readonly log: ActivityLog;
  readonly controller: AbortController;
  readonly waits: Waits;
  readonly ended: Promise<void>;
}

export interface RunnerParts {
  readonly context: ServiceContext;
  readonly syncing: Syncing;
  readonly keys: SyncKeys;
  readonly alarm: Alarm;
  readonly fetch: typeof globalThis.fetch;
  /** Hears that a sync has ended. */
  readonly onEnded: () => void;
}

type Runs = Omit<SyncLife, 'keys' | 'nextAtMs' | 'rescheduled'>;

function countOf(counts: SyncResult['sent']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function endWords(result: SyncResult): string {
  const [sent, received] = [countOf(result.sent), countOf(result.received)];
  if (result.preview) return `Compared: ${sent} to send, ${received} to receive`;
  return `Done: ${sent} sent, ${received} received`;
}

const BUSY = { code: 'sync_in_progress', message: 'A sync of this book is under way: wait for its end, or cancel it.' } as const;

/** Runs what people and schedules start, and remembers what they look at: progress, the last preview, the last comparison. */
export class SyncRunner implements Runs {
  readonly #parts: RunnerParts;
  readonly #underWay = new Map<number, UnderWay>();
  readonly #previews = new Map<number, Preview>();
  #isToldSoon = false;
  #isClosed = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  readonly start: SyncLife['start'] = async (order) => {
    const { context, keys } = this.#parts;
    const remote = remoteById(context.database, ownCaller(order.environment, 'app').environmentId, order.remoteId);
    if (remote === undefined) return failed({ code: 'not_found', message: `There is no remote ${order.remoteId}.` });
    // Before the key, which takes its time to be opened, and after it, since another one may have begun meanwhile.
    if (this.#isBusy()) return failed(BUSY);
    const apiKey = await keys.read(ownerOf(order.environment, remote));
    if (apiKey === null) {
      return failed({ code: 'remote_unusable', message: `The key of ${remote.name} is missing: give it again in the settings.` });
    }
    if (this.#isBusy()) return failed(BUSY);
    return success(this.#begin(remote, apiKey, order));
  };

  readonly probe: SyncLife['probe'] = async (environment, address) => {
    const { context, fetch, alarm } = this.#parts;
    const ports = {
      database: context.database,
      environmentId: ownCaller(environment, 'app').environmentId,
      fetch,
      wait: new Waits(alarm).wait,
      clock: context.clock,
      random: context.random,
      signal: new AbortController().signal,
    };
    const probed = await probeWith(ports, address);
    if (!probed.ok) return failed({ code: 'remote_unusable', message: probed.error.message });
    const { dialect, version, identity, known, baseUrl } = probed.value;
    const cannot = [...new Set(Object.values(dialect.gaps))];
    const knownAs = known === null ? null : { id: known.id, name: known.name, base_url: known.base_url };
    return success({ probe: { base_url: baseUrl, kind: dialect.kind, may_write: null, version, cannot, known_as: knownAs }, identity });
  };

  readonly hasChanged: SyncLife['hasChanged'] = async ({ environment, remoteId, resource, id }) => {
    const remote = remoteById(this.#parts.context.database, ownCaller(environment, 'app').environmentId, remoteId);
    return remote !== undefined && this.#parts.syncing.hasChanged(environment, remote, resource, id);
  };

  readonly activity = (remoteId: number): SyncActivity | null => this.#underWay.get(remoteId)?.log.view() ?? null;

  readonly plan = (remoteId: number): SyncPlan | null => this.#previews.get(remoteId)?.plan ?? null;

  readonly planLines: SyncLife['planLines'] = (remoteId, resource, part) => {
    const log = this.#previews.get(remoteId)?.log;
    if (log === undefined) return null;
    const { total, lines } = log.linesOf(part === 'stays' ? 'not_moved' : part === 'send' ? 'sent' : 'received', resource);
    return { total, lines: lines.map((line) => lineView(line, resource)) };
  };

  readonly cancel = (remoteId: number): boolean => {
    const work = this.#underWay.get(remoteId);
    if (work === undefined || work.log.isEnded) return false;
    work.controller.abort();
    work.waits.wake();
    return true;
  };

  readonly retry = (remoteId: number): boolean => {
    const work = this.#underWay.get(remoteId);
    if (work === undefined || work.log.isEnded || !work.log.isWaiting) return false;
    work.waits.wake();
    return true;
  };

  /** Stops what is under way and waits for its end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#underWay.keys()) this.cancel(id);
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
  }

  #isBusy(): boolean {
    return this.#isClosed || this.#parts.syncing.isBusy || [...this.#underWay.values()].some(({ log }) => !log.isEnded);
  }

  #begin(remote: SyncRemoteRow, apiKey: string, order: SyncStart): SyncActivity {
    const { context, alarm } = this.#parts;
    const { what, trigger } = order;
    const names = streamNames(context.database, remote.environment_id);
    const streamName = (key: string): string => names.get(key) ?? key;
    const plan = this.plan(remote.id);
    const log = new ActivityLog(
      context.clock,
      { remoteId: remote.id, what, trigger, plan },
      { changed: () => this.#tellSoon(), streamName },
    );
    const controller = new AbortController();
    const waits = new Waits(alarm);
    const ended = this.#work(remote, apiKey, order, { log, controller, waits, streamName }).catch((error: unknown) => {
      context.log.error('a sync failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      log.end({ code: 'internal_error', message: 'Tieout failed in the sync; what had moved stays moved.' }, '');
    });
    this.#underWay.set(remote.id, { log, controller, waits, ended });
    return log.view();
  }

  async #work(
    remote: SyncRemoteRow,
    apiKey: string,
    { environment, what, trigger, same, acceptDeletions }: SyncStart,
    { log, controller, waits, streamName }: Omit<UnderWay, 'ended'> & { readonly streamName: (key: string) => string },
  ): Promise<void> {
    const { syncing, context } = this.#parts;
    const options = {
      environment,
      remoteId: remote.id,
      baseUrl: remote.base_url,
      apiKey,
      note: () => {},
      signal: controller.signal,
      fetch: this.#parts.fetch,
      wait: waits.wait,
      progress: log,
      onBackup: ({ name, bytes }: { readonly name: string; readonly bytes: number }) => log.backedUp(name, bytes),
    };
    if (what === 'verify') {
      const compared = await this.#verify(remote, options, streamName, null);
      log.end(compared.ok ? null : compared.error, compared.ok ? verifiedWords(compared.value) : '');
      return;
    }
    const isPreview = what === 'preview';
    const {
      result,
      context: did,
      isFirst,
    } = await syncing.sync(options, {
      remoteId: remote.id,
      baseUrl: remote.base_url,
      apiKey,
      preview: isPreview,
      what: what === 'repair' ? 'repair' : 'sync',
      startedBy: trigger,
      same,
      acceptDeletions,
    });
    if (isPreview && did !== null && result.error === null) {
      const asOf = timestampOf(context.clock.nowMs());
      const proposed = countProposed(context.database, remote.environment_id);
      this.#previews.set(remote.id, { plan: planOf(result, did.tally, { asOf, isFirst, proposed }), log: did.log });
    } else if (!isPreview) this.#previews.delete(remote.id);
    const hasMoved = countOf(result.sent) + countOf(result.received) > 0;
    if (!isPreview && result.error === null && (hasMoved || remote.verified === null || what === 'repair')) {
      await this.#verify(remote, options, streamName, log.view().run_id);
    }
    log.end(result.error, endWords(result));
    context.changed(['sync']);
    this.#parts.onEnded();
  }

  async #verify(
    remote: SyncRemoteRow,
    options: Parameters<Syncing['compare']>[0],
    streamName: (key: string) => string,
    runId: number | null,
  ) {
    const { syncing, context } = this.#parts;
    const { database, clock } = context;
    const compared = await syncing.compare(options, true);
    if (!compared.ok) return compared;
    const at = timestampOf(clock.nowMs());
    const view = verifiedView(database, { remoteId: remote.id, at, streamName }, compared.value);
    database.write((write) => {
      updateRemote(write, remote.id, { verified: JSON.stringify(view) });
      const different = view.rows.filter(({ equal }) => !equal).length;
      if (runId !== null) verifySyncRun(write, runId, JSON.stringify({ at, equal: view.equal, different }));
    });
    return success(view);
  }

  #tellSoon(): void {
    if (this.#isToldSoon) return;
    this.#isToldSoon = true;
    this.#parts.alarm.after(TELL_MS, () => {
      this.#isToldSoon = false;
      if (!this.#isClosed) this.#parts.context.changed(['sync']);
    });
  }
}

function verifiedWords({ rows }: SyncVerified): string {
  const different = rows.filter(({ equal }) => !equal).length;
  return different === 0 ? 'Both sides agree' : `${different} of ${rows.length} differ`;
}

function lineView({ name, act, reason, localId, resource }: LoggedLine, counted: SyncResource) {
  const shown = resource === 'periods' || resource === 'properties' ? counted : resource;
  return { resource: shown, name, act, reason, local_id: localId, reconciliation_id: null, data_stream_key: null };
}
