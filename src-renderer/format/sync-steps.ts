import type { SyncActivity } from '../../src-shared/contract/index.ts';
import { bytesText, countText } from './counts.ts';

export interface SyncStep {
  readonly name: string;
  readonly state: 'done' | 'now' | 'to_come';
  readonly words: readonly string[];
}

type Phase = SyncActivity['phase'];

/** Names of a step before it begins, while it runs, and after it. */
const NAMES: Readonly<Record<Exclude<Phase, 'ended'>, readonly [string, string, string]>> = {
  backing_up: ['Back up', 'Backing up', 'Backed up'],
  connecting: ['Connect', 'Connecting', 'Connected'],
  comparing: ['Compare', 'Comparing', 'Compared'],
  moving: ['Move', 'Moving', 'Moved'],
  verifying: ['Verify', 'Verifying', 'Verified'],
};

function phasesOf({ what, phase, backup }: Pick<SyncActivity, 'what' | 'phase' | 'backup'>): readonly Exclude<Phase, 'ended'>[] {
  if (what === 'preview') return ['connecting', 'comparing'];
  if (what === 'verify') return ['connecting', 'verifying'];
  const isBackedUp = phase === 'backing_up' || backup !== null;
  return [...(isBackedUp ? (['backing_up'] as const) : []), 'connecting', 'comparing', 'moving', 'verifying'];
}

function wordsOf(name: Phase, state: SyncStep['state'], activity: SyncActivity, locale?: string): string[] {
  if (name === 'backing_up') return activity.backup === null ? [] : [bytesText(activity.backup.bytes, locale)];
  if (name === 'verifying' && state === 'to_come') return ['Counts, sums and fingerprints of both sides'];
  if (name === 'comparing' && state === 'done') return activity.total === null ? [] : [`${countText(activity.total, locale)} to move`];
  if (state !== 'now') return name === 'moving' && state === 'done' ? [movedText(activity, locale)] : [];
  const progress = name === 'moving' ? [movedText(activity, locale)] : [];
  if (activity.waits !== null) return [...progress, 'Waits for the network'];
  return [...progress, ...(activity.now === null ? [] : [activity.now])];
}

/** Returns `414 of 772`, or only the first number when the total is unknown. */
export function movedText({ done, total }: { readonly done: number; readonly total: number | null }, locale?: string): string {
  return total === null ? countText(done, locale) : `${countText(done, locale)} of ${countText(total, locale)}`;
}

/** Returns the steps of a running sync: the finished, the current and the coming ones. */
export function stepsOf(activity: SyncActivity, locale?: string): SyncStep[] {
  const phases = phasesOf(activity);
  const at = activity.phase === 'ended' ? phases.length : phases.indexOf(activity.phase);
  return phases.map((name, place) => {
    const state = place < at ? 'done' : place === at ? 'now' : 'to_come';
    return { name: NAMES[name][state === 'done' ? 2 : state === 'now' ? 1 : 0], state, words: wordsOf(name, state, activity, locale) };
  });
}

/** Returns the finished share of a bar, 0 to 100; null when the total is unknown. */
export function shareOf({ done, total }: { readonly done: number; readonly total: number | null }): number | null {
  if (total === null) return null;
  return total === 0 ? 100 : Math.min(100, (done / total) * 100);
}

/** Returns an instant to the second in the reader's time zone, `09:14:38`. */
export function secondText(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  return [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map((value) => String(value).padStart(2, '0')).join(':');
}
