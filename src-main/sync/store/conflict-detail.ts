/** A record as one side holds it. `amount` is signed, in minor units. */
export interface ConflictRecord {
  readonly local_id: number | null;
  readonly stream: string;
  readonly date: string;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly decimal_places: number;
}

export interface ConflictSide {
  /** Whether the side does not have the object, or no longer has it. */
  readonly gone: boolean;
  readonly fields: readonly { readonly name: string; readonly words: string }[];
  readonly records: readonly ConflictRecord[];
  /** The description of the record that makes a match balance; null if there is none. */
  readonly adjustment: string | null;
}

/** Both sides of a conflict as a sync saw them, stored as JSON. */
export interface ConflictDetail {
  readonly title: string;
  readonly words: string;
  readonly stream: string | null;
  readonly reconciliation_id: number | null;
  readonly account_id: number | null;
  /** The day and type of a balance; null for other conflicts. */
  readonly balance: { readonly date: string; readonly type: string } | null;
  readonly here: ConflictSide;
  readonly there: ConflictSide;
}
