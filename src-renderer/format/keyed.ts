export interface Keyed<T> {
  readonly item: T;
  readonly key: string;
}

/** Returns each item with a unique key. Equal items get different keys, because a file may hold the same line twice. */
export function keyed<T>(items: readonly T[], keyOf: (item: T) => string): Keyed<T>[] {
  const met = new Map<string, number>();
  return items.map((item) => {
    const name = keyOf(item);
    const times = met.get(name) ?? 0;
    met.set(name, times + 1);
    return { item, key: times === 0 ? name : `${name} ${times}` };
  });
}
