import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { conflictKey, groupsOf } from '../../format/sync-conflicts.ts';
import { ConflictDetail } from './conflict-detail.tsx';
import { ConflictList } from './conflict-list.tsx';
import own from './decide.module.css';
import styles from './sync.module.css';
import { UnsureDetail } from './unsure-detail.tsx';
import { useDecisions } from './use-decisions.ts';
import type { SyncControl } from './use-sync-control.ts';

/** As many as are asked for at once; more are seen when these are decided. */
const LISTED = 500;

interface DecideTabProps {
  readonly control: SyncControl;
  readonly activity: SyncActivity | null;
  /** The conflict to look at first; null: the first of the list. */
  readonly first: number | null;
}

/** What both sides disagree on, with what each choice leads to, and what may have arrived or not. */
export function DecideTab({ control, activity, first }: DecideTabProps) {
  const { remote } = control;
  const conflicts = useQuery('sync_conflicts.list', { id: remote.id, limit: LISTED });
  const unsure = useQuery('sync_unsure.list', { id: remote.id });
  const failure = conflicts.failure ?? unsure.failure;
  const groups = useMemo(() => groupsOf(conflicts.value?.data ?? [], unsure.value ?? []), [conflicts.value, unsure.value]);
  const decisions = useDecisions(groups, first === null ? null : conflictKey(first));
  const { shown, step } = decisions;
  const go = (by: 1 | -1) => () => {
    const next = step(by);
    if (next !== null) document.querySelector<HTMLElement>(`#${next}`)?.focus();
  };
  useShortcuts({ j: go(1), k: go(-1), l: go(1) });
  const isRead = conflicts.value !== undefined && unsure.value !== undefined;
  if (!isRead && failure !== undefined) {
    const retry = (): void => {
      conflicts.refetch();
      unsure.refetch();
    };
    return (
      <div className={styles.failed}>
        <FailurePanel title="What waits for your decision could not be read" failure={failure} onRetry={retry} />
      </div>
    );
  }
  if (!isRead) {
    return (
      <div className={styles.waiting} aria-busy>
        <Skeleton height={240} radius="lg" />
      </div>
    );
  }
  if (shown === undefined) return <NothingToDecide name={remote.name} isUnderWay={activity !== null && activity.ended_at === null} />;
  return (
    <div className={own.panes} data-testid="sync-decide">
      <ConflictList remote={remote} groups={groups} total={conflicts.value.total + unsure.value.length} decisions={decisions} />
      {shown.conflict === null ? (
        <UnsureDetail key={shown.key} remote={remote} unsure={shown.unsure} groups={groups} decisions={decisions} onLater={go(1)} />
      ) : (
        <ConflictDetail key={shown.key} remote={remote} conflict={shown.conflict} groups={groups} decisions={decisions} onLater={go(1)} />
      )}
    </div>
  );
}

function NothingToDecide({ name, isUnderWay }: { readonly name: string; readonly isUnderWay: boolean }) {
  return (
    <div className={styles.middle} data-testid="nothing-to-decide">
      <h2>Nothing to decide</h2>
      <p>
        {isUnderWay
          ? 'What the sync that goes on leaves for you stands here when it has ended.'
          : `Where this book and ${name} changed the same thing in different ways, both ways stand here beside each other, with what each leads to.`}
      </p>
    </div>
  );
}
