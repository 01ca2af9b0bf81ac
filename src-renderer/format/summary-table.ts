import type { ReconciliationSummary } from '../../src-shared/contract/index.ts';
import { rescaled, type SignConvention } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

/** Each line of a side is matched or open. Proposed lines are a part of the open ones; `total` is all lines. */
export const COLUMNS = ['matched', 'open', 'proposed', 'total'] as const;
export type SummaryColumn = (typeof COLUMNS)[number];

interface Cell {
  /** The number of lines; null for a row without lines of its own. */
  readonly count: number | null;
  /** Credits minus debits in minor units. */
  readonly net: number;
}
export type SummaryRow = Readonly<Record<SummaryColumn, Cell>>;

/** The figures of one currency. Rows and columns both add up. */
export interface SummaryTable {
  readonly currency: string;
  readonly decimal_places: number;
  readonly a: SummaryRow;
  readonly b: SummaryRow;
  /** The signs with which the two nets enter the difference. */
  readonly weights: { readonly a: 1 | -1; readonly b: 1 | -1 };
  readonly difference: SummaryRow;
  /** The part of the difference that adjustments explain, and what remains; null when there are no adjustments. */
  readonly adjusted: SummaryRow | null;
  readonly left: SummaryRow | null;
}

type Total = ReconciliationSummary['side_a']['totals'][number];

function rowOf(make: (column: SummaryColumn) => Cell): SummaryRow {
  return { matched: make('matched'), open: make('open'), proposed: make('proposed'), total: make('total') };
}

/**
 * Returns the signs with which the nets enter the difference. The whole table uses one choice, or it would not add up. Under `any`, where signs are
 * not compared, the totals decide.
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
  // The sum begins with 0, so that the result is never -0.
  const apart = (netA: number, netB: number) => 0 + weights.a * netA + weights.b * netB;
  const difference = rowOf((column) => ({ count: null, net: apart(rowA[column].net, rowB[column].net) }));
  const isAdjusted = [a, b].some((total) => (total?.adjusted_net ?? 0) !== 0);
  const made = apart(minor(a, 'adjusted_net'), minor(b, 'adjusted_net'));
  // Adjustments belong to matches, so they do not change proposed or open lines.
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

/** Returns one table per currency: the currencies of side A, then those of side B alone. */
export function summaryTables({ side_a: a, side_b: b }: ReconciliationSummary, convention: SignConvention): SummaryTable[] {
  const currencies = [...new Set([...a.totals, ...b.totals].map((total) => total.currency))];
  const of = (side: ReconciliationSummary['side_a'], currency: string) => side.totals.find((total) => total.currency === currency);
  return currencies.map((currency) => tableOf(currency, of(a, currency), of(b, currency), convention));
}

const MINUS = '\u2212';

/** Returns the label of the difference with its signs: `Difference, A − B`. */
export function differenceLabel({ weights: { a, b } }: Pick<SummaryTable, 'weights'>): string {
  if (a === 1) return say('reconciliations.summaryTable.differenceALessB', { minus: b === 1 ? '+' : MINUS });
  return b === 1
    ? say('reconciliations.summaryTable.differenceBLessA', { minus: MINUS })
    : say('reconciliations.summaryTable.differenceMinusALessB', { minus: MINUS });
}
