import {
  ActionIcon,
  Box,
  Checkbox,
  ColorSwatch,
  Flex,
  Menu,
  NativeSelect,
  Progress,
  Skeleton,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isExplained, STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { DateField } from '../../components/date-field.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { SearchField } from '../../components/filter-bar.tsx';
import { Letter, Pager, TextButton } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WorkFields } from '../../components/work-fields.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { initials, type ItemStatus, lineLabel, lineName, withMinus } from '../../format/close-words.ts';
import { countOf, countText, ofWhichText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import styles from './close.module.css';
import { type Field, type ItemKeys, useItemKeys } from './use-item-keys.ts';
import { type NoteChange, useCloseEdits } from './use-close-edits.ts';
import { type ItemFilter, type ItemLine, NO_FILTER, PAGE, useItems } from './use-items.ts';
import { say } from '../../../src-shared/words/say.ts';
import { IconCheck, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useOperation } from '../../api/use-operation.ts';
import { dateText } from '../../format/dates.ts';
import { CauseLines, RecordLink } from './record-link.tsx';

/** The open items on the last day of the period, with the notes on them. */
export function OpenItems() {
  const { statement, jumped } = useClosing();
  const [filter, setFilter] = useState<ItemFilter>(NO_FILTER);
  const [asked, setPage] = useState(0);
  const [last, setLast] = useState(jumped);
  if (last !== jumped) {
    // The item that a step leads to is shown whatever the filter.
    setLast(jumped);
    setFilter(NO_FILTER);
  }
  const { lines, page, all, every, causes, isLoading, failure } = useItems(asked, filter);
  const keys = useItemKeys(lines, all, setPage);
  const { open_item_count: count, proposed_item_count: proposed, match_differences: differences } = statement;
  const items = ofWhichText(countOf(count, 'count.items'), proposed);
  const words = [items, ...(differences.count === 0 ? [] : [countOf(differences.count, 'count.matchDifferences')])].join(', ');
  const owners = [...new Set(every.flatMap(({ note }) => note?.owner ?? []))].toSorted();
  function narrow(change: Partial<ItemFilter>): void {
    setFilter({ ...filter, ...change });
    setPage(0);
  }
  return (
    <Box component="section" className="flush" mt="md" aria-label={say('close.openItems.openItems')} data-testid="open-items">
      <Flex gap={10} mb="sm" align="baseline" wrap="wrap">
        <h2 className="plain">{say('close.openItems.openItems')}</h2>
        <span className="mid">{words}</span>
        <AgeingBar />
      </Flex>
      {failure !== null && <FailurePanel title={say('close.openItems.theOpenItemsCouldNotBeRead')} failure={failure} />}
      {every.length === 0 && !isLoading && failure === null && (
        <p className="plain mid">{say('close.openItems.nothingIsOpenAsOfTheLastDay')}</p>
      )}
      {every.length > 0 && <FilterBar filter={filter} causes={causes} shown={all.length} onChange={narrow} />}
      {keys.selected.size > 0 && <BulkBar lines={all.filter(({ recordId }) => keys.selected.has(recordId))} onEnd={keys.selectAll} />}
      {lines.length > 0 && <ItemTable lines={lines} all={all} keys={keys} words={words} />}
      {every.length > 0 && all.length === 0 && <p className="plain mid">{say('close.bulk.noneFits')}</p>}
      {isLoading && <Skeleton height={28} />}
      <datalist id="close-owners">
        {owners.map((owner) => (
          <option key={owner} value={owner}>
            {owner}
          </option>
        ))}
      </datalist>
      {all.length > PAGE && <Pager what={say('close.openItems.items')} page={page} count={all.length} size={PAGE} onPage={setPage} />}
    </Box>
  );
}

const CHOICES = Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }));

interface FilterBarProps {
  readonly filter: ItemFilter;
  readonly causes: readonly string[];
  readonly shown: number;
  readonly onChange: (change: Partial<ItemFilter>) => void;
}

