import { Stack, Table, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ImportBatch } from '../../../src-shared/contract/index.ts';
import { Amount } from '../../components/amount.tsx';
import { Instant } from '../../components/day.tsx';
import { ProofBadge } from '../../components/proof-badge.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { bytesText, countText } from '../../format/counts.ts';
import { agoText, dateRangeText } from '../../format/dates.ts';
import { proofSentence } from '../../format/proofs.ts';
import { plainWords } from '../../format/words.ts';
import { askToUndoImport } from '../../state/undo-import.ts';
import { CorrectCurrency } from './correct-currency.tsx';
import styles from './stream.module.css';

/** The imports of a stream, newest first. */
export function BatchTable({ batches }: { readonly batches: readonly ImportBatch[] }) {
  return (
    <div className={`card ${styles.table}`}>
      <Table.ScrollContainer minWidth={940} type="native">
        <Table horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th>Dates</Table.Th>
              <Table.Th ta="right">Kept</Table.Th>
              <Table.Th ta="right">Skipped</Table.Th>
              <Table.Th ta="right">Rejected</Table.Th>
              <Table.Th ta="right">In</Table.Th>
              <Table.Th ta="right">Out</Table.Th>
              <Table.Th>Proof</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {batches.map((batch) => (
              <Row key={batch.id} batch={batch} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function Row({ batch }: { readonly batch: ImportBatch }) {
  const now = useNow();
  const name = batch.filename ?? plainWords(batch.source);
  return (
    <Table.Tr data-testid="batch-row">
      <Table.Td className={styles.file}>
        <Stack gap={0}>
          <Text size="sm" fw={560} className="truncate" title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            <Instant at={batch.created_at} text={agoText(batch.created_at, now)} /> · {bytesText(batch.byte_length)}
            {batch.totals.length === 1 && ' · '}
            <CorrectCurrency batch={batch} name={name} />
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td className="tabular">{dateRangeText(batch.date_range_start, batch.date_range_end) || '–'}</Table.Td>
      <Table.Td className="amount">{countText(batch.kept)}</Table.Td>
      <Table.Td className="amount">{countText(batch.skipped)}</Table.Td>
      <Table.Td className="amount">{countText(batch.rejected)}</Table.Td>
      <Sums batch={batch} member="credits" />
      <Sums batch={batch} member="debits" />
      <Table.Td>
        <ProofBadge proof={batch.proof} explanation={explanationOf(batch)} />
      </Table.Td>
      <Table.Td ta="right">
        <WriteButton
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          onClick={() => askToUndoImport(batch.id)}
          aria-label={`Undo the import of ${name}`}
          data-testid="undo-import"
        >
          Undo import
        </WriteButton>
      </Table.Td>
    </Table.Tr>
  );
}

function Sums({ batch, member }: { readonly batch: ImportBatch; readonly member: 'credits' | 'debits' }) {
  const sign = member === 'debits' ? -1 : 1;
  return (
    <Table.Td>
      <Stack gap={0} align="flex-end">
        {batch.totals.map((total) => (
          <Amount key={total.currency} minor={sign * total[member]} currency={total.currency} decimalPlaces={total.decimal_places} />
        ))}
        {batch.totals.length === 0 && '–'}
      </Stack>
    </Table.Td>
  );
}

function explanationOf(batch: ImportBatch): string {
  const currency = batch.totals.length === 1 ? (batch.totals[0]?.currency ?? null) : null;
  return proofSentence({ ...batch, currency });
}
