import { Badge, Table, Text, Title } from '@mantine/core';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { counted } from '../../format/counts.ts';
import styles from './import.module.css';

/** The rows that an import did not take in, each with its reason. */
export function LeftOutRows({ result }: { readonly result: ImportResult }) {
  const rejected = result.problems.filter((problem) => problem.severity === 'rejected' && problem.row !== null);
  const rows = [
    ...result.skipped_rows.map(({ row, occurrence, message }) => ({ key: `s ${row} ${occurrence}`, row, message, isRejected: false })),
    ...rejected.map(({ row, code, column, message }) => ({ key: `r ${row} ${code} ${column}`, row: row ?? 0, message, isRejected: true })),
  ].toSorted((one, other) => one.row - other.row);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="left-out-heading" data-testid="left-out-rows">
      <Title order={3} id="left-out-heading" mb="xs">
        {counted(result.skipped + result.rejected, 'row')} not taken in
      </Title>
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={420} maxHeight={260} type="native" tabIndex={0} aria-label="Rows not taken in">
          <Table stickyHeader verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">Row</Table.Th>
                <Table.Th>Why</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ key, row, message, isRejected }) => (
                <Table.Tr key={key}>
                  <Table.Td className="amount">{row}</Table.Td>
                  <Table.Td>{message}</Table.Td>
                  <Table.Td>
                    <Badge color={isRejected ? 'orange' : 'gray'}>{isRejected ? 'Rejected' : 'Skipped'}</Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {result.skipped > result.skipped_rows.length && (
        <Text size="xs" c="dimmed" mt={4}>
          The first {result.skipped_rows.length} skipped rows are listed.
        </Text>
      )}
    </section>
  );
}
