import type { BankAccountBalance, Stream } from '../../src-shared/contract/index.ts';
import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { listText } from './counts.ts';
import { say } from '../../src-shared/words/say.ts';

/** The number of accounts that a sentence names. */
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
  const named = more > 0 ? say('streams.account.andMore', { names: names.join(', '), more }) : listText(names);
  return [
    ...(streams.length > 0
      ? [
          streams.length === 1
            ? say('streams.account.oneAccountIsLinkedToIt', { named })
            : say('streams.account.accountsAreLinkedToIt', { named }),
        ]
      : []),
    ...(stated > 0 ? [say('streams.account.balancesThatStatementsState', { stated })] : []),
    ...(given > 0 ? [say('streams.account.balancesGivenByHand', { given })] : []),
  ];
}

/** Returns sentences about the balances of an account when its currency changes, or none when nothing follows from it. */
export function otherCurrencyNotes(before: string | null, after: string | null, { given, stated }: Balances): string[] {
  if (before === after) return [];
  const [from, to] = [before ?? 'USD', after ?? 'USD'];
  const isRescaled = given > 0 && decimalPlacesOf(from) !== decimalPlacesOf(to);
  return [
    ...(given > 0
      ? [say('streams.account.balancesGivenByHandOrByAProgram', { given, after: after ?? say('streams.account.noNamedCurrency') })]
      : []),
    ...(isRescaled
      ? [
          say('streams.account.hasDecimalsWhereHasTheirDecimal', {
            to,
            decimalPlaces: decimalPlacesOf(to),
            from,
            decimalPlaces2: decimalPlacesOf(from),
          }),
        ]
      : []),
    ...(stated > 0 && after !== null ? [say('streams.account.ofTheBalancesThatStatementsState', { after })] : []),
  ];
}

export function shortName(name: string): string {
  return name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name;
}
