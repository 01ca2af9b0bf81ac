import { Button, Progress } from '@mantine/core';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { movedText, shareOf } from '../../format/sync-steps.ts';
import { CANCEL_KEYS } from './keys.ts';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { WaitsBand } from './waits-band.tsx';

const TITLES: Readonly<Record<string, string>> = {
  connecting: 'Connecting',
  comparing: 'Comparing both sides',
  verifying: 'Verifying that both sides agree',
};

/** How far a preview or a verification is: both only read. */
export function Comparing({ control, activity }: { readonly control: SyncControl; readonly activity: SyncActivity }) {
  useShortcuts({ 'mod+.': control.cancel });
  const share = shareOf(activity);
  return (
    <div className={styles.full}>
      {activity.waits !== null && <WaitsBand control={control} waits={activity.waits} />}
      <div className={styles.middle} data-testid="comparing">
        <h2>{TITLES[activity.phase] ?? 'Comparing both sides'}</h2>
        <p aria-live="polite">
          {activity.now ?? control.remote.name}
          {activity.done > 0 && <span className="tabular"> · {movedText(activity)} read</span>}
        </p>
        <Progress
          value={share ?? 100}
          animated={share === null}
          w="100%"
          size="sm"
          color="var(--matched)"
          aria-label="How far it is"
          data-testid="comparing-progress"
        />
        <p>Both sides are only read; nothing is sent and nothing is changed.</p>
        <Button
          variant="default"
          rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
          onClick={control.cancel}
          aria-keyshortcuts={CANCEL_KEYS.aria}
          data-testid="sync-cancel"
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
