/** A possible meaning of a header. A header may have several; the content of the column decides. */
export type Meaning =
  | 'date'
  | 'value_date'
  | 'amount'
  | 'paid_in'
  | 'paid_out'
  | 'balance'
  | 'direction'
  | 'currency'
  | 'description'
  | 'external_id'
  | 'reference'
  | 'status'
  | 'account';

export interface HeaderMeaning {
  readonly meaning: Meaning;
  /** 1 to 10; a higher rank is more certain. */
  readonly rank: number;
}
