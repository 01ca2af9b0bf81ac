import type { Match } from '../../../src-shared/contract/index.ts';
import styles from './reconciliation.module.css';

/** Why a match was made: a sentence each; of a match of evidence with what each adds to the odds. */
export function Explanation({ match: { explanation, evidence } }: { readonly match: Pick<Match, 'explanation' | 'evidence'> }) {
  if (explanation.length === 0) return null;
  return (
    <ul className={styles.explanation} data-testid="explanation">
      {evidence.length > 0
        ? evidence.map(({ field, words, bits }) => (
            <li key={`${field} ${words}`} data-against={bits < 0 || undefined} title={`${bits > 0 ? '+' : ''}${bits} bits`}>
              {words}
            </li>
          ))
        : explanation.map((sentence) => <li key={sentence}>{sentence}</li>)}
    </ul>
  );
}
