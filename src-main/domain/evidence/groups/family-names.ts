import { originName } from '../estimation/stored-parameters.ts';
import type { Book } from '../estimation/read-book.ts';
import type { EvidenceInput } from '../model/input.ts';
import { currencyCodes } from './open-lines.ts';

/** Returns a function that spells out family keys, because another book numbers its names, origins and currencies differently. */
export function familyNames(input: EvidenceInput, book: Book): (key: string) => string {
  const { a, b, fieldsA, fieldsB, names } = book;
  let features: readonly string[] | null = null;
  let currencies: readonly string[] | null = null;
  const nameOf = (name: number): string => {
    const words: string[] = [];
    if (name >= 0) names.eachWord(name, (word) => words.push(names.words.texts[word] ?? ''));
    return words.join(' ');
  };
  return (key) => {
    const [side = '', kind = '', first = '', second = '', third = ''] = key.split(' ');
    const origins =
      side === 'a'
        ? [originName(a, fieldsA, Number(first)), originName(b, fieldsB, Number(second))]
        : [originName(b, fieldsB, Number(first)), originName(a, fieldsA, Number(second))];
    if (kind === 'reference') return `${side} reference: ${origins.join(', ')}`;
    if (kind === 'name') return `${side} name: ${nameOf(Number(first))}, ${nameOf(Number(second))}`;
    if (kind !== 'days' || first === '') return key;
    features ??= names.featureTexts();
    currencies ??= [...currencyCodes(input).codes.keys()];
    return `${side} days: ${nameOf(Number(first))}, ${/^[+-]$/.test(second) ? second : (features[Number(second)] ?? '')}, ${currencies[Number(third)] ?? ''}`;
  };
}
