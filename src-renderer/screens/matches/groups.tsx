import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconUnlink } from '@tabler/icons-react';
import type { GridApi, IDatasource } from 'ag-grid-community';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { MatchGroup, Reconciliation, SeparatedRecord, Separation } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { useNow } from '../../components/use-now.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { moreLinesText, separationNotes } from '../../format/separations.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { ConfirmLikely } from '../rules/confirm-likely.tsx';
import { groupColumns } from './group-columns.ts';
import { GroupDetail, RecordLines, SideRecords } from './group-detail.tsx';
import { useFocusNext } from './use-focus-next.ts';
import { say } from '../../../src-shared/words/say.ts';

const PAGE = 25;
/** The number of lines that are listed of each side. A group of a batch may have thousands. */
const SHOWN = 5;

/** The matches that a person separated or rejected, the newest first. Each can be allowed for runs again. */
function SeparationList({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const [offset, setOffset] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const {
    data: value,
    error: failure,
    refetch,
  } = useOperation('separations.list', { reconciliation_id: reconciliation.id, limit: PAGE, offset });
  const leave = useFocusNext(
    list,
    value?.data.map(({ id }) => id),
  );
  if (value?.data.length === 0 && offset > 0) setOffset(Math.max(0, offset - PAGE));
  if (failure !== null && value === undefined) {
    return <FailurePanel title={say('matches.groups.keptApartNotRead')} failure={failure} onRetry={refetch} />;
  }
  if (value === undefined) return <Skeleton height={200} radius="lg" />;
  if (value.total_count === 0) {
    return (
      <Stack className={`card ${styles.apart}`} p="xl" align="center" justify="center">
        <Text size="sm" c="dimmed" ta="center" data-testid="nothing-apart">
          {say('matches.groups.nothingIsKeptApart')}
        </Text>
      </Stack>
    );
  }
  return (
    <div className={`card ${styles.apart}`}>
      <Text size="xs" c="dimmed" className={styles.apartHead}>
        {say('matches.groups.aRunDoesNotMatch')}
      </Text>
      <ul className={styles.apartList} ref={list} aria-label={say('matches.groups.keptApart')} data-testid="taken-apart-list">
        {value.data.map((separation) => (
          <Entry key={separation.id} separation={separation} reconciliation={reconciliation} onLeave={() => leave(separation.id)} />
        ))}
      </ul>
      {value.total_count > PAGE && (
        <Group justify="space-between" className={styles.apartFoot}>
          <Text size="xs" c="dimmed" className="tabular">
            {say('matches.groups.toOf', {
              offset: countText(offset + 1),
              offset2: countText(offset + value.data.length),
              totalCount: countText(value.total_count),
            })}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
              {say('matches.groups.newer')}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={!value.has_more}
              onClick={() => setOffset(offset + PAGE)}
              data-testid="older-apart"
            >
              {say('matches.groups.older')}
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
  const clear = useCommand('separations.clear', (failure) => notifyFailure(say('matches.groups.theseLinesAreStill'), failure));
  const { id, records } = separation;
  async function allow(): Promise<void> {
    if (clear.isRunning) return;
    onLeave();
    await clear.run({ id });
  }
  const of = (side: SeparatedRecord['side']) => records.filter((record) => record.side === side).slice(0, SHOWN);
  const [a, b, none] = [of('a'), of('b'), of(null)];
  const more = moreLinesText(separation, a.length + b.length + none.length);
  return (
    <li className={styles.apartEntry} data-testid="taken-apart">
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={560}>
          {say('matches.groups.unmatched')} <Instant at={separation.separated_at} text={agoText(separation.separated_at, now)} />
        </Text>
        <WriteButton variant="default" size="xs" loading={clear.isRunning} onClick={() => void allow()} data-testid="allow-match-button">
          {say('matches.groups.mayBeMatchedAgain')}
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
          <section aria-label={say('matches.groups.onNoSideNow')}>
            <Text size="xs" c="dimmed">
              {say('matches.groups.onNoSideNow')}
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

interface GroupsProps {
  readonly reconciliation: Reconciliation;
  readonly status: 'proposed' | 'matched';
  readonly isMixed: boolean;
  readonly isShown: boolean;
}

const EMPTY = {
  proposed: say('matches.empty.proposed'),
  matched: say('matches.empty.matched'),
} as const;
const BACK = { proposed: say('matches.back.proposed'), matched: say('matches.back.matched') } as const;

/** A grid of groups beside the selected one. On request it is replaced by the separated matches. */
export function Groups({ reconciliation, status, isMixed, isShown }: GroupsProps) {
  const [shown, setShown] = useState<MatchGroup | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const [isApart, setApart] = useState(false);
  const { data: value } = useOperation('rules.list', { reconciliation_id: reconciliation.id });
  const rules = useMemo(
    () => new Map((value ?? []).map((rule) => [rule.id, rule.description ?? say('matches.groups.rule', { id: rule.id })])),
    [value],
  );
  const toggle = () => setApart(!isApart);
  useShortcuts(isShown ? { t: toggle, ...(isApart ? { Escape: toggle } : {}) } : {});
  return (
    <div className={styles.groupsFrame}>
      {isApart && <SeparationList reconciliation={reconciliation} />}
      <div className={styles.groups} hidden={isApart}>
        <div className={styles.panel}>
          {status === 'proposed' && <ConfirmLikely id={reconciliation.id} />}
          <div className={styles.gridFrame}>
            <GroupGrid
              reconciliation={reconciliation}
              status={status}
              rules={rules}
              isMixed={isMixed}
              onShow={setShown}
              onCount={setCount}
            />
            {count === 0 && (
              <div className={styles.overlay}>
                <Text size="sm" c="dimmed" ta="center">
                  {EMPTY[status]}
                </Text>
              </div>
            )}
          </div>
        </div>
        {shown !== null && count !== 0 && (
          <GroupDetail key={shown.match.id} group={shown} reconciliation={reconciliation} rules={rules} isShown={isShown && !isApart} />
        )}
      </div>
      <SeparationsButton id={reconciliation.id} back={isApart ? BACK[status] : null} onClick={toggle} />
    </div>
  );
}

interface SeparationsButtonProps {
  readonly id: number;
  /** Label of the button that returns to the groups; null while they are visible. */
  readonly back: string | null;
  readonly onClick: () => void;
}

/** Switches between the groups and the separated matches. */
function SeparationsButton({ id, back, onClick }: SeparationsButtonProps) {
  const { data: value } = useOperation('separations.list', { reconciliation_id: id, limit: 1 });
  const count = value === undefined ? '' : ` (${countText(value.total_count)})`;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      style={{ alignSelf: 'flex-start', flexShrink: 0 }}
      leftSection={back === null ? <IconUnlink size={13} aria-hidden /> : <IconArrowLeft size={13} aria-hidden />}
      rightSection={<KeyHint keys="T" />}
      onClick={onClick}
      aria-keyshortcuts="T"
      data-testid="taken-apart-button"
    >
      {back ?? say('matches.groups.keptApartTab', { count })}
    </Button>
  );
}

interface GroupGridProps {
  readonly reconciliation: Reconciliation;
  readonly status: 'proposed' | 'matched';
  readonly rules: ReadonlyMap<number, string>;
  /** Whether there are several currencies, so that each amount names its own. */
  readonly isMixed: boolean;
  readonly onShow: (group: MatchGroup | null) => void;
  readonly onCount: (count: number) => void;
}

/**
 * One row per group. One group is always selected: when it is confirmed, rejected or separated, the next row is selected, so that the user can work
 * through the list.
 */
function GroupGrid({ reconciliation, status, rules, isMixed, onShow, onCount }: GroupGridProps) {
  const api = useRef<GridApi<MatchGroup> | null>(null);
  const shownIndex = useRef(0);
  const { client } = useConnection();
  const isWide = useMediaQuery('(min-width: 1500px)') ?? false;
  // The panel beside the grid explains a match too, but the likelihood of a proposal is what the user looks for first.
  const room = isWide ? 'wide' : status === 'proposed' ? 'medium' : 'narrow';
  const columns = useMemo(() => groupColumns(reconciliation, rules, room, isMixed), [reconciliation, rules, room, isMixed]);
  const keepOneShown = useCallback(() => {
    const grid = api.current;
    if (grid === null) return;
    const count = grid.getDisplayedRowCount();
    const shown = grid
      .getSelectedNodes()
      .find((node) => node.rowIndex !== null && grid.getDisplayedRowAtIndex(node.rowIndex)?.id === node.id);
    if (shown !== undefined) return;
    const next = count === 0 ? undefined : grid.getDisplayedRowAtIndex(Math.min(shownIndex.current, count - 1));
    if (next?.data === undefined) {
      grid.deselectAll();
      onShow(null);
    } else next.setSelected(true, true);
  }, [onShow]);
  const datasource = useMemo<IDatasource>(
    () => ({
      getRows({ startRow, endRow, successCallback, failCallback }) {
        // Proposals are sorted by likelihood, because the most likely ones are decided first.
        const sort = status === 'proposed' ? ('likelihood' as const) : ('newest' as const);
        const asked = { reconciliation_id: reconciliation.id, status, sort, offset: startRow, limit: endRow - startRow };
        void client.call('matches.window', asked).then((answer) => {
          if (answer.ok) {
            successCallback(answer.value.data, answer.value.total_count);
            onCount(answer.value.total_count);
            keepOneShown();
          } else {
            failCallback();
            notifyFailure(say('matches.groups.theMatchesCouldNotBeRead'), answer.error);
          }
          return null;
        });
      },
    }),
    [client, reconciliation.id, status, onCount, keepOneShown],
  );
  useGridRefresh(reconciliation.id, () => api.current);

  return (
    <DataGrid<MatchGroup>
      label={status === 'proposed' ? say('matches.groups.proposedMatches') : say('matches.groups.matches')}
      testId={`grid-${status}`}
      columnDefs={columns}
      datasource={datasource}
      getRowId={({ data }) => String(data.match.id)}
      defaultColDef={{ sortable: false, resizable: true }}
      rowSelection={{ mode: 'singleRow', checkboxes: false, enableClickSelection: true }}
      onGridReady={(event) => {
        api.current = event.api;
      }}
      onCellFocused={(event) => {
        // The row that the arrow keys move to is selected.
        if (event.rowIndex !== null) event.api.getDisplayedRowAtIndex(event.rowIndex)?.setSelected(true, true);
      }}
      onSelectionChanged={(event) => {
        const [node] = event.api.getSelectedNodes();
        if (node?.rowIndex !== null && node?.rowIndex !== undefined) shownIndex.current = node.rowIndex;
        if (node?.data !== undefined) onShow(node.data);
      }}
    />
  );
}
