import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconDeviceFloppy, IconX } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { timeText } from '../format/dates.ts';
import { endedWords, runningWords } from '../format/activity-words.ts';
import { activity } from '../state/activity.ts';
import { holdStatus } from '../state/frame-slots.ts';
import { useNavigation } from '../state/navigation.ts';
import { AddressMark } from './address-mark.tsx';
import { ColorSchemeMenu } from './color-scheme-menu.tsx';
import styles from './status-bar.module.css';
import { SyncStatus } from './sync-mark.tsx';

/** Who can reach the book, what is under way, what is saved, and what the screen adds. */
export function StatusBar() {
  const open = useNavigation((state) => state.open);
  return (
    <footer className={styles.status} data-testid="status-bar">
      <AddressMark />
      <SyncStatus />
      <Work />
      <Saved />
      <span className={styles.grow} />
      <div className={styles.slot} ref={holdStatus} />
      <ColorSchemeMenu />
      <UnstyledButton className={styles.key} onClick={() => open('keyboard_help')} aria-keyshortcuts="?" data-testid="keyboard-help">
        Keys&ensp;?
      </UnstyledButton>
    </footer>
  );
}

function Work() {
  const running = useStore(activity, (state) => state.running);
  const ended = useStore(activity, (state) => state.ended);
  if (running !== null) {
    return (
      <span className={styles.item} data-testid="job-progress">
        {runningWords(running)}
        <span className={styles.track} aria-hidden>
          <div style={{ width: `${running.progress}%` }} />
        </span>
        <span className="tabular">{running.progress} %</span>
      </span>
    );
  }
  if (ended === null) return null;
  const Icon = ended.job.status === 'completed' ? IconCheck : IconX;
  return (
    <span className={styles.item}>
      <Icon size={13} aria-hidden />
      {endedWords(ended.job)} {timeText(ended.atMs)}
    </span>
  );
}

/** Every change is on the disk before the window hears of it. */
function Saved() {
  const at = useStore(activity, (state) => state.savedAtMs);
  return (
    <span className={styles.item} data-testid="saved">
      <IconDeviceFloppy size={13} aria-hidden />
      {at === null ? 'Saved' : `Saved ${timeText(at)}`}
    </span>
  );
}
