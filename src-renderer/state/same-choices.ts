import { createStore } from 'zustand/vanilla';
import type { SyncPlan } from '../../src-shared/contract/index.ts';
import { pairKey } from '../format/plan-figures.ts';

type Uncertain = SyncPlan['uncertain'][number];

interface SameChoices {
  /** Keys of pairs that are one, of each remote. All others are two. */
  readonly same: Readonly<Record<number, readonly string[]>>;
  readonly say: (remoteId: number, key: string, isSame: boolean) => void;
}

/** Kept outside of the screen, so that a look at another screen loses nothing. */
export const sameChoices = createStore<SameChoices>()((set) => ({
  same: {},
  say: (remoteId, key, isSame) =>
    set(({ same }) => {
      const others = (same[remoteId] ?? []).filter((each) => each !== key);
      return { same: { ...same, [remoteId]: isSame ? [...others, key] : others } };
    }),
}));

/** What the sync is told to take for the same. */
export function sameOf(uncertain: readonly Uncertain[], keys: readonly string[]) {
  return uncertain
    .filter((pair) => keys.includes(pairKey(pair)))
    .map(({ resource, local_id, remote_key }) => ({ resource, local_id, remote_key }));
}
