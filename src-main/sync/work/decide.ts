import type { Choice } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import type { Counted } from './sync-result.ts';

/** The action for one object. `agree` and `forget` only change links. */
export type Decision =
  | 'same'
  | 'agree'
  | 'forget'
  | 'make_here'
  | 'make_there'
  | 'change_here'
  | 'change_there'
  | 'remove_here'
  | 'remove_there'
  | 'merge'
  | 'conflict';

interface Known {
  /** Current hashes; null where the object does not exist. */
  readonly local: string | null;
  readonly remote: string | null;
  /** The hashes on which both sides last agreed; undefined if the object is not linked. */
  readonly link: { readonly local_hash: string; readonly remote_hash: string } | undefined;
}

/** Decides by three-way comparison: local hash, remote hash, and the last agreed hashes. */
export function decide({ local, remote, link }: Known): Decision {
  if (link === undefined) {
    if (local === null) return remote === null ? 'forget' : 'make_here';
    if (remote === null) return 'make_there';
    return local === remote ? 'agree' : 'conflict';
  }
  const changedHere = local !== null && local !== link.local_hash;
  const changedThere = remote !== null && remote !== link.remote_hash;
  if (local === null) return remote === null ? 'forget' : changedThere ? 'conflict' : 'remove_there';
  if (remote === null) return changedHere ? 'conflict' : 'remove_here';
  if (!changedHere && !changedThere) return 'same';
  if (changedHere && changedThere) return local === remote ? 'agree' : 'conflict';
  return changedHere ? 'change_there' : 'change_here';
}

/** Returns the action for a choice: the chosen side's state becomes that of both. */
export function carriedOut(choice: Choice, is: { readonly here: boolean; readonly there: boolean }): Decision {
  if (choice === 'keep_local') return is.here ? (is.there ? 'change_there' : 'make_there') : 'remove_there';
  return is.there ? (is.here ? 'change_here' : 'make_here') : 'remove_here';
}

const AGAINST: Readonly<Partial<Record<Decision, readonly [Choice, Decision]>>> = {
  make_here: ['keep_local', 'remove_there'],
  change_here: ['keep_local', 'change_there'],
  remove_here: ['keep_local', 'make_there'],
  make_there: ['take_remote', 'remove_here'],
  change_there: ['take_remote', 'change_here'],
  remove_there: ['take_remote', 'make_here'],
};

/**
 * Counts what only a restored book has, or has in this form, so that a person is asked before it is sent. Returns the reverse action if the person
 * chose to take the remote's state.
 */
export function yielded({ putBack }: Pick<SyncContext, 'putBack'>, counted: Counted, decision: Decision): Decision {
  if (putBack === null || (decision !== 'make_there' && decision !== 'change_there' && decision !== 'merge')) return decision;
  const as = decision === 'make_there' ? counted : 'changes';
  putBack.onlyHere.set(as, (putBack.onlyHere.get(as) ?? 0) + 1);
  if (!putBack.takes) return decision;
  return decision === 'make_there' ? 'remove_here' : 'change_here';
}

/** Returns the action for edits that can be merged: merge, unless a person chose a side because a side refused the merged object. */
export function mergedUnless(choice: Choice | null): Decision {
  if (choice === 'keep_local') return 'change_there';
  return choice === 'take_remote' ? 'change_here' : 'merge';
}

/** Returns the action after a choice about a closed period: the reverse one, or the same once more. */
export function overruled(decision: Decision, choice: Choice | null): Decision {
  const against = AGAINST[decision];
  return against !== undefined && against[0] === choice ? against[1] : decision;
}