/** Narrows the table by words, cause, age and status. */
function FilterBar({ filter, causes, shown, onChange }: FilterBarProps) {
  const { statement } = useClosing();
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => search.current?.focus() });
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <Flex component="search" gap="xs" align="center" wrap="wrap" pt={4} pb="xs" aria-label={say('close.bulk.filter')}>
      <SearchField
        field={search}
        className={styles.search}
        label={say('close.bulk.search')}
        placeholder={say('close.bulk.search')}
        aria-keyshortcuts="/"
        value={filter.text}
        onText={(text) => onChange({ text })}
        onLeave={focusTable}
        testId="filter-text"
      />
      <NativeSelect
        size="xs"
        aria-label={say('close.openItems.cause')}
        value={filter.cause}
        data={[{ value: '', label: say('close.bulk.everyCause') }, ...causes]}
        onChange={(event) => onChange({ cause: event.currentTarget.value })}
        data-testid="filter-cause"
      />
      <NativeSelect
        size="xs"
        aria-label={say('close.bulk.age')}
        value={filter.age}
        data={[
          { value: '', label: say('close.bulk.everyAge') },
          ...statement.ageing.map((bucket) => ({ value: String(bucket.from_days), label: rangeText(bucket) })),
        ]}
        onChange={(event) => onChange({ age: event.currentTarget.value })}
        data-testid="filter-age"
      />
      <NativeSelect
        size="xs"
        aria-label={say('close.openItems.status')}
        value={filter.status}
        data={[{ value: '', label: say('close.bulk.everyStatus') }, { value: 'bare', label: say('close.bulk.notExplained') }, ...CHOICES]}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
        data-testid="filter-status"
      />
      {isNarrowed && (
        <>
          <span className="mid small" aria-live="polite" data-testid="filter-count">
            {say('close.bulk.shown', { shown })}
          </span>
          <TextButton
            className="small"
            onClick={() => {
              onChange(NO_FILTER);
              focusTable();
            }}
            data-testid="filter-clear"
          >
            {say('close.bulk.clearFilter')}
          </TextButton>
        </>
      )}
      <StatusExplains />
    </Flex>
  );
}

/** Lets a status explain an item, for the whole book. */
function StatusExplains() {
  const { statusExplains, isLocked, noEntry } = useClosing();
  const { letStatusExplain } = useCloseEdits();
  if (isLocked) return null;
  return (
    <Checkbox
      size="xs"
      ml="auto"
      label={say('close.bulk.statusExplains')}
      title={say('close.bulk.statusExplainsWhy')}
      checked={statusExplains}
      disabled={noEntry !== null}
      onChange={(event) => void letStatusExplain(event.currentTarget.checked)}
      data-testid="status-explains"
    />
  );
}

interface BulkBarProps {
  readonly lines: readonly ItemLine[];
  readonly onEnd: (isAll: boolean) => void;
}

const UNWRITTEN = { status: '', owner: '', expected: '', comment: '' };
type Unwritten = typeof UNWRITTEN;

function changeOf({ status, owner, expected, comment }: Unwritten): NoteChange {
  return {
    ...(status === '' ? {} : { status: status as ItemStatus }),
    ...(owner.trim() === '' ? {} : { owner: owner.trim() }),
    ...(expected === '' ? {} : { expected_on: expected }),
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
  };
}

const focusTable = (): void => document.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus();

