import type { SyncActivity, SyncPlan, SyncResource } from '../../../src-shared/contract/index.ts';
import { SYNC_RESOURCES } from '../../../src-shared/contract/sync/sync-words.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { Clock } from '../../platform/ports.ts';
import type { SyncPhase, SyncProgress, Waiting } from '../work/progress.ts';
import type { Counted } from '../work/sync-result.ts';

type Mark = SyncActivity['happened'][number]['mark'];

const KEPT = 100;
const PHASE_WORDS: Readonly<Record<Exclude<SyncPhase, 'ended'>, string>> = {
  backing_up: 'Backing the book up',
  connecting: 'Connecting',
  comparing: 'Comparing both sides',
  moving: 'Comparing and moving',
  verifying: 'Verifying counts, sums and fingerprints',
};

interface Started {
  readonly remoteId: number;
  readonly what: SyncActivity['what'];
  readonly trigger: SyncActivity['trigger'];
  /** The preview that was seen before, for what there is to move. */
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
  return `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'} ${way}`;
}

/** Tells people how a sync gets on, from what it reports. */
export class ActivityLog implements SyncProgress {
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
    if (backup !== null) this.#tell('done', `Backup taken, ${sizeText(this.#backup?.bytes ?? 0)}`);
    this.#changed();
  };

  /** Bytes of the backup that was made. */
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
    if (waiting === null) this.#tell('done', `It answered at try ${(this.#waiting?.tries ?? 0) + 1} and went on where it stopped`);
    else if (waiting.tries === 1) this.#tell('waits', waiting.reason);
    else this.#tell('waits', `No answer, try ${waiting.tries} of ${waiting.of}. Waits a little longer each time`);
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

  /** What a stream came to, once it is left. */
  #leave(): void {
    if (this.#at?.counted !== 'records' || this.#at.stream === null || this.#phase === 'verifying') return;
    const { received, sent } = this.#streams.get(this.#at.stream) ?? { received: 0, sent: 0 };
    const verb = this.#started.what === 'preview' ? 'to' : '';
    const parts = [
      ...(received === 0 ? [] : [lines(received, verb === '' ? 'received' : 'to receive')]),
      ...(sent === 0 ? [] : [lines(sent, verb === '' ? 'sent' : 'to send')]),
    ];
    if (parts.length > 0) this.#tell('done', `${this.#streamName(this.#at.stream)}: ${parts.join(', ')}`);
  }

  #tell(mark: Mark, words: string): void {
    const [newest] = this.#happened;
    // What went on is over once something else is told.
    if (newest?.mark === 'under_way') this.#happened[0] = { ...newest, mark: 'done' };
    this.#happened.unshift({ at: timestampOf(this.#clock.nowMs()), mark, words });
    if (this.#happened.length > KEPT) this.#happened.length = KEPT;
  }
}
