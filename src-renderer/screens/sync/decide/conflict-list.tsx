import { IconCircleCheck } from '@tabler/icons-react';
import type { SyncConflict, SyncRemote } from '../../../../src-shared/contract/index.ts';
import { momentText } from '../../../format/close/days.ts';
import type { ConflictGroups } from '../../../format/sync/conflicts.ts';
import { countText } from '../../../format/values/counts.ts';
import { ConflictItem } from './conflict-item.tsx';
import styles from './decide.module.css';
import type { Decisions } from './use-decisions.ts';

interface ConflictListProps {
  readonly remote: SyncRemote;
  readonly groups: ConflictGroups;
  readonly total: number;
  readonly decisions: Decisions;
}

export const itemId = (id: number): string => `conflict-${id}`;

/** All that is to decide, that which moves a figure first, and what is decided already. */
export function ConflictList({ remote, groups, total, decisions }: ConflictListProps) {
  const { figures, others, decided } = groups;
  const listed = figures.length + others.length + decided.length;
  const group = (title: string, note: string, conflicts: readonly SyncConflict[]) => (
    <Group title={title} note={note} conflicts={conflicts} decisions={decisions} />
  );
  return (
    <section className={styles.list} aria-label="To decide">
      <div className={styles.listHead}>
        <b>{remote.last_synced_at === null ? 'To decide' : `Sync of ${momentText(remote.last_synced_at)}`}</b>
        <span>
          {countText(total)} found, {countText(decided.length)} decided
        </span>
      </div>
      <div className={styles.listBody}>
        {group('Change the figures', countText(figures.length), figures)}
        {group('Change no figure', countText(others.length), others)}
        {group('Decided', `${countText(decided.length)}, ${decided.length === 1 ? 'goes' : 'go'} with the next sync`, decided)}
        {listed < total && (
          <p className={styles.more}>
            The first {countText(listed)} of {countText(total)} are listed.
          </p>
        )}
      </div>
      <p className={styles.calm}>
        <IconCircleCheck size={16} aria-hidden />
        {figures.length + others.length === 0
          ? 'All is decided. The next sync carries it out on both sides.'
          : 'What waits here holds nothing up. It is shown at every sync until you decide.'}
      </p>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note: string;
  readonly conflicts: readonly SyncConflict[];
  readonly decisions: Decisions;
}

function Group({ title, note, conflicts, decisions }: GroupProps) {
  if (conflicts.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={styles.group}>
        {title} <span>{note}</span>
      </h2>
      <ul>
        {conflicts.map((conflict) => (
          <ConflictItem
            key={conflict.id}
            id={itemId(conflict.id)}
            conflict={conflict}
            isShown={conflict.id === decisions.shown?.id}
            onShow={() => decisions.show(conflict.id)}
            onTakeBack={() => decisions.takeBack(conflict)}
          />
        ))}
      </ul>
    </section>
  );
}
