import type { EngineRecord } from './record.ts';

/** Returns JSON with sorted keys, so that objects with the same members have the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).toSorted(([left], [right]) => compareText(left, right));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** Returns everything of a record that a person can see, without its id. Records with equal texts can be exchanged without any visible change. */
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

/** Compares by code units, never by locale, so that the order is the same on every machine. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** An unknown day comes first. */
function compareDays(left: number | null, right: number | null): number {
  return (left ?? -Infinity) === (right ?? -Infinity) ? 0 : (left ?? -Infinity) < (right ?? -Infinity) ? -1 : 1;
}

/**
 * Returns the records in content order: date, amount, texts, external id, then everything else that is visible, and finally the id. Every choice
 * between equals in the engine follows this order, so that the order of the input never matters.
 */
export function inContentOrder(records: readonly EngineRecord[]): EngineRecord[] {
  return records.toSorted(contentOrder());
}

/** Returns the order of `inContentOrder`, with a cache of metadata texts. */
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
