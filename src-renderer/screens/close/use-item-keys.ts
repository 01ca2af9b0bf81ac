import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useClosing } from './close-context.ts';
import { type ItemLine, PAGE } from './use-items.ts';

export type Field = 'comment' | 'owner' | 'expected' | 'status';

export interface ItemKeys {
  readonly current: number | null;
  readonly opened: number | null;
  readonly editing: { readonly recordId: number; readonly field: Field } | null;
  readonly choose: (recordId: number) => void;
  readonly toggle: (recordId: number) => void;
  readonly edit: (recordId: number, field: Field) => void;
  readonly endEdit: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

const rowOf = (recordId: number): HTMLElement | null => document.querySelector(`[data-item="${recordId}"]`);

const FIELD_KEYS: Readonly<Record<string, Field>> = { n: 'comment', t: 'status', o: 'owner', x: 'expected' };

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

/** Holds which row is focused, which one is expanded, and which cell is edited. */
export function useItemKeys(lines: readonly ItemLine[], setPage: (page: number) => void): ItemKeys {
  const { jumped, statement, isLocked } = useClosing();
  const [current, setCurrent] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const [editing, setEditing] = useState<ItemKeys['editing']>(null);
  const focusOn = useFocusOn();
  const place = lines.findIndex((line) => line.recordId === current);

  useEffect(() => {
    if (jumped === null) return;
    const at = statement.open_items.findIndex((item) => item.record_id === jumped.recordId);
    if (at >= 0) setPage(Math.floor(at / PAGE));
    setCurrent(jumped.recordId);
    focusOn(jumped.recordId);
    // Only a jump moves the focus; a new statement does not.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [jumped]);

  function moveTo(next: number): void {
    const line = lines[Math.max(0, Math.min(lines.length - 1, next))];
    if (line === undefined) return;
    setCurrent(line.recordId);
    focusOn(line.recordId);
  }
  function edit(recordId: number, field: Field): void {
    if (isLocked) return;
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
  useShortcuts({
    j: () => void act('j'),
    k: () => void act('k'),
    n: () => void act('n'),
    t: () => void act('t'),
  });
  return {
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
    onKey(event) {
      // Controls of the row handle their own keys.
      if (!(event.target instanceof HTMLElement) || event.target.dataset['item'] === undefined) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (!act(key)) return;
      event.preventDefault();
      // Otherwise the menu that this key opened would take the key for a press outside and close.
      event.stopPropagation();
    },
  };
}
