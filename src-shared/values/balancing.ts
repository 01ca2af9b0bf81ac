export type Convention = 'any' | 'same' | 'opposite';

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
export function balancingPlace({ a, b }: Nets, difference: number, convention: Convention, isOfSideA: boolean): BalancingPlace {
  const side = isOfSideA ? 'b' : 'a';
  const own = side === 'a' ? a : b;
  const sign = own !== 0n ? own : side === 'a' ? b : a;
  // The growth that the side's net, or its magnitude, needs; `opposite` adds the nets, so both sides count alike.
  const growth = side === 'a' || convention === 'opposite' ? -difference : difference;
  return { side, isCredit: convention === 'any' && sign < 0n ? growth < 0 : growth > 0 };
}

/** A line of a match: an amount in minor units at its own scale. */
export interface Member {
  readonly side: 'a' | 'b';
  readonly amount: number;
  /** 1 credit, 0 debit. */
  readonly direction: number;
  readonly decimal_places: number;
}

/** Returns the net of each side (credits minus debits) in minor units at the finest scale of the members. */
export function netsOf(members: readonly Member[]): { readonly a: bigint; readonly b: bigint; readonly scale: number } {
  const scale = members.reduce((finest, member) => Math.max(finest, member.decimal_places), 0);
  const net = { a: 0n, b: 0n };
  for (const member of members) {
    const minor = BigInt(member.amount) * 10n ** BigInt(scale - member.decimal_places);
    net[member.side] += member.direction === 1 ? minor : -minor;
  }
  return { ...net, scale };
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

/**
 * Returns side A's net minus side B's under the sign convention, in minor units at the finest scale of the members; null when it is beyond 2^53-1.
 * Net = credits minus debits; `any` compares magnitudes, `opposite` negates side B.
 */
export function matchDifference(members: readonly Member[], convention: Convention): number | null {
  const net = netsOf(members);
  const difference = convention === 'any' ? magnitude(net.a) - magnitude(net.b) : convention === 'opposite' ? net.a + net.b : net.a - net.b;
  const value = Number(difference);
  return Number.isSafeInteger(value) ? value : null;
}

/** Returns the record that would make the difference 0, or null when it is 0. `balancingPlace` chooses its side. */
export function balancingRecord(members: readonly Member[], convention: Convention): Member | null {
  const difference = matchDifference(members, convention);
  if (difference === null || difference === 0) return null;
  const { scale, ...nets } = netsOf(members);
  const isOfSideA = members.every((member) => member.side === 'a');
  const { side, isCredit } = balancingPlace(nets, difference, convention, isOfSideA);
  return { side, amount: Math.abs(difference), direction: isCredit ? 1 : 0, decimal_places: scale };
}
