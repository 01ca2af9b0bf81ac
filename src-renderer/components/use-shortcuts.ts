import { useEffect, useEffectEvent } from 'react';

/** `mod` is Ctrl, or Cmd on a Mac. `mod+shift` has Shift as well. A single key works wherever no text is being typed. */
type Shortcut = `mod+${string}` | string;

const TYPED_INPUTS = new Set(['text', 'search', 'number', 'email', 'password', 'url', 'tel', 'date']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return TYPED_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}

function shortcutOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!event.ctrlKey && !event.metaKey) return key;
  return event.shiftKey ? `mod+shift+${key}` : `mod+${key}`;
}

/** Listens for keys while the component is mounted. It ignores dialogs, and text input except for `mod+Enter`. */
export function useShortcuts(shortcuts: Readonly<Record<Shortcut, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.repeat || isInDialog(event.target)) return;
    const shortcut = shortcutOf(event);
    if (isTyping(event.target) && shortcut !== 'mod+Enter') return;
    const act = shortcuts[shortcut];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
