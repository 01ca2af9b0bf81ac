/** A regular expression as a tree. A set is a function of one character: a code point with the flags u and v, else a UTF-16 unit. */
export type Tree =
  | { readonly kind: 'set'; readonly accepts: (character: string) => boolean; readonly literal: string | null }
  | { readonly kind: 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'either'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly body: Tree; readonly least: number; readonly most: number; readonly isLazy: boolean }
  | { readonly kind: 'group'; readonly body: Tree; readonly index: number }
  | { readonly kind: 'look'; readonly body: Tree; readonly isBehind: boolean; readonly isNot: boolean }
  | { readonly kind: 'at'; readonly place: '^' | '$' | 'b' | 'B' }
  | { readonly kind: 'again'; readonly index: number };

export interface ParsedExpression {
  readonly tree: Tree;
  readonly groups: number;
}

/**
 * Returns a set that asks the platform's engine about single characters and caches the results, so that classes, cases and properties need no second
 * definition.
 */
function setOf(source: string, flags: string): Tree {
  const single = new RegExp(`^(?:${source})$`, flags.replaceAll(/[gymd]/g, ''));
  const known: (boolean | undefined)[] = Array.from({ length: 128 }, () => undefined);
  const others = new Map<string, boolean>();
  const accepts = (character: string): boolean => {
    const code = character.length === 1 ? character.charCodeAt(0) : 128;
    if (code < 128) return (known[code] ??= single.test(character));
    let does = others.get(character);
    if (does === undefined) others.set(character, (does = single.test(character)));
    return does;
  };
  return { kind: 'set', accepts, literal: /^[^\\[.]$/u.test(source) ? source : null };
}

class Parser {
  #at = 0;
  #groups = 0;
  readonly #names = new Map<string, number>();
  readonly #source: string;
  readonly #flags: string;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
    let index = 0;
    for (const found of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?!\?)|\(\?<(?![=!])([^>]+)>/g)) {
      if (!found[0].startsWith('(')) continue;
      index += 1;
      if (found[1] !== undefined) this.#names.set(found[1], index);
    }
  }

  parse(): ParsedExpression {
    const tree = this.#either();
    if (this.#at < this.#source.length) throw new Error(`cannot be parsed at ${this.#at}: ${this.#source}`);
    return { tree, groups: this.#groups };
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #either(): Tree {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as Tree) : { kind: 'either', parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #repeated(body: Tree): Tree {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})(\??)/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (found === null) return body;
    this.#at += found[0].length;
    const [sign = ''] = found[0];
    const isLazy = found[4] === '?';
    if (sign !== '{') return { kind: 'repeat', body, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity, isLazy };
    const least = Number(found[1]);
    const most = found[2] === '' ? least : found[3] === '' ? Infinity : Number(found[3]);
    return { kind: 'repeat', body, least, most, isLazy };
  }

  #atom(): Tree {
    if (this.#takes('^')) return { kind: 'at', place: '^' };
    if (this.#takes('$')) return { kind: 'at', place: '$' };
    if (this.#takes('(')) return this.#group();
    if (this.#source[this.#at] === '[') return this.#set(this.#endOfClass());
    if (this.#source[this.#at] === '\\') return this.#escaped();
    const isWide = /[uv]/.test(this.#flags);
    return this.#set(isWide ? String.fromCodePoint(this.#source.codePointAt(this.#at) as number).length : 1);
  }

  #set(length: number): Tree {
    const source = this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
    return setOf(/^[{}\]]$/.test(source) ? `\\${source}` : source, this.#flags);
  }

  #endOfClass(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#source.length; at += 1) {
      const character = this.#source[at];
      if (character === '\\') at += 1;
      else if (character === '[' && (depth === 0 || this.#flags.includes('v'))) depth += 1;
      else if (character === ']') depth -= 1;
      if (depth === 0) return at - this.#at + 1;
    }
    throw new Error(`a class is not closed: ${this.#source}`);
  }

  #escaped(): Tree {
    if (this.#takes('\\b')) return { kind: 'at', place: 'b' };
    if (this.#takes('\\B')) return { kind: 'at', place: 'B' };
    const rest = this.#source.slice(this.#at);
    const named = /^\\k<([^>]+)>/.exec(rest);
    const numbered = /^\\([1-9]\d*)/.exec(rest);
    if (named !== null) {
      this.#at += named[0].length;
      return { kind: 'again', index: this.#names.get(named[1] as string) as number };
    }
    if (numbered !== null) {
      this.#at += numbered[0].length;
      return { kind: 'again', index: Number(numbered[1]) };
    }
    const whole = /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|c[a-z]|[^])/iu.exec(rest) as RegExpExecArray;
    return this.#set(whole[0].length);
  }

  #group(): Tree {
    const end = (body: Tree): Tree => {
      if (!this.#takes(')')) throw new Error(`a group is not closed: ${this.#source}`);
      return body;
    };
    if (this.#takes('?:')) return end(this.#either());
    for (const [sign, isBehind, isNot] of [
      ['?=', false, false],
      ['?!', false, true],
      ['?<=', true, false],
      ['?<!', true, true],
    ] as const) {
      if (this.#takes(sign)) return { kind: 'look', body: end(this.#either()), isBehind, isNot };
    }
    const name = /^\?<[^>]+>/.exec(this.#source.slice(this.#at));
    if (name !== null) this.#at += name[0].length;
    this.#groups += 1;
    const index = this.#groups;
    return { kind: 'group', body: end(this.#either()), index };
  }
}

export function parseExpression({ source, flags }: Pick<RegExp, 'source' | 'flags'>): ParsedExpression {
  return new Parser(source, flags).parse();
}
