import { Skeleton } from '@mantine/core';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useUndo } from '../../components/use-undo.ts';
import styles from './close.module.css';
import { FirstPeriod } from './first-period.tsx';
import { PeriodClose } from './period-close.tsx';
import { ScreenTabs } from './screen-tabs.tsx';

interface CloseScreenProps {
  readonly id: number;
  /** Null: the newest one. */
  readonly periodId: number | null;
}

/** The close of a reconciliation: its periods, what proves their balance, what is open and why, and who signed. */
export function CloseScreen({ id, periodId }: CloseScreenProps) {
  const reconciliation = useQuery('reconciliations.get', { id });
  const periods = useQuery('periods.list', { reconciliation_id: id, limit: 100 });
  const { redoNewest } = useUndo();
  useShortcuts({ 'mod+shift+z': redoNewest, 'mod+y': redoNewest });
  const failed = [reconciliation, periods].find(({ failure, value }) => failure !== undefined && value === undefined);
  if (failed?.failure !== undefined) {
    return (
      <Page title="Close">
        <FailurePanel title="The close could not be opened" failure={failed.failure} onRetry={failed.refetch} />
      </Page>
    );
  }
  if (reconciliation.value === undefined || periods.value === undefined) return <CloseSkeleton />;
  const { data } = periods.value;
  const shown = data.find((period) => period.id === periodId) ?? data[0];
  if (shown === undefined) {
    return (
      <Page title={reconciliation.value.name} actions={<ScreenTabs id={id} />} isFlush testId="close-screen">
        <FirstPeriod reconciliation={reconciliation.value} />
      </Page>
    );
  }
  return <PeriodClose key={shown.id} reconciliation={reconciliation.value} period={shown} periods={data} />;
}

function CloseSkeleton() {
  return (
    <Page title="Close" isFlush>
      <div className={styles.waiting} aria-busy>
        <Skeleton height="100%" />
        <Skeleton height="100%" />
        <Skeleton height="100%" />
      </div>
    </Page>
  );
}
