/** A record as one side has it. `amount` is signed. */
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
  /** It is not there, or no more. */
  readonly gone: boolean;
  readonly fields: readonly { readonly name: string; readonly words: string }[];
  readonly records: readonly ConflictRecord[];
  /** Words of the record that makes a match balance. */
  readonly adjustment: string | null;
}

/** Both sides of a conflict as a sync saw them, kept as JSON. */
export interface ConflictDetail {
  readonly title: string;
  readonly words: string;
  readonly stream: string | null;
  readonly reconciliation_id: number | null;
  readonly account_id: number | null;
  /** Day and type of a balance. */
  readonly balance: { readonly date: string; readonly type: string } | null;
  readonly here: ConflictSide;
  readonly there: ConflictSide;
}
