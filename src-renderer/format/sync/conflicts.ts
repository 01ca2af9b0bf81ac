import type { SyncConflict } from '../../../src-shared/contract/index.ts';

export interface ConflictGroups {
  readonly figures: readonly SyncConflict[];
  readonly others: readonly SyncConflict[];
  readonly decided: readonly SyncConflict[];
}

/** What is to decide, that which moves a figure first; what is decided waits for the next sync. */
export function groupsOf(conflicts: readonly SyncConflict[]): ConflictGroups {
  const open = conflicts.filter(({ choice }) => choice === null);
  return {
    figures: open.filter(({ changes_figures: changes }) => changes),
    others: open.filter(({ changes_figures: changes }) => !changes),
    decided: conflicts.filter(({ choice }) => choice !== null),
  };
}

/** What is to decide, in the order in which it is listed. */
export function undecidedOf({ figures, others }: Pick<ConflictGroups, 'figures' | 'others'>): readonly SyncConflict[] {
  return [...figures, ...others];
}

/** The neighbour of one in a list, from end to start and back; null where there is no other. */
export function neighbourOf(list: readonly SyncConflict[], id: number | null, by: 1 | -1): number | null {
  const at = list.findIndex((conflict) => conflict.id === id);
  if (at < 0) return list.at(by === 1 ? 0 : -1)?.id ?? null;
  const next = list[(at + by + list.length) % list.length];
  return next === undefined || next.id === id ? null : next.id;
}

const CHOICES: Readonly<Record<string, string>> = { keep_local: 'Kept as it is here', take_remote: 'Taken from there' };

/** What was decided, where the outcomes are not at hand. */
export function choiceWords(choice: string): string {
  const text = CHOICES[choice] ?? choice.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
