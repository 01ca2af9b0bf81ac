import { Badge, Button, Group, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import type { Reconciliation } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { useNow } from '../../components/use-now.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { listText } from '../../format/counts.ts';
import { instantText } from '../../format/dates.ts';
import { runSentence, SIGN_LABELS, SIGN_MEANINGS } from '../../format/words.ts';
import { ReconciliationTabs } from './reconciliation-tabs.tsx';
import { RunBand } from './run-band.tsx';
import { SummaryBand } from './summary-band.tsx';
import { type RunControl, useRun } from './use-run.ts';

/** One reconciliation: run it, look at what is matched and what is left, and match by hand. */
export function ReconciliationScreen({ id }: { readonly id: number }) {
  const reconciliation = useQuery('reconciliations.get', { id });
  const { value: summary } = useQuery('reconciliations.summary', { id });
  const run = useRun(id, reconciliation.value);
  useShortcuts({ 'mod+Enter': run.start });
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
      subtitle={<Sides reconciliation={reconciliation.value} isRunning={run.progress !== null} />}
      actions={<RunButton run={run} />}
      testId="reconciliation-screen"
      isFilling
    >
      {run.progress !== null && <RunBand progress={run.progress} onCancel={run.cancel} />}
      <SummaryBand reconciliation={reconciliation.value} summary={summary} />
      <ReconciliationTabs reconciliation={reconciliation.value} summary={summary} />
    </Page>
  );
}

function RunButton({ run }: { readonly run: RunControl }) {
  return (
    <Button
      leftSection={<IconPlayerPlayFilled size={15} aria-hidden />}
      rightSection={<KeyHint keys={/Mac/.test(navigator.userAgent) ? '⌘ ↵' : 'Ctrl ↵'} />}
      onClick={run.start}
      loading={run.isStarting}
      disabled={run.progress !== null}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      data-testid="run-button"
    >
      Run
    </Button>
  );
}

function Sides({ reconciliation, isRunning }: { readonly reconciliation: Reconciliation; readonly isRunning: boolean }) {
  const now = useNow();
  const { last_run: last, sign_convention: signs } = reconciliation;
  const at = last?.completed_at ?? null;
  const sides = `${listText(reconciliation.side_a_streams.map(({ name }) => name))} against ${listText(reconciliation.side_b_streams.map(({ name }) => name))}`;
  return (
    <Group gap="xs" wrap="wrap">
      <Text size="sm" className="truncate" title={sides} maw="100%">
        {sides}
      </Text>
      <Tooltip label={SIGN_MEANINGS[signs]}>
        <Badge color="gray" tabIndex={0} style={{ cursor: 'help' }}>
          {SIGN_LABELS[signs]}
        </Badge>
      </Tooltip>
      {!isRunning && (
        <Text size="sm" title={at === null ? undefined : instantText(at)} data-testid="last-run">
          {last === null ? 'Not run yet.' : runSentence(last, now)}
        </Text>
      )}
    </Group>
  );
}
