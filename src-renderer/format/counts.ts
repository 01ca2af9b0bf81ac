import type { WordKey } from '../../src-shared/words/catalogue.ts';
import { numberText } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';

/** Returns a count with digit groups, `1,000,000`. */
export function countText(count: number): string {
  return numberText(count, 0);
}

/** Returns a count with its noun, `1 record`, `12 records`. Pass `many` for an irregular plural. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** Returns a count with its noun, `1 record`, `12 records`. */
export function countOf(count: number, noun: Extract<WordKey, `count.${string}`>): string {
  return say(noun, { count });
}

/** Returns `94 open, of which 60 proposed`. Every screen counts open lines in this way. */
export function openText(open: number, proposed: number): string {
  return say('common.counts.open', { open: countText(open), proposed });
}

/** Returns `94 items, of which 60 proposed`, or only what was counted when none is proposed. */
export function ofWhichText(counted: string, proposed: number): string {
  return proposed === 0 ? counted : say('common.counts.ofWhichProposed', { counted, proposed: countText(proposed) });
}

/** Returns `1 line is not searchable yet`, `1,204 lines are not searchable yet`. */
export function notSearchedText(count: number): string {
  return say('common.counts.linesAreNotSearchable', { lines: count });
}

/** Returns the percentage of `total`, rounded down, so that 100 % means all of it. */
export function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.floor((part / total) * 100);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** Returns a size, `812 bytes`, `1.4 MB`. */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${numberText(size, digits)} ${UNITS[unit] ?? ''}`;
}

/** Returns names as a list, `Bank`, `Bank and Card`, `Bank, Card and Cash`. */
export function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : say('common.counts.and', { names: names.slice(0, -1).join(', '), last });
}
