/** What a header can say about its column. One header may say several; the column's content decides. */
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
  /** 1..10, higher is surer. */
  readonly rank: number;
}
