import { type ParsedExpression, parseExpression, type Tree } from './expression-tree.ts';

/** Instructions of a backtracking engine; each takes one step. Jump targets are indexes of instructions. */
type Instruction =
  | { readonly does: 'take'; readonly accepts: (character: string) => boolean; readonly isBackward: boolean }
  | { readonly does: 'fork'; first: number; second: number }
  | { readonly does: 'jump'; to: number }
  | { readonly does: 'note'; readonly register: number }
  /** Ends a loop whose round consumed nothing. */
  | { readonly does: 'progress'; readonly register: number }
  | { readonly does: 'at'; readonly place: '^' | '$' | 'b' | 'B' }
  | { readonly does: 'look'; readonly program: readonly Instruction[]; readonly isNot: boolean }
  | { readonly does: 'again'; readonly index: number; readonly isBackward: boolean }
  | { readonly does: 'match' };

class Compiler {
  readonly #groups: number;
  registers: number;

  constructor(groups: number) {
    this.#groups = groups;
    this.registers = (groups + 1) * 2;
  }

  program(tree: Tree, isBackward: boolean): Instruction[] {
    const program: Instruction[] = [];
    this.#add(program, tree, isBackward);
    program.push({ does: 'match' });
    return program;
  }

  #add(program: Instruction[], tree: Tree, isBackward: boolean): void {
    switch (tree.kind) {
      case 'set':
        program.push({ does: 'take', accepts: tree.accepts, isBackward });
        break;
      case 'sequence':
        for (const part of isBackward ? tree.parts.toReversed() : tree.parts) this.#add(program, part, isBackward);
        break;
      case 'either':
        this.#addEither(program, tree.parts, isBackward);
        break;
      case 'repeat':
        this.#addRepeat(program, tree, isBackward);
        break;
      case 'group':
        program.push({ does: 'note', register: tree.index * 2 + (isBackward ? 1 : 0) });
        this.#add(program, tree.body, isBackward);
        program.push({ does: 'note', register: tree.index * 2 + (isBackward ? 0 : 1) });
        break;
      case 'look':
        program.push({ does: 'look', program: this.program(tree.body, tree.isBehind), isNot: tree.isNot });
        break;
      case 'at':
        program.push({ does: 'at', place: tree.place });
        break;
      case 'again':
        if (tree.index > this.#groups) throw new Error(`no group ${tree.index}`);
        program.push({ does: 'again', index: tree.index, isBackward });
    }
  }

  #addEither(program: Instruction[], parts: readonly Tree[], isBackward: boolean): void {
    const jumps: { does: 'jump'; to: number }[] = [];
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1) {
        this.#add(program, part, isBackward);
        break;
      }
      const fork = { does: 'fork' as const, first: program.length + 1, second: 0 };
      program.push(fork);
      this.#add(program, part, isBackward);
      const jump = { does: 'jump' as const, to: 0 };
      jumps.push(jump);
      program.push(jump);
      fork.second = program.length;
    }
    for (const jump of jumps) jump.to = program.length;
  }

  #addRepeat(program: Instruction[], { body, least, most, isLazy }: Extract<Tree, { kind: 'repeat' }>, isBackward: boolean): void {
    for (let round = 0; round < least; round += 1) this.#add(program, body, isBackward);
    const forks: { does: 'fork'; first: number; second: number }[] = [];
    const fork = (): void => {
      const each = { does: 'fork' as const, first: 0, second: 0 };
      forks.push(each);
      program.push(each);
      each.first = program.length;
    };
    if (most === Infinity) {
      const register = this.registers;
      this.registers += 1;
      const begin = program.length;
      fork();
      program.push({ does: 'note', register });
      this.#add(program, body, isBackward);
      program.push({ does: 'progress', register }, { does: 'jump', to: begin });
    } else {
      for (let round = least; round < most; round += 1) {
        fork();
        this.#add(program, body, isBackward);
      }
    }
    for (const each of forks) {
      each.second = program.length;
      if (isLazy) [each.first, each.second] = [each.second, each.first];
    }
  }
}

interface Compiled {
  readonly program: readonly Instruction[];
  readonly registers: number;
}

function compiled({ tree, groups }: ParsedExpression): Compiled {
  const compiler = new Compiler(groups);
  const program = compiler.program(tree, false);
  return { program, registers: compiler.registers };
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);

class TooManySteps extends Error {}

/** Runs an expression as V8 does (the first alternative first, and back where it fails) and counts the steps, without V8's optimisations. */
export class Backtracking {
  readonly #compiled: Compiled;
  readonly #flags: string;
  #characters: readonly string[] = [];
  #left = 0;
  /** The registers of all alternatives. Backtracking restores them from `#noted`, which holds pairs of a register and its former value. */
  readonly #registers: Int32Array;
  readonly #noted: number[] = [];

