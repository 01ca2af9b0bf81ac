import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { type CharacterSet, complement, DIGITS, LINE_ENDS, setOf, SPACE, withBothCases, WORD } from './character-set.ts';

/** `max` is infinite for an open repetition. */
export type PatternNode =
  | { readonly type: 'set'; readonly set: CharacterSet }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number; readonly isLazy: boolean }
  | { readonly type: 'first_group'; readonly body: PatternNode }
  | { readonly type: 'place'; readonly place: 'start' | 'end' | 'edge' | 'no_edge' };

/** Counted repetitions are expanded, so the count is bounded. */
const MAX_COUNT = 200;
const MAX_GROUP_DEPTH = 20;

interface Reader {
  readonly characters: readonly string[];
  readonly ignoresCase: boolean;
  position: number;
  depth: number;
  groups: number;
  /** The first fault. Reading continues, but its result is discarded. */
  fault: string | null;
}

const CLASS_ESCAPES: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const NOTHING: PatternNode = { type: 'sequence', parts: [] };

/**
 * Parses the subset of regular expressions that can be matched in linear time: literals, classes, groups, alternatives, repetitions (greedy and
 * lazy), `^ $ \b \B`, and `(?i)` at the start. A fault is worded as the end of a sentence.
 */
export function parsePattern(pattern: string): Result<PatternNode, string> {
  const ignoresCase = pattern.startsWith('(?i)');
  const characters = [...(ignoresCase ? pattern.slice('(?i)'.length) : pattern)];
  const reader: Reader = { characters, ignoresCase, position: 0, depth: 0, groups: 0, fault: null };
  const node = readChoice(reader);
  if (reader.position < characters.length) report(reader, 'has a `)` without its `(`');
  return reader.fault === null ? success(node) : failed(reader.fault);
}

function report(reader: Reader, fault: string): PatternNode {
  reader.fault ??= fault;
  reader.position = reader.characters.length;
  return NOTHING;
}

function peek(reader: Reader, ahead = 0): string {
  return reader.characters[reader.position + ahead] ?? '';
}

function take(reader: Reader): string {
  const character = peek(reader);
  reader.position += 1;
  return character;
}

function takeIf(reader: Reader, text: string): boolean {
  const wanted = [...text];
  if (!wanted.every((character, ahead) => peek(reader, ahead) === character)) return false;
  reader.position += wanted.length;
  return true;
}

function readChoice(reader: Reader): PatternNode {
  const options = [readSequence(reader)];
  while (takeIf(reader, '|')) options.push(readSequence(reader));
  return options.length === 1 ? (options[0] ?? NOTHING) : { type: 'choice', options };
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = [];
  while (reader.position < reader.characters.length && peek(reader) !== '|' && peek(reader) !== ')') parts.push(readRepeated(reader));
  return { type: 'sequence', parts };
}

function readRepeated(reader: Reader): PatternNode {
  const body = readAtom(reader);
  const count = readCount(reader);
  if (count === null) return body;
  if (body.type === 'place') return report(reader, 'repeats `^`, `$`, `\\b` or `\\B`, which have no length');
  const [min, max] = count;
  if (max < min) return report(reader, `repeats from ${min} down to ${max}`);
  if (min > MAX_COUNT || (Number.isFinite(max) && max > MAX_COUNT)) return report(reader, `counts a repetition above ${MAX_COUNT}`);
  const isLazy = takeIf(reader, '?');
  if (peek(reader) === '+' || peek(reader) === '*' || readCount(reader) !== null) return report(reader, 'has two repetitions in a row');
  return { type: 'repeat', body, min, max, isLazy };
}

function readCount(reader: Reader): readonly [number, number] | null {
  if (takeIf(reader, '*')) return [0, Number.POSITIVE_INFINITY];
  if (takeIf(reader, '+')) return [1, Number.POSITIVE_INFINITY];
  if (takeIf(reader, '?')) return [0, 1];
  const counted = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(reader.characters.slice(reader.position, reader.position + 16).join(''));
  if (counted === null) return null;
  reader.position += counted[0].length;
  const min = Number(counted[1]);
  if (counted[2] === undefined) return [min, min];
  return [min, counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])];
}

function readAtom(reader: Reader): PatternNode {
  const character = take(reader);
  if (character === '(') return readGroup(reader);
  if (character === '[') return setNode(reader, readClass(reader));
  if (character === '.') return { type: 'set', set: complement(LINE_ENDS) };
  if (character === '^') return { type: 'place', place: 'start' };
  if (character === '$') return { type: 'place', place: 'end' };
  if (character === '*' || character === '+' || character === '?') return report(reader, `has a \`${character}\` with nothing to repeat`);
  if (character !== '\\') return setNode(reader, single(character));
  if (takeIf(reader, 'b')) return { type: 'place', place: 'edge' };
  if (takeIf(reader, 'B')) return { type: 'place', place: 'no_edge' };
  return setNode(reader, readEscape(reader));
}

