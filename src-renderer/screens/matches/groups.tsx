import { Box, Button, CloseButton, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconUnlink } from '@tabler/icons-react';
import type { GridApi, IDatasource, IRowNode } from 'ag-grid-community';
import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { MatchGroup, Reconciliation, SeparatedRecord, Separation } from '../../../src-shared/contract/index.ts';
import { useCommand, useConnection, useOperation } from '../../api/use-operation.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { focusSearch, openViews } from '../../components/filter-bar.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Split, useIsNarrow } from '../../components/split.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { useNow } from '../../components/use-now.ts';
import { useSettled } from '../../components/use-settled.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { agoText, readingAt } from '../../format/dates.ts';
import { expectedText, moreLinesText, separationNotes } from '../../format/match-words.ts';
import { linesAsCells } from '../../format/record-words.ts';
import { decisionMoment, decisions, isMarked, takeReturned, type Verdict } from '../../state/decisions.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { groupColumns } from './group-columns.ts';
import { FailedDecisions, type GroupList, useDecisions } from './decide.tsx';
import { DecideTogether, type Together } from './decide-together.tsx';
import { type FoundMatches, MatchFilter, sortOf } from './match-filter.tsx';
import { GroupDetail, type GroupDetailProps, RecordLines, SideRecords } from './group-detail.tsx';
import { useFocusNext } from './use-focus-next.ts';
import { matchTermsText, readMatchTerms } from '../../../src-shared/values/match-filter.ts';
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
      <Stack className="card fill" p="xl" align="center" justify="center">
        <Text size="sm" c="dimmed" ta="center" data-testid="nothing-apart">
          {say('matches.groups.nothingIsKeptApart')}
        </Text>
      </Stack>
    );
  }
  return (
    <Stack className="card fill" gap={0}>
      <Text size="xs" c="dimmed" className="line-below" py="sm" px="md" flex="none">
        {say('matches.groups.aRunDoesNotMatch')}
      </Text>
      <ul className="plain fill scrolls" ref={list} aria-label={say('matches.groups.keptApart')} data-testid="taken-apart-list">
        {value.data.map((separation) => (
          <Entry key={separation.id} separation={separation} reconciliation={reconciliation} onLeave={() => leave(separation.id)} />
        ))}
      </ul>
      {value.total_count > PAGE && (
        <Group justify="space-between" className="line-above" py="sm" px="md" flex="none">
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
    </Stack>
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
    <Box component="li" className="line-below" px="md" py={10} data-testid="taken-apart">
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
      <SimpleGrid minColWidth="16rem" autoFlow="auto-fit" spacing="xl" verticalSpacing={4} pt="sm">
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
      </SimpleGrid>
      {more !== null && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </Box>
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

function NothingListed({ text }: { readonly text: string }) {
  return (
    <div className={styles.overlay}>
      <Text size="sm" c="dimmed" ta="center">
        {text}
      </Text>
    </div>
  );
}

/** Keeps what is typed into a filter, and as the service reads it once the typing pauses or the field is left. */
function useFilter() {
  const [text, setText] = useState('');
  const typed = useSettled(text.trim());
  const reading = readingAt(useNow());
  return { text, setText, asked: typed === '' ? '' : matchTermsText(readMatchTerms(typed, reading), reading) };
}

/** The selected matches; null stands for all that the filter finds. */
type Picked = readonly MatchGroup[] | null;

/** Returns the names of a reconciliation's rules by id. */
function useRuleNames(reconciliationId: number): ReadonlyMap<number, string> {
  const { data: value } = useOperation('rules.list', { reconciliation_id: reconciliationId });
  return useMemo(
    () => new Map((value ?? []).map((rule) => [rule.id, rule.description ?? say('matches.groups.rule', { id: rule.id })])),
    [value],
  );
}

/** What is selected, and the question whether to decide about it together: about all that the filter finds where at most one is selected. */
function useTogether(search: string) {
  const [picked, setPicked] = useState<Picked>([]);
  const [verdict, setVerdict] = useState<'confirm' | 'reject' | null>(null);
  const ask = (asked: Verdict | null) => setVerdict(asked === 'unmatch' ? null : asked);
  const together: Together = picked !== null && picked.length > 1 ? { groups: picked } : { search };
  return { picked, setPicked, verdict, ask, together };
}

/** The keys that lead into the list and to what narrows it, wherever the focus is. */
function useListKeys(list: RefObject<GroupList | null>, status: GroupsProps['status'], isShown: boolean): void {
  const focus = () => list.current?.focus();
  const step = (by: number) => () => list.current?.step(by);
  useShortcuts(isShown ? { '/': () => focusSearch(status), v: () => openViews(status), j: step(1), k: step(-1), F6: focus } : {});
}

/** A grid of groups beside the selected one. On request it is replaced by the separated matches. */
export function Groups({ reconciliation, status, isMixed, places, isShown }: GroupsProps) {
  const [shown, setShown] = useState<MatchGroup | null>(null);
  const [found, setFound] = useState<FoundMatches | null>(null);
  const [isApart, setApart] = useState(false);
  const rules = useRuleNames(reconciliation.id);
  const filter = useFilter();
  const list = useRef<GroupList | null>(null);
  const toggle = () => setApart(!isApart);
  useShortcuts(isShown ? { t: toggle, ...(isApart ? { Escape: toggle } : {}) } : {});
  useListKeys(list, status, isShown && !isApart);
  const { picked, setPicked, verdict, ask, together } = useTogether(filter.asked);
  const deciding = useDecisions({ list, reconciliation, status, isShown: isShown && !isApart, onTogether: ask });
  const count = found?.total_count ?? null;
  const listed = (
    <div className={styles.panel}>
      <MatchFilter
        status={status}
        reconciliation={reconciliation}
        rules={rules}
        text={filter.text}
        onText={filter.setText}
        onLeave={() => list.current?.focus()}
        found={found}
      >
        {status === 'proposed' && count !== null && count > 0 && (
          <TogetherButtons id={reconciliation.id} picked={picked} count={count} together={together} onVerdict={ask} />
        )}
      </MatchFilter>
      <FailedDecisions reconciliationId={reconciliation.id} status={status} onShow={(id) => list.current?.show(id)} />
      <GroupGrid
        list={list}
        reconciliation={reconciliation}
        status={status}
        rules={rules}
        isMixed={isMixed}
        search={filter.asked}
        onShow={setShown}
        onFound={setFound}
        onPicked={setPicked}
      >
        {count === 0 && <NothingListed text={filter.asked === '' ? EMPTY[status] : say('matches.filter.nothingFits')} />}
      </GroupGrid>
    </div>
  );
  return (
    <div className={styles.groupsFrame}>
      {isApart && <SeparationList reconciliation={reconciliation} />}
      <div className={styles.groups} hidden={isApart}>
        <Beside
          listed={listed}
          detail={shown === null || count === 0 ? null : { group: shown, reconciliation, rules, ...deciding.actions }}
        />
      </div>
      {deciding.dialog}
      {verdict !== null && (
        <DecideTogether
          verdict={verdict}
          reconciliationId={reconciliation.id}
          together={together}
          places={places}
          onClose={() => (ask(null), list.current?.focus())}
          onDone={() => list.current?.clear()}
        />
      )}
      <SeparationsButton id={reconciliation.id} back={isApart ? BACK[status] : null} onClick={toggle} />
    </div>
  );
}

interface BesideProps {
  readonly listed: ReactNode;
  /** The match on show; null if there is none. */
  readonly detail: GroupDetailProps | null;
}

/** The list beside the match on show, or above it where a side has too little room. In a narrow window the match lies over the list on request. */
function Beside({ listed, detail }: BesideProps) {
  const isNarrow = useIsNarrow();
  const isStacked = useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false }) && !isNarrow;
  const [isOver, setOver] = useState(false);
  const beside =
    detail === null || (isNarrow && !isOver) ? null : (
      <GroupDetail key={detail.group.match.id} {...detail}>
        {isNarrow && <CloseButton size="sm" aria-label={say('records.closeEsc')} onClick={() => setOver(false)} />}
      </GroupDetail>
    );
  return (
    <>
      {isNarrow && (
        <Button
          size="compact-sm"
          variant="default"
          mx={20}
          mt={4}
          flex="none"
          style={{ alignSelf: 'start' }}
          onClick={() => setOver(!isOver)}
          aria-expanded={isOver}
          data-testid="show-match"
        >
          {say('matches.groupDetail.theMatchOnShow')}
        </Button>
      )}
      <Split
        key={isStacked ? 'stacked' : 'beside'}
        name={isStacked ? 'match-below' : 'match'}
        shares={isStacked ? [50, 50] : [76, 24]}
        least={isStacked ? [140, 140] : [420, 300]}
        isStacked={isStacked}
        panes={[listed, beside]}
      />
    </>
  );
}

interface TogetherButtonsProps {
  readonly id: number;
  readonly picked: Picked;
  /** The number of proposals that the filter finds. */
  readonly count: number;
  readonly together: Together;
  readonly onVerdict: (verdict: 'confirm' | 'reject') => void;
}

/** Confirms or rejects the selected proposals, or all that the filter finds where at most one is selected. */
function TogetherButtons({ id, picked, count, together, onVerdict }: TogetherButtonsProps) {
  const search = 'search' in together ? together.search : '';
  const { data: expected } = useOperation('confirmations.expect', { id, search });
  const many = 'groups' in together ? together.groups.length : count;
  const selected =
    picked === null
      ? say('matches.together.allSelected', { count: countText(count) })
      : picked.length > 1
        ? say('matches.together.selected', { count: picked.length })
        : 'search' in together && expected !== undefined
          ? expectedText(expected, expected.count + expected.differing)
          : '';
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" c="dimmed" className="tabular" aria-live="polite" data-testid="selected-proposals">
        {selected}
      </Text>
      <WriteButton size="compact-sm" variant="default" onClick={() => onVerdict('confirm')} data-testid="confirm-together">
        {say('matches.together.confirmMany', { count: countText(many) })}
      </WriteButton>
      <WriteButton size="compact-sm" variant="default" onClick={() => onVerdict('reject')} data-testid="reject-together">
        {say('matches.together.rejectMany', { count: countText(many) })}
      </WriteButton>
    </Group>
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
  /** What is searched for, as the service reads it. */
  readonly search: string;
  readonly onShow: (group: MatchGroup | null) => void;
  readonly onFound: (found: FoundMatches) => void;
  readonly onPicked: (picked: Picked) => void;
  /** Lies over an empty grid. */
  readonly children: ReactNode;
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
  // The grid says that it has none by null or by undefined.
  const focused = grid.getFocusedCell() ?? null;
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
 * Keeps the match on show the same in the grid and in the panel, and with it the selection, unless several matches are selected. A decided match stays in
 * its row, marked, until the list is read again, so that the rows do not move under a quick hand.
 */
class ListSelection implements GroupList {
  readonly #onShow: (group: MatchGroup | null) => void;
  readonly #onPicked: (picked: Picked) => void;
  #grid: GridApi<MatchGroup> | null = null;
  /** The match on show, and its row. */
  #shown: { readonly id: number | null; readonly index: number } = { id: null, index: 0 };
  /** The row that had the focus when the selection last followed it. */
  #followed: number | null = null;
  /** Whether the last key or click adds to the selection, which then does not follow the focus. */
  #isAdding = false;
  /** Whether all that the filter finds is selected, also what is not loaded. */
  #isAll = false;

  constructor(onShow: (group: MatchGroup | null) => void, onPicked: (picked: Picked) => void) {
    this.#onShow = onShow;
    this.#onPicked = onPicked;
  }

  readonly grid = () => this.#grid;

  begin(grid: GridApi<MatchGroup>): void {
    this.#grid = grid;
  }

  current(): MatchGroup | null {
    this.follow();
    return listedRow(this.#grid, this.#shown.id)?.data ?? null;
  }

  isRead(): boolean {
    const grid = this.#grid;
    return (
      grid !== null &&
      (grid.getDisplayedRowCount() === 0 || grid.getDisplayedRowAtIndex(grid.getFirstDisplayedRowIndex())?.data !== undefined)
    );
  }

  selected(): Picked {
    if (this.#isAll) return null;
    const nodes = this.#grid?.getSelectedNodes() ?? [];
    return nodes.flatMap(({ data }) => (data === undefined || isMarked(data.match) ? [] : [data]));
  }

  moveOn(): void {
    if (this.#grid === null) return;
    const next = undecidedFrom(this.#grid, this.#shown.index + 1);
    this.#select(next);
    this.#followed = focusRow(this.#grid, next) ?? this.#followed;
  }

  show(id: number): void {
    const node = listedRow(this.#grid, id);
    if (node?.rowIndex === null || node?.rowIndex === undefined) return;
    this.#select(node);
    this.#grid?.ensureIndexVisible(node.rowIndex);
  }

  focus(): void {
    if (this.#grid !== null) focusAt(this.#grid, this.#shown.index);
  }

  step(by: number): void {
    const at = this.#grid?.getFocusedCell()?.rowIndex;
    if (this.#grid !== null) focusAt(this.#grid, Math.max(0, at === undefined ? this.#shown.index : at + by));
  }

  clear(): void {
    this.#select(undefined);
  }

  /** Returns the loaded matches that are selected: the one on show is among them. */
  copied(): readonly MatchGroup[] {
    return this.#grid?.getSelectedRows() ?? [];
  }

  follow(): void {
    const index = this.#grid?.getFocusedCell()?.rowIndex ?? this.#followed;
    const node = index === null || index === this.#followed ? undefined : this.#grid?.getDisplayedRowAtIndex(index);
    this.#followed = index;
    if (node?.data === undefined) return;
    if (this.#isAdding) this.#showNode(node);
    else this.#select(node);
  }

  /** Shows rows that have just come in. What an undo brought back is what the user wants to see. */
  arrive(returned: number | undefined): void {
    const node = listedRow(this.#grid, returned ?? null);
    if (node?.data === undefined) this.#keep();
    else this.#select(node);
  }

  onKey(event: KeyboardEvent): void {
    const grid = this.#grid;
    if (grid === null || !(event.target instanceof Element) || event.target.closest('.ag-header') !== null) return;
    const isMod = event.ctrlKey || event.metaKey;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const isExtending = event.shiftKey && !isMod && step !== 0;
    this.#isAdding = isExtending || isMod || event.key === 'Shift';
    if (isExtending) extend(grid, step);
    else if (isMod && event.key.toLowerCase() === 'a') this.#selectAll(grid);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  onMouseDown({ ctrlKey, metaKey, shiftKey }: { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly shiftKey: boolean }): void {
    this.#isAdding = ctrlKey || metaKey || shiftKey;
    this.#isAll = false;
  }

  onSelection(): void {
    const nodes = this.#grid?.getSelectedNodes() ?? [];
    const [only] = nodes;
    if (nodes.length === 1 && only?.data !== undefined && only.data.match.id !== this.#shown.id) this.#select(only);
    this.#onPicked(this.selected());
  }

  #selectAll(grid: GridApi<MatchGroup>): void {
    this.#isAll = true;
    selectLoaded(grid);
    this.#onPicked(null);
  }

  #keep(): void {
    const grid = this.#grid;
    if (grid === null) return;
    if (this.#isAll) selectLoaded(grid);
    if (this.#isAll || grid.getSelectedNodes().length > 1) return;
    const node = listedRow(grid, this.#shown.id);
    this.#select(node !== undefined && !isDecided(node) ? node : undecidedFrom(grid, this.#shown.index));
  }

  #showNode(node: IRowNode<MatchGroup>): void {
    this.#shown = { id: node.data?.match.id ?? null, index: node.rowIndex ?? 0 };
    this.#onShow(node.data ?? null);
  }

  #select(node: IRowNode<MatchGroup> | undefined): void {
    const grid = this.#grid;
    if (grid === null) return;
    this.#isAll = false;
    if (node?.data === undefined) {
      this.#shown = { id: null, index: this.#shown.index };
      grid.deselectAll();
      this.#onShow(null);
      return;
    }
    this.#showNode(node);
    if (node.isSelected() !== true || grid.getSelectedNodes().length > 1) node.setSelected(true, true);
  }
}

/** Selects all rows that are loaded. */
function selectLoaded(grid: GridApi<MatchGroup>): void {
  grid.forEachNode((node) => {
    if (node.data !== undefined && !isDecided(node)) node.setSelected(true, false);
  });
}

/** Moves the focus to a row, or to the last one. */
function focusAt(grid: GridApi<MatchGroup>, index: number): void {
  const row = Math.min(index, grid.getDisplayedRowCount() - 1);
  if (row < 0) return;
  grid.ensureIndexVisible(row);
  grid.setFocusedCell(row, 'text-a');
}

/** Selects the row of the focus and the next or previous one, and moves there. */
function extend(grid: GridApi<MatchGroup>, step: number): void {
  const at = grid.getFocusedCell()?.rowIndex ?? 0;
  for (const row of [at, at + step]) {
    const node = grid.getDisplayedRowAtIndex(row);
    if (node?.data !== undefined) node.setSelected(true, false);
  }
  if (at + step >= 0) focusAt(grid, at + step);
}

/** Columns that give way before an amount is cut. The likelihood of a proposal is what the user looks for first; of a match, what made it. */
const PROPOSED_GIVE_WAY = ['origin', 'certainty', 'reference-a', 'reference-b', 'likelihood'];
const MATCHED_GIVE_WAY = ['certainty', 'likelihood', 'reference-a', 'reference-b', 'origin'];

/** Draws the rows anew whose match is being decided. */
function useMarkedRows(kept: ListSelection): void {
  useEffect(
    () =>
      decisions.subscribe(({ marks }, before) => {
        const ids = [...marks.keys(), ...before.marks.keys()].filter((id) => marks.has(id) !== before.marks.has(id));
        for (const id of ids) {
          const node = kept.grid()?.getRowNode(String(id));
          if (node?.data !== undefined) node.updateData(node.data);
        }
      }),
    [kept],
  );
}

/** One row per group. One group is always on show: when it is decided, the next row is selected, so that the user can work through the list. */
function GroupGrid({ list, reconciliation, status, rules, isMixed, search, onShow, onFound, onPicked, children }: GroupGridProps) {
  const { client } = useConnection();
  const [kept] = useState(() => new ListSelection(onShow, onPicked));
  useImperativeHandle(list, () => kept, [kept]);
  const columns = useMemo(() => groupColumns(reconciliation, rules, isMixed), [reconciliation, rules, isMixed]);
  useMarkedRows(kept);
  const datasource = useMemo<IDatasource>(
    () => ({
      getRows({ startRow, endRow, successCallback, failCallback }) {
        const searched = search === '' ? {} : { search };
        const asked = {
          reconciliation_id: reconciliation.id,
          status,
          sort: sortOf(status),
          offset: startRow,
          limit: endRow - startRow,
          ...searched,
        };
        const askedAt = decisionMoment();
        void client.call('matches.window', asked).then((answer) => {
          if (answer.ok) {
            const listed = answer.value.data.map(({ match }) => match);
            const [returned] = takeReturned(listed, askedAt);
            successCallback(answer.value.data, answer.value.total_count);
            onFound(answer.value);
            kept.arrive(returned);
          } else {
            failCallback();
            notifyFailure(say('matches.groups.theMatchesCouldNotBeRead'), answer.error);
          }
          return null;
        });
      },
    }),
    [client, reconciliation.id, status, search, onFound, kept],
  );
  useGridRefresh(reconciliation.id, kept.grid);

  return (
    <Box className="fill" pos="relative" onMouseDownCapture={(event) => kept.onMouseDown(event)}>
      <DataGrid<MatchGroup>
        label={status === 'proposed' ? say('matches.groups.proposedMatches') : say('matches.groups.matches')}
        testId={`grid-${status}`}
        columnDefs={columns}
        givingWay={status === 'proposed' ? PROPOSED_GIVE_WAY : MATCHED_GIVE_WAY}
        datasource={datasource}
        getRowId={({ data }) => String(data.match.id)}
        defaultColDef={{ sortable: false, resizable: true }}
        rowSelection={
          status === 'proposed'
            ? { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true }
            : { mode: 'singleRow', checkboxes: false, enableClickSelection: true }
        }
        rowClassRules={{ 'decided-row': isDecided }}
        onGridReady={(event) => kept.begin(event.api)}
        onCopy={() =>
          linesAsCells(
            kept.copied().flatMap(({ records }) => records),
            [...reconciliation.side_a_streams, ...reconciliation.side_b_streams],
          ) || null
        }
        onCellFocused={() => kept.follow()}
        {...(status === 'proposed' ? { onKey: (event: KeyboardEvent) => kept.onKey(event) } : {})}
        onSelectionChanged={() => kept.onSelection()}
      />
      {children}
    </Box>
  );
}
