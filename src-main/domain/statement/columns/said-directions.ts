import { MOST_DIRECTION_WORDS } from '../../../../src-shared/contract/imports/import-recipes.ts';
import type { ReadOptions, TableRecipe } from '../model/read-options.ts';
import type { Choice } from './column-choice.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Layout, SaidDirections } from './table-columns.ts';

/** Under a header that says direction, and under one that says less: a list of kinds is longer. */
const MOST_WORDS_NAMED = MOST_DIRECTION_WORDS;
const MOST_WORDS_OF_TYPE = 4;
/** Nothing names the column: then there are two words, each a short one, right beside the amount. */
const LONGEST_UNNAMED = 20;
const SURE_DIRECTION = 10;
/** A few amounts without a sign may well be money in, where nothing names a direction. */
const LEAST_ROWS = 5;

/** One amount in so many, at most, has a minus where words say the direction. */
const FEW = 10;

/** The column to ask about, where none is known to say the direction of the amounts in `amount`. `others`: columns of another meaning. */
export function askedDirection(choice: Choice, amount: number | null, others: readonly (number | null)[]) {
  const column = amount === null ? null : unknownDirectionColumn(choice, amount);
  return { askedDirection: others.includes(column) ? null : column, saidDirections: null };
}

/** A column that may say in and out by words that nobody here knows; only where hardly an amount has a sign. */
function unknownDirectionColumn(choice: Choice, amount: number): number | null {
  const { negatives, filled: amounts } = choice.facts[amount] ?? { negatives: 0, filled: 0 };
  const rankOf = (index: number): number => choice.meanings[index]?.get('direction') ?? 0;
  const free = choice.facts.filter(({ index, filled, dates, codes }) => {
    return !choice.taken.has(index) && filled > 0 && dates === 0 && (codes < filled || rankOf(index) >= SURE_DIRECTION);
  });
  const found = free.filter(({ filled, rows, money }) => filled === rows && money === 0);
  // Words that say a direction come again and again; of two words in a few rows one does.
  const recur = ({ distinct, rows }: ColumnFacts): boolean => distinct * 2 <= rows || (distinct === 2 && rows > 2);
  // Under a header that says direction the words may be numbers, some rows may lack them, and a few amounts may take others back.
  const named = free.find(
    (one) =>
      rankOf(one.index) >= SURE_DIRECTION &&
      one.filled * 2 > one.rows &&
      one.surelyMoney === 0 &&
      one.distinct <= MOST_WORDS_NAMED &&
      (one.distinct <= MOST_WORDS_OF_TYPE || recur(one)),
  );
  if (negatives > 0) return negatives * FEW <= amounts ? (named?.index ?? null) : null;
  // `O` alone is asked about as well: what it says is money out, where it says in and out.
  const mayTell = ({ distinct, debitWords, filled }: ColumnFacts): boolean => distinct > 1 || debitWords === filled;
  const ofType = found.find((one) => rankOf(one.index) > 0 && mayTell(one) && one.distinct <= MOST_WORDS_OF_TYPE && recur(one));
  const unnamed = found.find(
    ({ index, distinct, rows, characters, letters }) =>
      choice.meanings[index]?.size === 0 &&
      Math.abs(index - amount) === 1 &&
      distinct === 2 &&
      rows >= LEAST_ROWS &&
      letters === rows &&
      characters <= rows * LONGEST_UNNAMED,
  );
  return (named ?? ofType ?? unnamed)?.index ?? null;
}

/** The layout with what a recipe or somebody says of its words. */
export function withSaidDirections(layout: Layout, recipe: TableRecipe | null, answers: ReadOptions['answers']): Layout {
  const ofRecipe = recipe?.direction_words ?? null;
  const out = answers?.money_out ?? null;
  const column = layout.direction ?? layout.askedDirection;
  if (out === null || column === null)
    return ofRecipe === null ? layout : { ...layout, saidDirections: { ...ofRecipe, areOthersIn: false } };
  // None of them means money out, nor does a word that is known: then the column is one like any other.
  const saysOut = (layout.facts[column]?.debitWords ?? 0) > 0;
  if (out.length === 0 && layout.direction === null && !saysOut) return { ...layout, askedDirection: null };
  const isOut = new Set(out.map(plain));
  return {
    ...layout,
    direction: column,
    description: layout.description === column ? null : layout.description,
    saidDirections: {
      in: (ofRecipe?.in ?? []).filter((word) => !isOut.has(plain(word))),
      out: [...out, ...(ofRecipe?.out ?? []).filter((word) => !isOut.has(plain(word)))],
      areOthersIn: true,
    },
  };
}

/** Tells the direction of a word by what is said of such words; undefined where nothing is. */
export function tellerOf(said: SaidDirections | null): (word: string) => 'credit' | 'debit' | undefined {
  if (said === null) return () => undefined;
  const told = new Map([
    ...said.in.map((word) => [plain(word), 'credit'] as const),
    ...said.out.map((word) => [plain(word), 'debit'] as const),
  ]);
  return (word) => told.get(plain(word));
}

/** Words are compared by this. */
export function plain(word: string): string {
  return word.trim().toLowerCase();
}
