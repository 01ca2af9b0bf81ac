import type { EngineRecord } from './record.ts';

/** JSON with keys in order, so that two objects with the same members read the same. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).toSorted(([left], [right]) => compareText(left, right));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/**
 * Everything of a record that a person can see, its id apart. Equal texts: the records are alike, and exchanging one
 * for the other changes nothing that anyone could notice.
 */
export function visibleContent(record: EngineRecord): string {
  return canonicalJson([
    record.day,
    record.amountMinor,
    record.decimalPlaces,
    record.direction,
    record.currency,
    record.description,
    record.reference,
    record.externalId,
    record.streamKey,
    record.metadata,
    record.valueDay,
  ]);
}

/** Code units, never a locale: the same on every machine. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** One that is not known comes first. */
function compareDays(left: number | null, right: number | null): number {
  return (left ?? -Infinity) === (right ?? -Infinity) ? 0 : (left ?? -Infinity) < (right ?? -Infinity) ? -1 : 1;
}

/**
 * Records in the order of their content: date, amount, texts, external id, then the rest of what can be seen, last the
 * id. Every choice between equals in the engine follows this order, so that the order of the input never matters.
 */
export function inContentOrder(records: readonly EngineRecord[]): EngineRecord[] {
  return records.toSorted(contentOrder());
}

/** The order of `inContentOrder`; metadata that was looked at is remembered. */
export function contentOrder(): (left: EngineRecord, right: EngineRecord) => number {
  const metadata = new Map<EngineRecord, string>();
  const metadataText = (record: EngineRecord): string => {
    const known = metadata.get(record);
    if (known !== undefined) return known;
    const text = canonicalJson(record.metadata);
    metadata.set(record, text);
    return text;
  };
  return (left, right) =>
    left.day - right.day ||
    left.amountMinor - right.amountMinor ||
    left.decimalPlaces - right.decimalPlaces ||
    compareText(left.direction, right.direction) ||
    compareText(left.currency, right.currency) ||
    compareText(left.description ?? '', right.description ?? '') ||
    compareText(left.reference ?? '', right.reference ?? '') ||
    compareText(left.externalId ?? '', right.externalId ?? '') ||
    compareText(left.streamKey, right.streamKey) ||
    compareText(metadataText(left), metadataText(right)) ||
    compareDays(left.valueDay, right.valueDay) ||
    left.id - right.id;
}
