import { Fragment, type ReactNode } from 'react';
import type { WordKey } from '../../src-shared/words/catalogue.ts';
import { type NamesOf, type PartsOf, sayInParts } from '../../src-shared/words/say.ts';

interface SaidProps<Key extends WordKey> {
  readonly words: Key;
  /** The values of the sentence, which may be elements, and for each pair of tags what it makes of the text between them. */
  readonly with: Readonly<Record<NamesOf<Key>, ReactNode>> & Readonly<Record<PartsOf<Key>, (inner: ReactNode) => ReactNode>>;
}

/** A sentence of the catalogue with elements within it. A sentence of text alone needs only `say`. */
export function Said<Key extends WordKey>({ words, with: values }: SaidProps<Key>) {
  const parts = sayInParts<ReactNode>(words, values as Parameters<typeof sayInParts<ReactNode>>[1]);
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence keep their places
  return parts.map((part, place) => <Fragment key={place}>{part}</Fragment>);
}
