import { moneyText, plainAmount } from '../format/money.ts';

/** Signed minor units, in figures of equal width. Without `currency` the number alone. */
export function Amount({
  minor,
  currency,
  decimalPlaces,
}: {
  readonly minor: number;
  readonly currency?: string | null;
  readonly decimalPlaces: number;
}) {
  const hasCurrency = currency !== undefined && currency !== null;
  return <span className="amount">{hasCurrency ? moneyText(minor, currency, decimalPlaces) : plainAmount(minor, decimalPlaces)}</span>;
}
