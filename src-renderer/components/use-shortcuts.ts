import { useEffect, useEffectEvent } from 'react';

/**
 * `mod` is Ctrl, or Cmd on a Mac. `mod+shift` has Shift as well. A single key works wherever no text is being typed. `g 2` is G, then 2: a key that
 * something else on the screen may have as well.
 */
type Shortcut = `mod+${string}` | string;

const TYPED_INPUTS = new Set(['text', 'search', 'number', 'email', 'password', 'url', 'tel', 'date']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return TYPED_INPUTS.has(target.type);
  // A letter in a select chooses among its options.
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}

const LEADER = 'g';
/** Whether G was the key before this one, and the meaning of each key press, which is the same for every listener. */
let isLed = false;
const meanings = new WeakMap<KeyboardEvent, string>();

function shortcutOf(event: KeyboardEvent): string {
  const known = meanings.get(event);
  if (known !== undefined) return known;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isPlain = !event.ctrlKey && !event.metaKey;
  const meaning = isPlain ? (isLed ? `${LEADER} ${key}` : key) : event.shiftKey ? `mod+shift+${key}` : `mod+${key}`;
  isLed = isPlain && !isLed && key === LEADER && !isTyping(event.target);
  meanings.set(event, meaning);
  return meaning;
}

/** Shortcuts that work while a text is typed too. */
const IN_TEXTS = new Set(['mod+Enter', 'mod+k']);

function pressAgain(press: KeyboardEventInit): void {
  const target = document.activeElement ?? document.body;
  const { key = '' } = press;
  if (isTyping(target) && key.length === 1) document.execCommand('insertText', false, key);
  else target.dispatchEvent(new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true }));
}

/** Presses keys one after another: what one opens hears the next one. */
async function pressInTurn(presses: readonly KeyboardEventInit[]): Promise<void> {
  for (const press of presses) {
    await new Promise<void>((resolve) => void setTimeout(resolve));
    pressAgain(press);
  }
}

/** Keeps the keys that nothing hears while a screen is on its way, and presses them again in their order when it is there. */
export function useKeptKeys(isOnItsWay = true): void {
  useEffect(() => {
    if (!isOnItsWay) return undefined;
    const kept: KeyboardEventInit[] = [];
    const keep = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey } = event;
      if (event.defaultPrevented || event.altKey || event.repeat || isTyping(event.target) || isInDialog(event.target)) return;
      // Space and Enter alone belong to the button that has the focus.
      const isKept = ctrlKey || metaKey ? key === 'Enter' || key === 'k' : key === 'F6' || (key.length === 1 && key !== ' ');
      if (!isKept) return;
      event.preventDefault();
      kept.push({ key, ctrlKey, metaKey, shiftKey });
    };
    // The window hears a key after the document, where the shortcuts are.
    window.addEventListener('keydown', keep);
    return () => {
      window.removeEventListener('keydown', keep);
      void pressInTurn(kept);
    };
  }, [isOnItsWay]);
}

/**
 * Listens for keys while the component is mounted. It ignores dialogs, and text input except for `IN_TEXTS`. One that `isFirst` hears a key before
 * those that are not, and keeps it from them.
 */
export function useShortcuts(shortcuts: Readonly<Record<Shortcut, () => void>>, isFirst = false): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.repeat || isInDialog(event.target)) return;
    const shortcut = shortcutOf(event);
    if (isTyping(event.target) && !IN_TEXTS.has(shortcut)) return;
    const act = shortcuts[shortcut];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen, { capture: isFirst });
    return () => document.removeEventListener('keydown', listen, { capture: isFirst });
  }, [isFirst]);
}
