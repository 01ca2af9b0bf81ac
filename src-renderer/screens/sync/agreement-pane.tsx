import { Button, Progress } from '@mantine/core';
import type { Output, SyncActivity, SyncVerified } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { momentText } from '../../format/close-days.ts';
import { countText } from '../../format/counts.ts';
import { isRepairable, rowsOf } from '../../format/sync-agreement.ts';
import { movedText, shareOf } from '../../format/sync-steps.ts';
import { AgreementTable } from './agreement-table.tsx';
import own from './history.module.css';
import { CANCEL_KEYS } from './keys.ts';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { WaitsBand } from './waits-band.tsx';

interface AgreementPaneProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
}

/** Whether both sides agree: counts, sums and fingerprints of each stream and reconciliation. */
export function AgreementPane({ control, read: { activity, verified } }: AgreementPaneProps) {
  const running = activity !== null && activity.ended_at === null ? activity : null;
  const canRepair = verified !== null && isRepairable(verified) && running === null;
  useShortcuts({
    ...(running === null ? { v: control.verify } : {}),
    ...(canRepair ? { r: control.repair } : {}),
  });
  return (
    <aside className={`${styles.pane} ${styles.aside}`} aria-labelledby="agreement-heading" data-testid="agreement">
      <div className={styles.head}>
        <h2 id="agreement-heading">Do both sides agree?</h2>
        {verified !== null && (
          <span className={`${styles.quiet} truncate`} title={summaryOf(verified)}>
            {summaryOf(verified)}
          </span>
        )}
        <span className={styles.grow} />
        <WriteButton
          variant="default"
          size="compact-sm"
          rightSection={<KeyHint keys="V" />}
          onClick={control.verify}
          disabled={running !== null || control.isStarting}
          aria-keyshortcuts="V"
          data-testid="verify"
        >
          {verified === null ? 'Verify' : 'Verify again'}
        </WriteButton>
      </div>
      {running !== null && running.waits !== null && <WaitsBand control={control} waits={running.waits} />}
      {running !== null && <Underway control={control} activity={running} />}
      {running === null &&
        activity?.error !== undefined &&
        activity.error !== null &&
        (activity.what === 'verify' || activity.what === 'repair') && <p className={own.error}>{activity.error.message}</p>}
      {verified === null && running === null && (
        <p className={own.none} data-testid="never-verified">
          Never compared yet. Verifying reads both sides and compares counts, sums and fingerprints of every stream and every
          reconciliation; nothing is changed.
        </p>
      )}
      {verified !== null && <Tables control={control} verified={verified} canRepair={canRepair} />}
    </aside>
  );
}

/** `12 of 14 agree, 03/07/2026 10:43`. */
function summaryOf({ rows, at }: SyncVerified): string {
  const agreeing = rows.filter(({ equal }) => equal).length;
  return `${countText(agreeing)} of ${countText(rows.length)} agree, ${momentText(at)}`;
}

interface TablesProps {
  readonly control: SyncControl;
  readonly verified: SyncVerified;
  readonly canRepair: boolean;
}

function Tables({ control, verified, canRepair }: TablesProps) {
  const shared = { control, canRepair };
  return (
    <>
      <AgreementTable rows={rowsOf(verified, 'records')} kind="records" {...shared} />
      <AgreementTable rows={rowsOf(verified, 'matches')} kind="matches" {...shared} />
    </>
  );
}

const NAMES: Readonly<Record<SyncActivity['what'], string>> = {
  preview: 'Comparing both sides',
  sync: 'Syncing',
  verify: 'Verifying',
  repair: 'Repairing',
};

function Underway({ control, activity }: { readonly control: SyncControl; readonly activity: SyncActivity }) {
  const share = shareOf(activity);
  return (
    <div className={own.underway} aria-live="polite" data-testid="agreement-running">
      <span>
        {NAMES[activity.what]}
        {activity.now === null ? '' : `: ${activity.now}`}
        {activity.done > 0 && <span className="tabular"> · {movedText(activity)}</span>}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        rightSection={<KeyHint keys={CANCEL_KEYS.hint} />}
        onClick={control.cancel}
        aria-keyshortcuts={CANCEL_KEYS.aria}
        data-testid="agreement-cancel"
      >
        Cancel
      </Button>
      <Progress value={share ?? 100} animated={share === null} size="sm" color="var(--matched)" aria-label="How far it is" />
    </div>
  );
}