  constructor(expression: Pick<RegExp, 'source' | 'flags'>) {
    this.#compiled = compiled(parseExpression(expression));
    this.#flags = expression.flags;
    this.#registers = new Int32Array(this.#compiled.registers);
  }

  /** Returns the steps to find the first match of a text, or all matches with the flag g; `most + 1` where it takes more. */
  steps(text: string, most: number): number {
    this.#left = most;
    try {
      this.#search(text);
    } catch (error) {
      if (error instanceof TooManySteps) return most + 1;
      throw error;
    }
    return most - this.#left;
  }

  /** Returns the begin and end of each match. */
  matches(text: string): (readonly [from: number, to: number])[] {
    this.#left = Number.MAX_SAFE_INTEGER;
    return this.#search(text);
  }

  #search(text: string): (readonly [from: number, to: number])[] {
    this.#characters = /[uv]/.test(this.#flags) ? [...text] : text.split('');
    const found: (readonly [from: number, to: number])[] = [];
    this.#registers.fill(-1);
    this.#noted.length = 0;
    for (let from = 0; from <= this.#characters.length;) {
      const end = this.#run(this.#compiled.program, from);
      if (end !== null) {
        found.push([from, end]);
        if (!this.#flags.includes('g')) break;
      } else if (this.#flags.includes('y')) break;
      this.#forget(0);
      from = end === null || end === from ? from + 1 : end;
    }
    return found;
  }

  /** Restores the registers to an earlier length of `#noted`. */
  #forget(since: number): void {
    const noted = this.#noted;
    while (noted.length > since) {
      const held = noted.pop() as number;
      this.#registers[noted.pop() as number] = held;
    }
  }

  /** Returns the end of a match that begins at a place; null where there is none. */
  #run(program: readonly Instruction[], from: number): number | null {
    /** Three numbers for each remaining alternative: its instruction, its place in the text, and the length of `#noted` before it. */
    const waiting: number[] = [];
    let place = 0;
    let at = from;
    for (;;) {
      this.#left -= 1;
      if (this.#left < 0) throw new TooManySteps();
      const instruction = program[place] as Instruction;
      let next: number | null = at;
      place += 1;
      switch (instruction.does) {
        case 'match':
          return at;
        case 'jump':
          place = instruction.to;
          break;
        case 'fork':
          waiting.push(instruction.second, at, this.#noted.length);
          place = instruction.first;
          break;
        case 'note':
          this.#noted.push(instruction.register, this.#registers[instruction.register] as number);
          this.#registers[instruction.register] = at;
          break;
        case 'progress':
          if (this.#registers[instruction.register] === at) next = null;
          break;
        default:
          next = this.#after(instruction, at);
      }
      if (next !== null) {
        at = next;
        continue;
      }
      const since = waiting.pop();
      if (since === undefined) return null;
      this.#forget(since);
      at = waiting.pop() as number;
      place = waiting.pop() as number;
    }
  }

  /** Returns the place after an instruction that reads the text; null where it does not match. */
  #after(instruction: Extract<Instruction, { does: 'take' | 'at' | 'look' | 'again' }>, at: number): number | null {
    switch (instruction.does) {
      case 'take': {
        const taken = instruction.isBackward ? at - 1 : at;
        const character = this.#characters[taken];
        if (character === undefined || !instruction.accepts(character)) return null;
        return instruction.isBackward ? taken : taken + 1;
      }
      case 'at':
        return this.#isAt(instruction.place, at) ? at : null;
      case 'look': {
        const before = this.#noted.length;
        const end = this.#run(instruction.program, at);
        this.#forget(before);
        return (end === null) === instruction.isNot ? at : null;
      }
      case 'again': {
        const [from = -1, to = -1] = [this.#registers[instruction.index * 2], this.#registers[instruction.index * 2 + 1]];
        if (from < 0 || to < 0) return at;
        this.#left -= to - from;
        const start = instruction.isBackward ? at - (to - from) : at;
        for (let index = 0; index < to - from; index += 1)
          if (this.#characters[from + index] !== this.#characters[start + index]) return null;
        return instruction.isBackward ? start : start + (to - from);
      }
    }
  }

  #isAt(place: '^' | '$' | 'b' | 'B', at: number): boolean {
    const [before, behind] = [this.#characters[at - 1], this.#characters[at]];
    const isEnd = (character: string | undefined): boolean =>
      character === undefined || (this.#flags.includes('m') && /[\n\r\u2028\u2029]/.test(character));
    if (place === '^') return isEnd(before);
    if (place === '$') return isEnd(behind);
    return (isWord(before) !== isWord(behind)) === (place === 'b');
  }
}
