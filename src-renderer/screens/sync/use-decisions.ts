import { useState } from 'react';
import { useCommand } from '../../api/use-operation.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { type DecideGroups, neighbourOf, type ToDecide, undecidedOf } from '../../format/sync-conflicts.ts';
import { say } from '../../../src-shared/words/say.ts';

export interface Decisions {
  readonly shown: ToDecide | undefined;
  readonly show: (key: string) => void;
  /** Moves to the next or previous entry and returns its key; null when there is no other. */
  readonly step: (by: 1 | -1) => string | null;
  readonly choose: (one: ToDecide, choice: string) => void;
  readonly takeBack: (one: ToDecide) => void;
  readonly isRunning: boolean;
}

const NOT_DECIDED = say('sync.useDecisions.thisWasNotDecided');

/** Holds which entry is visible, and stores the user's decisions. */
export function useDecisions(groups: DecideGroups, first: string | null): Decisions {
  const [picked, pick] = useState(first);
  const isReadOnly = useReadOnlyReason() !== null;
  const choosing = useCommand('sync_conflicts.choose', (failure) => notifyFailure(NOT_DECIDED, failure));
  const settling = useCommand('sync_unsure.settle', (failure) => notifyFailure(NOT_DECIDED, failure));
  const isRunning = choosing.isRunning || settling.isRunning;
  const open = undecidedOf(groups);
  const all = [...open, ...groups.decided];
  const shown = all.find(({ key }) => key === picked) ?? all[0];

  async function decide(one: ToDecide, choice: string | null): Promise<void> {
    if (isRunning || isReadOnly) return;
    const { key, conflict, unsure } = one;
    const next = choice === null ? key : (neighbourOf(open, key, 1) ?? key);
    const { id: targetId } = conflict ?? unsure;
    const answer = await (conflict === null ? settling : choosing).run({ id: targetId, choice });
    if (!answer.ok) return;
    pick(next);
  }

  return {
    shown,
    show: pick,
    step(by) {
      const next = neighbourOf(open, shown?.key ?? null, by);
      if (next !== null) pick(next);
      return next;
    },
    choose: (one, choice) => void decide(one, choice),
    takeBack: (one) => void decide(one, null),
    isRunning,
  };
}
