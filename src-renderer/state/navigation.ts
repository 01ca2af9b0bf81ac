import { create } from 'zustand';
import { onAddressChange, readAddress, writeAddress } from '../api/address.ts';
import { type Place, placeFrom, placeText } from './places.ts';

export type Dialog = 'new_reconciliation' | 'keyboard_help' | 'palette' | 'open_book' | 'new_book' | 'move_book' | null;

interface Navigation {
  readonly place: Place;
  readonly dialog: Dialog;
  /** Whether the menu of a narrow window is open. */
  readonly isMenuOpen: boolean;
  readonly go: (place: Place) => void;
  readonly open: (dialog: Dialog) => void;
  readonly setMenuOpen: (isOpen: boolean) => void;
}

export const useNavigation = create<Navigation>()((set) => ({
  place: placeFrom(readAddress()),
  dialog: null,
  isMenuOpen: false,
  go(place) {
    writeAddress(placeText(place));
    rememberPlace(place.screen === 'reconciliation' ? placeText({ screen: 'reconciliation', id: place.id }) : placeText(place));
    set({ place, isMenuOpen: false, dialog: null });
  },
  open: (dialog) => set({ dialog }),
  setMenuOpen: (isMenuOpen) => set({ isMenuOpen }),
}));

onAddressChange((text) => useNavigation.setState({ place: placeFrom(text), isMenuOpen: false, dialog: null }));

const KEY = 'tieout-reconciliation';

/** Returns the reconciliation that was opened last, in this or an earlier window; null when there is none. */
export function lastReconciliation(): number | null {
  const id = Number(localStorage.getItem(KEY));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export function rememberReconciliation(id: number): void {
  localStorage.setItem(KEY, String(id));
}

const RECENT_KEY = 'tieout-recent';
const MOST_REMEMBERED = 30;

/** Returns the places and actions that were chosen last, in this or an earlier window, the newest first. */
export function recentPlaces(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    // The browser stores nothing for pages, or another program wrote it.
    return [];
  }
}

/** Remembers a place by its address, or an action by its name, as the newest. */
export function rememberPlace(key: string): void {
  try {
    localStorage.setItem(RECENT_KEY, JSON.stringify([key, ...recentPlaces().filter((each) => each !== key)].slice(0, MOST_REMEMBERED)));
  } catch {
    // The browser stores nothing for pages.
  }
}
