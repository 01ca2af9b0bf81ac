import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';

/** A set of code points as ranges, both ends inclusive, ascending and not adjacent. */
type CharacterSet = readonly (readonly [number, number])[];

const LAST_CODE_POINT = 0x10_ff_ff;
/** Case variants are looked up one by one. No range of letters that a person writes is larger than this. */
const MAX_CASED_RANGE = 2_000;

function setOf(ranges: readonly (readonly [number, number])[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [low, high] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

function complement(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST_CODE_POINT) rest.push([from, LAST_CODE_POINT]);
  return rest;
}

function intersects(left: CharacterSet, right: CharacterSet): boolean {
  return left.some(([low, high]) => right.some(([otherLow, otherHigh]) => low <= otherHigh && otherLow <= high));
}

function contains(set: CharacterSet, codePoint: number): boolean {
  for (const [low, high] of set) if (codePoint <= high) return codePoint >= low;
  return false;
}

/** Returns the set with the other case of each letter. */
function withBothCases(set: CharacterSet): CharacterSet {
  const more: (readonly [number, number])[] = [...set];
  for (const [low, high] of set) {
    if (high - low > MAX_CASED_RANGE) continue;
    for (let codePoint = low; codePoint <= high; codePoint += 1) {
      const letter = String.fromCodePoint(codePoint);
      for (const variant of [letter.toLowerCase(), letter.toUpperCase()]) {
        const other = variant.codePointAt(0);
        if (other !== undefined && String.fromCodePoint(other) === variant) more.push([other, other]);
      }
    }
  }
  return setOf(more);
}

const DIGITS: CharacterSet = [[0x30, 0x39]];
const WORD: CharacterSet = setOf([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
/** The characters of `\s` in JavaScript. */
const SPACE: CharacterSet = setOf([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
]);
/** The characters that `.` excludes. */
const LINE_ENDS: CharacterSet = setOf([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
]);

/** `max` is infinite for an open repetition. */
type PatternNode =
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
function parsePattern(pattern: string): Result<PatternNode, string> {
  const ignoresCase = pattern.startsWith('(?i)');
  const characters = [...(ignoresCase ? pattern.slice('(?i)'.length) : pattern)];
  const reader: Reader = { characters, ignoresCase, position: 0, depth: 0, groups: 0, fault: null };
  const node = readChoice(reader);
  if (reader.position < characters.length) report(reader, phrase('rules.pattern.hasAWithoutIts'));
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
  if (body.type === 'place') return report(reader, phrase('rules.pattern.repeatsBOrB'));
  const [min, max] = count;
  if (max < min) return report(reader, phrase('rules.pattern.repeatsFromDownTo', { min, max }));
  if (min > MAX_COUNT || (Number.isFinite(max) && max > MAX_COUNT))
    return report(reader, phrase('rules.pattern.countsARepetitionAbove', { maxCount: MAX_COUNT }));
  const isLazy = takeIf(reader, '?');
  if (peek(reader) === '+' || peek(reader) === '*' || readCount(reader) !== null)
    return report(reader, phrase('rules.pattern.hasTwoRepetitionsInARow'));
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
  if (character === '*' || character === '+' || character === '?')
    return report(reader, phrase('rules.pattern.hasAWithNothingToRepeat', { character }));
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
    return report(reader, phrase('rules.pattern.looksAheadOrBehind'));
  } else if (peek(reader) === '?') reader.position = reader.characters.indexOf('>', reader.position) + 1;
  if (captures) reader.groups += 1;
  const isFirst = captures && reader.groups === 1;
  reader.depth += 1;
  if (reader.depth > MAX_GROUP_DEPTH)
    return report(reader, phrase('rules.pattern.nestsGroupsMoreThanDeep', { maxGroupDepth: MAX_GROUP_DEPTH }));
  const body = readChoice(reader);
  reader.depth -= 1;
  if (!takeIf(reader, ')')) return report(reader, phrase('rules.pattern.parenthesisIsNotClosed'));
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
  if (character === '') report(reader, phrase('rules.pattern.endsInABackslash'));
  else if (/\d/.test(character)) report(reader, phrase('rules.pattern.refersBackToAGroup'));
  else if (/[A-Za-z]/.test(character)) report(reader, phrase('rules.pattern.hasTheEscape', { character }));
  return single(character);
}

function readHex(reader: Reader, length: number): CharacterSet {
  const digits = reader.characters.slice(reader.position, reader.position + length).join('');
  if (digits.length !== length || !/^[0-9A-Fa-f]+$/.test(digits)) {
    report(reader, phrase('rules.pattern.hasXOrUWithout', { length }));
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
      report(reader, phrase('rules.pattern.bracketIsNotClosed'));
      return [];
    }
    if (isFirst && peek(reader) === ']') {
      report(reader, phrase('rules.pattern.hasAnEmptyClassWrite'));
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
    if (range === null) report(reader, phrase('rules.pattern.hasAClassRangeWhoseEnds'));
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

/**
 * A pattern as a program. `take` reads one character of a set; `split` tries `next` before `other`; `mark` records the start (`other` 0) or end (1)
 * of the first group.
 */
interface Step {
  readonly kind: 'take' | 'split' | 'jump' | 'mark' | 'place' | 'done';
  next: number;
  other: number;
  readonly set: CharacterSet;
  readonly place: 'start' | 'end' | 'edge' | 'no_edge' | null;
}
type Program = Step[];

const MAX_STEPS = 600;
/** Most paths between two characters that are examined when a pattern is checked. */
const MAX_PATHS = 100_000;
const NO_SET: CharacterSet = [];

interface PatternFault {
  readonly code: 'invalid_pattern' | 'dangerous_pattern';
  /** End of a sentence that begins with the pattern. */
  readonly message: string;
}

/** Returns the text of the first group (or of the whole match if there is no group) at the first match, or null. */
type Extractor = (text: string) => string | null;

/**
 * Compiles a pattern into a search that takes time linear in the length of the text. Patterns that can read one text in exponentially many ways
 * (`(a+)+`) are refused nevertheless: in other engines they would hang, and they never mean what they seem to say.
 */
export function compilePattern(pattern: string): Result<Extractor, PatternFault> {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return failed({ code: 'invalid_pattern', message: parsed.error });
  const program: Program = [];
  emit(program, parsed.value);
  push(program, 'done');
  const danger = program.length > MAX_STEPS ? phrase('rules.pattern.isTooLargeOnceItsRepetitions') : dangerOf(program);
  if (danger !== null) return failed({ code: 'dangerous_pattern', message: danger });
  return success(extractorOf(program, prefixOf(parsed.value)));
}

function push(program: Program, kind: Step['kind'], given: Partial<Step> = {}): Step {
  const step: Step = { kind, next: program.length + 1, other: 0, set: NO_SET, place: null, ...given };
  program.push(step);
  return step;
}

function emit(program: Program, node: PatternNode): void {
  // A program beyond the limit is refused, so the rest need not be emitted.
  if (program.length > MAX_STEPS) return;
  if (node.type === 'set') push(program, 'take', { set: node.set });
  else if (node.type === 'place') push(program, 'place', { place: node.place });
  else if (node.type === 'sequence') for (const part of node.parts) emit(program, part);
  else if (node.type === 'choice') emitChoice(program, node.options);
  else if (node.type === 'repeat') emitRepeat(program, node);
  else {
    push(program, 'mark', { other: 0 });
    emit(program, node.body);
    push(program, 'mark', { other: 1 });
  }
}

function emitChoice(program: Program, options: readonly PatternNode[]): void {
  const ends: Step[] = [];
  for (const [index, option] of options.entries()) {
    const isLast = index === options.length - 1;
    const split = isLast ? null : push(program, 'split');
    emit(program, option);
    if (!isLast) ends.push(push(program, 'jump'));
    if (split !== null) split.other = program.length;
  }
  for (const end of ends) end.next = program.length;
}

function emitRepeat(program: Program, node: PatternNode & { type: 'repeat' }): void {
  for (let count = 0; count < node.min; count += 1) emit(program, node.body);
  if (!Number.isFinite(node.max)) {
    const at = program.length;
    const split = push(program, 'split');
    emit(program, node.body);
    push(program, 'jump', { next: at });
    leave(split, program.length, node.isLazy);
    return;
  }
  const splits: Step[] = [];
  for (let count = node.min; count < node.max && program.length <= MAX_STEPS; count += 1) {
    splits.push(push(program, 'split'));
    emit(program, node.body);
  }
  for (const split of splits) leave(split, program.length, node.isLazy);
}

/** Sets where a repetition continues after its end; a lazy one tries that first. */
function leave(split: Step, behind: number, isLazy: boolean): void {
  split.other = isLazy ? split.next : behind;
  if (isLazy) split.next = behind;
}

/**
 * Returns a fault if a loop can continue in two ways over the same character, so that the number of ways to read a text doubles with each turn;
 * otherwise null.
 */
function dangerOf(program: Program): string | null {
  const budget = { left: MAX_PATHS };
  const following = program.map((step) => (step.kind === 'take' ? charactersFrom(program, step.next, budget) : []));
  if (following.some((found) => found === null)) return phrase('rules.pattern.repeatsSomethingThatCanBeEmpty');
  const reach = new Map<number, Set<number>>();
  const leadsTo = (from: number, to: number): boolean => {
    const known = reach.get(from) ?? reachable(following, from);
    reach.set(from, known);
    return known.has(to);
  };
  for (const [from, found] of following.entries()) {
    for (const [index, to] of (found ?? []).entries()) {
      for (const other of (found ?? []).slice(index + 1)) {
        if (!intersects(itemAt(program, to).set, itemAt(program, other).set)) continue;
        if (leadsTo(to, from) && leadsTo(other, from)) {
          return phrase('rules.pattern.repeatsARepetitionOrAlternatives');
        }
      }
    }
  }
  return null;
}

/** Returns the characters that can come next, once for each path to them, or null if there are too many paths, or a loop without a character. */
function charactersFrom(program: Program, start: number, budget: { left: number }): number[] | null {
  const found: number[] = [];
  const open = new Set<number>();
  const walk = (at: number): boolean => {
    budget.left -= 1;
    if (budget.left < 0 || open.has(at)) return false;
    const step = itemAt(program, at);
    if (step.kind === 'done') return true;
    if (step.kind === 'take') {
      found.push(at);
      return true;
    }
    open.add(at);
    const isFine = walk(step.next) && (step.kind !== 'split' || walk(step.other));
    open.delete(at);
    return isFine;
  };
  return walk(start) ? found : null;
}

function reachable(following: readonly (readonly number[] | null)[], from: number): Set<number> {
  const seen = new Set<number>();
  const queue = [...(following[from] ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    queue.push(...(following[next] ?? []));
  }
  return seen;
}

/** Returns the literal text that every match begins with. */
function prefixOf(node: PatternNode): string {
  if (node.type === 'set') {
    const range = node.set[0];
    return range !== undefined && node.set.length === 1 && range[0] === range[1] ? String.fromCodePoint(range[0]) : '';
  }
  if (node.type === 'first_group') return prefixOf(node.body);
  if (node.type !== 'sequence') return '';
  let prefix = '';
  for (const part of node.parts) {
    const text = prefixOf(part);
    prefix += text;
    if (part.type !== 'place' && (part.type !== 'set' || text === '')) break;
  }
  return prefix;
}

interface Search {
  readonly program: Program;
  /** Number of the split, by step. */
  readonly splitAt: Int32Array;
  readonly text: string;
  /** Stamp of the search in which a split was last tried at a position. A second try at the same position would fail like the first one. */
  readonly tried: Int32Array;
  readonly stamp: number;
}

function extractorOf(program: Program, prefix: string): Extractor {
  let tried = new Int32Array(0);
  let stamp = 0;
  let splits = 0;
  const splitAt = Int32Array.from(program, (step) => (step.kind === 'split' ? splits++ : 0));
  return (text) => {
    const size = splits * (text.length + 1);
    if (tried.length < size) {
      tried = new Int32Array(Math.ceil(size * 1.25));
      stamp = 0;
    }
    stamp = stamp === 0x7f_ff_ff_ff ? 1 : stamp + 1;
    if (stamp === 1) tried.fill(0);
    const search: Search = { program, splitAt, text, tried, stamp };
    for (let from = text.indexOf(prefix); from >= 0 && from <= text.length; from = nextStart(text, prefix, from)) {
      const found = matchAt(search, from);
      if (found !== null) return found;
    }
    return null;
  };
}

function nextStart(text: string, prefix: string, from: number): number {
  if (from >= text.length) return -1;
  return prefix === '' ? from + widthAt(text, from) : text.indexOf(prefix, from + 1);
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
}

/** Tries a match at one position. Untried alternatives are kept on a stack of (step, position, start of the group, end of the group). */
function matchAt(search: Search, start: number): string | null {
  const { program, splitAt, text, tried, stamp } = search;
  const waiting: number[] = [0, start, -1, -1];
  while (waiting.length > 0) {
    let end = waiting.pop() ?? -1;
    let begin = waiting.pop() ?? -1;
    let at = waiting.pop() ?? 0;
    let place = waiting.pop() ?? 0;
    for (;;) {
      const step = itemAt(program, place);
      if (step.kind === 'done') return begin >= 0 && end >= 0 ? text.slice(begin, end) : wholeOf(program, text, start, at);
      if (step.kind === 'take') {
        const codePoint = text.codePointAt(at);
        if (codePoint === undefined || !contains(step.set, codePoint)) break;
        at += codePoint > 0xff_ff ? 2 : 1;
      } else if (step.kind === 'split') {
        const key = intAt(splitAt, place) * (text.length + 1) + at;
        if (intAt(tried, key) === stamp) break;
        tried[key] = stamp;
        waiting.push(step.other, at, begin, end);
      } else if (step.kind === 'mark') {
        if (step.other === 0) begin = at;
        else end = at;
      } else if (step.kind === 'place' && !isPlace(step.place, text, at)) break;
      place = step.next;
    }
  }
  return null;
}

/** A pattern whose group did not take part has an empty value. */
function wholeOf(program: Program, text: string, from: number, to: number): string | null {
  return program.some((step) => step.kind === 'mark') ? '' : text.slice(from, to);
}

function isPlace(place: Step['place'], text: string, at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === text.length;
  const isEdge = isWord(text, at - 1) !== isWord(text, at);
  return place === 'edge' ? isEdge : !isEdge;
}

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && contains(WORD, text.charCodeAt(at));
}
