import { useEffect, useRef } from 'react';
import { IconArrowsDiff } from '@tabler/icons-react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { momentText } from '../../format/close-days.ts';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { LastEnding } from './last-ending.tsx';

interface NotComparedProps {
  readonly control: SyncControl;
  /** The last one of this start of Tieout. */
  readonly activity: SyncActivity | null;
}

/** No plan yet: before a first sync it is made at once, else when asked for. */
export function NotCompared({ control, activity }: NotComparedProps) {
  const { remote, preview } = control;
  const isFirst = remote.last_synced_at === null;
  // What it waits for is said above.
  const isWaiting = remote.state === 'asks' || remote.state === 'deletions_wait';
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isFirst || activity !== null || isBegun.current) return;
    isBegun.current = true;
    preview();
  }, [isFirst, activity, preview]);
  return (
    <div className={styles.full}>
      <div className={styles.pane}>
        {activity !== null && !isWaiting && <LastEnding control={control} activity={activity} />}
        <div className={styles.middle} data-testid="not-compared">
          <h2>{isFirst ? 'Look at it before anything moves' : waitingWords(remote.waiting)}</h2>
          <p>
            {remote.last_synced_at === null
              ? `Comparing reads both sides and shows what would go to ${remote.name}, what would come here, and what you would have to decide.`
              : `Synced ${momentText(remote.last_synced_at)}. Comparing reads both sides and shows what the next sync would move; a sync goes without it as well.`}
          </p>
          {remote.next_at !== null && <p>The next one starts by itself {momentText(remote.next_at)}.</p>}
          <WriteButton
            variant={isFirst ? 'filled' : 'default'}
            leftSection={<IconArrowsDiff size={16} aria-hidden />}
            onClick={preview}
            loading={control.isStarting}
            data-testid="compare"
          >
            Compare both sides
          </WriteButton>
        </div>
      </div>
    </div>
  );
}

function waitingWords(waiting: number): string {
  return waiting === 0
    ? 'No change waits here'
    : `${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} here for the next sync`;
}
