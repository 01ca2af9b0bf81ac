import type { SyncActivity, SyncLine, SyncPlan, SyncResource, SyncVerified } from '../../../src-shared/contract/index.ts';
import { SYNC_RESOURCES } from '../../../src-shared/contract/sync/sync-words.ts';
import { counted } from '../../../src-shared/values/english.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { Alarm, Clock } from '../../platform/ports.ts';
import { timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { ownCaller } from '../../service/handler.ts';
import { ownerOf } from '../operations/remote-view.ts';
import type { SyncKeys, SyncLife, SyncStart } from '../operations/sync-life.ts';
import { type ConflictDetail, conflictsOf } from '../store/conflicts.ts';
import { countProposed, currencyOfStream, streamNames } from '../store/reads.ts';
import { remoteById, type SyncRemoteRow, updateRemote } from '../store/remotes.ts';
import { verifySyncRun } from '../store/runs.ts';
import type { SyncPhase, SyncProgress, Waiting } from '../work/progress.ts';
import type { LoggedLine, SyncLog } from '../work/context.ts';
import type { Counted, SyncResult } from '../work/sync-result.ts';
import { type Compared, probeWith } from '../work/sync.ts';
import { planOf, type RowDifferences, type VerifiedRow } from '../work/verify.ts';
import type { Syncing } from './book-sync.ts';

type Mark = SyncActivity['happened'][number]['mark'];

const KEPT = 100;
const PHASE_WORDS: Readonly<Record<Exclude<SyncPhase, 'ended'>, string>> = {
  backing_up: phrase('sync.syncRunner.backingTheBookUp'),
  connecting: 'Connecting',
  comparing: phrase('sync.syncRunner.comparingBothSides'),
  moving: phrase('sync.syncRunner.comparingAndMoving'),
  verifying: phrase('sync.syncRunner.verifyingCountsSumsAndFingerprints'),
};

interface Started {
  readonly remoteId: number;
  readonly what: SyncActivity['what'];
  readonly trigger: SyncActivity['trigger'];
  /** The preview made before the sync, which gives the totals to move. */
  readonly plan: SyncPlan | null;
}

interface Count {
  received: number;
  sent: number;
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${decimalText(Math.round(bytes / 100_000), 1)} MB`;
}

function lines(count: number, way: string): string {
  return `${counted(count, 'line')} ${way}`;
}

/** Builds the view of a sync's progress from the events that the sync reports. */
class ActivityLog implements SyncProgress {
  readonly #clock: Clock;
  readonly #started: Started;
  readonly #startedAtMs: number;
  readonly #changed: () => void;
  readonly #streamName: (key: string) => string;
  readonly #counts = new Map<SyncResource, Count>();
  readonly #streams = new Map<string, Count>();
  readonly #visited = new Set<SyncResource>();
  readonly #happened: SyncActivity['happened'][number][] = [];
  #phase: SyncPhase = 'connecting';
  #at: { counted: Counted; stream: string | null } | null = null;
  #run: number | null = null;
  #backup: SyncActivity['backup'] = null;
  #waiting: Waiting | null = null;
  #endedAtMs: number | null = null;
  #error: SyncActivity['error'] = null;
  #isCancelled = false;

  constructor(clock: Clock, started: Started, heard: { readonly changed: () => void; readonly streamName: (key: string) => string }) {
    this.#clock = clock;
    this.#started = started;
    this.#startedAtMs = clock.nowMs();
    this.#changed = heard.changed;
    this.#streamName = heard.streamName;
  }

  get isEnded(): boolean {
    return this.#endedAtMs !== null;
  }

  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  readonly phase = (phase: SyncPhase): void => {
    this.#leave();
    this.#phase = phase;
    this.#at = null;
    if (phase !== 'ended') this.#tell('under_way', PHASE_WORDS[phase]);
    this.#changed();
  };

  readonly begun = (runId: number, backup: string | null): void => {
    this.#run = runId;
    if (backup !== null) this.#tell('done', phrase('sync.syncRunner.backupTaken', { size: sizeText(this.#backup?.bytes ?? 0) }));
    this.#changed();
  };

  /** Notes the name and size (in bytes) of the backup that was made. */
  backedUp(name: string, bytes: number): void {
    this.#backup = { name, bytes };
  }

  readonly at = (counted: Counted, stream: string | null): void => {
    this.#leave();
    this.#at = { counted, stream };
    this.#visited.add(counted);
    if (counted === 'records' && stream !== null && !this.#streams.has(stream)) this.#streams.set(stream, { received: 0, sent: 0 });
    this.#changed();
  };

  readonly moved = (way: 'sent' | 'received', counted: Counted, stream: string | null, by: number): void => {
    const count = this.#counts.get(counted) ?? { received: 0, sent: 0 };
    count[way] += by;
    this.#counts.set(counted, count);
    if (stream !== null) {
      const own = this.#streams.get(stream) ?? { received: 0, sent: 0 };
      own[way] += by;
      this.#streams.set(stream, own);
    }
    this.#changed();
  };

  readonly waits = (waiting: Waiting | null): void => {
    if (waiting === null) this.#tell('done', phrase('sync.syncRunner.itAnsweredAtTryAndWent', { value: (this.#waiting?.tries ?? 0) + 1 }));
    else if (waiting.tries === 1) this.#tell('waits', waiting.reason);
    else this.#tell('waits', phrase('sync.syncRunner.noAnswerTryOfWaits', { tries: waiting.tries, of: waiting.of }));
    this.#waiting = waiting;
    this.#changed();
  };

  end(error: SyncActivity['error'], words: string): void {
    this.#leave();
    this.#waiting = null;
    this.#phase = 'ended';
    this.#endedAtMs = this.#clock.nowMs();
    this.#isCancelled = error?.code === 'cancelled';
    this.#error = this.#isCancelled ? null : error;
    this.#tell(error === null ? 'done' : 'failed', error === null ? words : error.message);
    this.#changed();
  }

  view(): SyncActivity {
    const { remoteId, what, trigger, plan } = this.#started;
    const total = plan === null || what !== 'sync' ? null : plan.rows.reduce((sum, { send, receive }) => sum + send + receive, 0);
    let done = 0;
    for (const { received, sent } of this.#counts.values()) done += received + sent;
    return {
      remote_id: remoteId,
      what,
      trigger,
      run_id: this.#run,
      started_at: timestampOf(this.#startedAtMs),
      ended_at: timestampOrNull(this.#endedAtMs),
      phase: this.#phase,
      now: this.#now(),
      backup: this.#backup,
      done,
      total: total === null ? null : Math.max(total, done),
      rows: SYNC_RESOURCES.flatMap((resource) => this.#rowsOf(resource)),
      waits: this.#waitsView(),
      happened: [...this.#happened],
      cancelled: this.#isCancelled,
      error: this.#error,
    };
  }

  #now(): string | null {
    if (this.#at === null) return null;
    const { stream, counted } = this.#at;
    return stream === null ? counted : this.#streamName(stream);
  }

  #rowsOf(resource: SyncResource): SyncActivity['rows'] {
    const planned = this.#started.plan?.rows.find((row) => row.resource === resource);
    const isPlanned = planned !== undefined && this.#started.what === 'sync';
    const { received, sent } = this.#counts.get(resource) ?? { received: 0, sent: 0 };
    const totals = {
      receive: isPlanned ? Math.max(planned.receive, received) : null,
      send: isPlanned ? Math.max(planned.send, sent) : null,
    };
    const isNone = totals.receive === 0 && totals.send === 0;
    const row = {
      resource,
      stream: null,
      received: { done: received, total: totals.receive },
      sent: { done: sent, total: totals.send },
      state: isNone ? ('none' as const) : this.#stateOf(resource, received + sent > 0),
    };
    if (resource !== 'records') return [row];
    const streams = [...this.#streams].map(([key, count]) => ({
      resource,
      stream: this.#streamName(key),
      received: { done: count.received, total: null },
      sent: { done: count.sent, total: null },
      state: this.#at?.stream === key ? ('under_way' as const) : ('done' as const),
    }));
    return [row, ...streams];
  }

  #stateOf(resource: SyncResource, hasMoved: boolean): SyncActivity['rows'][number]['state'] {
    if (this.#phase === 'verifying' || this.isEnded) return 'done';
    if (this.#at?.counted === resource) return 'under_way';
    return hasMoved || this.#visited.has(resource) ? 'done' : 'to_come';
  }

  #waitsView(): SyncActivity['waits'] {
    if (this.#waiting === null) return null;
    const { sinceMs, tries, of, nextAtMs, givesUpAtMs, reason } = this.#waiting;
    return { since: timestampOf(sinceMs), tries, of, next_at: timestampOf(nextAtMs), gives_up_at: timestampOf(givesUpAtMs), reason };
  }

  /** Reports the counts of a stream once the sync leaves it. */
  #leave(): void {
    if (this.#at?.counted !== 'records' || this.#at.stream === null || this.#phase === 'verifying') return;
    const { received, sent } = this.#streams.get(this.#at.stream) ?? { received: 0, sent: 0 };
    const verb = this.#started.what === 'preview' ? 'to' : '';
    const parts = [
      ...(received === 0 ? [] : [lines(received, verb === '' ? 'received' : phrase('sync.syncRunner.toReceive'))]),
      ...(sent === 0 ? [] : [lines(sent, verb === '' ? 'sent' : phrase('sync.syncRunner.toSend'))]),
    ];
    if (parts.length > 0) this.#tell('done', `${this.#streamName(this.#at.stream)}: ${parts.join(', ')}`);
  }

  #tell(mark: Mark, words: string): void {
    const [newest] = this.#happened;
    // A step in progress is done once the next event is reported.
    if (newest?.mark === 'under_way') this.#happened[0] = { ...newest, mark: 'done' };
    this.#happened.unshift({ at: timestampOf(this.#clock.nowMs()), mark, words });
    if (this.#happened.length > KEPT) this.#happened.length = KEPT;
  }
}

/** The waits of a sync; a person can end them early. */
class Waits {
  readonly #alarm: Alarm;
  readonly #waiting = new Set<() => void>();

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
  }

  readonly wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        callOff();
        this.#waiting.delete(done);
        resolve();
      };
      const callOff = this.#alarm.after(milliseconds, done);
      this.#waiting.add(done);
    });

  /** Ends all waits now. */
  wake(): void {
    for (const done of this.#waiting) done();
  }
}

