import { createStore } from 'zustand/vanilla';

/** A change that can be taken back, by the operation that does so. */
export interface Undoable {
  readonly kind:
    | 'undo_create'
    | 'restore'
    | 'restore_account'
    | 'restore_rule'
    | 'restore_separation'
    | 'remove_import'
    | 'undo_confirmations'
    | 'change_rule'
    | 'restore_alias'
    | 'correct_currency';
  /** Id of the match, of the bank account, of the rule, of the separation, or of the import batch. */
  readonly targetId: number;
  /** What the operation is given; left out: the id alone. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What was done, as in `Undo: matched 2 lines`. */
  readonly label: string;
}

interface UndoStack {
  /** Oldest first. */
  readonly entries: readonly Undoable[];
  readonly push: (entry: Undoable) => void;
  /** Takes one entry out, wherever it stands: a notification may undo an older change. */
  readonly take: (entry: Undoable) => boolean;
}

/** Changes of this session only: a book opened again starts with none. */
export const UNDO_LIMIT = 200;

export function createUndoStack() {
  return createStore<UndoStack>()((set, get) => ({
    entries: [],
    push: (entry) => set(({ entries }) => ({ entries: [...entries, entry].slice(-UNDO_LIMIT) })),
    take(entry) {
      const { entries } = get();
      if (!entries.includes(entry)) return false;
      set({ entries: entries.filter((other) => other !== entry) });
      return true;
    },
  }));
}

export const undoStack = createUndoStack();
