import { Box, Button, CloseButton, Flex, Group, Modal, NativeSelect, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, type RefObject, type SyntheticEvent, useRef, useState } from 'react';
import type { Call, Failure, ReconciliationException } from '../../../src-shared/contract/index.ts';
import { readLineTerms } from '../../../src-shared/values/line-filter.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation, useOperations } from '../../api/use-operation.ts';
import { ExportMenu } from '../../components/export-menu.tsx';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { FilterMenu, lineOffers, openViews, SavedViews, SearchField } from '../../components/filter-bar.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { EmptyState, Facts, Pane, PaneHeader, StateBadge, type StateTone, TextButton } from '../../components/primitives.tsx';
import { Split } from '../../components/split.tsx';
import { useNow } from '../../components/use-now.ts';
import { useKeptKeys, useShortcuts } from '../../components/use-shortcuts.ts';
import { type Work, WorkFields } from '../../components/work-fields.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countOf, countText } from '../../format/counts.ts';
import { dateText, instantText, readingAt } from '../../format/dates.ts';
import { listedAmount, moneyText } from '../../format/money.ts';
import { fitsTerms, oldestDays } from '../../format/record-words.ts';
import { openLine } from '../../state/line-in-full.ts';
import styles from './exceptions.module.css';
import { LineDrawer } from './record-panel.tsx';
import recordStyles from './records.module.css';

type Item = ReconciliationException;
type Status = Item['status'];
type Change = Omit<Call<'exceptions.update_many'>, 'ids'>;

/** The service gives so many at once. */
const LISTED = 100;
const LINES = 50;

const STATUSES: readonly { readonly value: Status; readonly label: string; readonly tone: StateTone }[] = [
  { value: 'open', label: say('records.exceptionsScreen.open'), tone: 'open' },
  { value: 'investigating', label: say('records.exceptionsScreen.investigating'), tone: 'under_way' },
  { value: 'resolved', label: say('records.exceptionsScreen.resolved'), tone: 'done' },
  { value: 'dismissed', label: say('records.exceptionsScreen.dismissed'), tone: 'none' },
];
const CHOICES = STATUSES.map(({ value, label }) => ({ value, label }));
const LONGEST_COMMENT = 2_000;
const isStatus = (text: string): text is Status => STATUSES.some(({ value }) => value === text);
const statusOf = (status: Status) => STATUSES.find(({ value }) => value === status);

/** Everything overdue that someone looks into, with owner, comment and status. */
export function ExceptionsScreen() {
  const { items, failure, refetch } = useAll();
  useKeptKeys(items === undefined && failure === null);
  const [isOpening, setOpening] = useState(false);
  const title = say('records.exceptionsScreen.title');
  const actions = (
    <WriteButton leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpening(true)} data-testid="new-exception">
      {say('records.exceptionsScreen.openOne')}
    </WriteButton>
  );
  return (
    <Page title={title} testId="exceptions-screen" isFlush actions={actions}>
      {failure !== null && <FailurePanel title={say('records.exceptionsScreen.notRead')} failure={failure} onRetry={refetch} />}
      {items === undefined && failure === null && <Skeleton height={220} m="md" />}
      {items?.length === 0 && (
        <EmptyState title={say('records.exceptionsScreen.none')} data-testid="no-exceptions">
          <p>{say('records.exceptionsScreen.noneHint')}</p>
        </EmptyState>
      )}
      {items !== undefined && items.length > 0 && <Exceptions items={items} />}
      <LineDrawer />
      {isOpening && <OpenOne onClose={() => setOpening(false)} />}
    </Page>
  );
}

