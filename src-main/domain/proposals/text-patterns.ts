import { compilePattern } from '../matching/index.ts';
import { compareText } from '../records/content.ts';
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
export function patternsOf(texts: readonly (string | null)[]): TextPattern[] {
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
