import { namedCurrency } from '../../../src-shared/values/money.ts';
import type { ReadOptions, AcceptedCurrencies } from '../../domain/statement/index.ts';
import { findBankAccount, findBankAccountByName } from '../../streams/store/bank-accounts.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { currenciesOfBook, currenciesOfEnvironment, firstCurrencyOfStream, hasRecordsIn } from '../store/stream-currencies.ts';

/** Accepted currencies that are looked up in the book as they come. */
export interface AcceptedInBook extends AcceptedCurrencies {
  /** All of them, looked up at once. */
  readonly listed: () => ListedCurrencies;
}

/** Accepted currencies as plain data, for a thread without the book. */
export interface ListedCurrencies {
  readonly currencies: readonly string[];
  readonly words: string;
}

export function acceptedOfList({ currencies, words }: ListedCurrencies): AcceptedCurrencies {
  return { has: (currency) => currencies.includes(currency), words };
}

type WishedCurrency = Pick<ReadOptions, 'currency' | 'isCurrencyOfBook' | 'likelyCurrencies'>;

/** The currency that a file without one is in: that of its target, else the only one of the book; else one of these is likely. */
export function wishedCurrency(
  read: ReadHandle,
  environmentId: number,
  payload: ImportPayload,
  stream: StreamRow | undefined,
): WishedCurrency {
  const currency = currencyOfTarget(read, environmentId, payload, stream);
  if (currency !== null) return { currency };
  const likelyCurrencies = currenciesOfBook(read, environmentId);
  const [only] = likelyCurrencies;
  if (only === undefined || likelyCurrencies.length > 1) return { currency: null, likelyCurrencies };
  return { currency: only, isCurrencyOfBook: true };
}

/** The user's currency, the stream's, the bank account's, the recipe's, or that of records that are there. */
function currencyOfTarget(read: ReadHandle, environmentId: number, payload: ImportPayload, stream: StreamRow | undefined): string | null {
  const own = payload.currency ?? stream?.currency ?? null;
  const named = own ?? accountOf(read, environmentId, payload, stream)?.currency ?? payload.recipe?.currency ?? null;
  const known = named ?? (stream === undefined ? null : firstCurrencyOfStream(read, stream.id));
  return known === null ? null : namedCurrency(known);
}

/**
 * Currencies that a file may bring into a stream: its own, its bank account's, and those of records that are there already. Null where it has none yet, or
 * others were agreed to. Whether records of a currency are there is looked up when a file has one that is not known otherwise.
 */
export function acceptedCurrencies(
  read: ReadHandle,
  environmentId: number,
  payload: ImportPayload,
  stream: StreamRow | undefined,
): AcceptedInBook | null {
  if (payload.acceptCurrency === true) return null;
  const account = accountOf(read, environmentId, payload, stream);
  const first = stream === undefined ? null : firstCurrencyOfStream(read, stream.id);
  // The currency of an empty stream says nothing about the records to come.
  const ofStream = first === null ? null : (stream?.currency ?? first);
  const ofAccount = account?.currency ?? null;
  if (ofStream === null && ofAccount === null) return null;
  const known = new Map([ofStream, first, ofAccount].flatMap((currency) => (currency === null ? [] : [[currency, true]])));
  const has = (currency: string): boolean => {
    const isKnown = known.get(currency) ?? (stream !== undefined && hasRecordsIn(read, stream.id, currency));
    known.set(currency, isKnown);
    return isKnown;
  };
  const words =
    ofStream !== null
      ? `the stream “${stream?.name ?? ''}” is in ${ofStream}`
      : `the bank account “${account?.name ?? ''}” is in ${ofAccount ?? ''}`;
  const listed = () => ({
    currencies: [...new Set([...known.keys(), ...currenciesOfEnvironment(read, environmentId)])].filter(has),
    words,
  });
  return { has, words, listed };
}

function accountOf(
  read: ReadHandle,
  environmentId: number,
  { bankAccountId, bankAccountName }: ImportPayload,
  stream: StreamRow | undefined,
) {
  const id = stream?.bank_account_id ?? bankAccountId ?? null;
  if (id !== null) return findBankAccount(read, environmentId, id);
  return bankAccountName ? findBankAccountByName(read, environmentId, bankAccountName) : undefined;
}
