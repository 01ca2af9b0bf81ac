import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconUnlink } from '@tabler/icons-react';
import type { GridApi, IDatasource, IRowNode } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
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
import { moreLinesText, separationNotes } from '../../format/match-words.ts';
import { decisionMoment, decisions, isMarked, takeReturned } from '../../state/decisions.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { ConfirmTogether } from '../rules/confirm-together.tsx';
import { groupColumns } from './group-columns.ts';
import { FailedDecisions, type GroupList, useDecisions } from './decide.tsx';
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
  /** The decimal places of the one currency; null where there are several. */
  readonly places: number | null;
  readonly isShown: boolean;
}

const EMPTY = {
  proposed: say('matches.empty.proposed'),
  matched: say('matches.empty.matched'),
} as const;
const BACK = { proposed: say('matches.back.proposed'), matched: say('matches.back.matched') } as const;

/** A grid of groups beside the selected one. On request it is replaced by the separated matches. */
export function Groups({ reconciliation, status, isMixed, places, isShown }: GroupsProps) {
  const [shown, setShown] = useState<MatchGroup | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const [isApart, setApart] = useState(false);
  const { data: value } = useOperation('rules.list', { reconciliation_id: reconciliation.id });
  const rules = useMemo(
    () => new Map((value ?? []).map((rule) => [rule.id, rule.description ?? say('matches.groups.rule', { id: rule.id })])),
    [value],
  );
  const list = useRef<GroupList | null>(null);
  const toggle = () => setApart(!isApart);
  useShortcuts(isShown ? { t: toggle, ...(isApart ? { Escape: toggle } : {}) } : {});
  const deciding = useDecisions({ list, reconciliation, status, isShown: isShown && !isApart });
  return (
    <div className={styles.groupsFrame}>
      {isApart && <SeparationList reconciliation={reconciliation} />}
      <div className={styles.groups} hidden={isApart}>
        <div className={styles.panel}>
          {status === 'proposed' && count !== null && count > 0 && <ConfirmTogether id={reconciliation.id} rules={rules} places={places} />}
          <FailedDecisions reconciliationId={reconciliation.id} status={status} onShow={(id) => list.current?.show(id)} />
          <div className={styles.gridFrame}>
            <GroupGrid
              list={list}
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
          <GroupDetail key={shown.match.id} group={shown} reconciliation={reconciliation} rules={rules} decide={deciding.decide} />
        )}
      </div>
      {deciding.dialog}
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
  readonly list: RefObject<GroupList | null>;
  readonly reconciliation: Reconciliation;
  readonly status: 'proposed' | 'matched';
  readonly rules: ReadonlyMap<number, string>;
  /** Whether there are several currencies, so that each amount names its own. */
  readonly isMixed: boolean;
  readonly onShow: (group: MatchGroup | null) => void;
  readonly onCount: (count: number) => void;
}

const isDecided = ({ data }: Pick<IRowNode<MatchGroup>, 'data'>): boolean => data !== undefined && isMarked(data.match);

/** Returns the loaded row nearest to an index whose match is not decided: from it on downwards, else above it. */
function undecidedFrom(grid: GridApi<MatchGroup>, index: number): IRowNode<MatchGroup> | undefined {
  const count = grid.getDisplayedRowCount();
  const isOpen = (at: number) => {
    const node = grid.getDisplayedRowAtIndex(at);
    return node?.data !== undefined && !isDecided(node) ? node : undefined;
  };
  for (let at = Math.max(0, index); at < count; at += 1) {
    if (grid.getDisplayedRowAtIndex(at)?.data === undefined) break;
    const node = isOpen(at);
    if (node !== undefined) return node;
  }
  for (let at = Math.min(index, count) - 1; at >= 0; at -= 1) {
    const node = isOpen(at);
    if (node !== undefined) return node;
  }
  return undefined;
}

/** Scrolls to a row, and moves the focus there if it is in the grid. Returns the row's index if the focus moved. */
function focusRow(grid: GridApi<MatchGroup>, node: IRowNode<MatchGroup> | undefined): number | null {
  if (node?.rowIndex === null || node?.rowIndex === undefined) return null;
  grid.ensureIndexVisible(node.rowIndex);
  const focused = grid.getFocusedCell();
  if (focused === null) return null;
  grid.setFocusedCell(node.rowIndex, focused.column);
  return node.rowIndex;
}

/** Returns the row of a match if the grid lists it now. */
function listedRow(grid: GridApi<MatchGroup> | null, id: number | null): IRowNode<MatchGroup> | undefined {
  const node = id === null ? undefined : grid?.getRowNode(String(id));
  if (node?.rowIndex === null || node?.rowIndex === undefined) return undefined;
  return grid?.getDisplayedRowAtIndex(node.rowIndex)?.id === node.id ? node : undefined;
}

/**
 * Keeps one match of the grid selected, and the same one in `onShow`. A decided match stays in its row, marked, until the list is read again, so that the
 * rows do not move under a quick hand.
 */
