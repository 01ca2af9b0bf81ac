import { createHash } from 'node:crypto';
import type { RecordContent } from './resources.ts';

/** The same text for the same value, whatever the order of its members; members that are null or missing are the same. */
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

/** 128 bits of SHA-256: nobody picks what is hashed to deceive, and links are many. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export function hashOfValue(value: unknown): string {
  return hashOf(canonical(value));
}

type RecordField = keyof RecordContent;

/** The hash of a record by the fields that both sides carry. */
export function recordHash(content: RecordContent, fields: readonly RecordField[]): string {
  const values = fields.map((field) => (field === 'metadata' ? canonical(content.metadata) : content[field]));
  return hashOf(JSON.stringify(values));
}

/** Members of a match, in no order. */
export function setHash(ids: readonly number[], isAdjusted: boolean): string {
  return hashOf(`${ids.toSorted((one, other) => one - other).join()}${isAdjusted ? '+' : ''}`);
}
