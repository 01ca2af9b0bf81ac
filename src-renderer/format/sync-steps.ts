import type { SyncActivity } from '../../src-shared/contract/index.ts';
import { bytesText, countText } from './counts.ts';
import { say } from '../../src-shared/words/say.ts';

export interface SyncStep {
  readonly name: string;
  readonly state: 'done' | 'now' | 'to_come';
  readonly words: readonly string[];
}

type Phase = SyncActivity['phase'];

/** Names of a step before it begins, while it runs, and after it. */
const NAMES: Readonly<Record<Exclude<Phase, 'ended'>, readonly [string, string, string]>> = {
  backing_up: [say('sync.names.backUp'), say('sync.names.backingUp'), say('sync.names.backedUp')],
  connecting: [say('sync.names.connect'), say('sync.names.connecting'), say('sync.names.connected')],
  comparing: [say('sync.names.compare'), say('sync.names.comparing'), say('sync.names.compared')],
  moving: [say('sync.names.move'), say('sync.names.moving'), say('sync.names.moved')],
  verifying: [say('sync.names.verify'), say('sync.names.verifying'), say('sync.names.verified')],
};

function phasesOf({ what, phase, backup }: Pick<SyncActivity, 'what' | 'phase' | 'backup'>): readonly Exclude<Phase, 'ended'>[] {
  if (what === 'preview') return ['connecting', 'comparing'];
  if (what === 'verify') return ['connecting', 'verifying'];
  const isBackedUp = phase === 'backing_up' || backup !== null;
  return [...(isBackedUp ? (['backing_up'] as const) : []), 'connecting', 'comparing', 'moving', 'verifying'];
}

function wordsOf(name: Phase, state: SyncStep['state'], activity: SyncActivity, locale?: string): string[] {
  if (name === 'backing_up') return activity.backup === null ? [] : [bytesText(activity.backup.bytes, locale)];
  if (name === 'verifying' && state === 'to_come') return [say('sync.syncSteps.countsSumsAndFingerprints')];
  if (name === 'comparing' && state === 'done')
    return activity.total === null ? [] : [say('sync.syncSteps.toMove', { total: countText(activity.total, locale) })];
  if (state !== 'now') return name === 'moving' && state === 'done' ? [movedText(activity, locale)] : [];
  const progress = name === 'moving' ? [movedText(activity, locale)] : [];
  if (activity.waits !== null) return [...progress, say('sync.syncSteps.waitsForTheNetwork')];
  return [...progress, ...(activity.now === null ? [] : [activity.now])];
}

/** Returns `414 of 772`, or only the first number when the total is unknown. */
export function movedText({ done, total }: { readonly done: number; readonly total: number | null }, locale?: string): string {
  return total === null
    ? countText(done, locale)
    : say('sync.syncSteps.of', { done: countText(done, locale), total: countText(total, locale) });
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
