import { Button } from '@mantine/core';
import { IconArchive, IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { SyncPlan } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { movesOf } from '../../format/plan-figures.ts';
import { countText } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import { SYNC_KEYS } from './keys.ts';
import styles from './sync.module.css';
import { DeletionsDialog } from './deletions-dialog.tsx';
import type { SyncControl } from './use-sync-control.ts';

/** What the sync would do, and the button that begins it. */
export function PlanFoot({ control, plan }: { readonly control: SyncControl; readonly plan: SyncPlan }) {
  const go = useNavigation((state) => state.go);
  const { send, receive, to_decide: toDecide } = movesOf(plan);
  const leave = (): void => go({ screen: 'book' });
  const [isAsking, ask] = useState(false);
  const begin = (): void => (plan.deletions.wants_word ? ask(true) : control.sync(plan));
  const accept = (): void => {
    ask(false);
    control.sync(plan, plan.deletions.count);
  };
  useShortcuts({ 'mod+Enter': begin, Escape: leave });
  return (
    <div className={styles.foot} data-testid="plan-foot">
      <span className={styles.sum}>
        <IconArrowRight size={14} aria-hidden /> Send <b>{countText(send)}</b>
      </span>
      <span className={styles.sum}>
        <IconArrowLeft size={14} aria-hidden /> Receive <b>{countText(receive)}</b>
      </span>
      {toDecide > 0 && (
        <span className={styles.sum} data-open>
          <span className={styles.mark} data-mark="open" aria-hidden style={{ alignSelf: 'center' }} />
          <b>{countText(toDecide)}</b> {toDecide === 1 ? 'waits' : 'wait'} for you afterwards
        </span>
      )}
      <span className={styles.grow} />
      <DeletionsDialog deletions={plan.deletions} opened={isAsking} onAccept={accept} onClose={() => ask(false)} />
      {plan.is_first && (
        <span className={styles.say}>
          <IconArchive size={15} aria-hidden /> This book is backed up first
        </span>
      )}
      <Button variant="subtle" color="gray" rightSection={<KeyHint keys="Esc" />} onClick={leave} aria-keyshortcuts="Escape">
        Cancel
      </Button>
      <WriteButton
        rightSection={<KeyHint keys={SYNC_KEYS.hint} />}
        onClick={begin}
        loading={control.isStarting}
        aria-keyshortcuts={SYNC_KEYS.aria}
        data-testid="sync-begin"
      >
        {plan.is_first ? 'Back up and sync' : 'Sync'}
      </WriteButton>
    </div>
  );
}
