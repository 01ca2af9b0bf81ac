import type { Check } from './check.ts';

/** The book is the one whose end was remembered beside it, or a later state of that. `fault`: what was found when it was opened. */
export function anchorCheck(fault: string | null): Check {
  const message = `${fault}. Compare the book with a backup; if you put it there yourself, tieout verify --accept takes it as it is.`;
  return { id: 'anchor', label: 'what is remembered beside the book', find: () => (fault === null ? [] : [{ message }]) };
}