/** Writes the same on all selected items. Fields that are left empty stay as they are. */
function BulkBar({ lines, onEnd }: BulkBarProps) {
  const { writeItems } = useCloseEdits();
  const { statement } = useClosing();
  const [written, setWritten] = useState(UNWRITTEN);
  const [isRunning, setRunning] = useState(false);
  const set = (change: Partial<Unwritten>): void => setWritten({ ...written, ...change });
  const isEmpty = Object.values(written).every((value) => value.trim() === '');
  const replaced = written.comment.trim() === '' ? 0 : lines.filter(({ note }) => (note?.comment ?? '') !== '').length;
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  async function write(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isEmpty || isRunning) return;
    setRunning(true);
    const isWritten = await writeItems(
      lines.map(({ recordId }) => recordId),
      changeOf(written),
    );
    setRunning(false);
    if (!isWritten) return;
    onEnd(false);
    focusTable();
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    focusTable();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in any field leads back to the table
    <Flex
      component="form"
      className={`framed ${styles.bulk}`}
      gap="xs"
      p="xs"
      align="center"
      wrap="wrap"
      onSubmit={(event) => void write(event)}
      onKeyDown={onKey}
      aria-label={say('close.bulk.title')}
      data-testid="bulk-bar"
    >
      <b aria-live="polite" data-testid="bulk-count">
        {say('close.bulk.selected', { count: lines.length })}
      </b>
      <span className="tabular mid small">{say('close.bulk.sum', { sum: plainAmount(sum, statement.decimal_places) })}</span>
      <WorkFields isForMany work={written} onWork={set} statuses={CHOICES} owners="close-owners" longestComment={500} name="bulk">
        <DateField
          size="xs"
          aria-label={say('close.bulk.expectedDay')}
          title={say('close.bulk.expectedDay')}
          value={written.expected}
          onChange={(expected) => set({ expected })}
          data-work="expected"
          data-testid="bulk-expected"
        />
      </WorkFields>
      <WriteButton type="submit" size="xs" loading={isRunning} disabled={isEmpty} data-testid="bulk-write">
        {say('close.bulk.write', { count: lines.length })}
      </WriteButton>
      <TextButton className="small" onClick={() => onEnd(false)} data-testid="bulk-clear">
        {say('close.bulk.clear')}
      </TextButton>
      {replaced > 0 && <span className="small mid">{say('close.bulk.replaces', { count: replaced })}</span>}
    </Flex>
  );
}

const TABLE_KEYS = ['N', 'T', 'O', 'X', 'Space', 'Control+A'].join(' ');

const COLUMNS = [
  { head: say('close.openItems.date'), width: 122 },
  { head: say('close.openItems.reference'), width: 'clamp(76px, 13cqi, 140px)' },
  { head: say('close.openItems.amount'), width: 'clamp(86px, 12cqi, 130px)', isFigure: true },
  { head: say('close.openItems.cause') },
  { head: say('close.openItems.days'), width: 46, isFigure: true },
  { head: say('close.openItems.expected'), width: 90, className: styles.expected },
  { head: say('close.openItems.status'), width: 'clamp(88px, 11cqi, 110px)', className: styles.status },
  { head: say('close.openItems.owner'), width: 52, className: styles.owner },
  { head: say('close.openItems.comment'), width: 'clamp(118px, 26cqi - 4rem, 30cqi)' },
];

interface ItemTableProps {
  readonly lines: readonly ItemLine[];
  readonly all: readonly ItemLine[];
  readonly keys: ItemKeys;
  readonly words: string;
}

function ItemTable({ lines, all, keys, words }: ItemTableProps) {
  const { isLocked } = useClosing();
  const isAll = keys.selected.size === all.length;
  const [date, ...others] = COLUMNS;
  const selecting = (
    <Flex component="span" display="inline-flex" gap="xs" align="center">
      {!isLocked && (
        <input
          type="checkbox"
          style={{ margin: 0 }}
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = !isAll && keys.selected.size > 0;
          }}
          aria-label={say('close.bulk.selectAll', { count: all.length })}
          title={say('close.bulk.selectAll', { count: all.length })}
          onChange={() => keys.selectAll(!isAll)}
          data-testid="select-all"
        />
      )}
      {date?.head}
    </Flex>
  );
  return (
    <div className="scrolls">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that arrow keys go through is a grid */}
      <FigureTable
        columns={[{ ...date, head: selecting }, ...others]}
        role="treegrid"
        aria-multiselectable={!isLocked}
        onKeyDown={keys.onKey}
        aria-label={say('close.openItems.openItemsInWords', { words })}
        aria-keyshortcuts={TABLE_KEYS}
      >
        <tbody>
          {lines.map((line) => (
            <ItemRow key={line.matchId === null ? line.recordId : `match ${line.matchId}`} line={line} keys={keys} />
          ))}
        </tbody>
      </FigureTable>
    </div>
  );
}

type Bucket = PeriodStatement['ageing'][number];

function rangeText({ from_days: from, to_days: to }: Bucket): string {
  if (to === null) return say('close.openItems.over', { from: from - 1 });
  return from === 0 ? say('close.openItems.upToDays', { to }) : `${from}–${to}`;
}