const LINES = 20;

function lineOf(row: VerifiedRow, { name, localId }: RowDifferences['lines'][number]): SyncLine {
  return {
    resource: row.resource,
    name,
    act: 'stays',
    reason: null,
    local_id: localId,
    reconciliation_id: row.resource === 'matches' ? row.localId : null,
    data_stream_key: row.resource === 'records' ? row.name : null,
  };
}

/** Returns how many undecided conflicts are about a row. */
function toDecide(details: readonly ConflictDetail[], { resource, name, localId }: VerifiedRow): number {
  return details.filter((detail) => (resource === 'records' ? detail.stream === name : detail.reconciliation_id === localId)).length;
}

/** Returns a comparison as it is kept and shown, with the stream names of the book. */
function verifiedView(
  database: Database,
  about: { readonly remoteId: number; readonly at: string; readonly streamName: (key: string) => string },
  { rows, differing }: Compared,
): SyncVerified {
  const conflicts = conflictsOf(database, about.remoteId).filter(({ choice }) => choice === null);
  const details = conflicts.map(({ id, detail }) => storedJson('sync_conflicts.detail', detail, id));
  return {
    at: about.at,
    equal: rows.every(({ equal }) => equal),
    rows: rows.map((row) => {
      const lines = differing.find((each) => each.row === row)?.lines ?? [];
      const money = row.resource === 'records' && row.localId !== null ? currencyOfStream(database, row.localId) : null;
      return {
        resource: row.resource,
        name: row.resource === 'records' ? about.streamName(row.name) : row.name,
        currency: money?.currency ?? null,
        decimal_places: money?.decimal_places ?? 2,
        local: row.local,
        remote: row.remote,
        equal: row.equal,
        to_decide: row.equal ? 0 : toDecide(details, row),
        differences: lines.slice(0, LINES).map((each) => ({ side: each.side, line: lineOf(row, each) })),
        more: Math.max(0, lines.length - LINES),
      };
    }),
  };
}

