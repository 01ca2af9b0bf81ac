import type { ImportRecipe } from '../../src-shared/contract/index.ts';

/** Returns the names of the settings in which two recipes differ; empty when they read every file in the same way. */
export function differencesOf(one: ImportRecipe, other: ImportRecipe): string[] {
  const differs = (key: keyof ImportRecipe): boolean => JSON.stringify(one[key]) !== JSON.stringify(other[key]);
  const parts: readonly (readonly [keyof ImportRecipe, string])[] = [
    ['columns', 'columns'],
    ['has_header', 'header'],
    ['encoding', 'encoding'],
    ['delimiter', 'delimiter'],
    ['sheet', 'sheet'],
    ['date_order', 'order of dates'],
    ['decimal_mark', 'decimal mark'],
    ['sign_model', 'signs'],
    ['direction_words', 'words of in and out'],
    ['footer_rows', 'lines left out at the end'],
    ['overlap', 'what lines already here are'],
    ['currency', 'currency'],
    ['stream_key', 'stream'],
    ['bank_account', 'bank account'],
  ];
  return parts.filter(([key]) => differs(key)).map(([, words]) => words);
}
