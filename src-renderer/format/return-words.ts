import type { RecordItem } from '../../src-shared/contract/index.ts';
import { dateText } from './dates.ts';
import { plainAmount } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

/** The fields of a line that say whether it returns another line or was returned. */
export type Returned = Pick<RecordItem, 'reverses_record_id' | 'reversed_by_record_id' | 'reversal_reason'>;

/** Returns the id of the other line of a return; null when the line is no part of one. */
export function otherOfReturn({ reverses_record_id: original, reversed_by_record_id: back }: Returned): number | null {
  return original ?? back;
}

/** Returns `Return of 3 Jun 2026, 45.20`, or for the line that was returned `Returned on 5 Jun 2026, 45.20`. */
export function returnText(line: Returned, other: Pick<RecordItem, 'date' | 'amount' | 'decimal_places'>, locale?: string): string {
  const what = `${dateText(other.date, locale)}, ${plainAmount(other.amount, other.decimal_places, locale)}`;
  return line.reverses_record_id === null ? say('records.return.returnedOn', { what }) : say('records.return.returnOf', { what });
}