/** Progress is published at most this often. */
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
  /** Called after each sync. */
  readonly onEnded: () => void;
}

type Runs = Omit<SyncLife, 'keys' | 'nextAtMs' | 'rescheduled'>;

function countOf(counts: SyncResult['sent']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function endWords(result: SyncResult): string {
  const [sent, received] = [countOf(result.sent), countOf(result.received)];
  if (result.preview) return phrase('sync.syncRunner.comparedToSendToReceive', { sent, received });
  return `Done: ${sent} sent, ${received} received`;
}

const BUSY = { code: 'sync_in_progress', message: phrase('sync.syncRunner.aSyncOfThisBook') } as const;

/** Runs the syncs that people and schedules start. Remembers what the window shows: progress, the last preview and the last comparison. */
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
    if (remote === undefined)
      return failed({ code: 'not_found', message: phrase('sync.syncRunner.thereIsNoConnection', { remoteId: order.remoteId }) });
    // Checked before and after the key is read: decryption takes time, and another sync may begin meanwhile.
    if (this.#isBusy()) return failed(BUSY);
    const apiKey = await keys.read(ownerOf(order.environment, remote));
    if (apiKey === null) {
      return failed({ code: 'remote_unusable', message: phrase('sync.syncRunner.theKeyOfIsMissing', { name: remote.name }) });
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

  /** Cancels the sync in progress and waits for its end. */
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
  return different === 0 ? phrase('sync.syncRunner.bothSidesAgree') : `${different} of ${rows.length} differ`;
}

function lineView({ name, act, reason, localId, resource }: LoggedLine, counted: SyncResource) {
  const shown = resource === 'periods' || resource === 'properties' ? counted : resource;
  return { resource: shown, name, act, reason, local_id: localId, reconciliation_id: null, data_stream_key: null };
}
