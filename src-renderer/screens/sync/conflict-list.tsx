import { IconCircleCheck } from '@tabler/icons-react';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { momentText } from '../../format/close-days.ts';
import { countText } from '../../format/counts.ts';
import type { DecideGroups, ToDecide } from '../../format/sync-conflicts.ts';
import { ConflictItem } from './conflict-item.tsx';
import styles from './decide.module.css';
import type { Decisions } from './use-decisions.ts';

interface ConflictListProps {
  readonly remote: SyncRemote;
  readonly groups: DecideGroups;
  readonly total: number;
  readonly decisions: Decisions;
}

/** All that is to decide, that which moves a figure first, and what is decided already. */
export function ConflictList({ remote, groups, total, decisions }: ConflictListProps) {
  const { figures, others, unsure, decided } = groups;
  const left = figures.length + others.length + unsure.length;
  const listed = left + decided.length;
  const group = (title: string, note: string, all: readonly ToDecide[]) => (
    <Group title={title} note={note} all={all} decisions={decisions} />
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
        {group('Not sure whether it arrived', countText(unsure.length), unsure)}
        {group('Decided', `${countText(decided.length)}, ${decided.length === 1 ? 'goes' : 'go'} with the next sync`, decided)}
        {listed < total && (
          <p className={styles.more}>
            The first {countText(listed)} of {countText(total)} are listed.
          </p>
        )}
      </div>
      <p className={styles.calm}>
        <IconCircleCheck size={16} aria-hidden />
        {left === 0
          ? 'All is decided. The next sync carries it out on both sides.'
          : 'What waits here holds nothing up. It is shown at every sync until you decide.'}
      </p>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note: string;
  readonly all: readonly ToDecide[];
  readonly decisions: Decisions;
}

function Group({ title, note, all, decisions }: GroupProps) {
  if (all.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={styles.group}>
        {title} <span>{note}</span>
      </h2>
      <ul>
        {all.map((one) => (
          <ConflictItem
            key={one.key}
            one={one}
            isShown={one.key === decisions.shown?.key}
            onShow={() => decisions.show(one.key)}
            onTakeBack={() => decisions.takeBack(one)}
          />
        ))}
      </ul>
    </section>
  );
}
