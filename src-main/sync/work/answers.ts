import { phrase } from '../../../src-shared/words/say.ts';
/** A side's refusal of a change, in its own words. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Refusal };

/**
 * Ends a sync because the remote is unusable or the book cannot be written. It is thrown because it ends every step; failures of single objects are
 * `Answer`s. `field` names the part of an answer that was invalid.
 */
export class SyncStop extends Error {
  override readonly name = 'SyncStop';
  readonly code: string;
  readonly field: string | undefined;

  constructor(code: string, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** The answers that a person can give to the question of a sync. */
const SYNC_ANSWERS = {
  /** The remote states another identity than before: it is the known one, or a new one. */
  remote_is: ['known', 'new'],
  /** The remote has lost what both sides agreed on: send it again, or take over what is left there. */
  lost_history: ['send_again', 'take'],
  /** This book was restored or copied since the last sync: go on; or, for what only this book has, send it to the remote or remove it here. */
  restored_book: ['go_on', 'send_again', 'take'],
  /** A sync was undone here: take its changes again, or keep the local state and send it. */
  undone_sync: ['take', 'keep'],
  /** A stream of both sides was filled from files of different accounts: it is the same one nevertheless. */
  differing_accounts: ['go_on'],
} as const;
export type SyncAsked = keyof typeof SYNC_ANSWERS;
export type SyncAnswers = { readonly [Asked in SyncAsked]?: (typeof SYNC_ANSWERS)[Asked][number] | undefined };

/** The question that each error code asks. */
export const ASKED_BY: Readonly<Record<string, SyncAsked>> = {
  remote_is_another: 'remote_is',
  remote_lost_history: 'lost_history',
  book_was_put_back: 'restored_book',
  sync_was_undone: 'undone_sync',
  accounts_differ: 'differing_accounts',
};

/** Stops a sync until a person has answered, before anything is written on either side. */
export class SyncQuestion extends SyncStop {
  readonly remoteId: number | null;
  /** Identifies the situation; an answer is valid only for it. */
  readonly about: string;
  readonly choices: readonly string[];

  constructor(
    code: string,
    message: string,
    of: { readonly remoteId: number | null; readonly about: string; readonly choices: readonly string[] },
  ) {
    super(code, message);
    this.remoteId = of.remoteId;
    this.about = of.about;
    this.choices = of.choices;
  }
}

/** Returns the stop for a book that accepts no writes; `trouble` gives the reason. */
export function nothingTakenOn(trouble: string): SyncStop {
  return new SyncStop('storage_full', phrase('sync.answers.theBookTakesNothingOn', { trouble }));
}

/** The answer to a request was lost, and the request must not be repeated before a check of what it did. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer';
}