/** The ages of the open items in days on the last day of the period. */
function AgeingBar() {
  const { statement } = useClosing();
  const { ageing, decimal_places: places } = statement;
  const filled = ageing.filter(({ count }) => count > 0);
  const total = filled.reduce((sum, { count }) => sum + count, 0);
  const words = filled.map((bucket) => `${countOf(bucket.count, 'count.items')} ${rangeText(bucket)}`).join(', ');
  const titleOf = (bucket: Bucket): string =>
    `${rangeText(bucket)}: ${countOf(bucket.count, 'count.items')}${bucket.net === null ? '' : `, ${say('close.openItems.net', { net: plainAmount(bucket.net, places) })}`}`;
  return (
    <Flex align="center" gap={10} ml="auto" data-testid="ageing">
      {ageing.map((bucket, place) => (
        <span key={bucket.from_days} className={`row small nowrap ${styles.legend}`} title={titleOf(bucket)}>
          <ColorSwatch size={8} radius={2} withShadow={false} color={`var(--age-${place + 1})`} />
          {rangeText(bucket)}
        </span>
      ))}
      <VisuallyHidden>{words === '' ? say('close.openItems.noOpenItem') : words}</VisuallyHidden>
      <Progress.Root size={8} w={120} aria-hidden>
        {filled.map((bucket) => (
          <Progress.Section
            key={bucket.from_days}
            value={(100 * bucket.count) / total}
            color={`var(--age-${ageing.indexOf(bucket) + 1})`}
            title={titleOf(bucket)}
          />
        ))}
      </Progress.Root>
    </Flex>
  );
}

interface ItemRowProps {
  readonly line: ItemLine;
  readonly keys: ItemKeys;
}

const NOTHING = { status: 'open', owner: null, comment: null, expected_on: null } as const;

/** One line of the table. */
function ItemRow({ line, keys }: ItemRowProps) {
  return line.note === undefined ? <DifferenceRow line={line} keys={keys} /> : <Row line={line} keys={keys} note={line.note ?? NOTHING} />;
}

/** A match is no open item, so the note on its line is read separately. */
function DifferenceRow({ line, keys }: ItemRowProps) {
  const { reconciliation } = useClosing();
  const { data: value } = useOperation('open_items.get', { id: reconciliation.id, record_id: line.recordId });
  return <Row line={line} keys={keys} note={value ?? NOTHING} />;
}

type Note = NonNullable<ItemLine['note']>;

interface RowProps extends ItemRowProps {
  readonly note: Note;
}

