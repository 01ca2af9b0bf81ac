/** The low-volume resources, which are compared as a whole; each comes after those that it refers to. */
export const LOW_VOLUME = ['accounts', 'streams', 'properties', 'reconciliations', 'rules', 'stories', 'imports', 'balances'] as const;
export type LowVolume = (typeof LOW_VOLUME)[number];
export type Resource = LowVolume | 'records' | 'matches' | 'overdue';

/** The actions that a side may support. */
export type Act = 'list' | 'create' | 'update' | 'remove';

/** The content of an object by field. References are ids of the side from which it was read, as text; streams are referred to by key. */
export type Fields = Readonly<Record<string, unknown>>;

/** One object of one side. */
export interface Item {
  /** Its id on its side as text; for a stream, its key. */
  readonly key: string;
  readonly id: number;
  /** The compared content: the fields that both sides carry. */
  readonly fields: Fields;
  /** Fields that are sent only when the object is created. */
  readonly extra: Fields;
}

/** The fields that hold ids of another resource. */
export const REFERENCES: Readonly<Partial<Record<LowVolume, Readonly<Record<string, LowVolume>>>>> = {
  streams: { account: 'accounts' },
  rules: { reconciliation: 'reconciliations' },
  balances: { account: 'accounts' },
};

/** A record as both sides can carry it. `amount` is signed, in minor units: money out is negative. */
export interface RecordContent {
  readonly date: string;
  readonly value_date: string | null;
  readonly amount: number;
  /** Distinguishes money in from money out if the amount is 0. */
  readonly direction: 'credit' | 'debit';
  readonly currency: string;
  readonly decimal_places: number;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly metadata: Fields;
}

export interface RecordItem {
  readonly key: string;
  readonly content: RecordContent;
  /** Overdue marks by reconciliation id, if the side lists them. */
  readonly overdue: readonly { readonly reconciliation: string; readonly at: string }[];
}

export interface DifferenceSaid {
  readonly code: string;
  readonly note: string | null;
}

/** The content of a match. `records` holds ids of its side, without the adjustment. */
export interface MatchContent {
  readonly records: readonly string[];
  /** The description of the adjustment; null if there is none. */
  readonly adjustment: string | null;
  readonly reason: DifferenceSaid | null;
}
