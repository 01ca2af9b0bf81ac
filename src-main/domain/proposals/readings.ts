import type { TransformInput } from '../../../src-shared/contract/rules/rule-language.ts';
import { compileTransforms } from '../matching/index.ts';
import { compareText } from '../records/content.ts';
import { type Field, fieldOf, rawValue, textOf } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';
import { patternsOf } from './text-patterns.ts';
import { PROPOSAL_LIMITS } from './types.ts';

/** One way to read a text of each record of a side: a field as it is, or what a pattern finds in it. */
export interface Reading {
  readonly field: Field;
  /** Of `extract`; null where the whole field is read. */
  readonly pattern: string | null;
  /** By row; null where there is nothing. */
  readonly texts: readonly (string | null)[];
  /** Rows with a text. */
  readonly filled: number;
  /** Different texts. */
  readonly distinct: number;
  /** Average characters of the texts. */
  readonly length: number;
}

/** Fields whose value says which record it is, or whose; the rest (dates, amounts, currency) is compared by other conditions. */
const TEXT_FIELDS = ['reference', 'external_id', 'description'] as const;

/** Paths of metadata members that hold plain values, those filled most often first. */
function metadataFields(records: readonly EngineRecord[]): string[] {
  const counts = new Map<string, number>();
  const visit = (holder: object, prefix: string, depth: number): void => {
    for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
      const path = `${prefix}${key}`;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        if (depth < 3) visit(value, `${path}.`, depth + 1);
      } else if (typeof textOf(value) === 'string' && (counts.has(path) || counts.size < 1_000))
        counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  };
  for (const { metadata } of records) visit(metadata, 'metadata.', 1);
  return [...counts]
    .filter(([path]) => path.length <= 120)
    .toSorted(([left, leftRows], [right, rightRows]) => rightRows - leftRows || compareText(left, right))
    .slice(0, PROPOSAL_LIMITS.fields)
    .map(([path]) => path);
}

function readingOf(field: Field, pattern: string | null, texts: readonly (string | null)[]): Reading {
  const filled = texts.filter((text) => text !== null);
  const characters = filled.reduce((sum, text) => sum + text.length, 0);
  return { field, pattern, texts, filled: filled.length, distinct: new Set(filled).size, length: characters / Math.max(1, filled.length) };
}

/** What transforms make of texts; what they empty is nothing. */
export function transformed(texts: readonly (string | null)[], transforms: readonly TransformInput[]): (string | null)[] {
  const compiled = compileTransforms([...transforms], 'key', []);
  const steps = compiled?.texts ?? [];
  return texts.map((text) => {
    if (text === null) return null;
    const changed = steps.reduce((each, step) => step(each), text);
    return changed.trim() === '' ? null : changed;
  });
}

function sameTexts(left: Reading, right: Reading): boolean {
  return left.filled === right.filled && left.texts.every((text, row) => text === right.texts[row]);
}

/**
 * The profile of a side: how its records can be read, fields before patterns. What reads every record as another reading does is left
 * out. A field with one value throughout tells no record from another.
 */
export function readingsOf(records: readonly EngineRecord[]): Reading[] {
  const names = [...TEXT_FIELDS, ...metadataFields(records)];
  const fields = names.flatMap((name) => {
    const field = fieldOf(name);
    if (field === null) return [];
    const texts = records.map((record) => {
      const text = textOf(rawValue(field, record));
      return typeof text === 'string' ? text : null;
    });
    return [readingOf(field, null, texts)];
  });
  const useful = fields.filter(({ distinct }) => distinct >= 2);
  const patterns = useful
    .filter(({ length }) => length >= 4)
    .flatMap((whole) =>
      patternsOf(whole.texts).map(({ pattern }) =>
        readingOf(whole.field, pattern, transformed(whole.texts, [{ name: 'extract', args: { pattern } }])),
      ),
    )
    .filter(({ distinct }) => distinct >= 2)
    .toSorted((left, right) => right.distinct - left.distinct);
  const kept: Reading[] = [];
  for (const reading of [...useful, ...patterns]) {
    if (kept.length >= PROPOSAL_LIMITS.readings) break;
    if (!kept.some((other) => sameTexts(other, reading))) kept.push(reading);
  }
  return kept;
}
