import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useClosing } from './close-context.ts';
import { type ItemLine, PAGE } from './use-items.ts';

/** How a row is added to the selection: alone beside the others, or with all rows since the last one. */
type SelectHow = 'toggle' | 'range';

export type Field = 'comment' | 'owner' | 'expected' | 'status';

export interface ItemKeys {
  readonly current: number | null;
  readonly opened: number | null;
  readonly editing: { readonly recordId: number; readonly field: Field } | null;
  /** The selected items, also those on other pages. */
  readonly selected: ReadonlySet<number>;
  readonly select: (recordId: number, how: SelectHow) => void;
  readonly selectAll: (isAll: boolean) => void;
  readonly choose: (recordId: number) => void;
  readonly toggle: (recordId: number) => void;
  readonly edit: (recordId: number, field: Field) => void;
  readonly endEdit: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

const rowOf = (recordId: number): HTMLElement | null => document.querySelector(`[data-item="${recordId}"]`);

const FIELD_KEYS: Readonly<Record<string, Field>> = { n: 'comment', t: 'status', o: 'owner', x: 'expected' };

/** The fields of the bar for many items, by the name of the cell that it writes. */
const bulkField = (field: Field): HTMLElement | null => document.querySelector(`[data-testid="bulk-bar"] [data-work="${field}"]`);

/** Holds which items are selected. Items that are gone or filtered out are not. */
function useSelection(all: readonly ItemLine[]) {
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number | null>(null);
  const selected = useMemo(() => new Set(all.flatMap(({ recordId }) => (picked.has(recordId) ? [recordId] : []))), [all, picked]);
  function select(recordId: number, how: SelectHow): void {
    const next = new Set(selected);
    const [from, to] = [anchor ?? recordId, recordId].map((id) => all.findIndex((line) => line.recordId === id)) as [number, number];
    if (how === 'range' && from >= 0) {
      for (const line of all.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(line.recordId);
    } else {
      if (!next.delete(recordId)) next.add(recordId);
      setAnchor(recordId);
    }
    setPicked(next);
  }
  const selectAll = (isAll: boolean): void => {
    setPicked(new Set(isAll ? all.map(({ recordId }) => recordId) : []));
    setAnchor(null);
  };
  return { selected, select, selectAll };
}

/** Returns a function that focuses the row of a record as soon as it is rendered. The last call wins. */
function useFocusOn(): (recordId: number) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = rowOf(wanted.current);
    if (row === null) return;
    wanted.current = null;
    row.focus();
    row.scrollIntoView({ block: 'center' });
  });
  return useCallback((recordId) => {
    wanted.current = recordId;
  }, []);
}

interface Picking extends Pick<ItemKeys, 'selected' | 'select' | 'selectAll'> {
  readonly lines: readonly ItemLine[];
  readonly place: number;
  readonly moveTo: (place: number) => void;
}

/** Handles a key that selects. Returns whether it was one. */
function picks({ lines, place, moveTo, selected, select, selectAll }: Picking, { key, shiftKey: isShift }: KeyboardEvent): boolean {
  const line = lines[place];
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (isShift && step !== 0) {
    const after = lines[place + step];
    if (line === undefined || after === undefined) return true;
    if (selected.size === 0) select(line.recordId, 'toggle');
    select(after.recordId, 'range');
    moveTo(place + step);
  } else if (key === ' ' && line !== undefined) select(line.recordId, 'toggle');
  else if (key === 'Escape' && selected.size > 0) selectAll(false);
  else return false;
  return true;
}

/** Whether a key belongs to a row. Controls of the row handle their own keys. */
function isOfRow({ target, altKey }: KeyboardEvent): boolean {
  return !altKey && target instanceof HTMLElement && target.dataset['item'] !== undefined;
}

/** Calls `arrive` with the page and the item of each jump. Only a jump does so; a new statement does not. */
function useJumps(all: readonly ItemLine[], arrive: (recordId: number, page: number | null) => void): void {
  const { jumped } = useClosing();
  useEffect(() => {
    if (jumped === null) return;
    const at = all.findIndex((line) => line.recordId === jumped.recordId);
    arrive(jumped.recordId, at < 0 ? null : Math.floor(at / PAGE));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [jumped]);
}

/** Holds which row is focused, which one is expanded, and which cell is edited. */
export function useItemKeys(lines: readonly ItemLine[], all: readonly ItemLine[], setPage: (page: number) => void): ItemKeys {
  const { isLocked } = useClosing();
  const selection = useSelection(all);
  const [current, setCurrent] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const [editing, setEditing] = useState<ItemKeys['editing']>(null);
  const focusOn = useFocusOn();
  const place = lines.findIndex((line) => line.recordId === current);

  useJumps(all, (recordId, page) => {
    if (page !== null) setPage(page);
    setCurrent(recordId);
    focusOn(recordId);
  });

  function moveTo(next: number): void {
    const line = lines[Math.max(0, Math.min(lines.length - 1, next))];
    if (line === undefined) return;
    setCurrent(line.recordId);
    focusOn(line.recordId);
  }
  function edit(recordId: number, field: Field): void {
    if (isLocked) return;
    const inBar = selection.selected.size > 1 ? bulkField(field) : null;
    if (inBar !== null) {
      inBar.focus();
      return;
    }
    setCurrent(recordId);
    setEditing({ recordId, field });
  }
  const toggle = (recordId: number): void => setOpened(opened === recordId ? null : recordId);
  function act(key: string): boolean {
    const line = lines[place];
    if (key === 'ArrowDown' || key === 'j') moveTo(place + 1);
    else if (key === 'ArrowUp' || key === 'k') moveTo(place < 0 ? 0 : place - 1);
    else if (key === 'Home') moveTo(0);
    else if (key === 'End') moveTo(lines.length - 1);
    else if (key === 'Enter' && line !== undefined) toggle(line.recordId);
    else if (FIELD_KEYS[key] !== undefined) edit((line ?? lines[0])?.recordId ?? -1, FIELD_KEYS[key]);
    else return false;
    return true;
  }
  function onKey(event: KeyboardEvent): void {
    if (!isOfRow(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key !== 'a' || isLocked) return;
      selection.selectAll(true);
    } else if (!(!isLocked && picks({ ...selection, lines, place, moveTo }, event)) && !act(key)) return;
    event.preventDefault();
    // Otherwise the menu that this key opened would take the key for a press outside and close.
    event.stopPropagation();
  }
  useShortcuts(Object.fromEntries(['j', 'k', 'n', 't'].map((key) => [key, () => void act(key)])));
  return {
    ...selection,
    current: place < 0 ? (lines[0]?.recordId ?? null) : current,
    opened,
    editing,
    choose: setCurrent,
    toggle,
    edit,
    endEdit() {
      if (editing !== null) focusOn(editing.recordId);
      setEditing(null);
    },
    onKey,
  };
}
