import { MOST_DIRECTION_WORDS } from '../../../../src-shared/contract/imports/import-recipes.ts';
import type { ReadOptions, TableRecipe } from '../model/read-options.ts';
import type { Choice } from './column-choice.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Layout, SaidDirections } from './table-columns.ts';

/** Most different words under a header that names a direction, and under one that is less clear: a list of kinds is longer. */
const MOST_WORDS_NAMED = MOST_DIRECTION_WORDS;
const MOST_WORDS_OF_TYPE = 4;
/** Longest word in a column without a header: it qualifies with two short words right beside the amount. */
const LONGEST_UNNAMED = 20;
const SURE_DIRECTION = 10;
/** Fewest rows for a column without a header: a handful of amounts without a sign may well be money in. */
const LEAST_ROWS = 5;

/** At most one amount in this many has a minus where words state the direction. */
const ROWS_PER_MINUS = 10;

/** Returns the column to ask about, where no known column states the direction of the amounts in `amount`. `others`: columns of another meaning. */
export function askedDirection(choice: Choice, amount: number | null, others: readonly (number | null)[]) {
  const column = amount === null ? null : unknownDirectionColumn(choice, amount);
  return { askedDirection: others.includes(column) ? null : column, saidDirections: null };
}

/** Returns a column that may state in and out by unknown words; only where hardly an amount has a sign. */
function unknownDirectionColumn(choice: Choice, amount: number): number | null {
  const { negatives, filled: amounts } = choice.facts[amount] ?? { negatives: 0, filled: 0 };
  const rankOf = (index: number): number => choice.meanings[index]?.get('direction') ?? 0;
  const free = choice.facts.filter(({ index, filled, dates, codes }) => {
    return !choice.taken.has(index) && filled > 0 && dates === 0 && (codes < filled || rankOf(index) >= SURE_DIRECTION);
  });
  const found = free.filter(({ filled, rows, money }) => filled === rows && money === 0);
  // Words of a direction recur; with two words in a small table one of them does.
  const recur = ({ distinct, rows }: ColumnFacts): boolean => distinct * 2 <= rows || (distinct === 2 && rows > 2);
  // Under a header that names a direction the words may be numbers, some rows may lack them, and one amount in ten may be a reversal.
  const named = free.find(
    (one) =>
      rankOf(one.index) >= SURE_DIRECTION &&
      one.filled * 2 > one.rows &&
      one.surelyMoney === 0 &&
      one.distinct <= MOST_WORDS_NAMED &&
      (one.distinct <= MOST_WORDS_OF_TYPE || recur(one)),
  );
  if (negatives > 0) return negatives * ROWS_PER_MINUS <= amounts ? (named?.index ?? null) : null;
  // `O` alone is asked about as well: in a scheme of in and out it means money out.
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

/** Returns the layout with the meanings that a recipe or a person gives to its words. */
export function withSaidDirections(layout: Layout, recipe: TableRecipe | null, answers: ReadOptions['answers']): Layout {
  const ofRecipe = recipe?.direction_words ?? null;
  const out = answers?.money_out ?? null;
  const column = layout.direction ?? layout.askedDirection;
  if (out === null || column === null)
    return ofRecipe === null ? layout : { ...layout, saidDirections: { ...ofRecipe, areOthersIn: false } };
  // No word means money out, not even a known one: then the column is not a direction.
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

/** Returns a function that gives the direction of a word, or undefined where neither recipe nor person gives one. */
export function directionLookup(said: SaidDirections | null): (word: string) => 'credit' | 'debit' | undefined {
  if (said === null) return () => undefined;
  const stated = new Map([
    ...said.in.map((word) => [plain(word), 'credit'] as const),
    ...said.out.map((word) => [plain(word), 'debit'] as const),
  ]);
  return (word) => stated.get(plain(word));
}

/** Returns the form in which words are compared. */
export function plain(word: string): string {
  return word.trim().toLowerCase();
}
