import { Group, Select, Text } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { useConnection } from '../../api/connection-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { say } from '../../../src-shared/words/say.ts';

const LEAST = [
  { value: '0.999', label: '99.9 %' },
  { value: '0.99', label: '99 %' },
  { value: '0.95', label: '95 %' },
  { value: '0.9', label: '90 %' },
] as const;

/** Returns `about 0.4 wrong expected`. */
function wrongText(expected: number): string {
  if (expected < 0.1) return say('rules.confirmLikely.hardlyAnyWrongExpected');
  return say('rules.confirmLikely.aboutWrongExpected', { toFixed: expected < 10 ? expected.toFixed(1) : countText(Math.round(expected)) });
}

/** Confirms all sufficiently likely proposals together, after showing the expected number of wrong ones. */
export function ConfirmLikely({ id }: { readonly id: number }) {
  const [least, setLeast] = useState<string>('0.99');
  const [isRunning, setRunning] = useState(false);
  const { client } = useConnection();
  const { data: value } = useOperation('confirmations.expect', { id, least_likelihood: Number(least) });
  const lowest = useOperation('confirmations.expect', { id, least_likelihood: 0.5 }).data;
  if (value === undefined || lowest === undefined || lowest.count === 0) return null;
  async function confirm(): Promise<void> {
    setRunning(true);
    for (let isMore = true; isMore;) {
      const answer = await client.call('confirmations.create', { id, least_likelihood: Number(least) });
      if (!answer.ok) {
        notifyFailure(say('rules.confirmLikely.theProposalsWereNotConfirmed'), answer.error);
        break;
      }
      isMore = answer.value.is_more;
    }
    setRunning(false);
  }
  return (
    <Group p="6px 12px" style={{ flexShrink: 0, borderBottom: '1px solid var(--line)' }} gap="xs" data-testid="confirm-likely">
      <Text size="sm">{say('rules.confirmLikely.withoutADifferenceAndAtLeast')}</Text>
      <Select
        size="xs"
        w={92}
        data={[...LEAST]}
        value={least}
        onChange={(chosen) => setLeast(chosen ?? least)}
        allowDeselect={false}
        aria-label={say('rules.confirmLikely.leastLikelihood')}
        data-testid="least-likelihood"
      />
      <Text size="sm">{say('rules.confirmLikely.likely')}</Text>
      <WriteButton
        size="compact-sm"
        leftSection={<IconChecks size={14} aria-hidden />}
        disabled={value.count === 0}
        loading={isRunning}
        onClick={() => void confirm()}
        data-testid="confirm-likely-button"
      >
        {say('rules.confirmLikely.confirm', { count: countText(value.count) })}
      </WriteButton>
      <Text size="sm" c="dimmed">
        {value.count === 0 ? say('rules.confirmLikely.noProposalIsSoLikely') : wrongText(value.expected_wrong)}
      </Text>
    </Group>
  );
}
