import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import type { Side } from '../../records/fields.ts';
import type { SumRange } from '../../subset-sum/meet-in-the-middle.ts';
import { SUM_LIMITS } from '../../subset-sum/subset-sum.ts';

/** Credits minus debits of each side, in minor units at one scale. */
interface Nets {
  readonly a: bigint;
  readonly b: bigint;
}

/**
 * Returns what further records of a side must sum up to, credits minus debits, so that the nets of the sides differ by at most `tolerance` minor
 * units. Returns no range if they already do, or if the sums would be too large to be exact. Under `any`, which compares magnitudes, there are two
 * ranges.
 */
export function rangesToBalance(nets: Nets, side: Side, convention: SignConvention, tolerance: bigint): SumRange[] {
  const own = nets[side];
  const other = nets[side === 'a' ? 'b' : 'a'];
  const goals = convention === 'any' ? [-magnitude(other), magnitude(other)] : [convention === 'opposite' ? -other : other];
  const ranges: { low: bigint; high: bigint }[] = [];
  for (const goal of goals) {
    const range = { low: goal - own - tolerance, high: goal - own + tolerance };
    if (range.low <= 0n && range.high >= 0n) return [];
    const last = ranges.at(-1);
    // Goals are ascending, so adjacent ranges touch at their ends.
    if (last !== undefined && last.high + 1n >= range.low) last.high = range.high;
    else ranges.push(range);
  }
  const most = BigInt(SUM_LIMITS.units);
  return ranges
    .filter(({ low, high }) => magnitude(low) <= most && magnitude(high) <= most)
    .map(({ low, high }) => ({ low: Number(low), high: Number(high) }));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
