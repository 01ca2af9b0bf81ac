import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { HOME_AGES } from '../../../src-shared/contract/reconciliations/home.ts';
import type { AgedLines } from '../../store/home/open-by-age.ts';
import { SUM_BASE } from '../../store/records/records.ts';

type Figures = Pick<
  HomeRow,
  'records' | 'matched' | 'open' | 'currency' | 'decimal_places' | 'currency_count' | 'open_by_age' | 'open_net' | 'uncommented'
>;

const MATCHED = -2;
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
  const lines = open.filter(({ age, commented }) => age >= FIRST_OLD && commented === 0).toSorted((left, right) => left.day - right.day);
  const [oldest] = lines;
  if (oldest === undefined) return null;
  const { record_id, day } = oldest;
  return { count: countOf(lines), oldest: { record_id, label: labelOf(oldest), age_days: asOf - day } };
}

/** The figures of a row; ages are counted to a day. */
export function agedFigures(lines: readonly AgedLines[], asOf: number, isOpposite: boolean): Figures {
  const open = lines.filter(({ age }) => age >= 0);
  const currencies = [...Map.groupBy(lines, ({ currency }) => currency)].toSorted(([, left], [, right]) => countOf(right) - countOf(left));
  const [currency = null, own = []] = currencies[0] ?? [];
  const scale = own.reduce((most, { decimal_places: places }) => Math.max(most, places), 0);
  return {
    records: countOf(lines),
    matched: countOf(lines.filter(({ age }) => age === MATCHED)),
    open: countOf(open),
    currency,
    decimal_places: currency === null ? 2 : scale,
    currency_count: currencies.length,
    open_by_age: [...HOME_AGES, null].map((_, place) => countOf(open.filter(({ age }) => age === place))),
    open_net: netOf(
      own.filter(({ age }) => age >= 0),
      scale,
      isOpposite,
    ),
    uncommented: uncommentedOf(open, asOf),
  };
}
