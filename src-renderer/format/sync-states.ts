import type { SyncActivity, SyncRemote, SyncRun } from '../../src-shared/contract/index.ts';
import { countText } from './counts.ts';
import { say } from '../../src-shared/words/say.ts';

/** The shapes of `components/state-badge.tsx` that sync uses. */
export type SyncTone = 'done' | 'open' | 'broken' | 'under_way' | 'none';

export interface SyncState {
  readonly tone: SyncTone;
  readonly words: string;
}

const UNDER_WAY: Readonly<Record<SyncActivity['what'], string>> = {
  preview: say('sync.underWay.preview'),
  sync: say('sync.underWay.sync'),
  verify: say('sync.underWay.verify'),
  repair: say('sync.underWay.repair'),
};

/** Returns a word for the running activity; null when it has ended. */
export function activityState(activity: Pick<SyncActivity, 'what' | 'ended_at' | 'waits'> | null | undefined): SyncState | null {
  if (activity === null || activity === undefined || activity.ended_at !== null) return null;
  return activity.waits === null
    ? { tone: 'under_way', words: UNDER_WAY[activity.what] }
    : { tone: 'open', words: say('sync.syncStates.noNetwork') };
}

/** Returns a word or two for the state of a remote. */
export function remoteState(remote: Pick<SyncRemote, 'state' | 'to_decide' | 'waiting'>, locale?: string): SyncState {
  switch (remote.state) {
    case 'not_synced':
      return { tone: 'none', words: say('sync.syncStates.notSyncedYet') };
    case 'under_way':
      return { tone: 'under_way', words: say('sync.syncStates.syncing') };
    case 'no_network':
      return { tone: 'open', words: say('sync.syncStates.noNetwork') };
    case 'to_decide':
      return { tone: 'open', words: say('sync.syncStates.toDecide', { toDecide: countText(remote.to_decide, locale) }) };
    case 'deletions_wait':
      return { tone: 'open', words: say('sync.syncStates.deletionsWait') };
    case 'asks':
      return { tone: 'open', words: say('sync.syncStates.asksYou') };
    case 'waiting':
      return { tone: 'none', words: say('sync.syncStates.waiting', { waiting: countText(remote.waiting, locale) }) };
    case 'agrees':
      return { tone: 'done', words: say('sync.syncStates.agrees') };
    case 'failed':
      return { tone: 'broken', words: say('sync.syncStates.failed') };
  }
}

/** Returns the state of a finished sync. */
export function runState(
  run: Pick<SyncRun, 'state' | 'to_decide' | 'refused' | 'unsure' | 'sent_total' | 'received_total' | 'deletions' | 'undone_at'>,
  locale?: string,
): SyncState {
  if (run.undone_at !== null) return { tone: 'none', words: say('sync.syncStates.undoneHere') };
  const moved = run.sent_total + run.received_total;
  const at = moved === 0 ? '' : say('sync.syncStates.at', { moved: countText(moved, locale) });
  switch (run.state) {
    case 'under_way':
      return { tone: 'under_way', words: say('sync.syncStates.underWay') };
    case 'agrees':
      return { tone: 'done', words: say('sync.syncStates.agrees') };
    case 'to_decide':
      return { tone: 'open', words: say('sync.syncStates.toDecide', { toDecide: countText(run.to_decide, locale) }) };
    case 'deletions_wait':
      return {
        tone: 'open',
        words: `${countText(run.deletions.count, locale)} ${run.deletions.count === 1 ? say('sync.syncStates.oneDeletionWaits') : say('sync.syncStates.severalDeletionsWait')}`,
      };
    case 'asked':
      return { tone: 'open', words: say('sync.syncStates.askedYou') };
    case 'refused':
      if (run.refused.length === 0)
        return { tone: 'open', words: say('sync.syncStates.notSure', { unsure: countText(run.unsure.length, locale) }) };
      return { tone: 'broken', words: say('sync.syncStates.refused', { refused: countText(run.refused.length, locale) }) };
    case 'no_network':
      return { tone: 'open', words: say('sync.syncStates.noNetworkAt', { at }) };
    case 'broke_off':
      return { tone: 'broken', words: say('sync.syncStates.brokeOff', { at }) };
    case 'cancelled':
      return { tone: 'none', words: say('sync.syncStates.cancelled', { at }) };
  }
}

const TRIGGERS: Readonly<Record<SyncRun['trigger'], string>> = {
  by_hand: say('sync.triggers.byHand'),
  schedule: say('sync.triggers.schedule'),
  network: say('sync.triggers.network'),
  command: say('sync.triggers.command'),
};

/** Returns what started a sync: `by hand`, `first sync, on schedule`. */
export function runOrigin({ trigger, what, is_first: isFirst }: Pick<SyncRun, 'trigger' | 'what' | 'is_first'>): string {
  const name = what === 'repair' ? 'repair' : isFirst ? say('sync.syncStates.firstSync') : null;
  if (name === null) return TRIGGERS[trigger];
  return trigger === 'by_hand' ? name : `${name}, ${TRIGGERS[trigger]}`;
}
