import { HOME_AGES } from '../../../src-shared/contract/book/home.ts';
import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { type AgedLines, isOpen } from '../../records/store/line-totals.ts';
import { SUM_BASE } from '../../records/store/records.ts';

type Figures = Pick<
  HomeRow,
  | 'records'
  | 'matched'
  | 'open'
  | 'proposed'
  | 'currency'
  | 'decimal_places'
  | 'currency_count'
  | 'open_by_age'
  | 'open_net'
  | 'uncommented'
>;

/** Open lines of the first age are too new for a comment. */
const FIRST_OLD = 1;

function countOf(lines: readonly AgedLines[]): number {
  return lines.reduce((count, { records }) => count + records, 0);
}

/** Side A less side B at the finest scale; where the books stand with the opposite sign, their sum. */
function netOf(lines: readonly AgedLines[], scale: number, isOpposite: boolean): number | null {
  const net = lines.reduce((sum, { side, high, low, decimal_places: places }) => {
    const own = (BigInt(high) * SUM_BASE + BigInt(low)) * 10n ** BigInt(scale - places);
    return side === 'a' || isOpposite ? sum + own : sum - own;
  }, 0n);
  return Number.isSafeInteger(Number(net)) ? Number(net) : null;
}

function labelOf({ external_id: reference, description, record_id: id }: AgedLines): string {
  return reference ?? description ?? `line ${id}`;
}

function uncommentedOf(open: readonly AgedLines[], asOf: number): HomeRow['uncommented'] {
  const lines = open
    .filter(({ age, commented, state }) => age >= FIRST_OLD && commented === 0 && state !== 'proposed')
    .toSorted((left, right) => left.day - right.day);
  const [oldest] = lines;
  if (oldest === undefined) return null;
  const { record_id, day } = oldest;
  return { count: countOf(lines), oldest: { record_id, label: labelOf(oldest), age_days: asOf - day } };
}

/** The figures of a row; ages are counted to a day. */
export function agedFigures(lines: readonly AgedLines[], asOf: number, isOpposite: boolean): Figures {
  const open = lines.filter(isOpen);
  const currencies = [...Map.groupBy(lines, ({ currency }) => currency)].toSorted(([, left], [, right]) => countOf(right) - countOf(left));
  const [currency = null, own = []] = currencies[0] ?? [];
  const scale = own.reduce((most, { decimal_places: places }) => Math.max(most, places), 0);
  return {
    records: countOf(lines),
    matched: countOf(lines.filter((line) => !isOpen(line))),
    open: countOf(open),
    proposed: countOf(open.filter((line) => line.state === 'proposed')),
    currency,
    decimal_places: currency === null ? 2 : scale,
    currency_count: currencies.length,
    open_by_age: [...HOME_AGES, null].map((_, place) => countOf(open.filter(({ age }) => age === place))),
    open_net: netOf(own.filter(isOpen), scale, isOpposite),
    uncommented: uncommentedOf(open, asOf),
  };
}
