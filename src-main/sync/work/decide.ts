import type { Choice } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import type { Counted } from './sync-result.ts';

/** What is to be done with one object. `agree` and `forget` change links alone. */
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
  /** Hashes of now; null where there is none. */
  readonly local: string | null;
  readonly remote: string | null;
  /** What the sides agreed on last. */
  readonly link: { readonly local_hash: string; readonly remote_hash: string } | undefined;
}

/** Three ways: here, there, and what both agreed on last. */
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

/** How a choice is carried out: the side that was chosen is what both are from then on. */
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
 * Of a book that was put back from a backup: what it alone has, or has in this form, is counted, so that a person is asked before it goes to the other side. Where
 * the other side holds, it yields.
 */
export function yielded({ putBack }: Pick<SyncContext, 'putBack'>, counted: Counted, decision: Decision): Decision {
  if (putBack === null || (decision !== 'make_there' && decision !== 'change_there' && decision !== 'merge')) return decision;
  const as = decision === 'make_there' ? counted : 'changes';
  putBack.onlyHere.set(as, (putBack.onlyHere.get(as) ?? 0) + 1);
  if (!putBack.takes) return decision;
  return decision === 'make_there' ? 'remove_here' : 'change_here';
}

/** What is to be done with edits of both sides that can be merged: that, unless a person has chosen a side, as where one of them refused the merged object. */
export function mergedUnless(choice: Choice | null): Decision {
  if (choice === 'keep_local') return 'change_there';
  return choice === 'take_remote' ? 'change_here' : 'merge';
}

/** What a side refused for a closed period, after somebody chose: the other way round, or once more. */
export function overruled(decision: Decision, choice: Choice | null): Decision {
  const against = AGAINST[decision];
  return against !== undefined && against[0] === choice ? against[1] : decision;
}
