import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import type { Stream } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { CoverageCard } from '../../components/coverage-card.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { counted } from '../../format/counts.ts';
import { holdsLines } from '../../components/holds-lines.ts';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { AdjustmentTable } from './adjustment-table.tsx';
import { BatchTable } from './batch-table.tsx';
import { LinkAccount } from './link-account.tsx';
import { ReadBy } from './read-by.tsx';

/** One stream: the files that went into it, with the way back for each; of Tieout's own stream its records. */
export function StreamScreen({ streamKey }: { readonly streamKey: string }) {
  const stream = useQuery('streams.get', { key: streamKey });
  const go = useNavigation((state) => state.go);
  const isImportable = holdsLines({ key: streamKey });
  if (stream.failure !== undefined && stream.value === undefined) {
    return (
      <Page title={streamKey}>
        <FailurePanel title="The stream could not be read" failure={stream.failure} onRetry={stream.refetch} />
      </Page>
    );
  }
  return (
    <Page
      title={stream.value?.name ?? streamKey}
      subtitle={stream.value === undefined ? <Skeleton height={16} width={220} /> : <Facts stream={stream.value} />}
      actions={
        isImportable && (
          <>
            {stream.value !== undefined && <ReadBy stream={stream.value} />}
            {stream.value !== undefined && <LinkAccount stream={stream.value} />}
            <WriteButton
              leftSection={<IconFileImport size={16} aria-hidden />}
              onClick={() => go({ screen: 'import', streamKey })}
              data-testid="import-button"
            >
              Import a file
            </WriteButton>
          </>
        )
      }
      testId="stream-screen"
    >
      {isImportable ? <Batches streamKey={streamKey} /> : <AdjustmentTable />}
    </Page>
  );
}

function Facts({ stream }: { readonly stream: Stream }) {
  const facts = [
    stream.currency,
    `key ${stream.key}`,
    stream.reference_field === null ? null : `reference in ${stream.reference_field}`,
    stream.read_by === 'value_date' ? 'read by value date' : null,
    stream.batch_lines === 'parts' ? 'a line for each transaction of an entry' : null,
  ];
  return (
    <Text size="sm" component="div">
      <PlaceLink place={{ screen: 'records', streamKey: stream.key }} title="Show its lines" testId="stream-lines">
        {counted(stream.record_count, 'record')}
      </PlaceLink>
      {facts.map((fact) => (fact === null ? '' : ` · ${fact}`)).join('')}
      {stream.bank_account_id !== null && <AccountOf id={stream.bank_account_id} />}
      <SyncWhy resource="streams" id={stream.id} />
    </Text>
  );
}

function AccountOf({ id }: { readonly id: number }) {
  const { value: accounts } = useQuery('bank_accounts.list', {});
  const account = accounts?.find((each) => each.id === id);
  if (account === undefined) return null;
  return (
    <>
      {' · bank account '}
      <PlaceLink place={{ screen: 'account', id }} testId="stream-account">
        {account.name}
      </PlaceLink>
    </>
  );
}

/** Which days the statements of the stream cover. */
function CoverageCards({ streamKey }: { readonly streamKey: string }) {
  const coverage = useQuery('coverage.of_stream', { key: streamKey });
  const accounts = coverage.value?.accounts ?? [];
  const areInSeveral = new Set(accounts.map(({ currency }) => currency)).size > 1;
  return accounts.map((each) => (
    <CoverageCard key={`${each.account ?? ''} ${each.currency ?? ''}`} coverage={each} namesCurrency={areInSeveral} />
  ));
}

function Batches({ streamKey }: { readonly streamKey: string }) {
  const batches = useQuery('import_batches.list', { key: streamKey });
  if (batches.failure !== undefined && batches.value === undefined) {
    return <FailurePanel title="The imports could not be read" failure={batches.failure} onRetry={batches.refetch} />;
  }
  if (batches.value === undefined) return <Skeleton height={200} radius="lg" />;
  if (batches.value.data.length === 0) {
    return (
      <Stack className="card" p="xl" align="center">
        <Text c="dimmed">No file has been imported into this stream yet.</Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <CoverageCards streamKey={streamKey} />
      <BatchTable batches={batches.value.data} />
      {batches.value.has_more && (
        <Group justify="center">
          <Text size="sm" c="dimmed">
            The newest {batches.value.data.length} imports are shown.
          </Text>
        </Group>
      )}
    </Stack>
  );
}
