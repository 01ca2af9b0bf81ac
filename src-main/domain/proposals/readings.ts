import type { TransformInput } from '../../../src-shared/contract/rules/rule-language.ts';
import { compilePattern, compileTransforms } from '../matching/index.ts';
import { compareText } from '../records/content.ts';
import { type Field, fieldOf, rawValue, textOf } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';
import { PROPOSAL_LIMITS } from './types.ts';

/** A number or code inside texts, as a pattern of the rule language. */
interface TextPattern {
  readonly pattern: string;
  /** Number of texts that contain one. */
  readonly rows: number;
}

const TOKEN = /[\p{L}\p{N}]+(?:[-_/.#][\p{L}\p{N}]+)*/gu;
const PART = /[\p{L}\p{N}]+|[-_/.#]/gu;
const LETTERS_THEN_DIGITS = /^([A-Za-z]+)\d+$/;
/** A word and the characters between it and its number: `Invoice no. 4711`. */
const WORD_BEFORE = /([A-Za-z]{2,20})[ .:#]{1,3}$/;
const TOKEN_LENGTH = { least: 3, most: 40 } as const;
/** Least share and least number of texts that must contain a pattern. */
const LEAST = { share: 0.03, rows: 3 } as const;
/** Most different patterns that are counted; later ones are dropped. */
const MAX_SHAPES = 5_000;

const escaped = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/#-]/g, (character) => (character === '-' ? '-' : `\\${character}`));

/** Returns patterns for a token: one with its own letters, and one with any letters. */
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
  /** Own shapes by any-letter shape. */
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
    // A token that fills the whole text is covered by the field itself.
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
 * Returns the patterns of numbers and codes that occur in many of the texts (`ORD-\d+`, `Invoice no. (\d+)`), most frequent first. A pattern with any
 * letters is included only if its own letters vary.
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

/** One way to read a text from each record of a side: a whole field, or the part that a pattern extracts. */
export interface Reading {
  readonly field: Field;
  /** Pattern of `extract`; null to read the whole field. */
  readonly pattern: string | null;
  /** Texts by row; null if there is none. */
  readonly texts: readonly (string | null)[];
  /** Number of rows with a text. */
  readonly filled: number;
  /** Number of different texts. */
  readonly distinct: number;
  /** Average length of the texts in characters. */
  readonly length: number;
}

/** Fields that identify a record or its party. The others (dates, amounts, currency) are compared by other conditions. */
const TEXT_FIELDS = ['reference', 'external_id', 'description'] as const;

/** Returns the paths of metadata members with plain values, those filled most often first. */
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

/** Returns texts after transforms; null if nothing is left. */
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
 * Returns the readings of a side, fields before patterns. A reading with the same texts as an earlier one is left out, and so is a field with a
 * single value.
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