function useOneSelected(list: RefObject<GroupList | null>, onShow: (group: MatchGroup | null) => void) {
  const api = useRef<GridApi<MatchGroup> | null>(null);
  /** The match that is selected, and its row. */
  const selected = useRef<{ id: number | null; index: number }>({ id: null, index: 0 });
  /** The row that had the focus when the selection last followed it. */
  const followed = useRef<number | null>(null);
  const select = useCallback(
    (node: IRowNode<MatchGroup> | undefined) => {
      const grid = api.current;
      if (grid === null) return;
      if (node?.data === undefined) {
        grid.deselectAll();
        selected.current = { id: null, index: selected.current.index };
        onShow(null);
        return;
      }
      selected.current = { id: node.data.match.id, index: node.rowIndex ?? 0 };
      if (node.isSelected() !== true) node.setSelected(true, true);
      onShow(node.data);
    },
    [onShow],
  );
  const follow = useCallback(() => {
    const index = api.current?.getFocusedCell()?.rowIndex ?? followed.current;
    const node = index === null || index === followed.current ? undefined : api.current?.getDisplayedRowAtIndex(index);
    followed.current = index;
    if (node?.data !== undefined) select(node);
  }, [select]);
  const keep = useCallback(() => {
    const grid = api.current;
    if (grid === null) return;
    const node = listedRow(grid, selected.current.id);
    select(node !== undefined && !isDecided(node) ? node : undecidedFrom(grid, selected.current.index));
  }, [select]);
  useImperativeHandle(
    list,
    () => ({
      current() {
        follow();
        return listedRow(api.current, selected.current.id)?.data ?? null;
      },
      moveOn() {
        const grid = api.current;
        if (grid === null) return;
        const next = undecidedFrom(grid, selected.current.index + 1);
        select(next);
        followed.current = focusRow(grid, next) ?? followed.current;
      },
      show(id) {
        const node = listedRow(api.current, id);
        if (node?.rowIndex === null || node?.rowIndex === undefined) return;
        select(node);
        api.current?.ensureIndexVisible(node.rowIndex);
      },
    }),
    [follow, select],
  );
  /** Shows rows that have just come in. What an undo brought back is what the user wants to see. */
  const arrive = useCallback(
    (returned: number | undefined) => {
      const node = listedRow(api.current, returned ?? null);
      return node?.data === undefined ? keep() : select(node);
    },
    [keep, select],
  );
  const begin = useCallback((grid: GridApi<MatchGroup>) => void (api.current = grid), []);
  const grid = useCallback(() => api.current, []);
  const current = useCallback(() => selected.current.id, []);
  return { grid, begin, follow, arrive, select, current };
}

/** One row per group. One group is always selected: when it is decided, the next row is selected, so that the user can work through the list. */
function GroupGrid({ list, reconciliation, status, rules, isMixed, onShow, onCount }: GroupGridProps) {
  const { client } = useConnection();
  const { grid, begin, follow, arrive, select, current } = useOneSelected(list, onShow);
  const isWide = useMediaQuery('(min-width: 1500px)') ?? false;
  // The panel beside the grid explains a match too, but the likelihood of a proposal is what the user looks for first.
  const room = isWide ? 'wide' : status === 'proposed' ? 'medium' : 'narrow';
  const columns = useMemo(() => groupColumns(reconciliation, rules, room, isMixed), [reconciliation, rules, room, isMixed]);
  useEffect(
    () =>
      decisions.subscribe(({ marks }, before) => {
        const ids = [...marks.keys(), ...before.marks.keys()].filter((id) => marks.has(id) !== before.marks.has(id));
        for (const id of ids) {
          const node = grid()?.getRowNode(String(id));
          if (node?.data !== undefined) node.updateData(node.data);
        }
      }),
    [grid],
  );
  const datasource = useMemo<IDatasource>(
    () => ({
      getRows({ startRow, endRow, successCallback, failCallback }) {
        // Proposals are sorted by likelihood, because the most likely ones are decided first.
        const sort = status === 'proposed' ? ('likelihood' as const) : ('newest' as const);
        const asked = { reconciliation_id: reconciliation.id, status, sort, offset: startRow, limit: endRow - startRow };
        const askedAt = decisionMoment();
        void client.call('matches.window', asked).then((answer) => {
          if (answer.ok) {
            const listed = answer.value.data.map(({ match }) => match);
            const [returned] = takeReturned(listed, askedAt);
            successCallback(answer.value.data, answer.value.total_count);
            onCount(answer.value.total_count);
            arrive(returned);
          } else {
            failCallback();
            notifyFailure(say('matches.groups.theMatchesCouldNotBeRead'), answer.error);
          }
          return null;
        });
      },
    }),
    [client, reconciliation.id, status, onCount, arrive],
  );
  useGridRefresh(reconciliation.id, grid);

  return (
    <DataGrid<MatchGroup>
      label={status === 'proposed' ? say('matches.groups.proposedMatches') : say('matches.groups.matches')}
      testId={`grid-${status}`}
      columnDefs={columns}
      datasource={datasource}
      getRowId={({ data }) => String(data.match.id)}
      defaultColDef={{ sortable: false, resizable: true }}
      rowSelection={{ mode: 'singleRow', checkboxes: false, enableClickSelection: true }}
      rowClassRules={{ 'decided-row': isDecided }}
      onGridReady={(event) => begin(event.api)}
      onCellFocused={follow}
      onSelectionChanged={(event) => {
        const [node] = event.api.getSelectedNodes();
        if (node?.data !== undefined && node.data.match.id !== current()) select(node);
      }}
    />
  );
}
