import { Skeleton } from '@mantine/core';
import { IconPencil, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { rememberReconciliation } from '../../state/last-reconciliation.ts';
import { RunBand } from '../runs/run-band.tsx';
import { type RunControl, useRun } from '../runs/use-run.ts';
import { EditReconciliation } from './edit-reconciliation.tsx';
import { Facts, RunsByItself } from './header.tsx';
import { NoSharedCurrency } from './no-shared-currency.tsx';
import { ReconciliationTabs, type TabName } from './reconciliation-tabs.tsx';
import { SummaryBand } from './summary-band.tsx';

/** One reconciliation: run it, look at what is matched and what is left, and match by hand. */
export function ReconciliationScreen({ id, firstTab }: { readonly id: number; readonly firstTab: TabName }) {
  useEffect(() => rememberReconciliation(id), [id]);
  const reconciliation = useQuery('reconciliations.get', { id });
  const { value: summary } = useQuery('reconciliations.summary', { id });
  const run = useRun(id, reconciliation.value);
  const [isEditing, setEditing] = useState(false);
  useShortcuts({ 'mod+Enter': run.start, e: () => setEditing(true) });
  if (reconciliation.failure !== undefined && reconciliation.value === undefined) {
    return (
      <Page title="Reconciliation">
        <FailurePanel title="The reconciliation could not be opened" failure={reconciliation.failure} onRetry={reconciliation.refetch} />
      </Page>
    );
  }
  if (reconciliation.value === undefined) {
    return (
      <Page title="Reconciliation" isFilling>
        <Skeleton height={104} radius="lg" />
        <Skeleton flex={1} radius="lg" />
      </Page>
    );
  }
  return (
    <Page
      title={reconciliation.value.name}
      subtitle={<Facts reconciliation={reconciliation.value} isRunning={run.progress !== null} />}
      actions={
        <>
          <RunsByItself reconciliation={reconciliation.value} />
          <WriteButton
            variant="default"
            leftSection={<IconPencil size={15} aria-hidden />}
            onClick={() => setEditing(true)}
            aria-keyshortcuts="E"
            data-testid="edit-reconciliation"
          >
            Edit
          </WriteButton>
          <RunButton run={run} />
        </>
      }
      testId="reconciliation-screen"
      isFlush
    >
      {run.progress !== null && <RunBand progress={run.progress} origin={run.origin} onCancel={run.cancel} />}
      {isEditing && <EditReconciliation reconciliation={reconciliation.value} onClose={() => setEditing(false)} />}
      <NoSharedCurrency reconciliation={reconciliation.value} summary={summary} />
      <SummaryBand reconciliation={reconciliation.value} summary={summary} />
      <ReconciliationTabs reconciliation={reconciliation.value} summary={summary} run={run} firstTab={firstTab} />
    </Page>
  );
}

function RunButton({ run }: { readonly run: RunControl }) {
  return (
    <WriteButton
      leftSection={<IconPlayerPlayFilled size={15} aria-hidden />}
      rightSection={<KeyHint keys={/Mac/.test(navigator.userAgent) ? '⌘ ↵' : 'Ctrl ↵'} />}
      onClick={run.start}
      loading={run.isStarting}
      disabled={run.progress !== null}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      data-testid="run-button"
    >
      Run
    </WriteButton>
  );
}
