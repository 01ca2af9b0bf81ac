import { Badge, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { signedOf } from '../../format/money.ts';
import { CorrectRow } from './correct-row.tsx';
import styles from './import.module.css';
import { RowDecision, type RowDecisions } from './row-decision.tsx';
import type { ImportProcess } from './use-import.ts';

type PreviewRow = ImportPreview['rows'][number];

const OUTCOMES = {
  new: { color: 'pine', label: 'New', Icon: IconCheck },
  duplicate: { color: 'gray', label: 'Already in', Icon: IconCopy },
  left_out: { color: 'gray', label: 'Left out', Icon: IconX },
  rejected: { color: 'red', label: 'Not readable', Icon: IconAlertTriangle },
} as const;

interface FirstRowsProps {
  readonly rows: readonly PreviewRow[];
  readonly currency: string | null;
  readonly process: ImportProcess;
}

/** The first rows as they will stand in the book. */
export function FirstRows({ rows, currency, process }: FirstRowsProps) {
  const [correcting, setCorrecting] = useState<PreviewRow | null>(null);
  if (rows.length === 0) return null;
  const isMixed = rows.some((row) => row.currency !== null && row.currency !== currency);
  const hasReference = rows.some((row) => row.reference !== null);
  return (
    <section aria-labelledby="rows-heading">
      <Title order={2} id="rows-heading" mb="xs">
        First rows
      </Title>
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={600} maxHeight={420} type="native" tabIndex={0} aria-label="First rows">
          <Table stickyHeader verticalSpacing={6} horizontalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">Row</Table.Th>
                <Table.Th>Date</Table.Th>
                <Table.Th>Description</Table.Th>
                {hasReference && <Table.Th>Reference</Table.Th>}
                <Table.Th ta="right" className="tabular">
                  Amount{currency !== null && !isMixed && ` (${currency})`}
                </Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th aria-label="Decide otherwise" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Row
                  key={`${row.row} ${row.occurrence} ${row.outcome}`}
                  row={row}
                  isMixed={isMixed}
                  hasReference={hasReference}
                  onDecide={process.decide}
                  onTakeBack={process.takeBack}
                  onCorrect={setCorrecting}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      <CorrectRow
        row={correcting}
        onClose={() => setCorrecting(null)}
        onDone={(overrule) => {
          setCorrecting(null);
          process.decide(overrule);
        }}
      />
    </section>
  );
}

interface RowProps extends RowDecisions {
  readonly row: PreviewRow;
  readonly isMixed: boolean;
  readonly hasReference: boolean;
}

function Row({ row, isMixed, hasReference, ...decisions }: RowProps) {
  const { color, label, Icon } = OUTCOMES[row.outcome];
  return (
    <Table.Tr>
      <Table.Td className="amount">
        <Text size="xs" c="dimmed">
          {row.row}
        </Text>
      </Table.Td>
      <Table.Td>
        <Day iso={row.date} />
      </Table.Td>
      <Table.Td className={styles.description}>
        <div className="truncate" title={row.description ?? undefined}>
          {row.description ?? '–'}
        </div>
        {row.message !== null && (
          <Text size="xs" c={row.outcome === 'rejected' ? 'red' : 'dimmed'}>
            {row.message}
          </Text>
        )}
      </Table.Td>
      {hasReference && <Table.Td className={`truncate ${styles.reference}`}>{row.reference ?? '–'}</Table.Td>}
      <Table.Td className="amount">
        {row.amount === null || row.direction === null ? (
          '–'
        ) : (
          <Amount
            minor={signedOf({ amount: row.amount, direction: row.direction, currency: '', decimal_places: row.decimal_places })}
            currency={isMixed ? row.currency : null}
            decimalPlaces={row.decimal_places}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Badge color={color} leftSection={<Icon size={12} aria-hidden />}>
          {label}
        </Badge>
      </Table.Td>
      <Table.Td>
        <RowDecision row={row} {...decisions} />
      </Table.Td>
    </Table.Tr>
  );
}
