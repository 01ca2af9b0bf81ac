import type { RecordItem } from '../../src-shared/contract/index.ts';
import { dateText } from './dates.ts';
import { plainAmount } from './money.ts';

/** What of a line says that it returns another one, or is returned. */
export type Returned = Pick<RecordItem, 'reverses_record_id' | 'reversed_by_record_id' | 'reversal_reason'>;

/** The other line of a line and its return; null where the line is neither. */
export function otherOfReturn({ reverses_record_id: original, reversed_by_record_id: back }: Returned): number | null {
  return original ?? back;
}

/** `Return of 3 Jun 2026, 45.20`, or from the line that came back: `Returned on 5 Jun 2026, 45.20`. */
export function returnText(line: Returned, other: Pick<RecordItem, 'date' | 'amount' | 'decimal_places'>, locale?: string): string {
  const what = `${dateText(other.date, locale)}, ${plainAmount(other.amount, other.decimal_places, locale)}`;
  return line.reverses_record_id === null ? `Returned on ${what}` : `Return of ${what}`;
}
