import { Button, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/failures/notify.tsx';
import { Proportion } from '../../components/figures/proportion.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText, listText, percentOf } from '../../format/values/counts.ts';
import { runSentence } from '../../format/words/words.ts';
import { useNavigation } from '../../state/navigation.ts';
import { runProgress } from '../../state/run-progress.ts';
import styles from './book.module.css';

/** One reconciliation: how far it is, and the way into it. */
export function ReconciliationCard({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { id, name } = reconciliation;
  const go = useNavigation((state) => state.go);
  const { value: summary } = useQuery('reconciliations.summary', { id });
  const isFresh = reconciliation.last_run === null;
  const open = (): void => go({ screen: 'reconciliation', id });
  return (
    <article className={`card ${styles.card}`} aria-labelledby={`reconciliation-${id}`}>
      <Title order={3} id={`reconciliation-${id}`} className={styles.name} title={name}>
        {name}
      </Title>
      {summary === undefined ? (
        <Skeleton height={70} />
      ) : (
        <Stack gap="xs">
          <SideBar label="A" names={reconciliation.side_a_streams.map((stream) => stream.name)} side={summary.side_a} />
          <SideBar label="B" names={reconciliation.side_b_streams.map((stream) => stream.name)} side={summary.side_b} />
        </Stack>
      )}
      <LastRun reconciliation={reconciliation} />
      <Group gap="xs" mt="auto">
        <RunHere id={id} isPrimary={isFresh} onStarted={open} />
        <Button
          variant={isFresh ? 'default' : 'filled'}
          rightSection={<IconArrowRight size={15} aria-hidden />}
          onClick={open}
          data-testid="reconciliation-open"
          aria-label={`Open ${name}`}
        >
          Open
        </Button>
      </Group>
    </article>
  );
}

function RunHere({ id, isPrimary, onStarted }: { readonly id: number; readonly isPrimary: boolean; readonly onStarted: () => void }) {
  const run = useCommand('runs.start', (failure) => notifyFailure('The run did not start', failure));
  const isRunning = useStore(runProgress, (state) => state.running[id] !== undefined);
  async function start(): Promise<void> {
    const answer = await run.run({ id });
    if (answer.ok) onStarted();
  }
  return (
    <WriteButton
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<IconPlayerPlayFilled size={14} aria-hidden />}
      loading={run.isRunning}
      disabled={isRunning}
      onClick={() => void start()}
      data-testid="reconciliation-run"
    >
      Run
    </WriteButton>
  );
}

function SideBar({
  label,
  names,
  side,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly side: ReconciliationSummary['side_a'];
}) {
  const text = listText(names);
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" className="truncate" title={text}>
          <Text span c="dimmed" size="sm" mr={8}>
            {label}
          </Text>
          {text}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {countText(side.matched)} of {countText(side.records)} · {percentOf(side.matched, side.records)} %
        </Text>
      </Group>
      <Proportion label={`Side ${label}, ${text}`} matched={side.matched} proposed={side.proposed} open={side.unmatched} />
    </Stack>
  );
}

function LastRun({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const now = useNow();
  const live = useStore(runProgress, (state) => state.running[reconciliation.id]);
  if (live !== undefined || reconciliation.current_run !== null) {
    const progress = live?.progress ?? reconciliation.current_run?.progress ?? 0;
    return (
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" className="tabular">
          Running, {progress} %
        </Text>
        <Progress value={progress} flex={1} size="sm" aria-label="Progress of the run" />
      </Group>
    );
  }
  const { last_run: run } = reconciliation;
  return (
    <Text size="sm" c="dimmed">
      {run === null ? 'Not run yet. Press Run to match what agrees.' : runSentence(run, now)}
    </Text>
  );
}
