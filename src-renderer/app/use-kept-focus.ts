import { useEffect } from 'react';

/** Elements that had the focus, newest last. Older ones are of no use: somebody who closes a dialog goes on where it was opened. */
const MOST_REMEMBERED = 16;
/** What may take the focus within a list whose entry has gone. */
const FOCUSABLE = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex]'].join(',');
/** A text is no place for somebody who pressed a button: the keys of commands, such as undo, would go into the text. */
const TEXTS = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select';
/** Beyond these the neighbours of an element have nothing to do with it. */
const OF_ITS_OWN = ['main', 'header', 'footer', '[role="dialog"]', '[role="menu"]', '[data-portal]', '.mantine-Notifications-root'].join(
  ',',
);
/** The grids keep a focus of their own, also while its row is scrolled out of sight. */
const GRID = '.tieout-grid';

/** An element that had the focus, and what held it then, nearest first: a removed element no longer knows its ancestors. */
interface Remembered {
  readonly element: HTMLElement;
  readonly ancestors: readonly HTMLElement[];
}

function remember(element: HTMLElement): Remembered {
  const ancestors: HTMLElement[] = [];
  for (let each = element.parentElement; each !== null && !each.matches(OF_ITS_OWN); each = each.parentElement) ancestors.push(each);
  return { element, ancestors };
}

function takesFocus(element: HTMLElement): boolean {
  const isOff = element.matches(':disabled') || element.closest('[inert]') !== null;
  return element.isConnected && !isOff && element.checkVisibility({ visibilityProperty: true });
}

/** Returns what takes the focus in place of an element: itself while it can, else the first in what is left of its list. */
function inPlaceOf({ element, ancestors }: Remembered, frame: HTMLElement | null): HTMLElement | undefined {
  if (takesFocus(element)) return element;
  for (const ancestor of ancestors) {
    if (ancestor === frame) return undefined;
    const near = ancestor.isConnected ? [...ancestor.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
    const next = near.find((each) => takesFocus(each) && (element.matches(TEXTS) || !each.matches(TEXTS)));
    if (next !== undefined) return next;
  }
  return undefined;
}

/** Remembers where the focus was, and gives it back when what has it goes or is switched off. */
class FocusKeeper {
  #known: Remembered[] = [];
  /** Whether a person let the focus go, by a press of the mouse beside everything. */
  #isLetGo = false;
  #isDue = false;
  /** A button that is off while its command runs gets the focus again by the change that turns it on. */
  #isWaiting = false;

  gained(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    this.#isLetGo = false;
    this.#isWaiting = false;
    this.#known = [...this.#known.filter(({ element }) => element !== target), remember(target)].slice(-MOST_REMEMBERED);
  }

  lost(target: EventTarget | null): void {
    setTimeout(() => {
      const isLetGo = target instanceof HTMLElement && document.activeElement === document.body && takesFocus(target);
      if (isLetGo && !this.#isWaiting) this.#isLetGo = true;
    });
  }

  changed(changes: readonly MutationRecord[]): void {
    const last = this.#known.at(-1);
    // A list that is sorted anew moves the row of a field that is in use: the field is still there, but without the focus.
    const isMoved = changes.some(({ removedNodes }) => [...removedNodes].some((node) => last !== undefined && node.contains(last.element)));
    if (isMoved && last !== undefined && document.activeElement === document.body && takesFocus(last.element)) {
      last.element.focus({ preventScroll: true });
      return;
    }
    if (last === undefined || this.#isDue || this.#isLetGo || !this.#isLost(last)) return;
    if (!takesFocus(last.element)) {
      // What moves the focus on purpose, such as a new screen or a dialog that opens, comes first.
      this.#isDue = true;
      setTimeout(() => this.#giveBack());
    } else if (this.#isWaiting) last.element.focus({ preventScroll: true });
  }

  /** Whether nothing has the focus, or an element that cannot have it any longer. */
  #isLost({ element }: Remembered): boolean {
    const { activeElement } = document;
    return activeElement === document.body || (activeElement === element && !takesFocus(element));
  }

  #giveBack(): void {
    this.#isDue = false;
    const last = this.#known.at(-1);
    if (last === undefined || !this.#isLost(last) || takesFocus(last.element)) return;
    if (last.ancestors.some((ancestor) => ancestor.matches(GRID) && ancestor.isConnected)) return;
    this.#isWaiting = last.element.isConnected && last.element.matches('[data-loading]');
    if (this.#isWaiting) return;
    const frame = document.querySelector<HTMLElement>('#page > section');
    for (const each of this.#known.toReversed()) {
      const next = inPlaceOf(each, frame);
      if (next !== undefined) return next.focus({ preventScroll: true });
    }
    frame?.focus({ preventScroll: true });
  }
}

/**
 * Keeps the focus of the keyboard in the window. An element with the focus that goes, as a dialog that closes or the button of a message, would leave
 * it nowhere, and the next key press would begin at the top of the page. It returns to what had it before, such as the button that opened the dialog;
 * where that has gone as well, to what is left of its list; else to the screen.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const keeper = new FocusKeeper();
    const observer = new MutationObserver((changes) => keeper.changed(changes));
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'hidden', 'inert'] });
    const gained = ({ target }: FocusEvent): void => keeper.gained(target);
    const lost = ({ target, relatedTarget }: FocusEvent): void => {
      if (relatedTarget === null) keeper.lost(target);
    };
    document.addEventListener('focusin', gained);
    document.addEventListener('focusout', lost);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', gained);
      document.removeEventListener('focusout', lost);
    };
  }, []);
}