/** Reads all exceptions, page by page. While further pages arrive the first ones are not shown, since a search would miss the others. */
function useAll() {
  const [pages, setPages] = useState(1);
  const reads = useOperations(
    'exceptions.list',
    Array.from({ length: pages }, (_, page) => ({ limit: LISTED, offset: page * LISTED })),
  );
  const answers = reads.map(({ data }) => data);
  const isMore = answers.at(-1)?.has_more === true;
  if (isMore) setPages(pages + 1);
  const failed = reads.find((read) => read.isLoadingError);
  // An exception that is opened while the pages are read shifts the others by one.
  const byId = new Map(answers.flatMap((answer) => answer?.data ?? []).map((item) => [item.id, item]));
  return {
    items: isMore || answers.includes(undefined) ? undefined : [...byId.values()],
    failure: failed?.error ?? null,
    refetch: () => void Promise.all(reads.map((read) => read.refetch())),
  };
}

function Exceptions({ items }: { readonly items: readonly Item[] }) {
  const nowMs = useNow();
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState<number | null>(null);
  const { today } = readingAt(nowMs);
  const terms = readLineTerms(text, readingAt(nowMs));
  const found = items.filter((item) => (status === '' || item.status === status) && fitsTerms(item, terms, today));
  const chosen = found.filter(({ id }) => selected.has(id));
  const inPanel = items.find(({ id }) => id === shown);
  const search = useRef<HTMLInputElement>(null);
  const clear = (): void => {
    setText('');
    setStatus('');
    search.current?.focus();
  };
  return (
    <>
      <FilterBar
        search={search}
        text={text}
        status={status}
        onText={setText}
        onStatus={setStatus}
        onClear={text === '' && status === '' ? null : clear}
        items={items}
        found={found}
        today={today}
      />
      <Box className="small mid line-below" mih={20} pb={4} px="md" flex="none" aria-live="polite" data-testid="exceptions-count">
        {say('records.exceptionsScreen.count', {
          shown: found.length,
          lines: countText(found.reduce((sum, { aggregates }) => sum + aggregates.record_count, 0)),
        })}
      </Box>
      {chosen.length > 0 && <BulkBar items={chosen} onEnd={() => setSelected(new Set())} />}
      <Split
        name="exception"
        shares={[72, 28]}
        least={[420, 300]}
        panes={[
          <div key="rows" className={styles.rows}>
            {found.length === 0 ? (
              <EmptyState title={say('records.exceptionsScreen.notFound')} data-testid="no-exception-found">
                <Button variant="default" onClick={clear}>
                  {say('book.history.showAll')}
                </Button>
              </EmptyState>
            ) : (
              <Table items={found} today={today} selected={selected} onSelect={setSelected} shown={shown} onShow={setShown} />
            )}
          </div>,
          inPanel === undefined ? null : <Panel key={inPanel.id} item={inPanel} today={today} onClose={() => setShown(null)} />,
        ]}
      />
    </>
  );
}

interface FilterBarProps {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly status: string;
  readonly onText: (text: string) => void;
  readonly onStatus: (status: string) => void;
  readonly onClear: (() => void) | null;
  readonly items: readonly Item[];
  readonly found: readonly Item[];
  readonly today: number;
}

function FilterBar({ search, text, status, onText, onStatus, onClear, items, found, today }: FilterBarProps) {
  const streams = [...new Map(items.map((item) => [item.data_stream_key, item.data_stream_name]))].map(([key, name]) => ({ key, name }));
  const owners = [...new Set(items.flatMap(({ assignees }) => assignees))].toSorted();
  const groups = [
    ...lineOffers({ streams, states: [], today }),
    { name: say('records.exceptionsScreen.owner'), offers: owners.map((name) => ({ term: `"${name.replaceAll('"', '')}"`, label: name })) },
  ].filter(({ offers }) => offers.length > 0);
  useShortcuts({ '/': () => search.current?.focus(), v: () => openViews('exceptions') });
  return (
    <search className={recordStyles.filters} aria-label={say('records.filters')}>
      <SearchField
        field={search}
        label={say('records.exceptionsScreen.search')}
        placeholder={say('records.exceptionsScreen.search')}
        aria-keyshortcuts="/"
        value={text}
        onText={onText}
        onLeave={focusTable}
        flex="1 1 12rem"
        maw="26rem"
        testId="search-exceptions"
      />
      <NativeSelect
        size="xs"
        aria-label={say('records.exceptionsScreen.status')}
        value={status}
        data={[{ value: '', label: say('records.exceptionsScreen.everyStatus') }, ...CHOICES]}
        onChange={(event) => onStatus(event.currentTarget.value)}
        data-testid="exceptions-status"
      />
      <FilterMenu groups={groups} text={text} onText={onText} name="exceptions" />
      <SavedViews
        list="exceptions"
        filter={{ search: text, status }}
        onFilter={({ search: kept = '', status: only = '' }) => {
          onText(kept);
          onStatus(only);
        }}
        onLeave={focusTable}
        name="exceptions"
      />
      <ExportMenu
        list="exceptions.list"
        asked={{}}
        only={found.map(({ id }) => id)}
        about={[text, status].join(' ')}
        testId="export-exceptions"
      />
      {onClear !== null && (
        <Button size="xs" variant="default" onClick={onClear}>
          {say('records.clear')}
        </Button>
      )}
    </search>
  );
}

