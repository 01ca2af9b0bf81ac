import type { SyncConflict, SyncUnsure } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

/** An entry that a person has to decide: a conflict, or a record that may have arrived at the remote. `key` is unique among all entries. */
export type ToDecide = { readonly key: string; readonly title: string; readonly choice: string | null } & (
  | { readonly conflict: SyncConflict; readonly unsure: null }
  | { readonly conflict: null; readonly unsure: SyncUnsure }
);

export const conflictKey = (id: number): string => `conflict-${id}`;

export function ofConflict(conflict: SyncConflict): ToDecide {
  return { key: conflictKey(conflict.id), title: conflict.title, choice: conflict.choice, conflict, unsure: null };
}

export function ofUnsure(unsure: SyncUnsure): ToDecide {
  return { key: `unsure-${unsure.id}`, title: unsure.sent_as, choice: unsure.choice, conflict: null, unsure };
}

export interface DecideGroups {
  readonly figures: readonly ToDecide[];
  readonly others: readonly ToDecide[];
  readonly unsure: readonly ToDecide[];
  readonly decided: readonly ToDecide[];
}

/** Returns the entries to decide, those that change a figure first. Decided entries wait for the next sync. */
export function groupsOf(conflicts: readonly SyncConflict[], unsure: readonly SyncUnsure[]): DecideGroups {
  const all = [...conflicts.map(ofConflict), ...unsure.map(ofUnsure)];
  const open = all.filter(({ choice }) => choice === null);
  return {
    figures: open.filter(({ conflict }) => conflict?.changes_figures === true),
    others: open.filter(({ conflict }) => conflict?.changes_figures === false),
    unsure: open.filter(({ conflict }) => conflict === null),
    decided: all.filter(({ choice }) => choice !== null),
  };
}

/** Returns the undecided entries in the order of the list. */
export function undecidedOf({ figures, others, unsure }: Omit<DecideGroups, 'decided'>): readonly ToDecide[] {
  return [...figures, ...others, ...unsure];
}

/** Returns the key of the next or previous entry; the list wraps around. Null when there is no other entry. */
export function neighbourOf(list: readonly ToDecide[], key: string | null, by: 1 | -1): string | null {
  const at = list.findIndex((one) => one.key === key);
  if (at < 0) return list.at(by === 1 ? 0 : -1)?.key ?? null;
  const next = list[(at + by + list.length) % list.length];
  return next === undefined || next.key === key ? null : next.key;
}

/** The choice that an uncertain record did not arrive and is sent again. Any other choice is the record's id at the remote. */
export const SEND_AGAIN = 'send_again';

/** Returns the words for the choice that was made about an uncertain record. */
export const unsureChoiceWords = (choice: string): string =>
  choice === SEND_AGAIN ? say('sync.syncConflicts.isSentAgain') : say('sync.syncConflicts.isThereAs', { choice });

const CHOICES: Readonly<Record<string, string>> = {
  keep_local: say('sync.choices.keepLocal'),
  take_remote: say('sync.choices.takeRemote'),
  same: say('sync.choices.same'),
  both: say('sync.choices.both'),
};

/** Returns the words for a choice when the service's outcomes are not loaded. */
export function choiceWords(choice: string): string {
  const text = CHOICES[choice] ?? choice.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
