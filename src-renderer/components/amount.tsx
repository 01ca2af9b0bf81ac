import { moneyText, plainAmount } from '../format/money.ts';

/** An amount in signed minor units, in digits of equal width. Without `currency` only the number is shown. */
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
