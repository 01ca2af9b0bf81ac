import { IntList } from '../../collections/growable-array.ts';
import { intAt } from '../../collections/typed-arrays.ts';

/** Most features of one name. */
const MOST_FEATURES = 64;
/** Weight of a feature in quarters of a whole word's weight. A part of a word identifies less than the word. */
const SHARE = { word: 4, pair: 4, head: 2, initial: 2, gram: 1 } as const;
const HEAD = 4;
const PAIRED = 3;
const GRAM = 3;
const LEAST_FOR_GRAMS = 5;

/** The words of all texts, numbered by first appearance on both sides. */
class Words {
  readonly texts: string[] = [];
  readonly #known = new Map<string, number>();

  codeOf(text: string): number {
    const found = this.#known.get(text);
    if (found !== undefined) return found;
    const code = this.texts.length;
    this.#known.set(text, code);
    this.texts.push(text);
    return code;
  }

  /** Returns the number of a word, or -1 if it does not occur. */
  find(text: string): number {
    return this.#known.get(text) ?? -1;
  }
}

/**
 * A table of names. A name is the sequence of words of a line, without numbers. Its features are its words, adjacent words, beginnings of words,
 * initials and groups of three letters; two names are compared by the features they share.
 */
export class Names {
  readonly words = new Words();
  /** Words of each name, in their order, with the start of each name. */
  readonly #wordStarts = new IntList();
  readonly #wordList = new IntList();
  /** Features of each name, ascending, with the start of each name. */
  readonly #starts = new IntList();
  readonly #features = new IntList();
  /** Weight of each feature, in quarters of the weight of a whole word. */
  readonly shares = new IntList();
  readonly #known = new Map<string, number>();
  readonly #knownFeatures = new Map<string, number>();
  count = 0;

  constructor() {
    this.#starts.push(0);
    this.#wordStarts.push(0);
  }

  get featureCount(): number {
    return this.shares.length;
  }

  /** Returns the number of the name made of these words, adding it if it is new; -1 for no words. */
  codeOf(words: readonly number[]): number {
    if (words.length === 0) return -1;
    const key = words.join(' ');
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const code = this.count;
    this.count += 1;
    this.#known.set(key, code);
    for (const word of words) this.#wordList.push(word);
    this.#wordStarts.push(this.#wordList.length);
    for (const feature of this.#featuresOf(words.map((word) => this.words.texts[word] ?? ''))) this.#features.push(feature);
    this.#starts.push(this.#features.length);
    return code;
  }

  /** Returns a name as it is written: its words in their order. */
  textOf(name: number): string {
    const words: string[] = [];
    this.eachWord(name, (word) => words.push(this.words.texts[word] ?? ''));
    return words.join(' ');
  }

  /** Returns the number of a name as it is written, or -1 if no line has it. */
  codeOfText(text: string): number {
    const words = text.split(' ').map((word) => this.words.find(word));
    return words.includes(-1) ? -1 : (this.#known.get(words.join(' ')) ?? -1);
  }

  /** Returns the features of all names, ascending within a name, and the start of each name. */
  layout(): { readonly starts: Int32Array; readonly features: Int32Array } {
    return { starts: this.#starts.items.subarray(0, this.count + 1), features: this.#features.items.subarray(0, this.#features.length) };
  }

  /** Returns the key of each feature, by its number. */
  featureTexts(): string[] {
    return [...this.#knownFeatures.keys()];
  }

  /** Calls `visit` with the number of each word of a name. */
  eachWord(name: number, visit: (word: number) => void): void {
    for (let at = intAt(this.#wordStarts.items, name); at < intAt(this.#wordStarts.items, name + 1); at += 1)
      visit(intAt(this.#wordList.items, at));
  }

  #featuresOf(words: readonly string[]): number[] {
    const found = new Set<number>();
    const add = (key: string, share: number): void => {
      if (found.size < MOST_FEATURES) found.add(this.#featureOf(key, share));
    };
    for (const word of words) add(`w${word}`, SHARE.word);
    for (let at = 0; at + 1 < words.length; at += 1) {
      add(`p${(words[at] ?? '').slice(0, PAIRED)} ${(words[at + 1] ?? '').slice(0, PAIRED)}`, SHARE.pair);
    }
    for (const word of words) {
      if (word.length >= HEAD) add(`h${word.slice(0, HEAD)}`, SHARE.head);
      add(`i${word.slice(0, 1)}`, SHARE.initial);
    }
    for (const word of words) {
      if (word.length < LEAST_FOR_GRAMS) continue;
      for (let at = 0; at + GRAM <= word.length; at += 1) add(`g${word.slice(at, at + GRAM)}`, SHARE.gram);
    }
    return [...found].toSorted((left, right) => left - right);
  }

  #featureOf(key: string, share: number): number {
    const found = this.#knownFeatures.get(key);
    if (found !== undefined) return found;
    const code = this.shares.length;
    this.#knownFeatures.set(key, code);
    this.shares.push(share);
    return code;
  }
}