function Row({ line, keys, note }: RowProps) {
  const { statement, isLocked, statusExplains } = useClosing();
  const { recordId } = line;
  const label = lineLabel(line);
  const isCurrent = keys.current === recordId;
  const isOpened = keys.opened === recordId;
  const isBare = (note.comment ?? '').trim() === '';
  return (
    <>
      <tr
        tabIndex={isCurrent ? 0 : -1}
        data-item={recordId}
        data-current={isCurrent || undefined}
        data-selected={keys.selected.has(recordId) || undefined}
        aria-selected={keys.selected.has(recordId)}
        data-bare={
          (!isLocked && (line.matchId === null ? line.wantsExplanation && !isExplained(note, statusExplains) : isBare)) || undefined
        }
        aria-expanded={isOpened}
        aria-label={`${lineName(line)}, ${plainAmount(line.amount, statement.decimal_places)}, ${line.cause}`}
        onFocus={() => keys.choose(recordId)}
        onClick={(event) => {
          if (isLocked || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          keys.select(recordId, event.shiftKey ? 'range' : 'toggle');
        }}
        data-testid="open-item"
      >
        <td>
          <Flex component="span" className="tabular" gap={2} align="center">
            <Check recordId={recordId} label={label} keys={keys} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="xs"
              tabIndex={-1}
              aria-label={isOpened ? say('close.itemRow.hideTheCausesOf', { label }) : say('close.itemRow.showTheCausesOf', { label })}
              onClick={() => keys.toggle(recordId)}
              data-testid="unfold-item"
            >
              {isOpened ? <IconChevronDown size={13} aria-hidden /> : <IconChevronRight size={13} aria-hidden />}
            </ActionIcon>
            {dateText(line.date)}
          </Flex>
        </td>
        <td title={lineName(line)}>{label}</td>
        <td className="amount">{plainAmount(line.amount, statement.decimal_places)}</td>
        <td title={line.causes[0] === undefined ? line.cause : withMinus(line.causes[0].sentence)}>{line.cause}</td>
        <td className="amount">
          {line.isLate && (
            <span className="doubt small" title={say('close.itemRow.olderThanMostWhenTheyCleared')}>
              {say('close.itemRow.late')}{' '}
            </span>
          )}
          {countText(line.days)}
        </td>
        <EditableCells line={line} keys={keys} note={note} label={label} />
      </tr>
      {isOpened && <Details line={line} />}
    </>
  );
}

/** The box that selects a row; with Shift, all rows since the last one. */
function Check({ recordId, label, keys }: { readonly recordId: number; readonly label: string; readonly keys: ItemKeys }) {
  const { isLocked } = useClosing();
  if (isLocked) return null;
  return (
    <input
      type="checkbox"
      style={{ margin: 0 }}
      tabIndex={-1}
      checked={keys.selected.has(recordId)}
      aria-label={say('close.bulk.select', { label })}
      onChange={() => undefined}
      onClick={(event) => {
        event.stopPropagation();
        keys.select(recordId, event.shiftKey ? 'range' : 'toggle');
      }}
      data-testid="select-item"
    />
  );
}

function EditableCells({ line, keys, note, label }: RowProps & { readonly label: string }) {
  const { isLocked } = useClosing();
  const { writeItem } = useCloseEdits();
  const { recordId } = line;
  const tabIndex = keys.current === recordId ? 0 : -1;
  const isEditing = (field: Field): boolean => keys.editing?.recordId === recordId && keys.editing.field === field;
  const write = (change: NoteChange): void => void writeItem(recordId, change);
  const orNull = (text: string): string | null => (text === '' ? null : text);
  const common = { isLocked, tabIndex, onEnd: keys.endEdit };
  const owner = note.owner ?? '';
  return (
    <>
      <td className={`tabular ${styles.expected}`}>
        <TextCell
          {...common}
          isDay
          label={say('close.itemRow.expectedDayOf', { label })}
          value={note.expected_on ?? ''}
          shown={line.expectedOn === null && note.expected_on === null ? <Dash /> : dateText(note.expected_on ?? line.expectedOn ?? '')}
          isEditing={isEditing('expected')}
          onEdit={() => keys.edit(recordId, 'expected')}
          onSave={(text) => write({ expected_on: orNull(text) })}
          testId="item-expected"
        />
      </td>
      <td className={styles.status}>
        {isLocked ? (
          <Box component="span" px={3}>
            {note.status === 'open' ? say('close.itemRow.open') : note.status.replaceAll('_', ' ')}
          </Box>
        ) : (
          <StatusCell
            status={note.status}
            name={label}
            tabIndex={tabIndex}
            isOpen={isEditing('status')}
            onOpen={() => keys.edit(recordId, 'status')}
            onClose={keys.endEdit}
            onChange={(status) => write({ status })}
          />
        )}
      </td>
      <td className={styles.owner}>
        <TextCell
          {...common}
          label={say('close.itemRow.ownerOf', { label })}
          value={owner}
          shown={owner === '' ? <Dash /> : <Letter>{initials(owner)}</Letter>}
          list="close-owners"
          isEditing={isEditing('owner')}
          onEdit={() => keys.edit(recordId, 'owner')}
          onSave={(text) => write({ owner: orNull(text) })}
          testId="item-owner"
        />
      </td>
      <td>
        <TextCell
          {...common}
          label={say('close.itemRow.commentOn', { label })}
          value={note.comment ?? ''}
          shown={(note.comment ?? '') === '' ? <NoComment isLocked={isLocked} /> : note.comment}
          isEditing={isEditing('comment')}
          onEdit={() => keys.edit(recordId, 'comment')}
          onSave={(text) => write({ comment: orNull(text) })}
          testId="item-comment"
        />
      </td>
    </>
  );
}

function NoComment({ isLocked }: { readonly isLocked: boolean }) {
  return (
    <Box component="span" c="var(--open-text)" fw={550}>
      {isLocked ? '–' : say('close.itemRow.addAComment')}
    </Box>
  );
}

function Dash() {
  return <span className="quiet">–</span>;
}

/** All likely causes, with links to the lines that they mention. */
function Details({ line }: { readonly line: ItemLine }) {
  return (
    <tr data-testid="item-details">
      <Box component="td" colSpan={9} className="wrap" bg="var(--sunken)" pl={22}>
        <p className="plain">
          <b>{lineName(line)}</b> <RecordLink recordId={line.recordId} text={say('close.itemRow.showTheLineInTheReconciliation')} />
        </p>
        <Box component="ul" m={0} pl="lg">
          <CauseLines causes={line.causes} />
          {line.causes.length === 0 && <li>{line.cause}.</li>}
        </Box>
      </Box>
    </tr>
  );
}

interface TextCellProps {
  /** The name of the field: `Comment on CHG-Q2`. */
  readonly label: string;
  readonly value: string;
  readonly shown: ReactNode;
  readonly isEditing: boolean;
  readonly isLocked: boolean;
  readonly tabIndex: number;
  readonly isDay?: boolean;
  readonly list?: string;
  readonly testId: string;
  readonly onEdit: () => void;
  readonly onEnd: () => void;
  readonly onSave: (value: string) => void;
}

/** A text that is edited in its cell. Enter stores it, Escape discards the edit. */
function TextCell({ label, value, shown, isEditing, isLocked, tabIndex, onEdit, ...field }: TextCellProps) {
  if (isEditing) return <CellInput label={label} value={value} {...field} />;
  if (isLocked)
    return (
      <Box component="span" px={3}>
        {shown}
      </Box>
    );
  return (
    <UnstyledButton
      className={`truncate ${styles.cell}`}
      tabIndex={tabIndex}
      aria-label={value === '' ? say('close.itemRow.none', { label }) : `${label}: ${value}`}
      title={value === '' ? undefined : value}
      onClick={onEdit}
      data-testid={field.testId}
    >
      {shown}
    </UnstyledButton>
  );
}

type CellInputProps = Omit<TextCellProps, 'shown' | 'isEditing' | 'isLocked' | 'tabIndex' | 'onEdit'>;

function CellInput({ label, value, isDay = false, list, testId, onEnd, onSave }: CellInputProps) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  function end(isKept: boolean): void {
    if (isOver.current) return;
    isOver.current = true;
    // A text that is no day is not stored, and does not delete the stored day.
    const isNoDay = isDay && text === '' && (field.current?.value ?? '') !== '';
    if (isKept && !isNoDay && text.trim() !== value) onSave(text.trim());
    onEnd();
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter');
  }
  const common = {
    ref: field,
    'aria-label': label,
    value: text,
    onKeyDown: onKey,
    onBlur: () => end(true),
    'data-testid': `${testId}-input`,
  };
  if (isDay) return <DateField {...common} size="xs" variant="unstyled" classNames={{ input: styles.input ?? '' }} onChange={setText} />;
  return (
    <input {...common} className={styles.input} list={list} maxLength={500} onChange={(event) => setText(event.currentTarget.value)} />
  );
}

interface StatusCellProps {
  readonly status: ItemStatus;
  readonly name: string;
  readonly isOpen: boolean;
  readonly tabIndex: number;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onChange: (status: ItemStatus) => void;
}

/** Chooses the status of an item from a menu. */
function StatusCell({ status, name, isOpen, tabIndex, onOpen, onClose, onChange }: StatusCellProps) {
  return (
    <Menu
      opened={isOpen}
      onChange={(opened) => (opened ? onOpen() : onClose())}
      position="bottom-start"
      width={170}
      shadow="md"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton
          className={`truncate ${styles.cell}`}
          tabIndex={tabIndex}
          aria-label={say('close.itemRow.statusOf', { name, statusWords: STATUS_WORDS[status] })}
          data-testid="item-status"
        >
          {STATUS_WORDS[status]}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(STATUS_WORDS) as ItemStatus[]).map((each) => (
          <Menu.Item
            key={each}
            leftSection={<IconCheck size={14} aria-hidden style={{ visibility: each === status ? 'visible' : 'hidden' }} />}
            onClick={() => onChange(each)}
            aria-current={each === status || undefined}
            data-autofocus={each === status || undefined}
            data-testid={`status-${each}`}
          >
            {STATUS_WORDS[each]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