interface TableProps {
  readonly items: readonly Item[];
  readonly today: number;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (ids: ReadonlySet<number>) => void;
  readonly shown: number | null;
  readonly onShow: (id: number | null) => void;
}

const focusTable = (): void => document.querySelector<HTMLElement>('[data-exception][tabindex="0"]')?.focus();

const focusRow = (id: number | undefined): void => document.querySelector<HTMLElement>(`[data-exception="${id}"]`)?.focus();

/** One Tab stop: arrows move, Space selects, Shift extends, Enter shows. */
function Table({ items, today, selected, onSelect, shown, onShow }: TableProps) {
  const [current, setCurrent] = useState<number | null>(null);
  const place = Math.max(
    0,
    items.findIndex(({ id }) => id === current),
  );
  const toggle = (id: number): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  function onKey(event: KeyboardEvent<HTMLTableElement>): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 };
    const to = steps[event.key];
    const own = items[place];
    if (own === undefined) return;
    if (to !== undefined) {
      const next = items[Math.min(Math.max(0, to), items.length - 1)];
      if (event.shiftKey && next !== undefined) onSelect(new Set([...selected, own.id, next.id]));
      focusRow(next?.id);
    } else if (event.key === ' ') toggle(own.id);
    else if (event.key === 'Enter') onShow(own.id);
    else if (event.key === 'Escape') onShow(null);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(new Set(items.map(({ id }) => id)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <FigureTable
      role="grid"
      aria-multiselectable
      aria-label={say('records.exceptionsScreen.title')}
      onKeyDown={onKey}
      isSticky
      data-testid="exceptions"
      columns={[
        { label: say('records.exceptionsScreen.selection'), width: 48 },
        { head: say('records.exceptionsScreen.exception') },
        { head: say('records.exceptionsScreen.reconciliation'), width: '18%' },
        { head: say('records.exceptionsScreen.status'), width: 108 },
        { head: say('records.exceptionsScreen.owner'), width: 100 },
        { head: say('records.exceptionsScreen.lines'), isFigure: true, width: 48 },
        { head: say('records.exceptionsScreen.oldest'), isFigure: true, width: 84, title: say('records.exceptionsScreen.oldestWhy') },
        { head: say('records.amount'), isFigure: true, width: 130 },
      ]}
    >
      <tbody>
        {items.map((item, at) => (
          <Row
            key={item.id}
            item={item}
            today={today}
            isTabStop={at === place}
            isSelected={selected.has(item.id)}
            isShown={shown === item.id}
            onFocus={() => setCurrent(item.id)}
            onToggle={() => toggle(item.id)}
            onShow={() => onShow(item.id)}
          />
        ))}
      </tbody>
    </FigureTable>
  );
}

interface RowProps {
  readonly item: Item;
  readonly today: number;
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  readonly isShown: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
  readonly onShow: () => void;
}

