/** What a side answers to a change: done, or refused with its own words. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Refusal };

/**
 * Ends a sync: the remote is unusable, or the book cannot be written. `field` is what of an answer did not fit. Thrown, since it ends every step on the way;
 * what is expected of a single object is an `Answer`.
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

/** A person's word that a sync waits for, by what it is about. */
export const SYNC_ANSWERS = {
  /** Of a remote that answers as another one than was known: it is the one, or one that the book has not met. */
  remote_is: ['known', 'new'],
  /** Of a remote that has lost what both agreed on: it gets it again, or the book takes over what is left there. */
  lost_history: ['send_again', 'take'],
  /** Of this book, put back from a backup or copied since the last sync; and of what it alone has then: it goes to the remote, or away here. */
  restored_book: ['go_on', 'send_again', 'take'],
  /** Of a sync that was undone here: what it did holds after all, or what is here holds and goes to the remote. */
  undone_sync: ['take', 'keep'],
} as const;
export type SyncAsked = keyof typeof SYNC_ANSWERS;
export type SyncAnswers = { readonly [Asked in SyncAsked]?: (typeof SYNC_ANSWERS)[Asked][number] | undefined };

/** Which of them a code of an error asks for. */
export const ASKED_BY: Readonly<Record<string, SyncAsked>> = {
  remote_is_another: 'remote_is',
  remote_lost_history: 'lost_history',
  book_was_put_back: 'restored_book',
  sync_was_undone: 'undone_sync',
};

/** Stops a sync before anything is written on either side, until a person has answered. */
export class SyncQuestion extends SyncStop {
  readonly remoteId: number | null;
  /** What a person answers about: an answer is good for this alone. */
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

/** The book does not take on what it was given; `trouble` says why. */
export function nothingTakenOn(trouble: string): SyncStop {
  return new SyncStop('storage_full', `The book takes nothing on: ${trouble} Sync again then.`);
}

/** The answer to a request got lost that cannot be sent again without a look at what it did. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer';
}
