import { Badge, Group, Table, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { ROLE_LABELS } from '../../format/words.ts';
import styles from './import.module.css';

/** Each column of the file and what it was taken for. */
export function ColumnsTable({ columns }: { readonly columns: ImportPreview['columns'] }) {
  return (
    <section aria-labelledby="columns-heading">
      <Title order={2} id="columns-heading" mb="xs">
        Columns
      </Title>
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={560} type="native">
          <Table verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>In the file</Table.Th>
                <Table.Th>Taken as</Table.Th>
                <Table.Th>For example</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {columns.map((column) => (
                <Table.Tr key={column.index}>
                  <Table.Td>{column.header === '' ? `Column ${column.index + 1}` : column.header}</Table.Td>
                  <Table.Td>
                    <Group gap={6} wrap="nowrap">
                      <IconArrowRight size={13} color="var(--mantine-color-dimmed)" aria-hidden />
                      <Badge color={column.role === 'ignored' || column.role === 'metadata' ? 'gray' : 'pine'}>
                        {ROLE_LABELS[column.role]}
                      </Badge>
                      {column.is_reference && <Badge color="violet">Reference</Badge>}
                      {column.role === 'metadata' && column.field !== null && (
                        <Text size="xs" c="dimmed" ff="monospace" className="truncate">
                          {column.field}
                        </Text>
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td className={styles.samples}>
                    <div className="truncate" title={column.samples.join('\n')}>
                      <Text span size="sm" c="dimmed">
                        {column.samples.filter((sample) => sample !== '').join(' · ') || 'empty'}
                      </Text>
                    </div>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
    </section>
  );
}
