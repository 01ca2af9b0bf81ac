import { Alert, List, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { SyncProbe } from '../../../src-shared/contract/index.ts';
import { KIND_WORDS } from '../../format/sync-resources.ts';

/** What a test found: of which kind the remote is, and what it cannot do. */
export function ProbeResult({ probe }: { readonly probe: SyncProbe }) {
  const { kind, version, cannot, may_write: mayWrite, known_as: known } = probe;
  const knownWords =
    known === null ? [] : [`It is the one you know as ${known.name}, at ${known.base_url}: change that one instead of adding it again.`];
  const limits = [...knownWords, ...(mayWrite === false ? ['The key may only read: nothing can be sent with it.'] : []), ...cannot];
  return (
    <Alert
      color={mayWrite === false || known !== null ? 'orange' : 'pine'}
      icon={<IconCircleCheck size={18} aria-hidden />}
      title={`It answers: ${KIND_WORDS[kind]}${version === null ? '' : `, ${version}`}`}
      aria-live="polite"
      data-testid="probe-result"
    >
      {limits.length === 0 ? (
        <Text size="sm">It can do all that a sync needs.</Text>
      ) : (
        <List size="sm">
          {limits.map((limit) => (
            <List.Item key={limit}>{limit}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
