import { Button, Progress as Bar } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { counted, percentOf } from '../../format/counts.ts';
import { movedText, secondText, shareOf } from '../../format/sync-steps.ts';
import { Happened } from './happened.tsx';
import { CANCEL_KEYS } from './keys.ts';
import { MovingTable } from './moving-table.tsx';
import own from './running.module.css';
import { SyncSteps } from './sync-steps.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { useTimeLeft } from './use-time-left.ts';
import { WaitsBand } from './waits-band.tsx';

interface RunningSyncProps {
  readonly control: SyncControl;
  readonly activity: SyncActivity;
}

/** A sync while it goes on. */
export function RunningSync({ control, activity }: RunningSyncProps) {
  const isFirst = control.remote.last_synced_at === null;
  const title = activity.what === 'repair' ? 'Repair' : isFirst ? 'First sync' : 'Sync';
  useShortcuts({ 'mod+.': control.cancel });
  return (
    <div className={own.panes} data-testid="sync-running">
      <SyncSteps activity={activity} title={title} />
      <section className={styles.pane} aria-label="Progress">
        {activity.waits !== null && <WaitsBand control={control} waits={activity.waits} />}
        <Progress activity={activity} />
        {activity.rows.length > 0 && <MovingTable activity={activity} />}
      </section>
      <aside className={`${styles.pane} ${styles.aside}`} aria-label="Cancel, and what happened">
        <Calm control={control} activity={activity} />
        <Happened events={activity.happened} />
      </aside>
    </div>
  );
}

const BEFORE: Readonly<Record<string, string>> = {
  backing_up: 'Backing up this book',
  connecting: 'Connecting',
  comparing: 'Comparing both sides',
  verifying: 'Verifying that both sides agree',
};

function Progress({ activity }: { readonly activity: SyncActivity }) {
  const share = shareOf(activity);
  const timeLeft = useTimeLeft(activity);
  const { done, total, waits, phase } = activity;
  const isMoving = phase === 'moving' || (phase === 'verifying' && total !== null && total > 0);
  return (
    <div className={own.progress}>
      <div>
        <b className="tabular" data-testid="moved">
          {isMoving ? movedText(activity) : (BEFORE[phase] ?? '')}
        </b>
        {isMoving && <span className={styles.mid}>moved{total === null ? '' : `, ${percentOf(done, total)} %`}</span>}
        <span className={styles.grow} />
        <span className={`${styles.mid} truncate`} title={activity.now ?? undefined}>
          {waits === null ? (timeLeft ?? activity.now) : `gives up at ${secondText(waits.gives_up_at)}; what has moved stays`}
        </span>
      </div>
      <Bar
        value={isMoving ? (share ?? 0) : 0}
        size={6}
        color={waits === null ? 'var(--matched)' : 'var(--open)'}
        aria-label="Moved"
        data-testid="sync-progress"
      />
    </div>
  );
}

function Calm({ control, activity }: RunningSyncProps) {
  const { done, total } = activity;
  const noun = activity.what === 'repair' ? 'repair' : 'sync';
  const left = total === null ? 0 : total - done;
  return (
    <section className={own.calm} aria-labelledby="calm-heading">
      <h2 id="calm-heading">
        <IconCircleCheck size={16} aria-hidden /> Nothing is lost if you cancel
      </h2>
      <p>
        What has moved stays moved and is not sent twice.{' '}
        {left === 0 ? 'What has not moved waits here' : `The other ${counted(left, 'change')} ${left === 1 ? 'waits' : 'wait'} here`}, and
        the next sync goes on from there.
      </p>
      <p>You can go on working, or leave this screen: the {noun} runs on.</p>
      <Button
        variant="default"
        fullWidth
        rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
        onClick={control.cancel}
        aria-keyshortcuts={CANCEL_KEYS.aria}
        data-testid="sync-cancel"
      >
        Cancel the {noun}
      </Button>
    </section>
  );
}
