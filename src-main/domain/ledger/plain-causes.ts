import type { Found } from './cause.ts';
import { toldByWords } from './charge-words.ts';
import { type LedgerImport, type LedgerInput, type LedgerRecord, otherSide } from './input.ts';
import { amountText, begun, counted, dayText, labelOf, sideHas } from './ledger-words.ts';
import { CAUSE_LIMITS } from './limits.ts';
import type { OpenItem } from './statement.ts';

/** A line is on its way for a week at least, however fast others were. */
const LEAST_DAYS = 7;

/** What the words of a bank line say of it. */
export function byWords({ isNeutral }: LedgerInput, item: LedgerRecord): Found[] {
  const told = item.side === 'bank' ? toldByWords(item) : null;
  if (told === null) return [];
  const what = told.kind === 'interest' ? 'interest' : isNeutral ? 'a charge' : 'a bank charge';
  const kind = item.kindText === null ? '' : `, of the kind ${item.kindText}`;
  const sentence = (): string => `Its words (${labelOf(item) ?? 'no text'}${kind}) say that it is ${what}.`;
  return [{ kind: told.kind, weight: told.isSure ? 0.78 : 0.58, amount: item.amount, recordIds: [], sentence }];
}

/** What is known of an item that nothing else explains. */
interface Plain {
  readonly input: LedgerInput;
  /** The other side has no open line of its amount. */
  readonly isLonely: boolean;
  /** Days within which 95 of 100 like lines had cleared; null where too few are known. */
  readonly late: number | null;
}

/** What an open item is where nothing else explains it. A line of the books that waits longer than is usual is on its way no more. */
export function plainCause({ input, isLonely, late }: Plain, { record }: OpenItem): Found {
  const { side, amount, day } = record;
  const lacks = (): string =>
    isLonely
      ? `${begun(sideHas(input, otherSide(side)))} no open line of ${amountText(amount, input.decimalPlaces)} up to ${dayText(input.period.to)}`
      : `Nothing on the other side is matched with it up to ${dayText(input.period.to)}`;
  const common = { amount, recordIds: [] };
  if (side === 'bank') return { kind: 'unbooked', weight: 0.3, ...common, sentence: () => `${lacks()}: it is not booked yet.` };
  const days = input.period.to - day;
  const age = days === 0 ? 'booked on that day' : `booked ${counted(days, 'day', 'days')} before`;
  if (days > Math.max(late ?? CAUSE_LIMITS.onItsWay, LEAST_DAYS)) {
    const usual = late === null ? 'too long to be on its way' : `95 of 100 like lines had cleared within ${counted(late, 'day', 'days')}`;
    const sentence = (): string => `${lacks()}; ${age}, it is an old outstanding item: ${usual}.`;
    return { kind: 'long_outstanding', weight: 0.5, ...common, sentence };
  }
  const what = amount < 0 ? 'not paid out yet' : 'on its way';
  const sentence = (): string => `${lacks()}; ${age}, it is probably ${what}.`;
  return { kind: amount < 0 ? 'outstanding_payment' : 'deposit_in_transit', weight: 0.5, ...common, sentence };
}

/** The import that brought the item has a running balance that breaks. */
export function byImport(input: LedgerInput, imports: ReadonlyMap<number, LedgerImport>, { amount, importId }: LedgerRecord): Found[] {
  const brought = importId === null ? undefined : imports.get(importId);
  if (brought === undefined) return [];
  const same = brought.breaks.find((broken) => Math.abs(broken.amount) === Math.abs(amount));
  const broken = same ?? brought.breaks[0];
  if (broken === undefined) return [];
  return [
    {
      kind: 'broken_import',
      weight: same === undefined ? 0.2 : 0.83,
      amount: broken.amount,
      recordIds: [],
      sentence: () => breakSentence(input, brought, broken),
    },
  ];
}

/** `The running balance of bank.csv breaks on 14/06/2026 by 30.00: a line may be missing or stand twice.` */
export function breakSentence(input: LedgerInput, { name }: LedgerImport, broken: LedgerImport['breaks'][number]): string {
  const amount = amountText(broken.amount, input.decimalPlaces);
  return `The running balance of ${name} breaks on ${dayText(broken.day)} by ${amount}: a line may be missing or stand twice.`;
}
