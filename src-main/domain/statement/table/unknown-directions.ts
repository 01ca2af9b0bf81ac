import type { ImportAnswers, OpenQuestion } from '../../../../src-shared/contract/index.ts';
import { MOST_DIRECTION_WORDS } from '../../../../src-shared/contract/imports/import-recipes.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { isNothing } from '../cells/amounts.ts';
import { directionWord, isInOrOut, saysDirectionOrNeither } from '../vocabulary/direction-words.ts';
import { ownText } from '../text/grid.ts';
import { cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { plain, directionLookup } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import { unreadable } from '../model/problems.ts';
import type { TableRecipe } from '../model/read-options.ts';
import type { Unreadable } from '../model/statement.ts';

/** A word of a column that may tell money in from money out. */
interface CountedWord {
  readonly text: string;
  readonly rows: number;
  /** Number of these rows whose amount has a minus. */
  readonly negatives: number;
  /** The first row with this word, in lines of the file. */
  readonly row: number;
  /** The first cells of that row, shortened for display. */
  readonly example: string;
}

/** Counts the words of the column that may tell money in from money out, over all rows of a file. */
export class DirectionWords {
  readonly #column: number | null;
  readonly #words = new Map<string, { text: string; rows: number; negatives: number; row: number; example: string }>();
  #areTooMany = false;
  #hasPlus = false;
  #amounts = 0;

  constructor({ direction, askedDirection }: Layout) {
    this.#column = direction ?? askedDirection;
  }

  add(row: WrittenRow): void {
    if (this.#column === null || this.#areTooMany) return;
    if (row.amount !== null) this.#amounts += 1;
    const isNegative = row.amount?.negative === true;
    if (row.amount?.signed === true && !isNegative) this.#hasPlus = true;
    const text = cellOf(row, this.#column);
    if (isNothing(text)) return;
    const key = plain(text);
    const seen = this.#words.get(key);
    if (seen !== undefined) {
      seen.rows += 1;
      seen.negatives += isNegative ? 1 : 0;
    } else if (this.#words.size === MOST_DIRECTION_WORDS) this.#areTooMany = true;
    else this.#words.set(key, { text: ownText(text), rows: 1, negatives: isNegative ? 1 : 0, row: row.row, example: shown(row.cells) });
  }

  /** Returns the words; call once, after the last row. Null where no column can state the direction, or it has too many words for that. */
  decided(): DecidedWords | null {
    if (this.#column === null || this.#areTooMany) return null;
    const words = [...this.#words.values()];
    const hasMinus = words.some(({ negatives }) => negatives > 0);
    return { column: this.#column, words, hasMinus, hasPlus: this.#hasPlus, amounts: this.#amounts };
  }
}

export interface DecidedWords {
  readonly column: number;
  readonly words: readonly CountedWord[];
  readonly hasMinus: boolean;
  readonly hasPlus: boolean;
  readonly amounts: number;
}

type Read = Pick<Layout, 'headers' | 'names' | 'direction' | 'askedDirection' | 'saidDirections' | 'date' | 'amount'>;

/**
 * Returns the words whose meaning neither Tieout, nor the recipe, nor a person has stated. `I` and `O` count as known only in a column that a header
 * calls a direction and that has no other words.
 */
function unsaid({ words }: DecidedWords, { direction, saidDirections: said }: Read): readonly CountedWord[] {
  const directionOf = directionLookup(said);
  const areLetters = direction !== null && words.every(({ text }) => isInOrOut(text));
  const isKnown = (text: string): boolean => saysDirectionOrNeither(text) && (areLetters || !isInOrOut(text));
  return said?.areOthersIn === true ? [] : words.filter(({ text }) => !isKnown(text) && directionOf(text) === undefined);
}

/** Whether signs give the direction: a plus does, and so does a minus on every row of one word. A minus on some rows of a word is a correction. */
function doSignsSay({ words, hasPlus }: DecidedWords): boolean {
  return hasPlus || words.some(({ rows, negatives }) => negatives === rows);
}

/** Returns the question which words mean money out, where nothing else decides it. */
export function directionQuestions(layout: Read, decided: DecidedWords | null, isModelSaid: boolean): OpenQuestion[] {
  if (decided === null || (layout.direction === null && (isModelSaid || doSignsSay(decided)))) return [];
  const open = unsaid(decided, layout);
  if (open.length === 0 || (open.length === 1 && decided.words.length === 1 && decided.amounts < 2)) return [];
  const name = layout.names[decided.column] ?? '';
  const known = decided.words.flatMap(({ text }) => {
    const word = open.some((one) => one.text === text) ? null : directionWord(text);
    return word === null
      ? []
      : [phrase('statement.unknownDirections.isMoneyOut', { text: quoted(text), isWord: word === 'credit' ? 'yes' : 'no' })];
  });
  const beside = known.length === 0 ? '' : ` (${known.join(', ')})`;
  return [
    {
      about: 'money_out',
      column: name,
      message: phrase('statement.unknownDirections.otherWhichTieoutDoesNot', {
        name,
        hasMinus: decided.hasMinus ? 'yes' : 'no',
        direction: layout.direction !== null && known.length > 0 ? 'yes' : 'no',
        open: open.map(({ text }) => quoted(text)).join(', '),
        beside,
      }),
      taken: '',
      choices: open.map(({ text, rows, row, example }) => ({
        value: text,
        label: `${text}, ${rows} ${rows === 1 ? 'row' : 'rows'}`,
        examples: [{ written: `row ${row}: ${example}`, read: phrase('statement.unknownDirections.moneyOut') }],
      })),
    },
  ];
}

const LONGEST_CELL = 30;
const SHOWN_CELLS = 6;

function shown(cells: readonly string[]): string {
  return cells
    .filter((cell) => cell !== '')
    .slice(0, SHOWN_CELLS)
    .map((cell) => (cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell))
    .join(', ');
}

function quoted(word: string): string {
  return `“${word}”`;
}

/** Returns the words that a recipe keeps: all with a stated meaning, so that a new word in a later file raises the question again. */
export function keptDirections(decided: DecidedWords | null, { direction, saidDirections: said }: Read): TableRecipe['direction_words'] {
  if (said === null || direction === null) return null;
  const directionOf = directionLookup(said);
  const others = said.areOthersIn
    ? (decided?.words ?? []).map(({ text }) => text).filter((text) => directionOf(text) === undefined && !saysDirectionOrNeither(text))
    : [];
  const kept = { in: [...said.in, ...others].slice(0, MOST_DIRECTION_WORDS), out: [...said.out].slice(0, MOST_DIRECTION_WORDS) };
  return kept.in.length + kept.out.length === 0 ? null : kept;
}

/** Returns why no words can mean money out in this table, before its rows are read; null where they can. */
export function mismatchOfMoneyOut({ direction, askedDirection }: Layout, answers: ImportAnswers | null | undefined): Unreadable | null {
  if ((answers?.money_out ?? []).length === 0 || direction !== null || askedDirection !== null) return null;
  return unreadable('answer_does_not_fit', phrase('statement.unknownDirections.noColumnOfThisFile'));
}

/** Returns why a word that a person says means money out does not fit: the table does not have it. Null where it has all. */
export function mismatchOfWords(decided: DecidedWords | null, layout: Read, answers: ImportAnswers | null | undefined): Unreadable | null {
  if (answers?.money_out === undefined || decided === null) return null;
  const there = new Set(decided.words.map(({ text }) => plain(text)));
  const missing = answers.money_out.find((word) => !there.has(plain(word)));
  if (missing === undefined) return null;
  const name = layout.names[decided.column] ?? '';
  const words = decided.words.map(({ text }) => quoted(text)).join(', ');
  return unreadable(
    'answer_does_not_fit',
    phrase('statement.unknownDirections.noRowSaysInTheColumn', { missing: quoted(missing), name, words }),
  );
}