function setNode(reader: Reader, set: CharacterSet): PatternNode {
  return { type: 'set', set: reader.ignoresCase ? withBothCases(set) : set };
}

function single(character: string): CharacterSet {
  const codePoint = character.codePointAt(0) ?? 0;
  return [[codePoint, codePoint]];
}

function readGroup(reader: Reader): PatternNode {
  let captures = true;
  if (takeIf(reader, '?:')) captures = false;
  else if (peek(reader) === '?' && !/^\?<[A-Za-z_]\w*>/.test(reader.characters.slice(reader.position, reader.position + 60).join(''))) {
    return report(reader, 'looks ahead or behind, or sets a flag inside, which a linear-time search does not do');
  } else if (peek(reader) === '?') reader.position = reader.characters.indexOf('>', reader.position) + 1;
  if (captures) reader.groups += 1;
  const isFirst = captures && reader.groups === 1;
  reader.depth += 1;
  if (reader.depth > MAX_GROUP_DEPTH) return report(reader, `nests groups more than ${MAX_GROUP_DEPTH} deep`);
  const body = readChoice(reader);
  reader.depth -= 1;
  if (!takeIf(reader, ')')) return report(reader, 'has a `(` without its `)`');
  return isFirst ? { type: 'first_group', body } : body;
}

/** Reads what follows a backslash, also inside a class. */
function readEscape(reader: Reader): CharacterSet {
  const character = take(reader);
  const known = Object.hasOwn(CLASS_ESCAPES, character) ? CLASS_ESCAPES[character] : undefined;
  if (known !== undefined) return known;
  const control = Object.hasOwn(CONTROL_ESCAPES, character) ? CONTROL_ESCAPES[character] : undefined;
  if (control !== undefined) return [[control, control]];
  if (character === 'x' || character === 'u') return readHex(reader, character === 'x' ? 2 : 4);
  if (character === '') report(reader, 'ends in a backslash');
  else if (/\d/.test(character)) report(reader, 'refers back to a group, which a linear-time search does not do');
  else if (/[A-Za-z]/.test(character)) report(reader, `has the escape \`\\${character}\`, which is not known here`);
  return single(character);
}

function readHex(reader: Reader, length: number): CharacterSet {
  const digits = reader.characters.slice(reader.position, reader.position + length).join('');
  if (digits.length !== length || !/^[0-9A-Fa-f]+$/.test(digits)) {
    report(reader, `has \`\\x\` or \`\\u\` without its ${length} hexadecimal digits`);
    return [];
  }
  reader.position += length;
  const codePoint = Number.parseInt(digits, 16);
  return [[codePoint, codePoint]];
}

/** Reads what follows an opening bracket. */
function readClass(reader: Reader): CharacterSet {
  const isNegated = takeIf(reader, '^');
  const ranges: (readonly [number, number])[] = [];
  for (let isFirst = true; isFirst || peek(reader) !== ']'; isFirst = false) {
    if (reader.position >= reader.characters.length) {
      report(reader, 'has a `[` without its `]`');
      return [];
    }
    if (isFirst && peek(reader) === ']') {
      report(reader, 'has an empty class `[]`; write `\\]` for the bracket itself');
      return [];
    }
    const low = readClassMember(reader);
    const isRange = peek(reader) === '-' && peek(reader, 1) !== ']' && peek(reader, 1) !== '';
    if (!isRange) {
      ranges.push(...low);
      continue;
    }
    reader.position += 1;
    const range = rangeOf(low, readClassMember(reader));
    if (range === null) report(reader, 'has a class range whose ends are no single characters in ascending order');
    else ranges.push(range);
  }
  reader.position += 1;
  const set = setOf(ranges);
  if (!isNegated) return set;
  return complement(reader.ignoresCase ? withBothCases(set) : set);
}

function readClassMember(reader: Reader): CharacterSet {
  const character = take(reader);
  if (character !== '\\') return single(character);
  // Inside a class `\b` is the backspace.
  return takeIf(reader, 'b') ? [[8, 8]] : readEscape(reader);
}

function rangeOf(low: CharacterSet, high: CharacterSet): readonly [number, number] | null {
  const from = low[0];
  const to = high[0];
  if (from === undefined || to === undefined || low.length > 1 || high.length > 1) return null;
  return from[0] === from[1] && to[0] === to[1] && from[0] <= to[0] ? [from[0], to[0]] : null;
}
