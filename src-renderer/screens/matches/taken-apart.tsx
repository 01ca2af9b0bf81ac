import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Reconciliation, SeparatedRecord, Separation } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { useUndo } from '../../components/use-undo.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted, countText } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { moreLinesText, separationNotes } from '../../format/separations.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { RecordLines, SideRecords } from './group-detail.tsx';
import { useFocusGoesOn } from './use-focus-goes-on.ts';

const PAGE = 25;
/** Lines shown of each side; a group of a batch may have thousands. */
const SHOWN = 5;

/** What a person took apart or rejected, newest first, each with the way to let runs match it again. */
export function TakenApart({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const [offset, setOffset] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const { value, failure, refetch } = useQuery('separations.list', { reconciliation_id: reconciliation.id, limit: PAGE, offset });
  const leave = useFocusGoesOn(
    list,
    value?.data.map(({ id }) => id),
  );
  if (value?.data.length === 0 && offset > 0) setOffset(Math.max(0, offset - PAGE));
  if (failure !== undefined && value === undefined) {
    return <FailurePanel title="What was taken apart could not be read" failure={failure} onRetry={refetch} />;
  }
  if (value === undefined) return <Skeleton height={200} radius="lg" />;
  if (value.total_count === 0) {
    return (
      <Stack className={`card ${styles.apart}`} p="xl" align="center" justify="center">
        <Text size="sm" c="dimmed" ta="center" data-testid="nothing-apart">
          Nothing is kept apart. Lines that you unmatch, or whose proposal you reject, are listed here: a run does not match them with each
          other again until you allow it.
        </Text>
      </Stack>
    );
  }
  return (
    <div className={`card ${styles.apart}`}>
      <Text size="xs" c="dimmed" className={styles.apartHead}>
        A run does not match these lines with each other again. Any other match of them remains possible.
      </Text>
      <ul className={styles.apartList} ref={list} aria-label="Taken apart" data-testid="taken-apart-list">
        {value.data.map((separation) => (
          <Entry key={separation.id} separation={separation} reconciliation={reconciliation} onLeave={() => leave(separation.id)} />
        ))}
      </ul>
      {value.total_count > PAGE && (
        <Group justify="space-between" className={styles.apartFoot}>
          <Text size="xs" c="dimmed" className="tabular">
            {countText(offset + 1)} to {countText(offset + value.data.length)} of {countText(value.total_count)}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
              Newer
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={!value.has_more}
              onClick={() => setOffset(offset + PAGE)}
              data-testid="older-apart"
            >
              Older
            </Button>
          </Group>
        </Group>
      )}
    </div>
  );
}

interface EntryProps {
  readonly separation: Separation;
  readonly reconciliation: Reconciliation;
  readonly onLeave: () => void;
}

function Entry({ separation, reconciliation, onLeave }: EntryProps) {
  const now = useNow();
  const { remember } = useUndo();
  const clear = useCommand('separations.clear', (failure) => notifyFailure('These lines are still kept apart', failure));
  const { id, records, record_count: count } = separation;
  async function allow(): Promise<void> {
    if (clear.isRunning) return;
    onLeave();
    const answer = await clear.run({ id });
    if (answer.ok) remember({ kind: 'restore_separation', targetId: id, label: `Allowed ${counted(count, 'line')} to be matched again` });
  }
  const of = (side: SeparatedRecord['side']) => records.filter((record) => record.side === side).slice(0, SHOWN);
  const [a, b, none] = [of('a'), of('b'), of(null)];
  const more = moreLinesText(separation, a.length + b.length + none.length);
  return (
    <li className={styles.apartEntry} data-testid="taken-apart">
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={560}>
          Taken apart <Instant at={separation.separated_at} text={agoText(separation.separated_at, now)} />
        </Text>
        <WriteButton variant="default" size="xs" loading={clear.isRunning} onClick={() => void allow()} data-testid="allow-match-button">
          May be matched again
        </WriteButton>
      </Group>
      {separationNotes(separation).map((note) => (
        <Text key={note} size="xs" c="dimmed" data-testid="taken-apart-note">
          {note}
        </Text>
      ))}
      <div className={styles.apartSides}>
        {a.length > 0 && <SideRecords side="a" reconciliation={reconciliation} records={a} adjustmentId={null} />}
        {b.length > 0 && <SideRecords side="b" reconciliation={reconciliation} records={b} adjustmentId={null} />}
        {none.length > 0 && (
          <section aria-label="On no side now">
            <Text size="xs" c="dimmed">
              On no side now
            </Text>
            <RecordLines records={none} adjustmentId={null} />
          </section>
        )}
      </div>
      {more !== null && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </li>
  );
}
