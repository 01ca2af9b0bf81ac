import { useState } from 'react';
import type { SyncConflict } from '../../../../src-shared/contract/index.ts';
import { useCommand } from '../../../api/use-query.ts';
import { notifyFailure } from '../../../components/failures/notify.tsx';
import { useUndo } from '../../../components/use-undo.ts';
import { useReadOnlyReason } from '../../../components/writing.tsx';
import { type ConflictGroups, neighbourOf, undecidedOf } from '../../../format/sync/conflicts.ts';

export interface Decisions {
  readonly shown: SyncConflict | undefined;
  readonly show: (id: number) => void;
  /** Goes on in the list of what is to decide; null where there is no other. */
  readonly step: (by: 1 | -1) => number | null;
  /** `label`: the verb of the choice, `Keep this`. */
  readonly choose: (conflict: SyncConflict, choice: string, label: string) => void;
  readonly takeBack: (conflict: SyncConflict) => void;
  readonly isRunning: boolean;
}

/** Which conflict is on show, and what a person decides. */
export function useDecisions(groups: ConflictGroups, first: number | null): Decisions {
  const [picked, pick] = useState(first);
  const { remember } = useUndo();
  const isReadOnly = useReadOnlyReason() !== null;
  const { run, isRunning } = useCommand('sync_conflicts.choose', (failure) => notifyFailure('This was not decided', failure));
  const open = undecidedOf(groups);
  const all = [...open, ...groups.decided];
  const shown = all.find(({ id }) => id === picked) ?? all[0];

  async function decide(conflict: SyncConflict, choice: string | null, label: string): Promise<void> {
    if (isRunning || isReadOnly) return;
    const { id: targetId, choice: before } = conflict;
    const next = choice === null ? targetId : (neighbourOf(open, targetId, 1) ?? targetId);
    const answer = await run({ id: targetId, choice });
    if (!answer.ok) return;
    pick(next);
    const again = { kind: 'decide_conflict', targetId, input: { choice } } as const;
    remember({ kind: 'decide_conflict', targetId, input: { choice: before }, label, again });
  }

  return {
    shown,
    show: pick,
    step(by) {
      const next = neighbourOf(open, shown?.id ?? null, by);
      if (next !== null) pick(next);
      return next;
    },
    choose: (conflict, choice, label) => void decide(conflict, choice, `Decided ${conflict.title}: ${label.toLowerCase()}`),
    takeBack: (conflict) => void decide(conflict, null, `Took back the decision on ${conflict.title}`),
    isRunning,
  };
}
