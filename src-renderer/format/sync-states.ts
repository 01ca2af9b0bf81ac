import type { SyncActivity, SyncRemote, SyncRun } from '../../src-shared/contract/index.ts';
import { countText } from './counts.ts';

/** The shapes of `components/state-badge.tsx` that sync uses. */
export type SyncTone = 'done' | 'open' | 'broken' | 'under_way' | 'none';

export interface SyncState {
  readonly tone: SyncTone;
  readonly words: string;
}

const UNDER_WAY: Readonly<Record<SyncActivity['what'], string>> = {
  preview: 'Comparing',
  sync: 'Syncing',
  verify: 'Verifying',
  repair: 'Repairing',
};

/** Returns a word for the running activity; null when it has ended. */
export function activityState(activity: Pick<SyncActivity, 'what' | 'ended_at' | 'waits'> | null | undefined): SyncState | null {
  if (activity === null || activity === undefined || activity.ended_at !== null) return null;
  return activity.waits === null ? { tone: 'under_way', words: UNDER_WAY[activity.what] } : { tone: 'open', words: 'No network' };
}

/** Returns a word or two for the state of a remote. */
export function remoteState(remote: Pick<SyncRemote, 'state' | 'to_decide' | 'waiting'>, locale?: string): SyncState {
  switch (remote.state) {
    case 'not_synced':
      return { tone: 'none', words: 'Not synced yet' };
    case 'under_way':
      return { tone: 'under_way', words: 'Syncing' };
    case 'no_network':
      return { tone: 'open', words: 'No network' };
    case 'to_decide':
      return { tone: 'open', words: `${countText(remote.to_decide, locale)} to decide` };
    case 'deletions_wait':
      return { tone: 'open', words: 'Deletions wait' };
    case 'asks':
      return { tone: 'open', words: 'Asks you' };
    case 'waiting':
      return { tone: 'none', words: `${countText(remote.waiting, locale)} waiting` };
    case 'agrees':
      return { tone: 'done', words: 'Agrees' };
    case 'failed':
      return { tone: 'broken', words: 'Failed' };
  }
}

/** Returns the state of a finished sync. */
export function runState(
  run: Pick<SyncRun, 'state' | 'to_decide' | 'refused' | 'unsure' | 'sent_total' | 'received_total' | 'deletions' | 'undone_at'>,
  locale?: string,
): SyncState {
  if (run.undone_at !== null) return { tone: 'none', words: 'Undone here' };
  const moved = run.sent_total + run.received_total;
  const at = moved === 0 ? '' : ` at ${countText(moved, locale)}`;
  switch (run.state) {
    case 'under_way':
      return { tone: 'under_way', words: 'Under way' };
    case 'agrees':
      return { tone: 'done', words: 'Agrees' };
    case 'to_decide':
      return { tone: 'open', words: `${countText(run.to_decide, locale)} to decide` };
    case 'deletions_wait':
      return {
        tone: 'open',
        words: `${countText(run.deletions.count, locale)} ${run.deletions.count === 1 ? 'deletion waits' : 'deletions wait'}`,
      };
    case 'asked':
      return { tone: 'open', words: 'Asked you' };
    case 'refused':
      if (run.refused.length === 0) return { tone: 'open', words: `${countText(run.unsure.length, locale)} not sure` };
      return { tone: 'broken', words: `${countText(run.refused.length, locale)} refused` };
    case 'no_network':
      return { tone: 'open', words: `No network${at}` };
    case 'broke_off':
      return { tone: 'broken', words: `Broke off${at}` };
    case 'cancelled':
      return { tone: 'none', words: `Cancelled${at}` };
  }
}

const TRIGGERS: Readonly<Record<SyncRun['trigger'], string>> = {
  by_hand: 'by hand',
  schedule: 'on schedule',
  network: 'network back',
  command: 'on the command line',
};

/** Returns what started a sync: `by hand`, `first sync, on schedule`. */
export function runOrigin({ trigger, what, is_first: isFirst }: Pick<SyncRun, 'trigger' | 'what' | 'is_first'>): string {
  const name = what === 'repair' ? 'repair' : isFirst ? 'first sync' : null;
  if (name === null) return TRIGGERS[trigger];
  return trigger === 'by_hand' ? name : `${name}, ${TRIGGERS[trigger]}`;
}
