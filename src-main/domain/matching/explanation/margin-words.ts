import { decimalText } from '../../../../src-shared/values/money.ts';
import type { EngineRecord } from '../../records/record.ts';
import type { Margin } from '../model/match.ts';

/** How much worse the best pairing without a pair is, in a sentence; null: it was not worked out. */
export function marginSentence(margin: Margin | null, a: EngineRecord, b: EngineRecord): string {
  if (margin === null) return 'Every other pairing is worse; by how much was not worked out.';
  if (margin.pairs > 0) return `Without this match there would be ${counted(margin.pairs, 'match', 'matches')} fewer.`;
  return `The next best pairing is ${worse(margin, a, b)} worse.`;
}

/** The first figure that is not 0: it decides. */
function worse({ days, units, edits }: Margin, a: EngineRecord, b: EngineRecord): string {
  if (days > 0) return counted(days, 'day', 'days');
  if (units > 0) return `${decimalText(units, Math.max(a.decimalPlaces, b.decimalPlaces))} ${a.currency}`;
  return counted(edits, 'edit', 'edits');
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
