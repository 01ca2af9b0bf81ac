import { Group, Stack, Text } from '@mantine/core';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { Instant } from '../../components/day.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { agoText } from '../../format/dates.ts';
import { scheduleText } from '../../format/remote-words.ts';
import { KIND_WORDS } from '../../format/sync-resources.ts';
import { remoteState } from '../../format/sync-states.ts';
import styles from '../book/settings.module.css';

interface RemoteRowProps {
  readonly remote: SyncRemote;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** One remote: where it is, how it stands, when it is synced. */
export function RemoteRow({ remote, onEdit, onRemove }: RemoteRowProps) {
  const { id, name, base_url: baseUrl, kind, key_kept: keyKept, message } = remote;
  const state = remoteState(remote);
  return (
    <li className={styles.row} data-testid="remote-row">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} flex="1 1 18rem" miw={0}>
          <Group gap="xs" miw={0}>
            <Text size="sm" fw={560} className="truncate" title={name}>
              {name}
            </Text>
            <StateBadge tone={state.tone}>{state.words}</StateBadge>
            {keyKept === 'none' && <StateBadge tone="broken">Key missing: give it again</StateBadge>}
          </Group>
          <span className={styles.address}>{baseUrl}</span>
          <Text size="xs" c="dimmed">
            {KIND_WORDS[kind].replace(/^./, (first) => first.toUpperCase())} · <Synced remote={remote} />
          </Text>
          {message !== null && (
            <Text size="xs" c={remote.state === 'failed' ? 'red' : 'dimmed'} data-testid="remote-message">
              {message}
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          <Text size="sm" component="span" mr="xs">
            <PlaceLink place={{ screen: 'sync', id }} testId="open-sync">
              Open Sync
            </PlaceLink>
          </Text>
          <WriteButton variant="default" size="xs" onClick={onEdit} aria-label={`Change ${name}`} data-testid="edit-remote">
            {keyKept === 'none' ? 'Give the key…' : 'Change…'}
          </WriteButton>
          <WriteButton variant="subtle" color="red" size="xs" onClick={onRemove} aria-label={`Remove ${name}`} data-testid="remove-remote">
            Remove
          </WriteButton>
        </Group>
      </Group>
    </li>
  );
}

function Synced({ remote }: { readonly remote: SyncRemote }) {
  const now = useNow();
  const { last_synced_at: at } = remote;
  return (
    <>
      {at === null ? (
        'never synced'
      ) : (
        <>
          synced <Instant at={at} text={agoText(at, now)} />
        </>
      )}{' '}
      · {scheduleText(remote)}
    </>
  );
}
