import { parseExpression, type Tree } from './expression-tree.ts';

/** Characters that represent the kinds an expression may distinguish; those that it contains are added. */
const CHARACTERS = [
  'a',
  'Z',
  'e',
  '0',
  '1',
  ' ',
  '\t',
  '\n',
  '\r',
  '\u2028',
  '\u00a0',
  ...'.,:;-+/\'"<>()[]{}=&$€_*|!?#%@\\'.split(''),
  'é',
  '年',
  '\u0001',
];
/** Fewest repetitions that count as a loop; fewer take a bounded number of steps at each place. */
const FEWEST_ROUNDS = 5;
const MOST_SAMPLES = 4;
const MOST_TEXTS_OF_PART = 6;

/** A text with a repeated part: `before`, then `pump` many times, then `behind`. */
export interface PumpedText {
  readonly before: string;
  readonly pump: string;
  readonly behind: string;
}

export function pumped({ before, pump, behind }: PumpedText, characters: number): string {
  return before + pump.repeat(Math.ceil(characters / pump.length)) + behind;
}

type SetOfTree = Extract<Tree, { kind: 'set' }>;

function* treesOf(tree: Tree): Generator<Tree> {
  yield tree;
  if ('parts' in tree) for (const part of tree.parts) yield* treesOf(part);
  else if ('body' in tree) yield* treesOf(tree.body);
}

/** Returns the characters that an expression writes as numeric escapes. */
function escapedIn(source: string): string[] {
  return [...source.matchAll(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/gi)].map(([, ...codes]) =>
    String.fromCodePoint(Number.parseInt(codes.find((code) => code !== undefined) ?? '0', 16)),
  );
}

/** Returns one character for each kind that the sets of an expression distinguish, and those that no set accepts. */
function kindsOf(tree: Tree, source: string): { readonly kinds: readonly string[]; readonly foreign: readonly string[] } {
  const sets = [...treesOf(tree)].filter((each): each is SetOfTree => each.kind === 'set');
  const kinds = new Map<string, string>();
  for (const character of new Set([...CHARACTERS, ...source, ...escapedIn(source)])) {
    const kind = sets.map(({ accepts }) => (accepts(character) ? '1' : '0')).join('');
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  const foreign = [...kinds].filter(([kind]) => !kind.includes('1')).map(([, character]) => character);
  return { kinds: [...kinds.values()], foreign };
}

/** Samples texts that a part of an expression accepts. Lookarounds and back references give the empty text, which is enough for pumping. */
class Sampler {
  readonly #characters: readonly string[];

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  /** Returns texts that a tree accepts. `isShort`: without optional parts. */
  of(tree: Tree, isShort = false): readonly string[] {
    switch (tree.kind) {
      case 'set': {
        if (tree.literal !== null) return [tree.literal];
        return this.#characters.filter(tree.accepts).slice(0, MOST_SAMPLES);
      }
      case 'sequence':
        return this.#joined(tree.parts.map((part) => this.of(part, isShort)));
      case 'either':
        return spread(
          tree.parts.flatMap((part) => this.of(part, isShort).slice(0, 2)),
          MOST_TEXTS_OF_PART * 2,
        );
      case 'repeat': {
        const rounds = isShort ? tree.least : Math.max(tree.least, Math.min(tree.most, 1));
        return rounds === 0 ? [''] : this.of(tree.body, isShort).map((text) => text.repeat(rounds));
      }
      case 'group':
        return this.of(tree.body, isShort);
      default:
        return [''];
    }
  }

  #joined(parts: readonly (readonly string[])[]): readonly string[] {
    const longest = Math.min(MOST_TEXTS_OF_PART, Math.max(1, ...parts.map((samples) => samples.length)));
    return Array.from({ length: longest }, (_, at) => parts.map((samples) => samples[at % Math.max(1, samples.length)] ?? '').join(''));
  }
}

function spread<T>(list: readonly T[], most: number): readonly T[] {
  return list.length <= most ? list : list.filter((_, at) => at % Math.ceil(list.length / most) === 0);
}

/** Yields the loops of an expression with texts for a round of each, and a text that leads there. */
function* loops(
  tree: Tree,
  before: string,
  sampler: Sampler,
  isShort: boolean,
): Generator<{ readonly before: string; readonly pumps: readonly string[] }> {
  switch (tree.kind) {
    case 'sequence': {
      let lead = before;
      for (const [at, part] of tree.parts.entries()) {
        yield* loops(part, lead, sampler, isShort);
        const rest = tree.parts[at + 1];
        // Two adjacent parts together, as in `(a*b?)*`.
        if (part.kind === 'repeat' && rest !== undefined)
          yield { before: lead, pumps: sampler.of({ kind: 'sequence', parts: [part, rest] }) };
        lead += sampler.of(part, isShort)[0] ?? '';
      }
      break;
    }
    case 'either':
      for (const part of tree.parts) yield* loops(part, before, sampler, isShort);
      break;
    case 'repeat':
      if (tree.most >= FEWEST_ROUNDS) yield { before, pumps: sampler.of(tree.body) };
      yield* loops(tree.body, before, sampler, isShort);
      break;
    case 'group':
      yield* loops(tree.body, before, sampler, isShort);
      break;
    case 'look':
      yield* loops(tree.body, '', sampler, isShort);
      break;
    default:
  }
}

/**
 * Returns texts on which a slow expression takes long: each of its loops and each kind of character repeated, with several ends that prevent a match.
 */
export function pumpedTexts(expression: Pick<RegExp, 'source' | 'flags'>): readonly PumpedText[] {
  const { tree } = parseExpression(expression);
  if (![...treesOf(tree)].some((each) => each.kind === 'repeat' && each.most >= FEWEST_ROUNDS)) return [];
  const { kinds, foreign } = kindsOf(tree, expression.source);
  const sampler = new Sampler([...new Set([...kinds, ...CHARACTERS])]);
  const found = new Map<string, PumpedText>();
  const ends = [...new Set(['', '\n', ...foreign.slice(0, 1), ...(kinds.includes('\u0001') ? ['\u0001'] : [])])];
  const add = (before: string, pump: string): void => {
    if (pump === '') return;
    for (const behind of ends) found.set(`${before}\u0000${pump}\u0000${behind}`, { before, pump, behind });
  };
  const whole = sampler.of(tree);
  for (const pump of [...kinds, ...whole, ...whole.map((text) => text.slice(0, -1))]) add('', pump);
  for (const one of kinds) for (const other of kinds) if (one !== other) add('', one + other);
  for (const { before, pumps } of [...loops(tree, '', sampler, false), ...loops(tree, '', sampler, true)]) {
    const all = new Set([...pumps, ...spread(kinds, 12)]);
    for (const pump of all) add(before, pump);
    // Repeats the beginning of a match that never completes.
    for (const pump of pumps) add('', before + pump);
    add('', before);
  }
  return [...found.values()];
}
