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
    | 'correct_currency'
    | 'write_item'
    | 'change_period'
    | 'create_period'
    | 'remove_period'
    | 'decide_conflict'
    | 'settle_unsure';
  /** Id of the match, of the bank account, of the rule, of the separation, of the import batch, of the conflict of a sync, or of what is unsure after one. */
  readonly targetId: number;
  /** What the operation is given; left out: the id alone. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What was done, as in `Undo: matched 2 lines`. */
  readonly label: string;
  /** What does it again once it is undone; left out where nothing does. */
  readonly again?: Pick<Undoable, 'kind' | 'targetId' | 'input'>;
  /** Whose sign-off puts an end to undoing it. */
  readonly period?: PeriodMark;
}

/** A period as it was signed when something was done in it. */
export interface PeriodMark {
  readonly id: number;
  readonly reconciliationId: number;
  readonly signed: string;
}

/** When a period was signed, and by whom: another text once somebody has signed. */
export function signedMark(period: Readonly<Record<'prepared_at' | 'reviewed_at' | 'closed_at', string | null>>): string {
  return [period.prepared_at, period.reviewed_at, period.closed_at].map((at) => at ?? '').join(' ');
}

interface UndoStack {
  /** Oldest first. */
  readonly entries: readonly Undoable[];
  /** What was undone and can be done again; what is done next is last. */
  readonly undone: readonly Undoable[];
  readonly push: (entry: Undoable) => void;
  /** Takes one entry out, wherever it stands: a notification may undo an older change. */
  readonly take: (entry: Undoable) => boolean;
  /** Keeps an entry that was undone; one that cannot be done again ends what could be. */
  readonly keepUndone: (entry: Undoable) => void;
  readonly takeUndone: () => Undoable | undefined;
  /** Puts an entry back that was done again, or one that could not be undone now. */
  readonly putBack: (entry: Undoable) => void;
  readonly putBackUndone: (entry: Undoable) => void;
  /** Forgets what was done in a period that is signed now. */
  readonly seal: (periodId: number) => void;
  /** A period that was created again has another id. */
  readonly renumberPeriod: (from: number, to: number) => void;
}

/** Changes of this session only: a book opened again starts with none. */
export const UNDO_LIMIT = 200;

const PERIOD_KINDS: ReadonlySet<Undoable['kind']> = new Set(['change_period', 'create_period', 'remove_period']);

function renumbered(entry: Undoable, from: number, to: number): Undoable {
  const { again, period } = entry;
  const targetOf = (named: Pick<Undoable, 'kind' | 'targetId'>): number =>
    PERIOD_KINDS.has(named.kind) && named.targetId === from ? to : named.targetId;
  return {
    ...entry,
    targetId: targetOf(entry),
    ...(again === undefined ? {} : { again: { ...again, targetId: targetOf(again) } }),
    ...(period === undefined ? {} : { period: period.id === from ? { ...period, id: to } : period }),
  };
}

export function createUndoStack() {
  return createStore<UndoStack>()((set, get) => ({
    entries: [],
    undone: [],
    push: (entry) => set(({ entries }) => ({ entries: [...entries, entry].slice(-UNDO_LIMIT), undone: [] })),
    take(entry) {
      const { entries } = get();
      if (!entries.includes(entry)) return false;
      set({ entries: entries.filter((other) => other !== entry) });
      return true;
    },
    keepUndone: (entry) => set(({ undone }) => ({ undone: entry.again === undefined ? [] : [...undone, entry] })),
    takeUndone() {
      const entry = get().undone.at(-1);
      if (entry !== undefined) set(({ undone }) => ({ undone: undone.slice(0, -1) }));
      return entry;
    },
    putBack: (entry) => set(({ entries }) => ({ entries: [...entries, entry].slice(-UNDO_LIMIT) })),
    putBackUndone: (entry) => set(({ undone }) => ({ undone: [...undone, entry] })),
    seal(periodId) {
      const isOther = ({ period }: Undoable): boolean => period?.id !== periodId;
      set(({ entries, undone }) => ({ entries: entries.filter(isOther), undone: undone.filter(isOther) }));
    },
    renumberPeriod: (from, to) =>
      set(({ entries, undone }) => ({
        entries: entries.map((entry) => renumbered(entry, from, to)),
        undone: undone.map((entry) => renumbered(entry, from, to)),
      })),
  }));
}

export const undoStack = createUndoStack();
