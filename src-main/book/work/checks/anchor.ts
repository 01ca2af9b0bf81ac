import type { Check } from './check.ts';

/** Checks that the book is the one of its anchor, or a later state of it. `fault` is what was found when it was opened. */
export function anchorCheck(fault: string | null): Check {
  const message = `${fault}. Compare the book with a backup; if you put it there yourself, tieout verify --accept takes it as it is.`;
  return { id: 'anchor', label: 'what is remembered beside the book', find: () => (fault === null ? [] : [{ message }]) };
}
