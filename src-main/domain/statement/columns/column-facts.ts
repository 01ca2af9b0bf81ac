import { amountShape, isNothing, markOf } from '../cells/amounts.ts';
import { dateShape } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { currencyCode, isCurrencyCell } from '../vocabulary/currencies.ts';
import { directionWord, isInOrOut } from '../vocabulary/direction-words.ts';
import type { Meaning } from '../vocabulary/meaning.ts';

/** Counts of cells by kind, from a sample of a column. */
export interface ColumnFacts {
  readonly index: number;
  readonly rows: number;
  readonly filled: number;
  readonly dates: number;
  /** Cells that read as an amount. */
  readonly money: number;
  /** Amounts with a decimal part, a sign or a currency, which are unlikely to be other numbers. */
  readonly surelyMoney: number;
  readonly negatives: number;
  /** Amounts of nil. */
  readonly nils: number;
  /** Cells that are a known currency code; `currencies` also counts whatever else may be in a currency column. */
  readonly codes: number;
  readonly currencies: number;
  readonly creditWords: number;
  readonly debitWords: number;
  /** Cells with only a minus: a direction, or nothing. */
  readonly minuses: number;
  readonly distinct: number;
  /** Single words with a digit, or in capitals with a hyphen, as references are. */
  readonly tokens: number;
  readonly tokensWithDigit: number;
  readonly letters: number;
  readonly characters: number;
  /** Characters of the cells that hold words, not the number of an account, a bank or a booking. */
  readonly textCharacters: number;
}

/** Whether a text is one token, as a reference is: letters, digits, `-`, `/`, `_`, `.`; no spaces. */
export function isToken(text: string): boolean {
  return (
    text.length >= 2 &&
    text.length <= 60 &&
    /^[\p{L}\p{N}#][\p{L}\p{N}\-/_.:#*+]*$/u.test(text) &&
    (/\d/.test(text) || /^[\p{Lu}\p{N}]+-[\p{Lu}\p{N}-]+$/u.test(text))
  );
}

/** The number of an account, in groups or not, with or without the word for it in front; and the number of a bank. */
const ACCOUNT = /^(?:iban:? ?)?[a-z]{2}\d{2}(?: ?[a-z\d]){10,30}$/i;
const BANK = /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/;

/** Whether a cell is a number or a code rather than text. */
function isIdentifier(cell: string): boolean {
  return (isToken(cell) && /\d/.test(cell)) || ACCOUNT.test(cell) || BANK.test(cell) || !/\p{L}/u.test(cell);
}

/** Returns the facts of every column of a sample of rows. */
export function factsOf(sample: readonly GridRow[], width: number): readonly ColumnFacts[] {
  return Array.from({ length: width }, (_, index) => factsOfColumn(sample, index));
}

function factsOfColumn(sample: readonly GridRow[], index: number): ColumnFacts {
  const seen = new Set<string>();
  const letters = { credit: 0, debit: 0 };
  const facts = {
    filled: 0,
    dates: 0,
    money: 0,
    surelyMoney: 0,
    negatives: 0,
    nils: 0,
    codes: 0,
    currencies: 0,
    creditWords: 0,
    debitWords: 0,
    minuses: 0,
    tokens: 0,
    tokensWithDigit: 0,
    letters: 0,
    characters: 0,
    textCharacters: 0,
  };
  for (const row of sample) {
    const cell = row.cells[index] ?? '';
    if (isNothing(cell)) {
      if (cell === '-') facts.minuses += 1;
      continue;
    }
    facts.filled += 1;
    seen.add(cell);
    facts.characters += cell.length;
    if (!isIdentifier(cell)) facts.textCharacters += cell.length;
    if (/\p{L}/u.test(cell)) facts.letters += 1;
    if (dateShape(cell) !== null) facts.dates += 1;
    if (/^[A-Za-z]{3}$/.test(cell) && currencyCode(cell) !== null) facts.codes += 1;
    if (isCurrencyCell(cell)) facts.currencies += 1;
    const direction = directionWord(cell);
    if (direction === 'credit') facts.creditWords += 1;
    if (direction === 'debit') facts.debitWords += 1;
    if (direction !== null && isInOrOut(cell)) letters[direction] += 1;
    if (isToken(cell)) {
      facts.tokens += 1;
      if (/\d/.test(cell)) facts.tokensWithDigit += 1;
    }
    const shape = amountShape(cell);
    if (shape === null) continue;
    facts.money += 1;
    if (shape.negative) facts.negatives += 1;
    if (!/[1-9]/.test(shape.body)) facts.nils += 1;
    if (shape.signed || shape.sign !== null || markOf(shape.body) !== 'none') facts.surelyMoney += 1;
  }
  const isMixed = letters.credit + letters.debit < facts.creditWords + facts.debitWords;
  if (isMixed) {
    facts.creditWords -= letters.credit;
    facts.debitWords -= letters.debit;
  }
  return { index, rows: sample.length, distinct: seen.size, ...facts };
}

/** The columns of a table while each gets its role. */
export interface Choice {
  readonly facts: readonly ColumnFacts[];
  /** For each column, the possible meanings of its header with their rank. */
  readonly meanings: readonly ReadonlyMap<Meaning, number>[];
  readonly taken: Set<number>;
}

export function take(choice: Choice, index: number | null): number | null {
  if (index !== null) choice.taken.add(index);
  return index;
}

/** Returns the free column of highest rank for a meaning whose content agrees; a sparsely filled column ranks lower, an empty one lowest. */
export function pick(choice: Choice, meaning: Meaning, agrees: (facts: ColumnFacts) => boolean): number | null {
  let best: { index: number; score: number } | null = null;
  for (const one of choice.facts) {
    const rank = choice.meanings[one.index]?.get(meaning);
    if (rank === undefined || choice.taken.has(one.index) || !agrees(one)) continue;
    const score = rank - (one.filled === 0 ? 7 : one.filled * 2 < one.rows ? 6 : 0);
    if (best === null || score > best.score) best = { index: one.index, score };
  }
  return best?.index ?? null;
}
