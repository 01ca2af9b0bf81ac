import type { ReconciliationSummary } from '../../src-shared/contract/index.ts';
import { compareText } from '../domain/records/content.ts';
import type { ReconciliationTotals } from '../reconciliations/store/figures.ts';
import { SUM_BASE } from '../records/store/records.ts';

type SideSummary = ReconciliationSummary['side_a'];
type Total = SideSummary['totals'][number];

/** The figures of one currency and scale, or a part of them; nets in minor units. */
interface Part {
  readonly currency: string;
  readonly decimal_places: number;
  readonly records: number;
  readonly matched: number;
  readonly proposed: number;
  readonly net: bigint;
  readonly matchedNet: bigint;
  readonly proposedNet: bigint;
  readonly adjusted: bigint;
}

const sumOf = ({ high, low }: { readonly high: number; readonly low: number }): bigint => BigInt(high) * SUM_BASE + BigInt(low);

/** Returns the parts of a side: its matched, open and proposed lines, and its adjustments. */
function partsOf(name: 'a' | 'b', { lines, adjustments }: ReconciliationTotals): Part[] {
  const none = { records: 0, matched: 0, proposed: 0, net: 0n, matchedNet: 0n, proposedNet: 0n, adjusted: 0n };
  return [
    ...lines
      .filter(({ side }) => side === name)
      .map(({ currency, decimal_places, records, state, ...sums }): Part => {
        const net = sumOf(sums);
        const matched = state === 'matched' ? { matched: records, matchedNet: net } : {};
        const proposed = state === 'proposed' ? { proposed: records, proposedNet: net } : {};
        return { ...none, currency, decimal_places, records, net, ...matched, ...proposed };
      }),
    ...adjustments
      .filter(({ side }) => side === name)
      .map(({ currency, decimal_places, ...sums }): Part => ({ ...none, currency, decimal_places, adjusted: sumOf(sums) })),
  ];
}

function countsOf(parts: readonly Part[]) {
  const sum = (member: 'records' | 'matched' | 'proposed') => parts.reduce((count, part) => count + part[member], 0);
  const [records, matched, proposed] = [sum('records'), sum('matched'), sum('proposed')];
  return { records, matched, open: records - matched, proposed, unmatched: records - matched };
}

/** Returns the figures of one currency at its finest scale; null if a sum exceeds 2^53-1. Open is computed as the rest, so that the lines add up. */
function totalOf(currency: string, parts: readonly Part[]): Total | null {
  const scale = Math.max(...parts.map((part) => part.decimal_places));
  const sum = (member: 'net' | 'matchedNet' | 'proposedNet' | 'adjusted') =>
    parts.reduce((total, part) => total + part[member] * 10n ** BigInt(scale - part.decimal_places), 0n);
  const [net, matched] = [sum('net'), sum('matchedNet')];
  const nets = {
    net: Number(net),
    matched_net: Number(matched),
    open_net: Number(net - matched),
    proposed_net: Number(sum('proposedNet')),
    unmatched_net: Number(net - matched),
    adjusted_net: Number(sum('adjusted')),
  };
  if (!Object.values(nets).every((value) => Number.isSafeInteger(value))) return null;
  return { currency, decimal_places: scale, ...countsOf(parts), ...nets };
}

/** Returns one total per currency: most lines first, then by code. */
function sideOf(parts: readonly Part[]): SideSummary | null {
  const totals = [...Map.groupBy(parts, (part) => part.currency)].map(([currency, own]) => totalOf(currency, own));
  const whole = totals.filter((total) => total !== null);
  if (whole.length < totals.length) return null;
  return {
    ...countsOf(parts),
    totals: whole.toSorted((left, right) => right.records - left.records || compareText(left.currency, right.currency)),
  };
}

/** Returns what is matched, proposed and open on both sides; null if a sum is out of range. */
export function summaryOf(id: number, totals: ReconciliationTotals): ReconciliationSummary | null {
  const [a, b] = [sideOf(partsOf('a', totals)), sideOf(partsOf('b', totals))];
  if (a === null || b === null) return null;
  const { matches, proposedMatches, differingMatches } = totals;
  return {
    reconciliation_id: id,
    matches,
    proposed_matches: proposedMatches,
    differing_matches: differingMatches,
    side_a: a,
    side_b: b,
  };
}
