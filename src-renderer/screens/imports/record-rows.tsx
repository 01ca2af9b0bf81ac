import { Table } from '@mantine/core';
import type { Output } from '../../../src-shared/contract/index.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { signedOf } from '../../format/money.ts';
import styles from './import.module.css';

type BatchRecord = Output<'import_batches.records'>['data'][number];

/** Records as they stand in the book, the last of the file first. */
export function DataRows({ records }: { readonly records: readonly BatchRecord[] }) {
  const hasValueDates = records.some((record) => record.value_date !== null);
  return (
    <div className={`card ${styles.table}`}>
      <Table.ScrollContainer minWidth={420} maxHeight={420} type="native" tabIndex={0} aria-label="Records imported">
        <Table stickyHeader verticalSpacing={6} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Date</Table.Th>
              {hasValueDates && <Table.Th>Value date</Table.Th>}
              <Table.Th>Description</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records.map((record) => (
              <Table.Tr key={record.id} data-testid="kept-row">
                <Table.Td>
                  <Day iso={record.date} />
                </Table.Td>
                {hasValueDates && (
                  <Table.Td>
                    <Day iso={record.value_date} />
                  </Table.Td>
                )}
                <Table.Td className={styles.description}>
                  <div className="truncate" title={record.description ?? undefined}>
                    {record.description ?? '–'}
                  </div>
                </Table.Td>
                <Table.Td className="amount">
                  <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
