import { Badge, Button, Table, Text, Title } from '@mantine/core';
import { useRef } from 'react';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { counted } from '../../format/counts.ts';
import { gravestFirst, weightOf } from '../../format/problems.ts';
import styles from './import.module.css';

const WEIGHTS = {
  note: { color: 'gray', label: 'Note' },
  rejected: { color: 'orange', label: 'Row rejected' },
  fatal: { color: 'red', label: 'File unusable' },
  broken: { color: 'red', label: 'Broken here' },
} as const;

/** What was found wrong, the gravest first, with its place in the file. */
export function ProblemList({ result }: { readonly result: ImportResult }) {
  const first = useRef<HTMLTableRowElement>(null);
  if (result.problems.length === 0) return null;
  const sorted = gravestFirst(result.problems);
  return (
    <section aria-labelledby="problems-heading" data-testid="import-problems">
      <div className={styles.headingRow}>
        <Title order={2} id="problems-heading">
          {counted(result.problems_total, 'thing')} to look at
        </Title>
        <Button variant="subtle" size="compact-sm" onClick={() => first.current?.focus()}>
          Go to the first
        </Button>
      </div>
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={480} maxHeight={260} type="native">
          <Table verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">Row</Table.Th>
                <Table.Th>Column</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>Weight</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sorted.map((problem, index) => (
                <Table.Tr
                  key={`${problem.row ?? ''} ${problem.column ?? ''} ${problem.code} ${problem.message}`}
                  ref={index === 0 ? first : null}
                  tabIndex={index === 0 ? 0 : undefined}
                >
                  <Table.Td className="amount">{problem.row ?? '–'}</Table.Td>
                  <Table.Td>{problem.column ?? '–'}</Table.Td>
                  <Table.Td>{problem.message}</Table.Td>
                  <Table.Td>
                    <Badge color={WEIGHTS[weightOf(problem)].color}>{WEIGHTS[weightOf(problem)].label}</Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {result.problems_total > sorted.length && (
        <Text size="xs" c="dimmed" mt={4}>
          The first {sorted.length} are listed.
        </Text>
      )}
    </section>
  );
}
