/** The minor units of an account's balances. */
export interface Scale {
  readonly currency: string | null;
  readonly decimalPlaces: number;
}
