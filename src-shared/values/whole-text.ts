/** The end of an error sentence, after the name of a member whose text contains half of a character. */
export const HALF_CHARACTER = 'holds half of a character (a lone surrogate), which cannot be kept as it is: send whole characters';

/** Whether all texts and member names of a JSON value consist of whole characters. Halves of different characters would be stored as the same. */
export function isWholeText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWholeText);
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWholeText(member));
}
