import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { listText } from '../../format/counts.ts';
import { sideInWords, sumText, withMinus } from '../../format/close-words.ts';
import { balanceOf } from '../../format/statement-rows.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import { RecordLink } from './record-link.tsx';
import { Figure } from './figure.tsx';
import styles from './statement.module.css';

/** Whether the adjusted balances are equal; where they are not, by how much and probably why. */
export function AgreeBand() {
  const { statement } = useClosing();
  const { unexplained, adjusted_bank: bank, adjusted_books: books, decimal_places: places, doubts } = statement;
  if (unexplained === null || bank === null || books === null) return <UnknownBand />;
  const sum = sumText(bank, -books, places);
  if (unexplained === 0 && !doubts.some(({ currency }) => currency === statement.currency)) {
    return (
      <div className={styles.band} data-tone="matched" aria-live="polite" data-testid="agree-band">
        <b>
          <IconCircleCheck size={16} aria-hidden />
          The figures agree
        </b>
        <span className={styles.number}>{sum}</span>
        <span className={styles.unexplained}>
          Unexplained <Figure minor={0} label="Unexplained" figure={{ kind: 'unexplained' }} testId="unexplained" />
        </span>
      </div>
    );
  }
  if (unexplained === 0 && !doubts.some(({ amount, currency }) => amount !== null && currency === statement.currency)) {
    return <UnprovedBand sum={sum} />;
  }
  return (
    <div className={styles.bandBox} data-tone="bad" aria-live="polite" data-testid="agree-band">
      <div className={styles.band} data-tone="bad">
        <b>
          <IconCircleX size={16} aria-hidden />
          The figures do not agree
        </b>
        <span className={styles.number}>{sum}</span>
        <span className={styles.unexplained}>
          Unexplained <Figure minor={unexplained} label="Unexplained" figure={{ kind: 'unexplained' }} testId="unexplained" />
        </span>
      </div>
      <Doubts />
      {unexplained !== 0 && <Causes />}
    </div>
  );
}

/** What speaks against the figures of the currency on show, as a sentence. */
function Doubts() {
  const { statement } = useClosing();
  const own = statement.doubts.filter(({ currency }) => currency === statement.currency).map(({ text }) => text);
  const all = listText(own);
  return <p className={styles.doubts}>{withMinus(`${all.charAt(0).toUpperCase()}${all.slice(1)}.`)}</p>;
}

/** Nothing is unexplained, and yet nothing proves the figures. */
function UnprovedBand({ sum }: { readonly sum: string }) {
  return (
    <div className={styles.bandBox} data-tone="open" aria-live="polite" data-testid="agree-band">
      <div className={styles.band} data-tone="open">
        <b>
          <IconAlertTriangle size={16} aria-hidden />
          Not proved
        </b>
        <span className={styles.number}>{sum}</span>
        <span className={styles.unexplained}>
          Unexplained <Figure minor={0} label="Unexplained" figure={{ kind: 'unexplained' }} testId="unexplained" />
        </span>
      </div>
      <Doubts />
    </div>
  );
}

function UnknownBand() {
  const { statement } = useClosing();
  const lacking = (['bank', 'books'] as const)
    .filter((slot) => balanceOf(statement, slot) === null)
    .map((slot) => sideInWords(statement)[slot]);
  return (
    <div className={styles.band} data-tone="open" aria-live="polite" data-testid="agree-band">
      <b>
        <IconAlertTriangle size={16} aria-hidden />
        Not known whether the figures agree
      </b>
      <span>Enter the balance of {lacking.join(' and of ')}.</span>
    </div>
  );
}

/** The likely causes of an unexplained amount, in sentences. */
export function Causes() {
  const { statement } = useClosing();
  const { unexplained_causes: causes, looked_at: lookedAt, opening_difference: opening, decimal_places: places } = statement;
  return (
    <ul className={styles.causes} data-testid="unexplained-causes">
      {causes.map((cause) => (
        <li key={cause.sentence}>
          {withMinus(cause.sentence)}{' '}
          {cause.record_ids.map((id) => (
            <RecordLink key={id} recordId={id} />
          ))}
        </li>
      ))}
      {causes.length === 0 && opening !== null && opening !== 0 && (
        <li>The opening balances differ by {plainAmount(opening, places)} beyond the items from before.</li>
      )}
      {causes.length === 0 && (opening === null || opening === 0) && <li>No line or import of the book explains it.</li>}
      {lookedAt !== null && <li>{withMinus(lookedAt)}</li>}
    </ul>
  );
}
