import { createStore } from 'zustand/vanilla';
import type { SyncPlan } from '../../src-shared/contract/index.ts';
import { pairKey } from '../format/plan-figures.ts';

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
