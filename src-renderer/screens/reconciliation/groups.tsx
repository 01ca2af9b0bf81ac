import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { MatchGroup, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { GroupDetail } from './group-detail.tsx';
import { GroupGrid } from './group-grid.tsx';
import styles from './reconciliation.module.css';

interface GroupsProps {
  readonly reconciliation: Reconciliation;
  readonly status: 'proposed' | 'matched';
  readonly isMixed: boolean;
  readonly isShown: boolean;
}

const EMPTY = {
  proposed: 'No proposal is waiting. A run proposes what fits but needs a person to decide.',
  matched: 'Nothing is matched yet. Press Run, or match lines by hand.',
} as const;

/** Groups in a grid, beside the one that is being looked at. */
export function Groups({ reconciliation, status, isMixed, isShown }: GroupsProps) {
  const [shown, setShown] = useState<MatchGroup | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const { value } = useQuery('rules.list', { reconciliation_id: reconciliation.id });
  const rules = useMemo(() => new Map((value ?? []).map((rule) => [rule.id, rule.description ?? `Rule ${rule.id}`])), [value]);
  return (
    <div className={styles.groups}>
      <div className={`card ${styles.panel}`}>
        <div className={styles.gridFrame}>
          <GroupGrid reconciliation={reconciliation} status={status} rules={rules} isMixed={isMixed} onShow={setShown} onCount={setCount} />
          {count === 0 && (
            <div className={styles.overlay}>
              <Text size="sm" c="dimmed" ta="center">
                {EMPTY[status]}
              </Text>
            </div>
          )}
        </div>
      </div>
      {shown !== null && count !== 0 && (
        <GroupDetail key={shown.match.id} group={shown} reconciliation={reconciliation} rules={rules} isShown={isShown} />
      )}
    </div>
  );
}
