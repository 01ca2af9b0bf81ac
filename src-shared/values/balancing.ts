/** The nets of both sides (credits minus debits), in minor units at one scale. */
interface Nets {
  readonly a: bigint;
  readonly b: bigint;
}

/** The side and direction in which an amount balances the sides. */
interface BalancingPlace {
  readonly side: 'a' | 'b';
  readonly isCredit: boolean;
}

/**
 * Returns where to add the amount of the difference: on side A (the books in the app's order, because the bank's lines are facts), or on side B if
 * all lines are on side A. Under `any` it changes the net's magnitude, and a net of 0 takes the sign of the other side. `difference` is A against B
 * under the convention; it must not be 0.
 */
export function balancingPlace(
  { a, b }: Nets,
  difference: number,
  convention: 'any' | 'same' | 'opposite',
  isOfSideA: boolean,
): BalancingPlace {
  const side = isOfSideA ? 'b' : 'a';
  const own = side === 'a' ? a : b;
  const sign = own !== 0n ? own : side === 'a' ? b : a;
  // The growth that the side's net, or its magnitude, needs; `opposite` adds the nets, so both sides count alike.
  const growth = side === 'a' || convention === 'opposite' ? -difference : difference;
  return { side, isCredit: convention === 'any' && sign < 0n ? growth < 0 : growth > 0 };
}
