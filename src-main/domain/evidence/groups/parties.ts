import { intAt } from '../../collections/typed-arrays.ts';
import type { Book } from '../estimation/read-book.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { Names } from '../features/names.ts';
import { type NameWeights, nameWeights } from '../frequencies/name-weights.ts';
import type { Frame } from './open-lines.ts';

/** Lines by the party that they name: of their words those that both sides write. A memo, which one side alone has, would make another name of each line. */
export interface Parties {
  readonly names: Names;
  readonly weights: NameWeights;
  /** Returns a frame whose lines are named by their parties. */
  readonly frameOf: (frame: Frame) => Frame;
}

const ON_A = 1;
const ON_B = 2;

/** Returns the parties of a book; null where its lines name nothing else. */
export function partiesOf({ a, b, names }: Pick<Book, 'a' | 'b' | 'names'>): Parties | null {
  const sides = sidesOfWords(a, b, names);
  const parties = new Names();
  let isChanged = false;
  const partyOf = Int32Array.from({ length: names.count }, (_, name) => {
    const words: number[] = [];
    names.eachWord(name, (word) => {
      if (sides[word] === ON_A + ON_B) words.push(parties.words.codeOf(names.words.texts[word] ?? ''));
      else isChanged = true;
    });
    return parties.codeOf(words);
  });
  if (!isChanged || parties.count === 0) return null;
  const named = (lines: LineFeatures): LineFeatures => ({
    ...lines,
    names: lines.names.map((name) => (name < 0 ? -1 : intAt(partyOf, name))),
  });
  const [ofA, ofB] = [named(a), named(b)];
  const side = <T extends Frame['targets']>(open: T): T => ({ ...open, features: open.side === 'a' ? ofA : ofB });
  return {
    names: parties,
    weights: nameWeights(parties, ofA, ofB),
    frameOf: ({ targets, members }) => ({ targets: side(targets), members: side(members) }),
  };
}

/** Returns the sides on which each word is written. */
function sidesOfWords(a: LineFeatures, b: LineFeatures, names: Names): Uint8Array {
  const sides = new Uint8Array(names.words.texts.length);
  const ofName = new Uint8Array(names.count);
  for (const name of a.names) if (name >= 0) ofName[name] = (ofName[name] as number) | ON_A;
  for (const name of b.names) if (name >= 0) ofName[name] = (ofName[name] as number) | ON_B;
  ofName.forEach((of, name) => names.eachWord(name, (word) => (sides[word] = (sides[word] as number) | of)));
  return sides;
}
