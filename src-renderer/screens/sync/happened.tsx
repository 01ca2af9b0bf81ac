import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { secondText } from '../../format/sync-steps.ts';
import own from './running.module.css';
import styles from './sync.module.css';

/** What happened so far, the newest first. */
export function Happened({ events }: { readonly events: SyncActivity['happened'] }) {
  return (
    <section aria-labelledby="happened-heading">
      <div className={own.logHead}>
        <h2 id="happened-heading">What happened</h2>
      </div>
      <ol className={own.log} data-testid="happened">
        {events.map(({ at, mark, words }, place) => (
          <li key={`${at} ${words} ${events.length - place}`}>
            <time dateTime={at} className="tabular">
              {secondText(at)}
            </time>
            <span className={styles.mark} data-mark={mark} aria-hidden />
            <span>{words}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
