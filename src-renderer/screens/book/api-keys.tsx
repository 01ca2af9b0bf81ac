import { Anchor, Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ApiKey } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { ENVIRONMENT_LABELS, PERMISSION_LABELS } from '../../format/words.ts';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

/** Keys of the local address: who has one, when it was used last, and the way to end it. */
export function ApiKeys() {
  const keys = useQuery('api_keys.list', {});
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  // The use of a key is no change of the book, so nothing tells of it.
  const { refetch } = keys;
  useEffect(refetch, [refetch]);
  return (
    <Section
      id="api-keys"
      title="API keys"
      about="Each program has a key of its own, so that one can be revoked without the others."
      action={
        <WriteButton size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)} data-testid="new-key">
          New key
        </WriteButton>
      }
    >
      {keys.isLoading && <Skeleton height={120} />}
      {keys.failure !== undefined && keys.value === undefined && (
        <FailurePanel title="The keys could not be read" failure={keys.failure} onRetry={keys.refetch} />
      )}
      {keys.value !== undefined && <KeyList keys={keys.value} onRevoke={setRevoking} />}
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
      {revoking !== null && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

function KeyList({ keys, onRevoke }: { readonly keys: readonly ApiKey[]; readonly onRevoke: (key: ApiKey) => void }) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const revoked = keys.filter((key) => key.revoked_at !== null);
  const shown = keys.filter((key) => showsRevoked || key.revoked_at === null);
  return (
    <>
      {shown.length === 0 ? (
        <Text className={styles.row} size="sm" c="dimmed" data-testid="no-keys">
          {keys.length === 0 ? 'No keys yet. A program gets in only with a key.' : 'No key works any more.'}
        </Text>
      ) : (
        <ul className={styles.list} aria-label="API keys">
          {shown.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <div className={styles.row} data-quiet>
          <Anchor component="button" type="button" size="sm" onClick={() => setShowsRevoked(!showsRevoked)} data-testid="show-revoked">
            {showsRevoked ? 'Hide revoked keys' : `Show ${counted(revoked.length, 'revoked key')}`}
          </Anchor>
        </div>
      )}
    </>
  );
}

function Row({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) {
  const now = useNow();
  const { name, environment, permission, created_at: createdAt, last_used_at: usedAt, revoked_at: revokedAt } = apiKey;
  return (
    <li className={`${styles.row} ${styles.item}`} data-testid="key-row">
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Text size="sm" fw={560} className="truncate" title={name} c={revokedAt === null ? undefined : 'dimmed'}>
            {name}
          </Text>
          <Badge color={environment === 'live' ? 'pine' : 'orange'}>{ENVIRONMENT_LABELS[environment]}</Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {PERMISSION_LABELS[permission]} · made <Instant at={createdAt} text={agoText(createdAt, now)} /> ·{' '}
          {usedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Instant at={usedAt} text={agoText(usedAt, now)} />
            </>
          )}
        </Text>
      </Stack>
      {revokedAt === null ? (
        <WriteButton
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={onRevoke}
          aria-label={`Revoke ${name}`}
          data-testid="revoke-key"
        >
          Revoke
        </WriteButton>
      ) : (
        <Text size="xs" c="dimmed">
          Revoked <Instant at={revokedAt} text={agoText(revokedAt, now)} />
        </Text>
      )}
    </li>
  );
}
