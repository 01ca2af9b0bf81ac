import { Badge, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Run } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { countText } from '../../format/counts.ts';
import { agoText, durationText } from '../../format/dates.ts';
import { plainWords, proposalsText, runOriginText } from '../../format/words.ts';
import styles from './reconciliation.module.css';

const STATUS_COLORS: Readonly<Record<Run['status'], string>> = {
  pending: 'gray',
  running: 'blue',
  completed: 'pine',
  failed: 'red',
  cancelled: 'orange',
};

/** Every run of a reconciliation, newest first: who started it, and what came of it. */
export function Runs({ id }: { readonly id: number }) {
  const newest = useQuery('runs.list', { id });
  const { client } = useConnection();
  const [older, setOlder] = useState<{ readonly data: readonly Run[]; readonly cursor: string | null } | null>(null);
  if (newest.failure !== undefined && newest.value === undefined) {
    return <FailurePanel title="The runs could not be read" failure={newest.failure} onRetry={newest.refetch} />;
  }
  if (newest.value === undefined) return <Skeleton height={200} radius="lg" />;
  const first = newest.value;
  if (first.data.length === 0) {
    return (
      <Stack className="card" p="xl" align="center">
        <Text size="sm" c="dimmed" ta="center">
          No run yet. Press Run to match what agrees, or let it run by itself.
        </Text>
      </Stack>
    );
  }
  const cursor = older === null ? first.next_cursor : older.cursor;
  async function more(): Promise<void> {
    if (cursor === null) return;
    const answer = await client.call('runs.list', { id, cursor });
    if (!answer.ok) return notifyFailure('Older runs could not be read', answer.error);
    setOlder({ data: [...(older?.data ?? []), ...answer.value.data], cursor: answer.value.next_cursor });
  }
  const shown = new Map([...first.data, ...(older?.data ?? [])].map((run) => [run.id, run]));
  return (
    <div className={`card ${styles.runs}`}>
      <Table.ScrollContainer minWidth={760} type="native">
        <Table horizontalSpacing="sm" data-testid="runs-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Started</Table.Th>
              <Table.Th>By</Table.Th>
              <Table.Th>Ended</Table.Th>
              <Table.Th ta="right">Open lines read</Table.Th>
              <Table.Th ta="right">Lines matched</Table.Th>
              <Table.Th ta="right">New matches</Table.Th>
              <Table.Th ta="right">Proposals</Table.Th>
              <Table.Th ta="right">Took</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...shown.values()].map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {cursor !== null && (
        <Group justify="center" p="xs">
          <Button variant="default" size="xs" onClick={() => void more()} data-testid="older-runs">
            Show older runs
          </Button>
        </Group>
      )}
    </div>
  );
}

function RunRow({ run }: { readonly run: Run }) {
  const now = useNow();
  const isDone = run.status === 'completed';
  const figure = (count: number) => (isDone ? countText(count) : '–');
  return (
    <Table.Tr data-testid="run-row">
      <Table.Td>{run.started_at === null ? 'Not started' : <Instant at={run.started_at} text={agoText(run.started_at, now)} />}</Table.Td>
      <Table.Td>
        {runOriginText(run)}
        {run.mode === 'dry_run' && (
          <Text span size="xs" c="dimmed">
            {' '}
            · nothing stored
          </Text>
        )}
        {run.proposals !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            · {isDone ? proposalsText(run.proposals) : 'looks for rules'}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={styles.runEnd}>
        <Badge color={STATUS_COLORS[run.status]} size="sm">
          {plainWords(run.status)}
        </Badge>
        {run.error_message !== null && (
          <Text size="xs" mt={2}>
            {run.error_message}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="amount">
        {figure(run.total_records)}
        {isDone && run.examined_records !== null && run.examined_records < run.total_records && (
          <Text size="xs" c="dimmed" title="This run started by itself and looked only at what had changed">
            {countText(run.examined_records)} looked at
          </Text>
        )}
      </Table.Td>
      <Table.Td className="amount">{figure(run.matched_records)}</Table.Td>
      <Table.Td className="amount">{figure(run.matches)}</Table.Td>
      <Table.Td className="amount">{figure(run.proposed_matches)}</Table.Td>
      <Table.Td className="amount">{durationText(run.started_at, run.completed_at)}</Table.Td>
    </Table.Tr>
  );
}
