import type { ReconciliationSummary } from '../../src-shared/contract/index.ts';
import { rescaled, type SignConvention } from './money.ts';

/** Each line of a side is matched or open, and some of the open ones are proposed; the last is all of them. */
export const COLUMNS = ['matched', 'open', 'proposed', 'total'] as const;
export type SummaryColumn = (typeof COLUMNS)[number];

interface Cell {
  /** Lines; null where a row has no lines of its own. */
  readonly count: number | null;
  /** Credits minus debits, minor units. */
  readonly net: number;
}
export type SummaryRow = Readonly<Record<SummaryColumn, Cell>>;

/** The figures of one currency, in rows and columns that add up both ways. */
export interface SummaryTable {
  readonly currency: string;
  readonly decimal_places: number;
  readonly a: SummaryRow;
  readonly b: SummaryRow;
  /** How a difference is made of the two sides' nets. */
  readonly weights: { readonly a: 1 | -1; readonly b: 1 | -1 };
  readonly difference: SummaryRow;
  /** What adjustments make up of it, and what is left then; null where there are none. */
  readonly adjusted: SummaryRow | null;
  readonly left: SummaryRow | null;
}

type Total = ReconciliationSummary['side_a']['totals'][number];

function rowOf(make: (column: SummaryColumn) => Cell): SummaryRow {
  return { matched: make('matched'), open: make('open'), proposed: make('proposed'), total: make('total') };
}

/**
 * How the sides are set against each other: one way for the whole table, or it would not add up. Where signs are not compared, it is the way in which
 * the totals' sizes are.
 */
function weightsOf(convention: SignConvention, netA: number, netB: number): SummaryTable['weights'] {
  if (convention === 'same') return { a: 1, b: -1 };
  if (convention === 'opposite') return { a: 1, b: 1 };
  const isTurned = (netA === 0 ? netB : netA) < 0;
  const areOpposed = netA !== 0 && netB !== 0 && netA < 0 !== netB < 0;
  const a = isTurned ? -1 : 1;
  return { a, b: areOpposed ? a : a === 1 ? -1 : 1 };
}

const NET_OF = { matched: 'matched_net', open: 'open_net', proposed: 'proposed_net', total: 'net' } as const;
const COUNT_OF = { matched: 'matched', open: 'open', proposed: 'proposed', total: 'records' } as const;

function tableOf(currency: string, a: Total | undefined, b: Total | undefined, convention: SignConvention): SummaryTable {
  const scale = Math.max(a?.decimal_places ?? 0, b?.decimal_places ?? 0);
  const minor = (total: Total | undefined, member: (typeof NET_OF)[SummaryColumn] | 'adjusted_net') =>
    total === undefined ? 0 : rescaled(total[member], total.decimal_places, scale);
  const side = (total: Total | undefined) =>
    rowOf((column) => ({ count: total?.[COUNT_OF[column]] ?? 0, net: minor(total, NET_OF[column]) }));
  const [rowA, rowB] = [side(a), side(b)];
  const weights = weightsOf(convention, rowA.total.net, rowB.total.net);
  // Beginning with 0, since nothing must be written as a minus of nothing.
  const apart = (netA: number, netB: number) => 0 + weights.a * netA + weights.b * netB;
  const difference = rowOf((column) => ({ count: null, net: apart(rowA[column].net, rowB[column].net) }));
  const isAdjusted = [a, b].some((total) => (total?.adjusted_net ?? 0) !== 0);
  const made = apart(minor(a, 'adjusted_net'), minor(b, 'adjusted_net'));
  // Adjustments stand in matches, so that they change nothing of what is proposed or open.
  const adjusted = rowOf((column) => ({ count: null, net: column === 'matched' || column === 'total' ? made : 0 }));
  const left = rowOf((column) => ({ count: null, net: difference[column].net + adjusted[column].net }));
  return {
    currency,
    decimal_places: scale,
    a: rowA,
    b: rowB,
    weights,
    difference,
    adjusted: isAdjusted ? adjusted : null,
    left: isAdjusted ? left : null,
  };
}

/** One table a currency that either side has, in the order of side A and then of side B. */
export function summaryTables({ side_a: a, side_b: b }: ReconciliationSummary, convention: SignConvention): SummaryTable[] {
  const currencies = [...new Set([...a.totals, ...b.totals].map((total) => total.currency))];
  const of = (side: ReconciliationSummary['side_a'], currency: string) => side.totals.find((total) => total.currency === currency);
  return currencies.map((currency) => tableOf(currency, of(a, currency), of(b, currency), convention));
}

const MINUS = '\u2212';

/** `Difference, A − B`, as the weights are. */
export function differenceLabel({ weights: { a, b } }: Pick<SummaryTable, 'weights'>): string {
  if (a === 1) return `Difference, A ${b === 1 ? '+' : MINUS} B`;
  return b === 1 ? `Difference, B ${MINUS} A` : `Difference, ${MINUS}A ${MINUS} B`;
}
