import { Anchor, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { RecordItem } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { useQuery } from '../../api/use-query.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { counted } from '../../format/counts.ts';
import { adjustmentLabel } from '../../format/difference-words.ts';
import { signedOf } from '../../format/money.ts';
import { useNavigation } from '../../state/navigation.ts';
import { placeText } from '../../state/places.ts';
import styles from './stream.module.css';

const SHOWN = 100;

/** The adjustments of the book, the latest first, with what each one balances. */
export function AdjustmentTable() {
  const records = useQuery('records.list', { data_stream_key: ADJUSTMENTS_KEY, sort: '-date', limit: SHOWN });
  if (records.failure !== undefined && records.value === undefined) {
    return <FailurePanel title="The adjustments could not be read" failure={records.failure} onRetry={records.refetch} />;
  }
  if (records.value === undefined) return <Skeleton height={200} radius="lg" />;
  const { data, has_more: hasMore } = records.value;
  if (data.length === 0) {
    return (
      <Stack className="card" p="xl" align="center">
        <Text c="dimmed">No match needs an adjustment at present.</Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={720} type="native">
          <Table horizontalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Date</Table.Th>
                <Table.Th>Type</Table.Th>
                <Table.Th>Reason</Table.Th>
                <Table.Th ta="right">Amount</Table.Th>
                <Table.Th>Balances</Table.Th>
                <Table.Th>Reconciliation</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((record) => (
                <Row key={record.id} record={record} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {hasMore && (
        <Group justify="center">
          <Text size="sm" c="dimmed">
            The latest {SHOWN} adjustments are shown.
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function Row({ record }: { readonly record: RecordItem }) {
  const go = useNavigation((state) => state.go);
  const [first] = record.matched_records;
  const others = record.matched_records_total - 1;
  return (
    <Table.Tr data-testid="adjustment-row">
      <Table.Td className="tabular">
        <Day iso={record.date} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{adjustmentLabel(record) ?? '–'}</Text>
      </Table.Td>
      <Table.Td className={styles.file}>
        <Text size="sm" className="truncate" title={record.description ?? undefined} c={record.description === null ? 'dimmed' : undefined}>
          {record.description ?? 'No reason given'}
        </Text>
      </Table.Td>
      <Table.Td className="amount">
        <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
      </Table.Td>
      <Table.Td className={styles.file}>
        <Text size="sm" className="truncate">
          {first === undefined ? '–' : (first.description ?? first.external_id ?? 'No description')}
        </Text>
        {others > 0 && (
          <Text size="xs" c="dimmed">
            and {counted(others, 'line')} more
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {first !== undefined && <ReconciliationLink id={first.reconciliation_id} name={first.reconciliation_name} go={go} />}
      </Table.Td>
    </Table.Tr>
  );
}

interface ReconciliationLinkProps {
  readonly id: number;
  readonly name: string;
  readonly go: (place: { readonly screen: 'reconciliation'; readonly id: number }) => void;
}

function ReconciliationLink({ id, name, go }: ReconciliationLinkProps) {
  const place = { screen: 'reconciliation', id } as const;
  return (
    <Anchor
      href={`#${placeText(place)}`}
      size="sm"
      onClick={(event) => {
        event.preventDefault();
        go(place);
      }}
    >
      {name}
    </Anchor>
  );
}
