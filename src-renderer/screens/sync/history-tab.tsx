import { useState } from 'react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { AgreementPane } from './agreement-pane.tsx';
import styles from './history.module.css';
import { RunDrawer, type RunFigure } from './run-drawer.tsx';
import { RunsTable } from './runs-table.tsx';
import type { SyncControl } from './use-sync-control.ts';

interface HistoryTabProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
}

/** Syncs that were, and whether both sides agree now. */
export function HistoryTab({ control, read }: HistoryTabProps) {
  const [looked, look] = useState<RunFigure | null>(null);
  const isUnderWay = read.activity !== null && read.activity.ended_at === null;
  useShortcuts(isUnderWay ? { 'mod+.': control.cancel } : {});
  return (
    <div className={styles.panes} data-testid="sync-history">
      <RunsTable remote={control.remote} onLook={look} />
      <AgreementPane control={control} read={read} />
      <RunDrawer figure={looked} onClose={() => look(null)} />
    </div>
  );
}
