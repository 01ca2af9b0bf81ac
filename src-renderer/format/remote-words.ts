import type { SyncRemote } from '../../src-shared/contract/index.ts';
import { counted, countText } from './counts.ts';
import { timeText } from './dates.ts';

/** The schedules that a select offers, in minutes. An empty value means by hand. */
export const SCHEDULES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'By hand' },
  { value: '15', label: 'Every 15 minutes' },
  { value: '60', label: 'Every hour' },
  { value: '240', label: 'Every 4 hours' },
  { value: '1440', label: 'Once a day' },
];

/** Returns `every 4 hours, and when the network comes back`, or `every 30 minutes` for an interval that no select offers. */
export function scheduleText({
  every_minutes: minutes,
  when_online: whenOnline,
}: Pick<SyncRemote, 'every_minutes' | 'when_online'>): string {
  const known = SCHEDULES.find(({ value }) => value === String(minutes ?? ''));
  const often = (known?.label ?? `Every ${counted(minutes ?? 0, 'minute')}`).toLowerCase();
  return whenOnline ? `${often}, and when the network comes back` : often;
}

function isSameDay(leftMs: number, rightMs: number): boolean {
  return new Date(leftMs).toDateString() === new Date(rightMs).toDateString();
}

/** Returns the time of an instant of today, the date of any other. */
function momentIn(at: string, nowMs: number, locale?: string): string {
  const ms = Date.parse(at);
  return isSameDay(ms, nowMs) ? timeText(ms, locale) : new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(ms);
}

/** Returns the next attempt to reach a remote, with seconds when it is today: it is soon. */
function tryIn(at: string, nowMs: number, locale?: string): string {
  const ms = Date.parse(at);
  return isSameDay(ms, nowMs) ? new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(ms) : momentIn(at, nowMs, locale);
}

type RemoteStatus = Pick<SyncRemote, 'state' | 'progress' | 'waiting' | 'to_decide' | 'next_at' | 'last_synced_at' | 'key_kept'>;

/** Returns the state of a remote in parts: `Synced 10:42`, `1 change waiting`, `6 to decide`. */
export function statusParts(remote: RemoteStatus, nowMs: number, locale?: string): string[] {
  const waiting = remote.waiting === 0 ? [] : [`${counted(remote.waiting, 'change', 'changes', locale)} waiting`];
  const toDecide = remote.to_decide === 0 ? [] : [`${countText(remote.to_decide, locale)} to decide`];
  const rest = [...(remote.key_kept === 'none' ? ['key missing'] : []), ...waiting, ...toDecide];
  switch (remote.state) {
    case 'under_way':
      return [remote.progress === null ? 'Syncing' : `Syncing, ${remote.progress} %`];
    case 'no_network':
      return ['No network', ...(remote.next_at === null ? [] : [`next try ${tryIn(remote.next_at, nowMs, locale)}`]), ...rest];
    case 'failed':
      return ['Sync failed', ...rest];
    case 'asks':
      return ['Sync asks you', ...rest];
    case 'deletions_wait':
      return ['Deletions wait for your word', ...rest];
    case 'not_synced':
      return ['Not synced yet', ...rest];
    default:
      return [remote.last_synced_at === null ? 'Not synced yet' : `Synced ${momentIn(remote.last_synced_at, nowMs, locale)}`, ...rest];
  }
}

/** Returns the text beside the mark: the percentage of a running sync, else the number of waiting changes; empty for none. */
export function markText({ state, progress, waiting }: Pick<RemoteStatus, 'state' | 'progress' | 'waiting'>, locale?: string): string {
  if ((state === 'under_way' || state === 'no_network') && progress !== null) return `${progress} %`;
  return state === 'under_way' || waiting === 0 ? '' : countText(waiting, locale);
}

/** Returns `Sync: 772 changes waiting`. Pass `name` when there are several remotes. */
export function markLabel(remote: RemoteStatus, name: string | null, nowMs: number, locale?: string): string {
  const [first = '', ...rest] = statusParts(remote, nowMs, locale);
  const words = [`${first.charAt(0).toLowerCase()}${first.slice(1)}`, ...rest].join(', ');
  return `${name === null ? 'Sync' : `Sync with ${name}`}: ${words}`;
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
