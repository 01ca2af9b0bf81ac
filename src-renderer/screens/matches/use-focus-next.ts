import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus, when an entry is removed from a list, to the entry that takes its position. */
export function useFocusNext(
  list: RefObject<HTMLElement | null>,
  keys: readonly (number | string)[] | undefined,
): (key: number | string) => void {
  const leaving = useRef<{ readonly key: number | string; readonly position: number } | null>(null);
  useEffect(() => {
    const gone = leaving.current;
    if (gone === null || keys === undefined || keys.includes(gone.key)) return;
    leaving.current = null;
    const entries = list.current?.querySelectorAll('li') ?? [];
    entries[Math.min(gone.position, entries.length - 1)]?.querySelector('button')?.focus();
  }, [keys, list]);
  return (key) => {
    leaving.current = { key, position: Math.max(0, keys?.indexOf(key) ?? 0) };
  };
}
