import type { SignConvention } from '../../src-shared/contract/index.ts';
import { balancingPlace } from '../../src-shared/values/balancing.ts';
import type { WriteHandle } from '../database/database.ts';
import { memberAmounts, setDifference } from '../matches/store/matches.ts';

const CHUNK_MATCHES = 1_000;

interface Member {
  readonly side: 'a' | 'b';
  readonly amount: number;
  /** 1 for credit, 0 for debit. */
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
 * Returns side A's net minus side B's under the sign convention, in minor units at the finest scale of the members; null if it exceeds 2^53-1. Net is
 * credits minus debits; `any` compares magnitudes, `opposite` negates side B.
 */
export function matchDifference(members: readonly Member[], convention: SignConvention): number | null {
  const net = netsOf(members);
  const difference = convention === 'any' ? magnitude(net.a) - magnitude(net.b) : convention === 'opposite' ? net.a + net.b : net.a - net.b;
  const value = Number(difference);
  return Number.isSafeInteger(value) ? value : null;
}

/** Returns the record that would make the difference 0; null if it is 0. `balancingPlace` chooses its side. */
export function balancingRecord(members: readonly Member[], convention: SignConvention): Member | null {
  const difference = matchDifference(members, convention);
  if (difference === null || difference === 0) return null;
  const { scale, ...nets } = netsOf(members);
  const isOfSideA = members.every((member) => member.side === 'a');
  const { side, isCredit } = balancingPlace(nets, difference, convention, isOfSideA);
  return { side, amount: Math.abs(difference), direction: isCredit ? 1 : 0, decimal_places: scale };
}

/** Computes the differences of all matches of a reconciliation under another convention. Returns false if one would exceed 2^53-1. */
export function rebalance(write: WriteHandle, reconciliationId: number, convention: SignConvention): boolean {
  const differences = new Map<number, number>();
  for (let after = 0, isMore = true; isMore;) {
    const byMatch = Map.groupBy(memberAmounts(write, reconciliationId, after, CHUNK_MATCHES), (member) => member.match_id);
    for (const [id, members] of byMatch) {
      const difference = matchDifference(members, convention);
      if (difference === null) return false;
      differences.set(id, difference);
      after = id;
    }
    isMore = byMatch.size > 0;
  }
  for (const [id, difference] of differences) setDifference(write, id, difference);
  return true;
}
