import { Badge, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconHelpCircle, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { signedOf } from '../../format/money.ts';
import type { ListedRow } from '../../state/row-decisions.ts';
import { CorrectRow } from './correct-row.tsx';
import styles from './import.module.css';
import { RowDecision, type RowDecisions } from './row-decision.tsx';
import { TakeNew } from './take-new.tsx';

const OUTCOMES = {
  new: { color: 'pine', label: 'New', Icon: IconCheck },
  asked: { color: 'orange', label: 'In already?', Icon: IconHelpCircle },
  duplicate: { color: 'gray', label: 'Already in', Icon: IconCopy },
  left_out: { color: 'gray', label: 'Left out', Icon: IconX },
  rejected: { color: 'red', label: 'Not readable', Icon: IconAlertTriangle },
} as const;

interface RowsTableProps {
  readonly label: string;
  readonly rows: readonly ListedRow[];
  readonly currency: string | null;
  /** Null where nothing can be decided. */
  readonly decisions: Pick<RowDecisions, 'onDecide' | 'onTakeBack' | 'takesNew'> | null;
  /** Whether it is asked of a row whether it is in already. */
  readonly isAsked?: (row: ListedRow) => boolean;
}

const isNeverAsked = (): boolean => false;

/** Rows of the file, with what becomes of each and what may be decided about it. */
export function RowsTable({ label, rows, currency, decisions, isAsked = isNeverAsked }: RowsTableProps) {
  const [correcting, setCorrecting] = useState<ListedRow | null>(null);
  const isMixed = rows.some((row) => row.currency !== null && row.currency !== currency);
  const hasValueDates = rows.some((row) => row.value_date !== null);
  const hasReference = rows.some((row) => row.reference !== null);
  return (
    <>
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={600} maxHeight={420} type="native" tabIndex={0} aria-label={label}>
          <Table stickyHeader verticalSpacing={6} horizontalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">Row</Table.Th>
                <Table.Th>Date</Table.Th>
                {hasValueDates && <Table.Th>Value date</Table.Th>}
                <Table.Th>Description</Table.Th>
                {hasReference && <Table.Th>Reference</Table.Th>}
                <Table.Th ta="right" className="tabular">
                  Amount{currency !== null && !isMixed && ` (${currency})`}
                </Table.Th>
                <Table.Th>State</Table.Th>
                {decisions !== null && <Table.Th aria-label="Decide otherwise" />}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Row
                  key={`${row.row} ${row.occurrence} ${row.outcome}`}
                  row={row}
                  outcome={isAsked(row) ? 'asked' : row.outcome}
                  isMixed={isMixed}
                  hasValueDates={hasValueDates}
                  hasReference={hasReference}
                  decisions={decisions === null ? null : { ...decisions, onCorrect: setCorrecting }}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {decisions !== null && (
        <CorrectRow
          row={correcting}
          onClose={() => setCorrecting(null)}
          onDone={(overrule) => {
            setCorrecting(null);
            decisions.onDecide(overrule);
          }}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly row: ListedRow;
  readonly outcome: keyof typeof OUTCOMES;
  readonly isMixed: boolean;
  readonly hasValueDates: boolean;
  readonly hasReference: boolean;
  readonly decisions: RowDecisions | null;
}

function Row({ row, outcome, isMixed, hasValueDates, hasReference, decisions }: RowProps) {
  const { color, label, Icon } = OUTCOMES[outcome];
  return (
    <Table.Tr data-testid="file-row">
      <Table.Td className="amount">
        <Text size="xs" c="dimmed">
          {row.row}
        </Text>
      </Table.Td>
      <Table.Td>
        <Day iso={row.date} />
      </Table.Td>
      {hasValueDates && (
        <Table.Td>
          <Day iso={row.value_date} />
        </Table.Td>
      )}
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
      {decisions !== null && (
        <Table.Td>
          {decisions.takesNew === true && typeof row.replaces === 'number' && <TakeNew row={row} recordId={row.replaces} />}
          <RowDecision row={row} {...decisions} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
