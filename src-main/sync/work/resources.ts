/** What is few enough to be compared as a whole, in the order in which one refers to another. */
export const FEW = ['accounts', 'streams', 'properties', 'reconciliations', 'rules', 'stories', 'imports', 'balances'] as const;
export type Few = (typeof FEW)[number];
export type Resource = Few | 'records' | 'matches' | 'overdue';

/** What can be asked of a side. */
export type Act = 'list' | 'create' | 'update' | 'remove';

/** An object's content by field. References are ids of the side that it was read from, as text; streams go by their key. */
export type Fields = Readonly<Record<string, unknown>>;

/** One object of one side. */
export interface Item {
  /** Its id on its side as text, of a stream its key. */
  readonly key: string;
  readonly id: number;
  /** What both sides can carry: this is compared. */
  readonly fields: Fields;
  /** What is only said when it is made. */
  readonly extra: Fields;
}

/** Which fields hold ids of another resource. */
export const REFERENCES: Readonly<Partial<Record<Few, Readonly<Record<string, Few>>>>> = {
  streams: { account: 'accounts' },
  rules: { reconciliation: 'reconciliations' },
  balances: { account: 'accounts' },
};

/** A record as both sides can carry it. `amount` is signed: money out is negative. */
export interface RecordContent {
  readonly date: string;
  readonly value_date: string | null;
  readonly amount: number;
  /** Tells in from out where the amount is 0. */
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
  /** Marks by the id of the reconciliation, where the side tells them. */
  readonly overdue: readonly { readonly reconciliation: string; readonly at: string }[];
}

export interface DifferenceSaid {
  readonly code: string;
  readonly note: string | null;
}

/** What ties records: ids of its side without the adjustment. */
export interface MatchContent {
  readonly records: readonly string[];
  /** The words of the record that makes it balance; null where there is none. */
  readonly adjustment: string | null;
  readonly reason: DifferenceSaid | null;
}
