import { createHash } from 'node:crypto';
import type { RecordContent } from './resources.ts';

/** Returns the same text for equal values, whatever the order of members; a null member equals a missing one. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member)
            .filter(([, one]) => one !== null && one !== undefined)
            .toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : member,
  );
}

/** Returns 128 bits of SHA-256, in base64url: enough because no one chooses the input to cause a collision, and short because links are many. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export function hashOfValue(value: unknown): string {
  return hashOf(canonical(value));
}

type RecordField = keyof RecordContent;

/** Returns the hash of a record over the fields that both sides carry. */
export function recordHash(content: RecordContent, fields: readonly RecordField[]): string {
  const values = fields.map((field) => (field === 'metadata' ? canonical(content.metadata) : content[field]));
  return hashOf(JSON.stringify(values));
}

/** Returns the hash of a match's records, independent of their order, and of whether it has an adjustment. */
export function setHash(ids: readonly number[], isAdjusted: boolean): string {
  return hashOf(`${ids.toSorted((one, other) => one - other).join()}${isAdjusted ? '+' : ''}`);
}
