import type { SyncRemote } from '../../src-shared/contract/index.ts';
import { countOf, countText } from './counts.ts';
import { momentIn } from './dates.ts';
import { say } from '../../src-shared/words/say.ts';

/** The schedules that a select offers, in minutes. An empty value means by hand. */
export const SCHEDULES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: say('sync.remote.byHand') },
  { value: '15', label: say('sync.remote.everyQuarterOfAnHour') },
  { value: '60', label: say('sync.remote.everyHour') },
  { value: '240', label: say('sync.remote.everyFourHours') },
  { value: '1440', label: say('sync.remote.onceADay') },
];

/** Returns `every 4 hours, and when the network comes back`, or `every 30 minutes` for an interval that no select offers. */
export function scheduleText({
  every_minutes: minutes,
  when_online: whenOnline,
}: Pick<SyncRemote, 'every_minutes' | 'when_online'>): string {
  const known = SCHEDULES.find(({ value }) => value === String(minutes ?? ''));
  const often = (known?.label ?? `Every ${countOf(minutes ?? 0, 'count.minutes')}`).toLowerCase();
  return whenOnline ? say('sync.remote.andWhenTheNetwork', { often }) : often;
}

type RemoteStatus = Pick<SyncRemote, 'state' | 'progress' | 'waiting' | 'to_decide' | 'next_at' | 'last_synced_at' | 'key_kept'>;

/** Returns the state of a remote in parts: `Synced 10:42`, `1 change waiting`, `6 to decide`. */
export function statusParts(remote: RemoteStatus, nowMs: number): string[] {
  const waiting = remote.waiting === 0 ? [] : [say('sync.remote.changesWaiting', { waiting: remote.waiting })];
  const toDecide = remote.to_decide === 0 ? [] : [say('sync.remote.toDecide', { toDecide: countText(remote.to_decide) })];
  const rest = [...(remote.key_kept === 'none' ? [say('sync.remote.keyMissing')] : []), ...waiting, ...toDecide];
  switch (remote.state) {
    case 'under_way':
      return [remote.progress === null ? say('sync.remote.syncing') : say('sync.remote.syncingPercent', { progress: remote.progress })];
    case 'no_network':
      return [
        say('sync.remote.noNetwork'),
        ...(remote.next_at === null ? [] : [say('sync.remote.nextTry', { tryIn: momentIn(remote.next_at, nowMs, true) })]),
        ...rest,
      ];
    case 'failed':
      return [say('sync.remote.syncFailed'), ...rest];
    case 'asks':
      return [say('sync.remote.syncAsksYou'), ...rest];
    case 'deletions_wait':
      return [say('sync.remote.deletionsWaitForYourWord'), ...rest];
    case 'not_synced':
      return [say('sync.remote.notSyncedYet'), ...rest];
    default:
      return [
        remote.last_synced_at === null
          ? say('sync.remote.notSyncedYet')
          : say('sync.remote.synced', { momentIn: momentIn(remote.last_synced_at, nowMs) }),
        ...rest,
      ];
  }
}

/** Returns the text beside the mark: the percentage of a running sync, else the number of waiting changes; empty for none. */
export function markText({ state, progress, waiting }: Pick<RemoteStatus, 'state' | 'progress' | 'waiting'>): string {
  if ((state === 'under_way' || state === 'no_network') && progress !== null) return `${progress} %`;
  return state === 'under_way' || waiting === 0 ? '' : countText(waiting);
}

/** Returns `Sync: 772 changes waiting`. Pass `name` when there are several remotes. */
export function markLabel(remote: RemoteStatus, name: string | null, nowMs: number): string {
  const [first = '', ...rest] = statusParts(remote, nowMs);
  const words = [`${first.charAt(0).toLowerCase()}${first.slice(1)}`, ...rest].join(', ');
  return `${name === null ? say('sync.remote.sync') : say('sync.remote.syncWith', { name })}: ${words}`;
}

/** Shapes of the mark that shows the state of a remote. Waiting changes have another shape than a remote that was never synced. */
export type SyncMark = 'done' | 'open' | 'broken' | 'under_way' | 'waiting' | 'none';

export function markOf({ state, key_kept: keyKept }: Pick<RemoteStatus, 'state' | 'key_kept'>): SyncMark {
  if (state === 'under_way') return 'under_way';
  if (state === 'failed' || keyKept === 'none') return 'broken';
  if (state === 'no_network' || state === 'to_decide' || state === 'asks' || state === 'deletions_wait') return 'open';
  if (state === 'agrees') return 'done';
  return state === 'waiting' ? 'waiting' : 'none';
}

const URGENCY: readonly SyncMark[] = ['under_way', 'broken', 'open', 'waiting', 'none', 'done'];

/** Returns the most urgent of several remotes; null when there is none. */
export function mostUrgent<R extends Pick<RemoteStatus, 'state' | 'key_kept'>>(remotes: readonly R[]): R | null {
  const place = (remote: R): number => URGENCY.indexOf(markOf(remote));
  return remotes.toSorted((left, right) => place(left) - place(right))[0] ?? null;
}
