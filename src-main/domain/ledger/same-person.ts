/** Letters of other alphabets that look like Latin ones, in lower case, with the Latin ones below them. */
const CONFUSABLES = new Map(
  [
    // Cyrillic.
    ['авсԁеһіїјкӏмнопԛгѕтуѵԝхз', 'abcdehiijklmhonqrstyvwxz'],
    ['ьгбёэѐр', 'brbeeep'],
    // Greek.
    ['αβγεζηικλμνορςστυχω', 'abyezniklmvopsstuxw'],
    // Latin letters that are no marked form of another one, and digits that stand in for letters.
    ['ıɩłøđɡɑƅ01', 'iilodgabol'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, place): [string, string] => [letter, [...to][place] ?? letter])),
);

/** Characters that have no form of their own, such as the blank of Hangul and of Braille. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{M}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** A name's words as they look: without marks and what cannot be seen, in one alphabet, in lower case and in one order. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKC').replaceAll('|', 'l').toLowerCase().normalize('NFKD').replaceAll(UNSEEN, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.map(lookOf).toSorted();
}

function lookOf(word: string): string {
  // A number is a number: only within a word a digit stands for a letter.
  if (/^\p{N}+$/u.test(word)) return word;
  const latin = [...word].map((letter) => CONFUSABLES.get(letter) ?? letter).join('');
  return latin.replaceAll(/[ıil]/g, 'i').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Whether a word may be the other one: the same, or its initial. */
function mayBe(left: string, right: string): boolean {
  if (left === right) return true;
  const isInitial = (short: string, long: string): boolean => short.length === 1 && /\p{L}/u.test(short) && long.startsWith(short);
  return isInitial(left, right) || isInitial(right, left);
}

/** Whether each word of the shorter name may be a word of its own of the longer one. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return true;
  return others.some((other, place) => mayBe(word, other) && isWithin(rest, others.toSpliced(place, 1)));
}

/** A name's letters in their own order, without what stands between them. */
function joined(name: string): string {
  return wordsOf(name.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')).join('');
}

/** More words than a person's name has are compared as a whole, so that no name takes long. */
const MOST_WORDS = 8;

/** Whether a text can name a person: it has a letter that can be seen. */
export function isName(text: string): boolean {
  return wordsOf(text).some((word) => /\p{L}/u.test(word));
}

/**
 * Whether two names may be those of one person. Spaces, marks and characters that cannot be seen, letters that look alike, case, the order of words and punctuation make no
 * difference; an initial may be any name that begins with it, and a name that is left out may be any.
 */
export function maybeSamePerson(left: string, right: string): boolean {
  const [one, other] = [wordsOf(left), wordsOf(right)].toSorted((a, b) => a.length - b.length) as [string[], string[]];
  if (one.length === 0) return true;
  if (joined(left) === joined(right)) return true;
  return other.length <= MOST_WORDS && isWithin(one, other);
}
