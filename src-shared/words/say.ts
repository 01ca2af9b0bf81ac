import { IntlMessageFormat } from 'intl-messageformat';
import { numberText } from '../values/notation.ts';
import { catalogue as english, type Catalogue, type WordKey } from './catalogue.ts';

type Value = string | number;

/** The name at the head of what follows an opening brace: `count` of `count, plural, one{...`. */
type HeadOf<Rest extends string> = Rest extends `${infer Inner}}${string}`
  ? Inner extends `${infer Name},${string}`
    ? Name
    : Inner
  : never;

/** The names of the values within a message. A brace right behind `one`, `other`, `yes` or `=0` opens a form of a plural or of a choice, not a value. */
type ValueNames<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? (Before extends `${string}one` | `${string}other` | `${string}yes` | `${string}=0` ? never : HeadOf<Rest>) | ValueNames<Rest>
  : never;

/** The names of the marked-up parts of a message: `b` of `Press <b>Close</b>`. */
type PartNames<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}` ? Name | PartNames<Rest> : never;

export type NamesOf<Key extends WordKey> = ValueNames<Catalogue[Key]>;
export type PartsOf<Key extends WordKey> = PartNames<Catalogue[Key]>;

type Rest<Names extends string, Given> = [Names] extends [never] ? [] : [values: Readonly<Record<Names, Given>>];

let words: Readonly<Record<WordKey, string>> = english;
/** Parsed messages by key. */
let parsed = new Map<WordKey, IntlMessageFormat>();

/** Says all further sentences by another catalogue. Constants that were made before keep their text. */
export function useCatalogue(catalogue: Readonly<Record<WordKey, string>>): void {
  words = catalogue;
  parsed = new Map();
}

/** Writes `#` as the book writes numbers. */
const NUMBERS = { format: (value: number) => numberText(value, 0) } as Intl.NumberFormat;
/** The grammar of plurals is that of the catalogue's language. */
const PLURALS = new Intl.PluralRules('en');
const FORMATTERS = { getNumberFormat: () => NUMBERS, getDateTimeFormat: neverAsked, getPluralRules: () => PLURALS };

function neverAsked(): never {
  throw new Error('a day goes into a sentence as text');
}

function messageOf(key: WordKey): IntlMessageFormat {
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const message = new IntlMessageFormat(words[key], 'en', undefined, { formatters: FORMATTERS });
  parsed.set(key, message);
  return message;
}

/**
 * Returns a sentence of the catalogue. Amounts and days go in as text, made by their formatters. A number behind `plural` is written with digit groups.
 */
export function say<Key extends WordKey>(key: Key, ...rest: Rest<NamesOf<Key> | PartsOf<Key>, Value>): string;
export function say(key: WordKey, values?: Readonly<Record<string, Value>>): string {
  // Most sentences have no values, and grids call this for every cell.
  return values === undefined ? words[key] : String(messageOf(key).format(values));
}

/**
 * Returns a sentence that the service answers. Its numbers are written as the book writes all; one that is stored keeps the marks of its day.
 */
export function phrase<Key extends WordKey>(
  key: Key,
  ...rest: [NamesOf<Key>] extends [never] ? [] : [values: Readonly<Record<NamesOf<Key>, Value>>]
): string;
export function phrase(key: WordKey, values?: Readonly<Record<string, Value>>): string {
  return values === undefined ? words[key] : String(messageOf(key).format(values));
}

/** Makes an element of the text between the tags of a marked-up part. */
type Mark<Node> = (inner: readonly (string | Node)[]) => Node;

/** Returns a sentence in pieces: texts, and between them the values that are no text, such as elements of React. */
export function sayInParts<Node>(key: WordKey, values: Readonly<Record<string, Value | Node | Mark<Node>>>): readonly (string | Node)[] {
  const made: unknown = messageOf(key).format(values as never);
  return (Array.isArray(made) ? made : [made]) as readonly (string | Node)[];
}
