import { Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Learned, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { Aliases } from './evidence-aliases.tsx';
import styles from './evidence.module.css';
import { EvidenceReviews } from './evidence-reviews.tsx';
import { LagChart } from './lag-chart.tsx';

/** Matches to look at again, and what the rule of evidence learned of the lines: in words first, then as figures. */
export function EvidenceTab({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  return (
    <div className={styles.tab}>
      <EvidenceReviews reconciliation={reconciliation} />
      <LearnedPanel id={reconciliation.id} />
    </div>
  );
}

function LearnedPanel({ id }: { readonly id: number }) {
  const { value, failure, refetch } = useQuery('evidence.get', { id });
  if (failure !== undefined && value === undefined) {
    return <FailurePanel title="What was learned could not be read" failure={failure} onRetry={refetch} />;
  }
  if (value === undefined) return <Skeleton height={200} radius="lg" />;
  if (value.learned === null) {
    return (
      <Stack className="card" p="xl" align="center" data-testid="nothing-learned">
        <Text size="sm" c="dimmed" ta="center">
          Nothing is learned yet. The next run with a rule of evidence learns from the lines of both sides how payments look here.
        </Text>
      </Stack>
    );
  }
  const { learned } = value;
  return (
    <div className={`card ${styles.learned}`} data-testid="learned">
      <Words id={id} learned={learned} />
      <section aria-label="Days between the sides">
        <Text fw={580} size="sm">
          Days from side A to side B
        </Text>
        <LagChart bins={learned.lags} />
      </section>
      <div className={styles.tables}>
        <Levels title="Amounts" levels={learned.amount} />
        <Levels title="Names and words" levels={learned.text} />
        <Levels title="References" levels={learned.references} />
      </div>
      <Aliases id={id} aliases={learned.aliases} />
      <div className={styles.tables}>
        <WordList title="Rarest words on both sides" words={learned.rare_words} />
        <WordList title="Commonest words" words={learned.common_words} />
      </div>
    </div>
  );
}

function Words({ id, learned }: { readonly id: number; readonly learned: Learned }) {
  const now = useNow();
  const relearn = useCommand('evidence.relearn', (failure) => notifyFailure('Nothing was forgotten', failure));
  async function forget(): Promise<void> {
    const answer = await relearn.run({ id });
    if (answer.ok) notifyDone('The next run learns anew');
  }
  return (
    <section aria-label="What was learned">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div data-testid="learned-words">
          {learned.words.map((words) => (
            <Text key={words} size="sm">
              {words}
            </Text>
          ))}
          <Text size="xs" c="dimmed" mt={4} component="div">
            Version {learned.version}, learned <Instant at={learned.learned_at} text={agoText(learned.learned_at, now)} />. It is used until
            the lines or your decisions change much.
          </Text>
        </div>
        <WriteButton
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={relearn.isRunning}
          onClick={() => void forget()}
          data-testid="relearn"
        >
          Learn anew
        </WriteButton>
      </Group>
    </section>
  );
}

const shareText = (share: number | null): string => {
  if (share === null) return 'by value';
  return share < 0.0005 && share > 0 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`;
};
const bitsText = (bits: number | null): string => (bits === null ? 'by value' : `${bits > 0 ? '+' : '−'}${Math.abs(bits).toFixed(1)}`);

function Levels({ title, levels }: { readonly title: string; readonly levels: Learned['amount'] }) {
  if (levels.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={580} size="sm">
        {title}
      </Text>
      <Table horizontalSpacing="xs" verticalSpacing={2} fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>How a pair looks</Table.Th>
            <Table.Th ta="right">True pairs</Table.Th>
            <Table.Th ta="right">Strangers</Table.Th>
            <Table.Th ta="right" title="In bits: each one doubles the odds that two lines belong together">
              Weight
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {levels.map(({ name, m, u, bits }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td className="amount">{shareText(m)}</Table.Td>
              <Table.Td className="amount">{shareText(u)}</Table.Td>
              <Table.Td className="amount">{bitsText(bits)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function WordList({ title, words }: { readonly title: string; readonly words: Learned['rare_words'] }) {
  if (words.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={580} size="sm">
        {title}
      </Text>
      <Text size="xs" c="dimmed" className={styles.words}>
        {words.map(({ word, count }) => `${word} ${countText(count)}`).join(' · ')}
      </Text>
    </section>
  );
}
