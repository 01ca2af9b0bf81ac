import { decimalPlacesOf, signedMinor } from '../../../src-shared/values/money.ts';
import {
  type BalancedPeriod,
  type DayRange,
  decidedByBalances,
  type Overlap,
  type Statement,
  type StatementPeriod,
} from '../../domain/statement/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { sumOfDays } from '../../records/store/same-money.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import { statementFiles } from '../store/statement-periods.ts';
import type { Sorted } from './duplicates.ts';

/** What stated balances say of lines that coincide with stored ones; null where they leave it open. */
export function overlapByBalances(
  read: ReadHandle,
  stream: StreamRow | undefined,
  statement: Statement,
  sorted: Sorted,
  pairs: readonly Overlap[],
): 'same' | 'new' | null {
  // Balances follow booking days, of one account in one currency.
  if (stream === undefined || stream.read_by === 'value_date' || statement.currencies.length > 1) return null;
  const { currency } = statement;
  const places = decimalPlacesOf(currency);
  const { lines, isDuplicate, isLeftOut } = sorted;
  const fresh = lines.filter((_, place) => isDuplicate[place] !== true && isLeftOut[place] !== true);
  if (fresh.some((line) => line.currency !== currency || line.decimalPlaces !== places)) return null;
  const periods = [
    ...balanced(statement, true),
    ...statementFiles(read, stream.environment_id, stream.id)
      .filter((file) => (file.currency ?? stream.currency) === currency)
      .flatMap(({ periods: stated, proof }) =>
        balanced({ periods: stated === null ? [] : (JSON.parse(stated) as StatementPeriod[]), proof }, false),
      ),
  ];
  const paired = pairs.flatMap(({ place }) => {
    const line = lines[place];
    return line === undefined ? [] : [{ day: line.day, signedMinor: signedMinor(line.amountMinor, line.direction) }];
  });
  return decidedByBalances(periods, paired, ({ firstDay, lastDay }: DayRange) => {
    const stored = sumOfDays(read, stream.id, { firstDay, lastDay, currency, decimalPlaces: places });
    if (stored === null) return null;
    const own = fresh.reduce(
      (sum, { day, amountMinor, direction }) => (day < firstDay || day > lastDay ? sum : sum + signedMinor(amountMinor, direction)),
      0,
    );
    return { stored, fresh: own };
  });
}

/** Periods of one account with both balances. */
function balanced(
  { periods, proof }: { readonly periods: readonly StatementPeriod[]; readonly proof: string },
  isOfFile: boolean,
): BalancedPeriod[] {
  if (periods.some(({ account }) => account !== null)) return [];
  return periods.flatMap(({ firstDay, lastDay, openingMinor, closingMinor }) =>
    openingMinor === null || closingMinor === null
      ? []
      : [{ firstDay, lastDay, openingMinor, closingMinor, isOfFile, isBroken: proof === 'broken' }],
  );
}
