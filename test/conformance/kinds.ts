/** What a field may hold; `?` behind it lets it be null, and `one of a b` lists values. */
export type Kind = string;

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  date: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value),
  timestamp: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value),
  currency: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  percentage: (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 100,
  address: (value) => typeof value === 'string' && value.startsWith('/v1/'),
};

/** Whether a value is of a kind. */
export function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind.endsWith('?')) return value === null || isOfKind(value, kind.slice(0, -1));
  if (kind.startsWith('one of ')) return kind.slice('one of '.length).split(' ').includes(String(value));
  const is = IS[kind];
  if (is === undefined) throw new Error(`There is no kind ${kind}`);
  return is(value);
}