function Row({ item, today, isTabStop, isSelected, isShown, onFocus, onToggle, onShow }: RowProps) {
  const { id, title, reconciliation_name: name, assignees, comments, aggregates } = item;
  const status = statusOf(item.status);
  const age = oldestDays(item, today);
  return (
    <tr
      data-exception={id}
      data-shown={isShown || undefined}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onClick={onShow}
      data-testid="exception-row"
    >
      <td>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={say('records.exceptionsScreen.select', { title })}
          onChange={onToggle}
          onClick={(event) => event.stopPropagation()}
        />
      </td>
      <td className="wrap" title={[title, ...comments].join('\n')}>
        {title}
      </td>
      <td title={name}>{name}</td>
      <td>
        <StateBadge tone={status?.tone ?? 'none'} isPlain>
          {status?.label}
        </StateBadge>
      </td>
      <td title={assignees[0]}>{assignees[0] ?? <span className="quiet">–</span>}</td>
      <td className="amount">{countText(aggregates.record_count)}</td>
      <td className="amount">{age === null ? '–' : countOf(age, 'count.days')}</td>
      <td className="amount">{sumOf(item)}</td>
    </tr>
  );
}

/** Returns the sum of the currency of most lines; a plus when there are others. */
function sumOf({ aggregates: { total_amount: total, currency, totals }, decimal_places: places }: Item): string {
  if (currency === null) return '–';
  return `${moneyText(total, currency, places)}${totals.length > 1 ? ' +' : ''}`;
}

/** Writes the same change on exceptions, as one change that can be undone. Failures come together, in one message. */
function useWriting() {
  const { run, isRunning } = useCommand('exceptions.update_many', (failure) =>
    notifyFailure(say('records.exceptionsScreen.notWritten', { count: 1 }), failure),
  );
  async function write(items: readonly Item[], change: Change): Promise<boolean> {
    const answer = await run({ ids: items.map(({ id }) => id), ...change });
    if (!answer.ok) return false;
    const { refused } = answer.value;
    const [first] = refused;
    if (first !== undefined) notifyFailure(say('records.exceptionsScreen.notWritten', { count: refused.length }), first);
    return refused.length === 0;
  }
  return { write, isRunning };
}

interface BulkBarProps {
  readonly items: readonly Item[];
  readonly onEnd: () => void;
}

/** Writes the same on all selected exceptions. Fields that are left empty stay as they are. */
function BulkBar({ items, onEnd }: BulkBarProps) {
  const { write, isRunning } = useWriting();
  const [work, setWork] = useState<Work>({ status: '', owner: '', comment: '' });
  const { status, owner, comment } = work;
  const change: Change = {
    ...(isStatus(status) ? { status } : {}),
    ...(owner.trim() === '' ? {} : { assignee: owner.trim() }),
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
  };
  const isEmpty = Object.keys(change).length === 0;
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isEmpty || isRunning) return;
    const [first] = items;
    if (await write(items, change)) onEnd();
    focusRow(first?.id);
  }
  function leave(): void {
    const [first] = items;
    onEnd();
    focusRow(first?.id);
  }
  return (
    <Flex
      component="form"
      className="line-below"
      gap="xs"
      align="center"
      wrap="wrap"
      py={4}
      px="md"
      bg="var(--tint-2)"
      onSubmit={(event) => void submit(event)}
      aria-label={say('records.exceptionsScreen.bulk')}
      data-testid="exceptions-bulk"
    >
      <b aria-live="polite">{say('records.exceptionsScreen.selected', { count: items.length })}</b>
      <WorkFields
        isForMany
        work={work}
        onWork={(part) => setWork({ ...work, ...part })}
        statuses={CHOICES}
        longestComment={LONGEST_COMMENT}
        name="exceptions-bulk"
      />
      <WriteButton type="submit" size="xs" loading={isRunning} disabled={isEmpty} data-testid="exceptions-bulk-write">
        {say('records.exceptionsScreen.write', { count: items.length })}
      </WriteButton>
      <TextButton className="small" onClick={leave}>
        {say('close.bulk.clear')}
      </TextButton>
    </Flex>
  );
}

