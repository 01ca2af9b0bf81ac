import type { Match } from '../../../src-shared/contract/index.ts';
import styles from '../reconciliations/reconciliation.module.css';

/** A minus in front of a figure; a hyphen within a word or a reference stays. */
function withTrueMinus(text: string): string {
  return text.replaceAll(/(^|\s)-(?=\d)/g, '$1−');
}

/** Why a match was made: a sentence each; of a match of evidence with what each adds to the odds. */
export function Explanation({ match: { explanation, evidence } }: { readonly match: Pick<Match, 'explanation' | 'evidence'> }) {
  if (explanation.length === 0) return null;
  return (
    <ul className={styles.explanation} data-testid="explanation">
      {evidence.length > 0
        ? evidence.map(({ field, words, bits }) => (
            <li key={`${field} ${words}`} data-against={bits < 0 || undefined} title={withTrueMinus(`${bits > 0 ? '+' : ''}${bits} bits`)}>
              {withTrueMinus(words)}
            </li>
          ))
        : explanation.map((sentence) => <li key={sentence}>{sentence}</li>)}
    </ul>
  );
}
