import type { BankAccountBalance, Stream } from '../../src-shared/contract/index.ts';
import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { counted, listText } from './counts.ts';

/** The number of streams that a sentence names. */
const NAMED_STREAMS = 5;
/** The longest name in a notification, which has little room. */
const NAME_CHARACTERS = 60;

interface Balances {
  /** The number of balances that a person or a program entered. */
  readonly given: number;
  /** The number of balances that only statements state. */
  readonly stated: number;
}

export function balanceCounts(balances: readonly Pick<BankAccountBalance, 'import_batch_id'>[]): Balances {
  const given = balances.filter(({ import_batch_id: batch }) => batch === null).length;
  return { given, stated: balances.length - given };
}

/** Returns one sentence for each thing that depends on a bank account before it is deleted. */
export function hangingOn(streams: readonly Pick<Stream, 'name'>[], { given, stated }: Balances): string[] {
  const names = streams.slice(0, NAMED_STREAMS).map(({ name }) => `“${name}”`);
  const more = streams.length - names.length;
  const named = more > 0 ? `${names.join(', ')} and ${more} more` : listText(names);
  const [isOne, goes] = [streams.length === 1, given === 1 ? 'goes' : 'go'];
  return [
    ...(streams.length > 0
      ? [`The ${isOne ? 'stream' : 'streams'} ${named} ${isOne ? 'is' : 'are'} linked to it. ${isOne ? 'Its' : 'Their'} records stay.`]
      : []),
    ...(stated > 0
      ? [
          `${counted(stated, 'balance')} that statements state ${stated === 1 ? 'stays' : 'stay'} with the imports, and ${stated === 1 ? 'shows' : 'show'} where their stream is linked.`,
        ]
      : []),
    ...(given > 0 ? [`${counted(given, 'balance')} given by hand or by a program ${goes} with it.`] : []),
  ];
}

/** Returns sentences about the balances of an account when its currency changes, or none when nothing follows from it. */
export function otherCurrencyNotes(before: string | null, after: string | null, { given, stated }: Balances): string[] {
  if (before === after) return [];
  const [from, to] = [before ?? 'USD', after ?? 'USD'];
  const isRescaled = given > 0 && decimalPlacesOf(from) !== decimalPlacesOf(to);
  return [
    ...(given > 0
      ? [
          `${counted(given, 'balance')} given by hand or by a program ${given === 1 ? 'is' : 'are'} then taken to be in ${after ?? 'no named currency'}.`,
        ]
      : []),
    ...(isRescaled
      ? [`${to} has ${counted(decimalPlacesOf(to), 'decimal')} where ${from} has ${decimalPlacesOf(from)}: their decimal point moves.`]
      : []),
    ...(stated > 0 && after !== null ? [`Of the balances that statements state, those in ${after} alone are shown.`] : []),
  ];
}

export function shortName(name: string): string {
  return name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name;
}
