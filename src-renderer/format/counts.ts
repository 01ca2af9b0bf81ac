const numbers = new Map<string, Intl.NumberFormat>();

/** `1,000,000`. */
export function countText(count: number, locale?: string): string {
  const found = numbers.get(locale ?? '') ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  numbers.set(locale ?? '', found);
  return found.format(count);
}

/** `1 record`, `12 records`; `many` where an s does not do. */
export function counted(count: number, one: string, many = `${one}s`, locale?: string): string {
  return `${countText(count, locale)} ${count === 1 ? one : many}`;
}

/** `94 open, of which 60 proposed`: what is open is counted in this way wherever it is told. */
export function openText(open: number, proposed: number, locale?: string): string {
  return `${countText(open, locale)} open${ofWhichText(proposed, locale)}`;
}

/** `, of which 60 proposed`; nothing where none is. */
export function ofWhichText(proposed: number, locale?: string): string {
  return proposed === 0 ? '' : `, of which ${countText(proposed, locale)} proposed`;
}

/** `1 line is not searchable yet`, `1,204 lines are not searchable yet`. */
export function notSearchedText(count: number, locale?: string): string {
  return `${counted(count, 'line', undefined, locale)} ${count === 1 ? 'is' : 'are'} not searchable yet`;
}

/** Whole percent of `total`, rounded down, so that 100 % means all of it. */
export function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.floor((part / total) * 100);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** `812 bytes`, `1.4 MB`. */
export function bytesText(bytes: number, locale?: string): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(size)} ${UNITS[unit] ?? ''}`;
}

/** `Bank`, `Bank and Card`, `Bank, Card and Cash`. */
export function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
