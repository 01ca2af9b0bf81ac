/** Nets of both sides (credits minus debits), minor units at one scale. */
interface Nets {
  readonly a: bigint;
  readonly b: bigint;
}

/** Where the amount of the difference has to stand so that the sides balance. */
interface BalancingPlace {
  readonly side: 'a' | 'b';
  readonly isCredit: boolean;
}

/**
 * On side A (in the app's order the books: what the bank says is a fact), on side B when all lines are of side A, whose counterpart it then is. Under
 * `any` it moves the net's magnitude, and a net of 0 takes the sign of the other side. `difference` is A against B under the convention, and not 0.
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
  // What the side's net, or its magnitude, has to grow by; `opposite` adds the nets up, so both sides count alike.
  const growth = side === 'a' || convention === 'opposite' ? -difference : difference;
  return { side, isCredit: convention === 'any' && sign < 0n ? growth < 0 : growth > 0 };
}