interface PanelProps {
  readonly item: Item;
  readonly today: number;
  readonly onClose: () => void;
}

/** An exception in full: what a person writes on it, what it is about, and its lines. */
function Panel({ item, today, onClose }: PanelProps) {
  const leave = (): void => {
    onClose();
    focusRow(item.id);
  };
  return (
    <Pane
      kind="aside"
      className={recordStyles.detail}
      aria-label={say('records.exceptionsScreen.exception')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') leave();
      }}
      data-testid="exception-panel"
    >
      <PaneHeader id="exception-panel" title={item.title}>
        <CloseButton size="sm" aria-label={say('records.exceptionsScreen.close')} onClick={leave} />
      </PaneHeader>
      <Writing item={item} />
      <section className={recordStyles.section}>
        <Facts facts={factsOf(item, today)} />
      </section>
      <Lines item={item} />
    </Pane>
  );
}

function factsOf(item: Item, today: number): ComponentProps<typeof Facts>['facts'] {
  const age = oldestDays(item, today);
  return [
    {
      name: say('records.account'),
      value: <PlaceLink place={{ screen: 'stream', key: item.data_stream_key }}>{item.data_stream_name}</PlaceLink>,
    },
    {
      name: say('records.exceptionsScreen.reconciliation'),
      value: <PlaceLink place={{ screen: 'reconciliation', id: item.reconciliation_id }}>{item.reconciliation_name}</PlaceLink>,
    },
    { name: say('records.exceptionsScreen.opened'), value: instantText(item.opened_at) },
    ...(item.closed_at === null ? [] : [{ name: say('records.exceptionsScreen.closed'), value: instantText(item.closed_at) }]),
    ...(age === null ? [] : [{ name: say('records.exceptionsScreen.oldest'), value: countOf(age, 'count.days') }]),
    ...item.aggregates.totals.map(({ currency, decimal_places: places, credits, debits }) => ({
      name: say('records.exceptionsScreen.inAndOut', { currency }),
      value: `${moneyText(credits, currency, places)}, ${moneyText(-debits, currency, places)}`,
    })),
    ...(item.description === null ? [] : [{ name: say('records.description'), value: item.description }]),
  ];
}

/** Status, owner and comment of one exception. */
function Writing({ item }: { readonly item: Item }) {
  const { write, isRunning } = useWriting();
  const former: Work = { status: item.status, owner: item.assignees[0] ?? '', comment: item.comments[0] ?? '' };
  const [draft, setDraft] = useState(former);
  const [known, setKnown] = useState(former);
  const form = useRef<HTMLFormElement>(null);
  // What was written elsewhere takes the place of the draft, and the field keeps the focus.
  if (former.status !== known.status || former.owner !== known.owner || former.comment !== known.comment) {
    setKnown(former);
    setDraft(former);
  }
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const change: Change = {
    ...(draft.status !== former.status && isStatus(draft.status) ? { status: draft.status } : {}),
    ...(draft.owner.trim() === former.owner ? {} : { assignee: orNull(draft.owner) }),
    ...(draft.comment.trim() === former.comment ? {} : { comment: orNull(draft.comment) }),
  };
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    await write([item], change);
    // The button that was pressed is disabled now, and has lost the focus.
    if (document.activeElement === document.body) form.current?.querySelector('select')?.focus();
  }
  return (
    <form ref={form} className={recordStyles.section} onSubmit={(event) => void submit(event)}>
      <WorkFields
        work={draft}
        onWork={(part) => setDraft({ ...draft, ...part })}
        statuses={CHOICES}
        longestComment={LONGEST_COMMENT}
        name="exception"
      />
      <Group mt="xs">
        <WriteButton
          type="submit"
          size="compact-sm"
          loading={isRunning}
          disabled={Object.keys(change).length === 0}
          data-testid="exception-save"
        >
          {say('records.save')}
        </WriteButton>
      </Group>
      <StaysHere />
    </form>
  );
}

