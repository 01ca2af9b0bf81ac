import type { OpenQuestion, Problem } from '../../../../src-shared/contract/index.ts';
import { NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { type AmountShape, amountShape } from '../cells/amounts.ts';
import type { Table } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import { note } from '../model/problems.ts';
import type { ReadOptions } from '../model/read-options.ts';
import { type BalanceSides, cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { currenciesOf, currencyCode, currencyOfPreamble, settleSign, signInHeader, YEN_SIGN } from '../vocabulary/currencies.ts';

/**
 * Returns the question for the currency of a file, or of those of its rows that name none. The answer may be any code of three letters, not only one
 * of the choices.
 */
export function currencyQuestion(message: string, choices: Iterable<string>, column: string | null = null): OpenQuestion {
  return {
    about: 'currency',
    column,
    message: phrase('statement.fileCurrencies.sayWhichCurrencyItIs', { message }),
    taken: NO_CURRENCY,
    choices: [...new Set(choices)].map(currencyChoice),
  };
}

function currencyChoice(currency: string): OpenQuestion['choices'][number] {
  return { value: currency, label: currency, examples: [] };
}

/** Returns all currencies that ambiguous signs beside amounts may mean. */
function currenciesOfSigns(signs: Iterable<string>): string[] {
  return [...signs].flatMap(currenciesOf);
}

export const NAMES_NO_CURRENCY = phrase('statement.fileCurrencies.nothingInTheFileNames');

export interface FileCurrencies {
  /** Returns the currency of a row. */
  readonly of: (row: WrittenRow) => string;
  /** Returns the currency of a row that states `own`, or none. */
  readonly settled: (own: string | null) => string;
  readonly all: readonly string[];
  /** Currency of rows that state none. */
  readonly fallback: string;
  /** Currency of most rows. */
  readonly main: string;
  /** False when neither the file nor the user named one. */
  readonly known: boolean;
  /** Whether every row is in a currency that the file names. */
  readonly areNamed: boolean;
  readonly problems: readonly Problem[];
  readonly questions: readonly OpenQuestion[];
}

type CurrencyOptions = Pick<ReadOptions, 'currency' | 'isCurrencyOfBook' | 'likelyCurrencies' | 'accepted'>;

/** Gathers what the rows of a file state about its currencies, in the order of the file. */
export class CurrencyFacts {
  readonly #layout: Layout;
  readonly #options: CurrencyOptions;
  readonly #wished: string | null;
  /** Number of rows by the currency that they state, null for those without one, and the place of the first. */
  readonly #counts = new Map<string | null, { rows: number; readonly first: number }>();
  readonly #signs = new Set<string>();
  #rows = 0;
  /** Whether an amount has a fraction. Amounts in yen have none. */
  #hasFractions = false;
  /** Whether a row counts as USD because of a $ alone, which other dollars use as well. */
  #isDollarTaken = false;

  constructor(layout: Layout, options: CurrencyOptions) {
    this.#layout = layout;
    this.#options = options;
    this.#wished = options.currency?.toUpperCase() ?? null;
  }

  add(row: WrittenRow): void {
    const found = currencyOfRow(row, this.#layout, this.#wished);
    const count = this.#counts.get(found);
    if (count === undefined) this.#counts.set(found, { rows: 1, first: this.#rows });
    else count.rows += 1;
    this.#rows += 1;
    if (found === 'USD' && !this.#isDollarTaken) this.#isDollarTaken = saysDollarAlone(row, this.#layout);
    this.#addShape(row.amount);
    this.#addShape(row.paidIn);
    this.#addShape(row.paidOut);
    this.#addShape(row.balance);
  }

  #addShape(shape: AmountShape | null): void {
    if (shape === null) return;
    if (shape.sign !== null) this.#signs.add(shape.sign);
    this.#hasFractions ||= FRACTION.test(shape.body);
  }

  /** Returns the only currency that rows state; null where they state none or several. */
  #onlyOne(): string | null {
    const found = [...this.#counts.keys()].filter((currency) => currency !== null);
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /**
   * Returns the currency of each row. In this order decide: its column, the sign beside its amount, the header, the lines above the table, the user's
   * choice. Where none of them names one, a question is asked.
   */
  decided(table: Table, sides: BalanceSides): FileCurrencies {
    const wished = this.#wished;
    for (const line of [...sides.openingSide, ...sides.closingSide]) if (line.shape.sign !== null) this.#signs.add(line.shape.sign);
    const yen = this.#hasFractions || namesYuan(table, this.#layout) ? 'CNY' : 'JPY';
    const once = statedOnce(table, this.#layout, this.#signs, wished);
    const stated = settleYen(once?.currency ?? this.#onlyOne(), yen);
    const fallback = stated ?? wished ?? NO_CURRENCY;
    const counts = new Map<string, { rows: number; first: number }>();
    for (const [currency, { rows, first }] of this.#counts) {
      const known = settleYen(currency, yen) ?? fallback;
      const count = counts.get(known) ?? { rows: 0, first };
      counts.set(known, { rows: count.rows + rows, first: Math.min(count.first, first) });
    }
    const own = this.#rows - (stated === null ? (this.#counts.get(null)?.rows ?? 0) : 0);
    const main = [...counts].toSorted(([, one], [, other]) => other.rows - one.rows || one.first - other.first)[0]?.[0] ?? fallback;
    const problems: Problem[] = [];
    const { accepted = null, isCurrencyOfBook = false } = this.#options;
    // The note is only for a currency that a person chose: where the target names its currencies, rows in others are rejected.
    if (accepted === null && !isCurrencyOfBook && wished !== null && own > 0 && !counts.has(wished)) {
      problems.push(note('currency_differs', phrase('statement.fileCurrencies.fileSaysNotItsOwnCurrency', { main, wished })));
    }
    const isDollarStated = once?.sign === '$' && once.currency === 'USD' && this.#counts.has(null);
    if (wished !== 'USD' && (this.#isDollarTaken || isDollarStated)) {
      problems.push(note('dollar_assumed', phrase('statement.fileCurrencies.wasReadAsUsd')));
    }
    return {
      of: (row) => settleYen(currencyOfRow(row, this.#layout, wished), yen) ?? fallback,
      settled: (own) => settleYen(own, yen) ?? fallback,
      fallback,
      all: [...counts.keys()],
      main,
      known: own > 0 || wished !== null,
      areNamed: own === this.#rows,
      problems,
      questions: own === this.#rows || wished !== null ? [] : [this.#question(this.#rows - own, [...counts.keys()])],
    };
  }

  #question(unnamed: number, found: readonly string[]): OpenQuestion {
    const named = found.filter((currency) => currency !== NO_CURRENCY);
    const column = this.#layout.currency === null ? null : (this.#layout.names[this.#layout.currency] ?? null);
    const message =
      named.length === 0 ? NAMES_NO_CURRENCY : phrase('statement.fileCurrencies.rowsNameNoCurrency', { unnamed, named: named.join(', ') });
    return currencyQuestion(message, [...named, ...currenciesOfSigns(this.#signs), ...(this.#options.likelyCurrencies ?? [])], column);
  }
}

/** Decimals other than zero, at the end of an amount. */
const FRACTION = /[.,](?:\d?[1-9]|[1-9]\d)$/;
const YUAN = /元|人民[币幣]/;
const SIMPLIFIED = /[额币账银转类单号间]/;

/** Whether the table is in simplified Chinese or names the yuan. */
function namesYuan(table: Table, layout: Layout): boolean {
  return [...layout.headers, ...table.preamble.flatMap((row) => row.cells)].some((text) => YUAN.test(text) || SIMPLIFIED.test(text));
}

/** Returns `yen`, the currency that the rows of the file point to, for the sign that yen and yuan share; any other currency as it is. */
function settleYen<Code extends string | null>(currency: Code, yen: string): Code | string {
  return currency === YEN_SIGN ? yen : currency;
}

/** Returns the currency that a row states itself; null where it states none. */
export function currencyOfRow(row: WrittenRow, layout: Layout, wished: string | null): string | null {
  const cell = cellOf(row, layout.currency);
  const code = currencyCode(cell) ?? (/^[A-Za-z]{3}$/.test(cell) ? cell.toUpperCase() : null);
  if (code === NO_CURRENCY) return null;
  if (code !== null) return code;
  const signed = cell === '' ? null : settleSign(cell, wished);
  if (signed !== null) return signed;
  const sign = row.amount?.sign ?? row.paidIn?.sign ?? row.paidOut?.sign ?? null;
  return sign === null ? null : settleSign(sign, wished);
}

/** Whether a row names its currency only by a $. */
function saysDollarAlone(row: WrittenRow, layout: Layout): boolean {
  const cell = cellOf(row, layout.currency);
  if (cell === '$') return true;
  if (currencyCode(cell) !== null) return false;
  return (row.amount?.sign ?? row.paidIn?.sign ?? row.paidOut?.sign) === '$';
}

/** A currency, and the sign that it was read from where no code names it. */
interface Stated {
  readonly currency: string;
  readonly sign: string | null;
}

/** Returns the currency of the whole file: named in a header of amounts, above the table, or beside a balance. */
function statedOnce(table: Table, layout: Layout, signs: ReadonlySet<string>, wished: string | null): Stated | null {
  const columns = [layout.amount, layout.paidIn, layout.paidOut, layout.balance];
  for (const column of columns) {
    const sign = column === null ? null : signInHeader(layout.headers[column] ?? '');
    const settled = sign === null ? null : settleSign(sign, wished);
    if (settled !== null) return { currency: settled, sign };
  }
  const above = currencyOfPreamble(table.preamble.flatMap((row) => row.cells));
  if (above !== null) return { currency: above, sign: null };
  const besideAbove = table.preamble.flatMap((row) => row.cells.flatMap((cell) => amountShape(cell)?.sign ?? []));
  if (besideAbove.length > 0 && signs.size === 0) return onlyOneBeside(new Set(besideAbove), wished);
  return onlyOneBeside(signs, wished);
}

/** Returns the currency that signs beside amounts or balances mean, where all signs can mean the same one. */
function onlyOneBeside(signs: ReadonlySet<string>, wished: string | null): Stated | null {
  const settled = new Set([...signs].map((sign) => settleSign(sign, wished)));
  const [only] = settled;
  if (settled.size !== 1 || only === undefined || only === null) return null;
  // With several ways of writing, one of them names the currency beyond doubt, so no sign is kept.
  return { currency: only, sign: signs.size === 1 ? ([...signs][0] ?? null) : null };
}
