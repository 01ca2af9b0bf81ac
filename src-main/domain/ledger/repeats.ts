import type { Found } from './cause.ts';
import type { LedgerRecord } from './input.ts';
import { amountText, begun, dayText, labelOf, sideHas } from './ledger-words.ts';
import { CAUSE_LIMITS } from './limits.ts';
import { type Ground, nearest } from './open-lines.ts';

const LOOKED_AT = 8;
const folded = (text: string | null): string => (text ?? '').trim().toUpperCase();

/** How sure it is that two lines of one side and amount are the same; 0 where nothing but the amount says so. */
function likeness(item: LedgerRecord, other: LedgerRecord): number {
  const [reference, otherReference] = [folded(item.reference), folded(other.reference)];
  if (reference !== otherReference) return 0;
  const isSameText = folded(item.description) === folded(other.description);
  const name = reference === '' && isSameText ? folded(item.description) : reference;
  if (name === '') return 0;
  // A number is given once; `DD-RENT` is written each time.
  if (/\p{N}/u.test(name)) return item.day === other.day || reference !== '' ? 0.88 : 0.7;
  return isSameText && item.day === other.day ? 0.7 : 0.52;
}

/** The item stands twice on its own side, open or matched, within a few days. */
export function repeats({ input, sameAmount }: Ground, item: LedgerRecord): Found[] {
  const lines = sameAmount[item.side].get(item.amount) ?? [];
  for (const other of lines.length < 2 ? [] : nearest(lines, item.day, CAUSE_LIMITS.repeatDays, LOOKED_AT)) {
    const weight = other.id === item.id ? 0 : likeness(item, other);
    if (weight === 0) continue;
    const [first, second] = [Math.min(item.day, other.day), Math.max(item.day, other.day)];
    const days = first === second ? `both on ${dayText(first)}` : `on ${dayText(first)} and on ${dayText(second)}`;
    const sentence = (): string =>
      `${begun(sideHas(input, item.side))} ${amountText(item.amount, input.decimalPlaces)} as ${labelOf(item) ?? 'the same line'} twice: ${days}.`;
    return [{ kind: 'duplicate', weight, amount: item.amount, recordIds: [other.id], sentence }];
  }
  return [];
}
