import { ActionIcon, Box, Flex, Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import { useOperation } from '../../api/use-operation.ts';
import { DateField } from '../../components/date-field.tsx';
import { Letter } from '../../components/primitives.tsx';
import { dateText } from '../../format/dates.ts';
import { isExplained } from '../../../src-shared/contract/close/period-statement.ts';
import { initials, type ItemStatus, lineLabel, lineName, withMinus } from '../../format/close-words.ts';
import { countText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import styles from './close.module.css';
import { CauseLines, RecordLink } from './record-link.tsx';
import { type NoteChange, useCloseEdits } from './use-close-edits.ts';
import type { Field, ItemKeys } from './use-item-keys.ts';
import type { ItemLine } from './use-items.ts';
import { say } from '../../../src-shared/words/say.ts';

interface ItemRowProps {
  readonly line: ItemLine;
  readonly keys: ItemKeys;
}

const NOTHING = { status: 'open', owner: null, comment: null, expected_on: null } as const;

/** One line of the table. */
export function ItemRow({ line, keys }: ItemRowProps) {
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
              size={18}
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
