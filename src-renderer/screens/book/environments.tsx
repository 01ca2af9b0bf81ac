import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { countOf } from '../../format/counts.ts';
import { ENVIRONMENT_LABELS } from '../../format/words.ts';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { say } from '../../../src-shared/words/say.ts';

type Environment = Output<'environments.list'>[number];

const MEANINGS: Readonly<Record<Environment['name'], string>> = {
  live: say('book.meanings.live'),
  test: say('book.meanings.test'),
};

/** The two environments of a book. */
export function Environments() {
  const list = useOperation('environments.list', {});
  const { data: book } = useOperation('book.overview', {});
  return (
    <Section id="environments" title={say('book.environments.environments')} about={say('book.environments.aBookHoldsTwoSets')}>
      {list.isLoadingError && (
        <FailurePanel title={say('book.environments.theEnvironmentsCouldNotBeRead')} failure={list.error} onRetry={list.refetch} />
      )}
      {list.isPending && <Skeleton height={120} />}
      {list.data?.map((environment) => (
        <Row key={environment.name} environment={environment} isShown={book?.environment === environment.name} />
      ))}
    </Section>
  );
}

function Row({ environment, isShown }: { readonly environment: Environment; readonly isShown: boolean }) {
  return (
    <Group className={styles.row} justify="space-between" gap="xs" data-testid="environment-row">
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={560}>
            {ENVIRONMENT_LABELS[environment.name]}
          </Text>
          {isShown && <Badge color="pine">{say('book.environments.thisWindow')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {MEANINGS[environment.name]}
        </Text>
      </Stack>
      <Text size="sm" c="dimmed" className="tabular">
        {environment.live_keys === 0 ? say('book.environments.noKeys') : countOf(environment.live_keys, 'count.keys')}
        {environment.live_links > 0 && `, ${countOf(environment.live_links, 'count.sheetLinks')}`}
      </Text>
    </Group>
  );
}
