import { Tooltip, UnstyledButton } from '@mantine/core';
import type { LocalPort } from '../../src-shared/contract/index.ts';
import { useQuery } from '../api/use-query.ts';
import { useNavigation } from '../state/navigation.ts';
import styles from './status-bar.module.css';

const MARKS = {
  off: { text: 'Offline, on this computer', hint: 'Everything stays on this computer. Tieout needs no network.' },
  synced: { text: 'On this computer', hint: 'No other program reaches this book. What you sync goes to its remotes, and nowhere else.' },
  on: { text: 'Local address on', hint: 'Other programs on this computer may reach this book with a key.' },
  other: { text: 'Open to other machines', hint: 'Other machines may reach this book with a key.' },
  failed: { text: 'Local address failed', hint: 'The local address could not be opened.' },
} as const;

function stateOf(port: LocalPort | undefined, hasRemotes: boolean): keyof typeof MARKS {
  if (port === undefined || port.status === 'off') return hasRemotes ? 'synced' : 'off';
  return port.status === 'on' && port.other_urls.length > 0 ? 'other' : port.status;
}

/** Whether anything but this window can reach the book. Leads to the settings. */
export function AddressMark() {
  const { value: port } = useQuery('local_port.get', {});
  const { value: remotes } = useQuery('sync_remotes.list', {});
  const go = useNavigation((state) => state.go);
  const state = stateOf(port, (remotes?.remotes.length ?? 0) > 0);
  const { text, hint } = MARKS[state];
  const address = port?.base_url ?? '';
  return (
    <Tooltip label={port?.message ?? `${hint} ${address}`.trim()}>
      <UnstyledButton
        className={styles.mark}
        data-state={state}
        data-testid="address-mark"
        aria-label={`${text}: open the settings`}
        onClick={() => go({ screen: 'settings' })}
      >
        <span className={styles.dot} aria-hidden />
        <span>{text}</span>
      </UnstyledButton>
    </Tooltip>
  );
}
