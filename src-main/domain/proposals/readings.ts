import type { TransformInput } from '../../../src-shared/contract/rules/rule-language.ts';
import { compilePattern, compileTransforms } from '../matching/index.ts';
import { compareText } from '../records/content.ts';
import { type Field, fieldOf, rawValue, textOf } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';
import { PROPOSAL_LIMITS } from './types.ts';

/** A number or code inside texts, as a pattern of the rule language. */
interface TextPattern {
  readonly pattern: string;
  /** Texts that hold one. */
  readonly rows: number;
}

const TOKEN = /[\p{L}\p{N}]+(?:[-_/.#][\p{L}\p{N}]+)*/gu;
const PART = /[\p{L}\p{N}]+|[-_/.#]/gu;
const LETTERS_THEN_DIGITS = /^([A-Za-z]+)\d+$/;
/** A word and what stands between it and its number: `Invoice no. 4711`. */
const WORD_BEFORE = /([A-Za-z]{2,20})[ .:#]{1,3}$/;
const TOKEN_LENGTH = { least: 3, most: 40 } as const;
/** A pattern is looked at when this share of the texts has it, and at least this many. */
const LEAST = { share: 0.03, rows: 3 } as const;
/** Different patterns counted before rare ones are no longer taken up. */
const MAX_SHAPES = 5_000;

const escaped = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/#-]/g, (character) => (character === '-' ? '-' : `\\${character}`));

/** Patterns that a token can be read by: with its own letters, and with any. */
function shapesOf(token: string): { readonly own: string; readonly any: string } {
  let own = '';
  let any = '';
  for (const [part] of token.matchAll(PART)) {
    const letters = LETTERS_THEN_DIGITS.exec(part)?.[1];
    if (/^\d+$/.test(part)) {
      own += '\\d+';
      any += '\\d+';
    } else if (/^[-_/.#]$/.test(part)) {
      own += escaped(part);
      any += escaped(part);
    } else if (letters !== undefined) {
      own += `${letters}\\d+`;
      any += '[A-Za-z]+\\d+';
    } else {
      own += /\d/.test(part) ? '\\w+' : part;
      any += /\d/.test(part) ? '\\w+' : '[A-Za-z]+';
    }
  }
  return { own, any };
}

interface Counts {
  readonly own: Map<string, number>;
  readonly any: Map<string, number>;
  /** The own shapes of an any shape. */
  readonly members: Map<string, Set<string>>;
}

function bump(counts: Map<string, number>, key: string): void {
  const known = counts.get(key);
  if (known !== undefined || counts.size < MAX_SHAPES) counts.set(key, (known ?? 0) + 1);
}

function countText(counts: Counts, text: string): void {
  const own = new Set<string>();
  const any = new Set<string>();
  for (const match of text.slice(0, PROPOSAL_LIMITS.textLength).matchAll(TOKEN)) {
    const [token] = match;
    if (token.length < TOKEN_LENGTH.least || token.length > TOKEN_LENGTH.most || !/\d/.test(token)) continue;
    // A token that is the whole text is what the field itself says.
    if (token.length === text.trim().length) continue;
    if (/^\d+$/.test(token)) {
      own.add(`\\b\\d{${token.length}}\\b`);
      any.add('\\b\\d{4,}\\b');
      const word = WORD_BEFORE.exec(text.slice(0, match.index))?.[1];
      if (word !== undefined) own.add(`(?i)\\b${word.toLowerCase()}[ .:#]{1,3}(\\d+)`);
      continue;
    }
    const shapes = shapesOf(token);
    own.add(shapes.own);
    any.add(shapes.any);
    const members = counts.members.get(shapes.any) ?? new Set<string>();
    if (members.size === 0 && counts.members.size >= MAX_SHAPES) continue;
    if (members.size < MAX_SHAPES) members.add(shapes.own);
    counts.members.set(shapes.any, members);
  }
  for (const shape of own) bump(counts.own, shape);
  for (const shape of any) bump(counts.any, shape);
}

/**
 * The patterns of numbers and codes that stand in many of the texts (`ORD-\d+`, `Invoice no. (\d+)`), most frequent first. One with
 * any letters is named only where its own letters vary.
 */
function patternsOf(texts: readonly (string | null)[]): TextPattern[] {
  const counts: Counts = { own: new Map(), any: new Map(), members: new Map() };
  let filled = 0;
  for (const text of texts) {
    if (text === null) continue;
    filled += 1;
    countText(counts, text);
  }
  const least = Math.max(LEAST.rows, filled * LEAST.share);
  const found = new Map<string, number>([...counts.own].filter(([, rows]) => rows >= least));
  for (const [shape, rows] of counts.any) {
    if (rows < least || found.has(shape)) continue;
    const covered = [...(counts.members.get(shape) ?? [])].reduce((sum, own) => sum + (found.get(own) ?? 0), 0);
    if (covered < 0.7 * rows) found.set(shape, rows);
  }
  return [...found]
    .map(([pattern, rows]) => ({ pattern, rows }))
    .filter(({ pattern }) => compilePattern(pattern).ok)
    .toSorted((left, right) => right.rows - left.rows || compareText(left.pattern, right.pattern))
    .slice(0, PROPOSAL_LIMITS.patternsOfField);
}

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
