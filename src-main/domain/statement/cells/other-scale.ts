import { decimalPlacesOf } from '../../../../src-shared/values/money.ts';

/** Minor units and the decimal places that they count. */
interface Scaled {
  readonly minor: number;
  readonly decimalPlaces: number;
}

export type Rescaled = Scaled | 'too_many_decimals' | 'out_of_range';

/**
 * The same amount as an amount of another currency: 12.00 of two decimals is 12 of none. `isInMinorUnits`: the file writes whole minor units, so that its digits stay
 * and their value changes. An amount with more decimals than its own currency has may keep them.
 */
export function inCurrency({ minor, decimalPlaces }: Scaled, from: string, to: string, isInMinorUnits: boolean): Rescaled {
  const places = decimalPlacesOf(to);
  if (isInMinorUnits) return { minor, decimalPlaces: places };
  if (decimalPlaces <= places) return scaledUp(minor, decimalPlaces, places);
  const { minor: fewest, decimalPlaces: least } = withoutZeros(minor, decimalPlaces, places);
  if (least === places || decimalPlaces > decimalPlacesOf(from)) return { minor: fewest, decimalPlaces: least };
  return 'too_many_decimals';
}

function scaledUp(minor: number, from: number, to: number): Rescaled {
  const scaled = minor * 10 ** (to - from);
  return Number.isSafeInteger(scaled) ? { minor: scaled, decimalPlaces: to } : 'out_of_range';
}

/** With as few decimal places as it can be written, but no fewer than `least`. */
function withoutZeros(minor: number, decimalPlaces: number, least: number): Scaled {
  let [rest, places] = [minor, decimalPlaces];
  for (; places > least && rest % 10 === 0; places -= 1) rest /= 10;
  return { minor: rest, decimalPlaces: places };
}
