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

/** The book does not take on what it was given; `trouble` says why. */
export function nothingTakenOn(trouble: string): SyncStop {
  return new SyncStop('storage_full', `The book takes nothing on: ${trouble} Sync again then.`);
}

/** The answer to a request got lost that cannot be sent again without a look at what it did. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer';
}