/** Says where there is a remote that a sync leaves exceptions where they are, because the other side has no place for them. */
function StaysHere() {
  const { data: value } = useOperation('sync_remotes.list', {});
  if (value === undefined || value.remotes.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt="xs" data-testid="exception-stays">
      {say('records.exceptionsScreen.staysHere')}
    </Text>
  );
}

/** The overdue lines of an exception, oldest first. Each opens in full. */
function Lines({ item }: { readonly item: Item }) {
  const { data, isLoadingError, error, refetch } = useOperation('records.list', {
    data_stream_key: item.data_stream_key,
    reconciliation_id: item.reconciliation_id,
    overdue: true,
    status: 'unreconciled',
    sort: 'date',
    limit: LINES,
  });
  return (
    <section className={recordStyles.section} aria-labelledby="exception-lines">
      <h3 id="exception-lines">{say('records.exceptionsScreen.overdueLines')}</h3>
      {isLoadingError && <FailurePanel title={say('records.theLinesCouldNotBeRead')} failure={error} onRetry={refetch} />}
      {data === undefined && !isLoadingError && <Skeleton height={80} />}
      {data?.data.length === 0 && <p className="mid">{say('records.exceptionsScreen.noLines')}</p>}
      {data?.data.map((line) => (
        <button key={line.id} type="button" className={styles.line} onClick={() => openLine(line.id)} data-testid="exception-line">
          <span className="tabular">{dateText(line.date)}</span>
          <span className="truncate">{line.description ?? line.external_id ?? say('records.aLineWithoutAText')}</span>
          <span className="amount">{listedAmount(line, true)}</span>
        </button>
      ))}
      {data?.has_more === true && <p className="small mid">{say('records.exceptionsScreen.oldestOnly', { count: LINES })}</p>}
    </section>
  );
}

/** Asks for which account of which reconciliation an exception is opened. */
function OpenOne({ onClose }: { readonly onClose: () => void }) {
  const { data } = useOperation('reconciliations.list', { limit: LISTED });
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useCommand('exceptions.create', setFailure);
  const [id, setId] = useState<string | null>(null);
  const [streamId, setStreamId] = useState<string | null>(null);
  const [title, setTitle] = useState('');
  const reconciliation = data?.data.find((each) => String(each.id) === id);
  const streams = reconciliation === undefined ? [] : [...reconciliation.side_a_streams, ...reconciliation.side_b_streams];
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (id === null || streamId === null) return;
    const account = streams.find((stream) => String(stream.id) === streamId)?.name ?? '';
    const named = title.trim() === '' ? say('records.exceptionsScreen.usualTitle', { account }).slice(0, 200) : title.trim();
    const made = await create.run({ reconciliation_id: Number(id), data_stream_id: Number(streamId), title: named });
    if (made.ok) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('records.exceptionsScreen.openOne')}
      closeButtonProps={{ 'aria-label': say('close.daysDialog.close') }}
      data-testid="new-exception-dialog"
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <FailureAlert title={say('records.exceptionsScreen.notOpened')} failure={failure} />
          <Select
            label={say('records.exceptionsScreen.reconciliation')}
            data={data?.data.map((each) => ({ value: String(each.id), label: each.name })) ?? []}
            value={id}
            onChange={(value) => {
              setId(value);
              setStreamId(null);
            }}
            searchable
            data-autofocus
            data-testid="exception-reconciliation"
          />
          <Select
            label={say('records.account')}
            data={streams.map((stream) => ({ value: String(stream.id), label: stream.name }))}
            value={streamId}
            onChange={setStreamId}
            disabled={reconciliation === undefined}
            data-testid="exception-account"
          />
          <TextInput
            label={say('records.exceptionsScreen.name')}
            value={title}
            maxLength={200}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('records.cancel')}
            </Button>
            <WriteButton type="submit" loading={create.isRunning} disabled={streamId === null} data-testid="exception-create">
              {say('records.exceptionsScreen.openOne')}
            </WriteButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
