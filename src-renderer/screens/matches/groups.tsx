import { Button, Text } from '@mantine/core';
import { IconArrowLeft, IconUnlink } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { MatchGroup, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { countText } from '../../format/counts.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { ConfirmLikely } from '../rules/confirm-likely.tsx';
import { GroupDetail } from './group-detail.tsx';
import { GroupGrid } from './group-grid.tsx';
import { TakenApart } from './taken-apart.tsx';

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
const BACK = { proposed: 'Back to the proposals', matched: 'Back to the matches' } as const;

/** Groups in a grid, beside the one that is being looked at; in their place, when asked for, what was taken apart. */
export function Groups({ reconciliation, status, isMixed, isShown }: GroupsProps) {
  const [shown, setShown] = useState<MatchGroup | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const [isApart, setApart] = useState(false);
  const { value } = useQuery('rules.list', { reconciliation_id: reconciliation.id });
  const rules = useMemo(() => new Map((value ?? []).map((rule) => [rule.id, rule.description ?? `Rule ${rule.id}`])), [value]);
  const toggle = () => setApart(!isApart);
  useShortcuts(isShown ? { t: toggle, ...(isApart ? { Escape: toggle } : {}) } : {});
  return (
    <div className={styles.groupsFrame}>
      {isApart && <TakenApart reconciliation={reconciliation} />}
      <div className={styles.groups} hidden={isApart}>
        <div className={styles.panel}>
          {status === 'proposed' && <ConfirmLikely id={reconciliation.id} />}
          <div className={styles.gridFrame}>
            <GroupGrid
              reconciliation={reconciliation}
              status={status}
              rules={rules}
              isMixed={isMixed}
              onShow={setShown}
              onCount={setCount}
            />
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
          <GroupDetail key={shown.match.id} group={shown} reconciliation={reconciliation} rules={rules} isShown={isShown && !isApart} />
        )}
      </div>
      <ApartButton id={reconciliation.id} back={isApart ? BACK[status] : null} onClick={toggle} />
    </div>
  );
}

interface ApartButtonProps {
  readonly id: number;
  /** What the way back says; null where the groups are on show. */
  readonly back: string | null;
  readonly onClick: () => void;
}

/** The way to what was taken apart, and back. */
function ApartButton({ id, back, onClick }: ApartButtonProps) {
  const { value } = useQuery('separations.list', { reconciliation_id: id, limit: 1 });
  const count = value === undefined ? '' : ` (${countText(value.total_count)})`;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      className={styles.apartButton}
      leftSection={back === null ? <IconUnlink size={13} aria-hidden /> : <IconArrowLeft size={13} aria-hidden />}
      rightSection={<KeyHint keys="T" />}
      onClick={onClick}
      aria-keyshortcuts="T"
      data-testid="taken-apart-button"
    >
      {back ?? `Taken apart${count}`}
    </Button>
  );
}
