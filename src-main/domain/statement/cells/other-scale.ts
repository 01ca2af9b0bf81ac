import { decimalPlacesOf } from '../../../../src-shared/values/money.ts';

/** An amount in minor units, and the decimal places these units have. */
interface Scaled {
  readonly minor: number;
  readonly decimalPlaces: number;
}

export type Rescaled = Scaled | 'too_many_decimals' | 'out_of_range';

/**
 * Returns the same amount in another currency: 12.00 with two decimals is 12 with none. `isInMinorUnits`: the file writes whole minor units, so the
 * digits stay and the value changes. An amount with more decimals than its own currency may keep them.
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

/** Returns the amount with trailing zeros removed, with at least `least` decimal places. */
function withoutZeros(minor: number, decimalPlaces: number, least: number): Scaled {
  let [rest, places] = [minor, decimalPlaces];
  for (; places > least && rest % 10 === 0; places -= 1) rest /= 10;
  return { minor: rest, decimalPlaces: places };
}
