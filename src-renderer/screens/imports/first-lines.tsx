import { Badge, Button, Collapse, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { counted } from '../../format/counts.ts';
import styles from './import.module.css';

interface FirstLinesProps {
  readonly preview: Pick<ImportPreview, 'head' | 'dialect'>;
  /** At first. */
  readonly isOpen: boolean;
}

/** The first rows of the file as they were split into cells, with the header marked. */
export function FirstLines({ preview: { head, dialect }, isOpen: isOpenAtFirst }: FirstLinesProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const width = head.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  if (head.length === 0) return null;
  return (
    <div data-testid="first-lines">
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        aria-expanded={isOpen}
        aria-controls="first-lines"
        onClick={() => setOpen(!isOpen)}
        data-testid="show-first-lines"
      >
        {isOpen ? 'Hide' : 'Show'} the first {counted(head.length, 'row')} of the file
      </Button>
      <Collapse expanded={isOpen} id="first-lines">
        <div className={`card ${styles.table}`}>
          <Table.ScrollContainer minWidth={320} maxHeight={320} type="native" tabIndex={0} aria-label="First rows of the file">
            <Table verticalSpacing={4} horizontalSpacing="xs" fz="xs" className={styles.firstLines}>
              <Table.Tbody>
                {head.map(({ row, cells }) => (
                  <Table.Tr key={row} data-header={row === dialect.header_row || undefined}>
                    <Table.Th scope="row" ta="right">
                      {row}
                    </Table.Th>
                    <Table.Td>{row === dialect.header_row && <Badge size="xs">Header</Badge>}</Table.Td>
                    {Array.from({ length: width }, (_, index) => (
                      <Table.Td key={index}>
                        <div className="truncate" title={cells[index]}>
                          {cells[index] ?? ''}
                        </div>
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </div>
        {width === 1 && (
          <Text size="xs" c="dimmed" mt={4}>
            Every row has one cell: the delimiter or the encoding is probably another one.
          </Text>
        )}
      </Collapse>
    </div>
  );
}
