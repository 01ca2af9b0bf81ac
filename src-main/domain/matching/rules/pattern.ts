import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { type CharacterSet, contains, intersects, WORD } from './character-set.ts';
import { parsePattern, type PatternNode } from './pattern-syntax.ts';

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
  const danger = program.length > MAX_STEPS ? 'is too large once its repetitions are written out' : dangerOf(program);
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
  if (following.some((found) => found === null)) return 'repeats something that can be empty or has too many ways through it';
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
          return 'repeats a repetition, or alternatives that begin alike, so that one text can be read in ever more ways';
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
