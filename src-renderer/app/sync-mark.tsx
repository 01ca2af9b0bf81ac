import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useNow } from '../components/use-now.ts';
import { markLabel, markOf, markText, standParts } from '../format/remote-words.ts';
import { useNavigation } from '../state/navigation.ts';
import statusStyles from './status-bar.module.css';
import styles from './sync-mark.module.css';
import { useShownRemote } from './use-shown-remote.ts';

/** In the header: how the sync stands, by a mark whose shape tells it, and how much waits. Leads to the sync. */
export function SyncMark() {
  const shown = useShownRemote();
  const now = useNow();
  const go = useNavigation((state) => state.go);
  if (shown === null) return null;
  const { remote, name } = shown;
  const label = markLabel(remote, name, now);
  return (
    <Tooltip label={label}>
      <UnstyledButton
        className={styles.button}
        aria-label={label}
        onClick={() => go({ screen: 'sync', id: remote.id })}
        data-testid="sync-mark"
      >
        <span className={styles.icon}>
          <IconRefresh size={17} aria-hidden />
          <span className={styles.mark} data-mark={markOf(remote)} aria-hidden />
        </span>
        {markText(remote)}
      </UnstyledButton>
    </Tooltip>
  );
}

/** In the status bar: the same in words. */
export function SyncStatus() {
  const shown = useShownRemote();
  const now = useNow();
  const go = useNavigation((state) => state.go);
  if (shown === null) return null;
  const { remote, name } = shown;
  return (
    <UnstyledButton
      className={statusStyles.mark}
      title={remote.message ?? undefined}
      onClick={() => go({ screen: 'sync', id: remote.id })}
      data-testid="sync-status"
    >
      <span className={styles.mark} data-mark={markOf(remote)} aria-hidden />
      <span className="tabular">{[...(name === null ? [] : [name]), ...standParts(remote, now)].join(' · ')}</span>
    </UnstyledButton>
  );
}
