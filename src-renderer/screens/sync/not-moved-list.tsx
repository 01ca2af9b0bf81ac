import type { SyncRun } from '../../../src-shared/contract/index.ts';
import { countText } from '../../format/counts.ts';
import { kindName } from '../../format/sync-resources.ts';
import styles from './sync.module.css';
import { say } from '../../../src-shared/words/say.ts';

/** The most entries in the list. All of them are among the lines of the sync. */
const LISTED = 8;

interface NotMovedListProps {
  readonly title: string;
  readonly items: SyncRun['refused'];
}

/** The objects that were not moved, each with its reason. */
export function NotMovedList({ title, items }: NotMovedListProps) {
  if (items.length === 0) return null;
  return (
    <div className={styles.notMoved}>
      <h3>
        {title} <span className="quiet">{countText(items.length)}</span>
      </h3>
      <ul className="plain">
        {items.slice(0, LISTED).map(({ resource, name, reason }) => (
          <li key={`${resource} ${name} ${reason}`}>
            <b>
              {kindName(resource)}: {name}
            </b>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {items.length > LISTED && <p>{say('sync.notMovedList.moreAreNotListed', { items: countText(items.length - LISTED) })}</p>}
    </div>
  );
}
