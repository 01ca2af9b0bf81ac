import { capitalized } from '../../../src-shared/values/english.ts';
import { isSwapped } from '../evidence/comparison/levels.ts';
import { type Cause, type CauseKind, type Found, idsOf, ranked } from './cause.ts';
import type { LedgerInput, LedgerRecord } from './input.ts';
import { amountText, labelOf, sideName } from './ledger-words.ts';
import { breakSentence } from './plain-causes.ts';
import type { ClearedMatch, OpenItem, Statement } from './statement.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

/** Most causes of an amount, and most of one kind. */
const MOST = 6;
const MOST_OF_KIND = 3;

const KIND_OF_GROUP: Readonly<Record<OpenItem['group'], CauseKind>> = {
  deposits_in_transit: 'deposit_in_transit',
  outstanding_payments: 'outstanding_payment',
  unbooked_receipts: 'unbooked',
  unbooked_payments: 'unbooked',
  bank_errors: 'unbooked',
  book_errors: 'outstanding_payment',
};

/** Returns a line in words: `-15.00 of the books, 03/06/2026`. */
function lineText(input: LedgerInput, record: LedgerRecord): string {
  const label = labelOf(record);
  const name = label === null ? '' : ` (${label})`;
  return `${amountText(record.amount, input.decimalPlaces)}${name} of ${sideName(input, record.side)}, ${dayText(record.day)}`;
}

/** Returns the place and the difference of two adjacent digits whose swap changes an amount by `difference`; null if no swap does. */
function exchangeOf(difference: number): { readonly place: number; readonly apart: number } | null {
  if (difference === 0 || difference % 9 !== 0) return null;
  let apart = difference / 9;
  let place = 1;
  for (; apart % 10 === 0; apart /= 10) place *= 10;
  return apart <= 9 ? { place, apart } : null;
}

function hasSuchDigits(amount: number, { place, apart }: { readonly place: number; readonly apart: number }): boolean {
  const pair = Math.floor(Math.abs(amount) / place) % 100;
  return pair > 0 && Math.abs(Math.floor(pair / 10) - (pair % 10)) === apart;
}

/** Returns the lines up to the last day that fit, open ones first. */
function linesThat(input: LedgerInput, open: ReadonlySet<number>, fits: (record: LedgerRecord) => boolean): LedgerRecord[] {
  const found: [LedgerRecord[], LedgerRecord[]] = [[], []];
  for (const record of input.records) {
    if (record.day > input.period.to || record.isAdjustment || !fits(record)) continue;
    const list = open.has(record.id) ? found[0] : found[1];
    if (list.length < MOST_OF_KIND) list.push(record);
    if (found[0].length >= MOST_OF_KIND) break;
  }
  return [...found[0], ...found[1]].slice(0, MOST_OF_KIND);
}

function fromLines(input: LedgerInput, openItems: readonly OpenItem[], amount: number): Found[] {
  const magnitude = Math.abs(amount);
  const open = new Set(openItems.map(({ record }) => record.id));
  const written = amountText(magnitude, input.decimalPlaces);
  const half = linesThat(input, open, (record) => Math.abs(record.amount) * 2 === magnitude);
  const exchange = exchangeOf(magnitude);
  const digits = exchange === null ? [] : linesThat(input, open, (record) => hasSuchDigits(record.amount, exchange));
  return [
    ...half.map((record): Found => {
      const sentence = (): string => phrase('ledger.causesOfAmount.isHalfOfIt', { line: capitalized(lineText(input, record)), written });
      return { kind: 'sign_reversed', weight: open.has(record.id) ? 0.7 : 0.6, amount, recordIds: [record.id], sentence };
    }),
    ...digits.map((record): Found => {
      const sentence = (): string => phrase('ledger.causesOfAmount.dividesBy9AndExchanging', { written, line: lineText(input, record) });
      return { kind: 'transposed_digits', weight: open.has(record.id) ? 0.5 : 0.4, amount, recordIds: [record.id], sentence };
    }),
  ];
}

function fromOpenItems(input: LedgerInput, openItems: readonly OpenItem[], amount: number): Found[] {
  return openItems
    .filter(({ record }) => Math.abs(record.amount) === Math.abs(amount))
    .slice(0, MOST_OF_KIND)
    .map(({ record, group }) => {
      const sentence = (): string => phrase('ledger.causesOfAmount.anOpenItemHasJust', { line: lineText(input, record) });
      return { kind: KIND_OF_GROUP[group], weight: 0.8, amount: record.amount, recordIds: idsOf([record]), sentence };
    });
}

function fromMatches(input: LedgerInput, matches: readonly ClearedMatch[], amount: number): Found[] {
  return matches
    .filter(({ difference }) => Math.abs(difference) === Math.abs(amount))
    .slice(0, MOST_OF_KIND)
    .map(({ difference, recordIds }) => {
      const sentence = (): string =>
        phrase('ledger.causesOfAmount.aMatchDiffersByJust', { difference: amountText(difference, input.decimalPlaces) });
      return { kind: 'amount_differs', weight: 0.75, amount: difference, recordIds, sentence };
    });
}

function fromOpenings({ balances, decimalPlaces, period }: LedgerInput, amount: number): Found[] {
  const [bank, books] = [balances.bank.opening, balances.books.opening];
  if (bank === null || books === null || bank - books !== amount) return [];
  if (!isSwapped(Math.abs(bank), Math.abs(books))) return [];
  const written = [bank, books].map((opening) => amountText(opening, decimalPlaces));
  const sentence = (): string =>
    phrase('ledger.causesOfAmount.openingBalancesOfAreTwoDigits', { from: dayText(period.from), written: written.join(' and ') });
  return [{ kind: 'transposed_digits', weight: 0.95, amount, recordIds: [], sentence }];
}

/** Returns possible causes of an amount that nothing explains, such as `unexplained` or the error of a balance. Bank less books, in minor units. */
export function causesOfAmount(
  input: LedgerInput,
  { openItems, clearedMatches }: Pick<Statement, 'openItems' | 'clearedMatches'>,
  amount: number,
): readonly Cause[] {
  if (amount === 0) return [];
  const breaks = input.imports.flatMap((brought) =>
    brought.breaks.map((broken): Found => {
      const isSame = Math.abs(broken.amount) === Math.abs(amount);
      return {
        kind: 'broken_import',
        weight: isSame ? 0.9 : 0.3,
        amount: broken.amount,
        recordIds: [],
        sentence: () => breakSentence(input, brought, broken),
      };
    }),
  );
  const found = [
    ...fromOpenings(input, amount),
    ...breaks.toSorted((left, right) => right.weight - left.weight).slice(0, MOST_OF_KIND),
    ...fromOpenItems(input, openItems, amount),
    ...fromMatches(input, clearedMatches, amount),
    ...fromLines(input, openItems, amount),
  ];
  return ranked(found, MOST);
}
