import { createStore } from 'zustand/vanilla';
import type { SyncPlan } from '../../src-shared/contract/index.ts';
import { pairKey } from '../format/sync-resources.ts';
import type { Place } from './places.ts';

/** The fields of a synced line or of a conflict that say where it belongs. */
export interface Placed {
  readonly resource: string;
  readonly local_id: number | null;
  readonly reconciliation_id: number | null;
  readonly data_stream_key: string | null;
}

/** Returns the place that shows the object; null when the window has none. */
export function placeOf({ resource, local_id: id, reconciliation_id: reconciliation, data_stream_key: stream }: Placed): Place | null {
  if (resource === 'accounts' && id !== null) return { screen: 'account', id };
  if (resource === 'reconciliations' && id !== null) return { screen: 'reconciliation', id };
  if (reconciliation !== null) {
    if (resource === 'rules') return { screen: 'reconciliation', id: reconciliation, tab: 'rules' };
    if (resource === 'matches') return { screen: 'reconciliation', id: reconciliation, tab: 'matched' };
    return { screen: 'reconciliation', id: reconciliation };
  }
  return stream === null ? null : { screen: 'stream', key: stream };
}

type Uncertain = SyncPlan['uncertain'][number];

interface SameChoices {
  /** Keys of the pairs that are one object, by remote. All other pairs are two objects. */
  readonly same: Readonly<Record<number, readonly string[]>>;
  readonly say: (remoteId: number, key: string, isSame: boolean) => void;
}

/** The choices are kept outside of the screen, so that they survive a visit to another screen. */
export const sameChoices = createStore<SameChoices>()((set) => ({
  same: {},
  say: (remoteId, key, isSame) =>
    set(({ same }) => {
      const others = (same[remoteId] ?? []).filter((each) => each !== key);
      return { same: { ...same, [remoteId]: isSame ? [...others, key] : others } };
    }),
}));

/** Returns the pairs that the sync treats as the same object. */
export function sameOf(uncertain: readonly Uncertain[], keys: readonly string[]) {
  return uncertain
    .filter((pair) => keys.includes(pairKey(pair)))
    .map(({ resource, local_id, remote_key }) => ({ resource, local_id, remote_key }));
}
