import type { ImportRecipe } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

/** Returns the names of the settings in which two recipes differ; empty when they read every file in the same way. */
export function differencesOf(one: ImportRecipe, other: ImportRecipe): string[] {
  const differs = (key: keyof ImportRecipe): boolean => JSON.stringify(one[key]) !== JSON.stringify(other[key]);
  const parts: readonly (readonly [keyof ImportRecipe, string])[] = [
    ['columns', 'columns'],
    ['has_header', 'header'],
    ['encoding', 'encoding'],
    ['delimiter', 'delimiter'],
    ['sheet', 'sheet'],
    ['date_order', say('imports.recipe.orderOfDates')],
    ['decimal_mark', say('imports.recipe.decimalMark')],
    ['sign_model', 'signs'],
    ['direction_words', say('imports.recipe.wordsOfInAndOut')],
    ['footer_rows', say('imports.recipe.linesLeftOutAtTheEnd')],
    ['overlap', say('imports.recipe.whatLinesAlreadyHere')],
    ['currency', 'currency'],
    ['stream_key', 'stream'],
    ['bank_account', say('imports.recipe.bankAccount')],
  ];
  return parts.filter(([key]) => differs(key)).map(([, words]) => words);
}
